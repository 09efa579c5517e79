//! How many positions are looked at where not all can be.

/// Whether the environment asks for larger samples: `GRUNDY_THOROUGH=1`. A run then takes about half as long again.
pub(crate) fn thorough() -> bool {
    std::env::var_os("GRUNDY_THOROUGH").is_some()
}
