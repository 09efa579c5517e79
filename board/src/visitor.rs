//! Who asks: so that no visitor takes what is there for all.

#[cfg(not(target_family = "wasm"))]
use std::net::Ipv6Addr;
use std::net::{IpAddr, Ipv4Addr};

#[cfg(not(target_family = "wasm"))]
tokio::task_local! {
    /// Who asked for what the task does.
    pub static VISITOR: IpAddr;
}

/// Who asked for what the running task does.
pub fn current() -> IpAddr {
    let nobody = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
    #[cfg(not(target_family = "wasm"))]
    let nobody = VISITOR.try_with(|visitor| *visitor).unwrap_or(nobody);
    nobody
}

/// The visitor behind an address. Whoever has one IPv6 address has all that begin with the same 64 bits.
#[cfg(not(target_family = "wasm"))]
pub fn behind(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        address @ IpAddr::V4(_) => address,
    }
}
