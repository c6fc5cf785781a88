//! Hosts to which a secret may be sent without encryption.

use std::net::IpAddr;

/// Whether the host of a URL is this machine: `localhost`, a name that ends with `.localhost` (RFC 6761), or a loopback address. An IPv6 address
/// may have its brackets.
///
/// ```
/// use prompt_base::host::is_loopback;
///
/// assert!(["localhost", "api.localhost", "127.0.0.1", "[::1]"].into_iter().all(is_loopback));
/// assert!(!is_loopback("example.com"));
/// ```
pub fn is_loopback(host: &str) -> bool {
    let host = host.trim_matches(['[', ']']);
    let address = || {
        host.parse()
            .is_ok_and(|address: IpAddr| address.is_loopback())
    };
    host == "localhost" || host.ends_with(".localhost") || address()
}
