//! The address of the client that a task works for.

#[cfg(not(target_family = "wasm"))]
use std::net::Ipv6Addr;
use std::net::{IpAddr, Ipv4Addr};

#[cfg(not(target_family = "wasm"))]
tokio::task_local! {
    /// The client that the task works for.
    pub static CLIENT: IpAddr;
}

/// Returns the client that the running task works for; the unspecified address if there is none.
pub fn current() -> IpAddr {
    let nobody = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
    #[cfg(not(target_family = "wasm"))]
    let nobody = CLIENT.try_with(|client| *client).unwrap_or(nobody);
    nobody
}

/// Returns the address that represents a client. IPv6 clients are grouped by /64.
#[cfg(not(target_family = "wasm"))]
pub fn of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        address @ IpAddr::V4(_) => address,
    }
}
