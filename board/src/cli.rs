//! The command line.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;

use clap::Parser;

use crate::external::ExternalEngine;

/// A web board for every game: the value of every move, play, analysis, and a link for every position.
#[derive(Parser, Debug, Clone)]
#[command(name = "grundy-board", version)]
pub struct Args {
    /// Address to listen on, with a port if wanted: localhost, 0.0.0.0, 127.0.0.1:9000. Other machines reach the board only
    /// at an address of the network
    #[arg(long, value_name = "ADDRESS[:PORT]", default_value = "localhost")]
    pub listen: Listen,
    /// Port to listen on if --listen names none; 0 takes any free one
    #[arg(long, default_value_t = 8080)]
    pub port: u16,
    /// Open the board in the browser
    #[arg(long)]
    pub open: bool,
    /// Folder of tables [default: $GRUNDY_TABLES, else the platform's cache]
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
    /// Threads that analyse; as many others choose moves
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Megabytes of transposition table for each search
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub hash: u32,
    /// Megabytes that open games may keep, with their tables and all that they have learned; the least recently used game is
    /// closed first. A question that needs more than this is answered without its table
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(16..=1 << 24))]
    pub memory: u64,
    /// Seconds that a question may take, with all that is done for it
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub time: u64,
    /// Questions that may wait for a search; further ones are told to come back
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=10000))]
    pub queue: u16,
    /// Folder from which games may read files (`graph:file=..`); none without it
    #[arg(long, value_name = "DIR")]
    pub rules_dir: Option<PathBuf>,
    /// Let visitors upload rules files of at most 64 KB; they are deleted when the board ends
    #[arg(long)]
    pub uploads: bool,
    /// Another engine to play against: a name and the command that starts it; may be given again
    #[arg(long, value_name = "NAME=COMMAND")]
    pub engine: Vec<ExternalEngine>,
    /// TCP port that speaks UGI, one engine a connection
    #[arg(long, value_name = "PORT")]
    pub ugi_port: Option<u16>,
    /// Another name that this board is reached by, behind a reverse proxy for instance; may be given again.
    /// Requests to names other than this machine's own are refused
    #[cfg(not(target_family = "wasm"))]
    #[arg(long, value_name = "NAME", value_parser = crate::origin::host)]
    pub host: Vec<String>,
    /// Let pages of this site show the board's pages in frames; may be given again
    #[cfg(not(target_family = "wasm"))]
    #[arg(long, value_name = "ORIGIN", value_parser = crate::origin::embedder)]
    pub embed: Vec<String>,
    /// Let pages of all sites use the board: read the API, start searches and engines
    #[arg(long)]
    pub cors: bool,
}

/// An address to listen on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listen {
    /// The address.
    pub address: IpAddr,
    /// The port, if one was named.
    pub port: Option<u16>,
}

/// Reads `ADDRESS`, `ADDRESS:PORT` or `[ADDRESS]:PORT`; `localhost` is an address.
impl FromStr for Listen {
    type Err = String;

    fn from_str(text: &str) -> Result<Listen, String> {
        let local = |text: &str| text.eq_ignore_ascii_case("localhost");
        let localhost = IpAddr::V4(Ipv4Addr::LOCALHOST);
        if local(text) {
            return Ok(Listen { address: localhost, port: None });
        }
        if let Ok(address) = text.trim_matches(['[', ']']).parse() {
            return Ok(Listen { address, port: None });
        }
        if let Ok(address) = text.parse::<SocketAddr>() {
            return Ok(Listen { address: address.ip(), port: Some(address.port()) });
        }
        let port =
            text.split_once(':').filter(|(name, _)| local(name)).and_then(|(_, port)| port.parse().ok());
        match port {
            Some(port) => Ok(Listen { address: localhost, port: Some(port) }),
            None => Err("expected an address with or without a port, as in localhost, 0.0.0.0 or [::1]:8080"
                .to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_to_listen_on_may_be_localhost_and_have_a_port() {
        let read =
            |text: &str| text.parse::<Listen>().map(|listen| (listen.address.to_string(), listen.port));
        let local = || "127.0.0.1".to_owned();
        assert_eq!(read("localhost"), Ok((local(), None)));
        assert_eq!(read("LOCALHOST:9000"), Ok((local(), Some(9000))));
        assert_eq!(read("127.0.0.1:0"), Ok((local(), Some(0))));
        assert_eq!(read("0.0.0.0"), Ok(("0.0.0.0".to_owned(), None)));
        assert_eq!(read("::1"), Ok(("::1".to_owned(), None)));
        assert_eq!(read("[::1]:8080"), Ok(("::1".to_owned(), Some(8080))));
        for wrong in ["", "board.example.org", "localhost:x", "127.0.0.1:99999", ":80"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
