//! Sizes of samples.

/// Reports whether the environment asks for larger samples: `GRUNDY_THOROUGH=1`. A run then takes about 1.5 times as
/// long.
pub(crate) fn thorough() -> bool {
    std::env::var_os("GRUNDY_THOROUGH").is_some()
}
