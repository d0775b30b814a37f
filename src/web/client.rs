//! The client of a request: the peer of the connection, or the address that a trusted proxy reports. Knows no user.

use std::net::IpAddr;
use std::sync::Once;

use ipnet::IpNet;
use warp::http::HeaderMap;
use warp::http::header::{HOST, HeaderName, USER_AGENT};

use crate::local_network;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const X_FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
const X_FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");

const FORWARDED: [HeaderName; 3] = [X_FORWARDED_FOR, X_FORWARDED_PROTO, X_FORWARDED_HOST];

/// The peer of a connection; the accept loop adds it to every request.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    pub address: IpAddr,
    /// Whether the connection itself is https.
    pub https: bool,
}

/// The client of a request, and how it connected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    pub address: IpAddr,
    pub https: bool,
    /// Host and port that the client asked for.
    pub host: Option<String>,
    /// Whether the address may be that of a proxy missing in the settings.
    pub may_be_proxy: bool,
    /// The `User-Agent` header; unverified, like any header.
    pub browser: Option<String>,
    /// The login that a trusted proxy names: see [`Client::with_login`].
    pub login: Option<String>,
}

impl Client {
    /// Determines the client. Anyone can send `X-Forwarded-…` headers, so they count only from a trusted proxy. Each
    /// proxy appends to them: they are read from the right, and the first address that is no trusted proxy is the
    /// client.
    #[must_use]
    pub fn from_request(peer: Peer, headers: &HeaderMap, trusted: &[IpNet]) -> Client {
        let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(&address));
        let asked = headers.get(HOST).and_then(|host| host.to_str().ok());
        let browser = headers.get(USER_AGENT).and_then(|browser| browser.to_str().ok());
        if !is_trusted(peer.address) {
            let may_be_proxy = FORWARDED.iter().any(|name| headers.contains_key(name));
            if may_be_proxy && fluglog_config::smtp::is_local_address(peer.address) {
                warn_of_unknown_proxy(peer.address);
            }
            return Client {
                address: peer.address,
                https: peer.https,
                host: asked.map(str::to_owned),
                may_be_proxy,
                browser: browser.map(str::to_owned),
                login: None,
            };
        }
        let mut address = peer.address;
        for hop in values(headers, &X_FORWARDED_FOR).into_iter().rev() {
            let Ok(hop) = hop.parse::<IpAddr>() else { break };
            address = hop.to_canonical();
            if !is_trusted(address) {
                break;
            }
        }
        let last = |name| values(headers, name).pop();
        Client {
            address,
            https: last(&X_FORWARDED_PROTO).map_or(peer.https, |scheme| scheme.eq_ignore_ascii_case("https")),
            host: last(&X_FORWARDED_HOST).or(asked).map(str::to_owned),
            may_be_proxy: false,
            browser: browser.map(str::to_owned),
            login: None,
        }
    }

    /// Adds the login that a trusted proxy names in a header. A header that comes twice counts for nothing: one of the
    /// two may be the client's.
    #[must_use]
    pub fn with_login(self, peer: Peer, headers: &HeaderMap, trusted: &[IpNet], header: &str) -> Client {
        let is_trusted = trusted.iter().any(|network| network.contains(&peer.address));
        let mut named = headers.get_all(header).iter().filter(|_| is_trusted);
        let login = match (named.next(), named.next()) {
            (Some(only), None) => only.to_str().ok().map(str::to_owned),
            _ => None,
        };
        Client { login, ..self }
    }

    /// Returns whether the client is in a network of this machine.
    #[must_use]
    pub fn is_local(&self) -> bool {
        !self.may_be_proxy && local_network::contains(self.address)
    }

    /// Returns the `Origin` that a browser sends from a page of the requested host.
    #[must_use]
    pub fn origin(&self) -> Option<String> {
        let scheme = if self.https { "https" } else { "http" };
        self.host.as_ref().map(|host| format!("{scheme}://{host}"))
    }
}

/// Warns of a proxy missing in the settings: all pilots would share its address and https would go unnoticed, which is
/// hard to diagnose. Warns only for an address of this machine or its network, and once, because anyone can send the
/// headers.
fn warn_of_unknown_proxy(address: IpAddr) {
    static HINTED: Once = Once::new();
    HINTED.call_once(|| {
        tracing::warn!(
            "X-Forwarded headers from {address} are ignored; if that is your own proxy, set \
             trusted_proxies = [\"{address}\"]"
        );
    });
}

fn values<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Vec<&'h str> {
    headers
        .get_all(name)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROXY: &str = "127.0.0.1";

    fn client(peer: &str, pairs: &[(&'static str, &'static str)]) -> Client {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(
                HeaderName::from_static(name),
                warp::http::HeaderValue::from_static(value),
            );
        }
        let peer = Peer {
            address: peer.parse().unwrap(),
            https: false,
        };
        Client::from_request(
            peer,
            &headers,
            &["127.0.0.0/8".parse().unwrap(), "10.0.0.0/8".parse().unwrap()],
        )
    }

    #[test]
    fn a_stranger_can_not_choose_his_address_scheme_or_host() {
        let stranger = client(
            "203.0.113.9",
            &[
                ("host", "pi"),
                ("x-forwarded-for", "198.51.100.1"),
                ("x-forwarded-proto", "https"),
                ("x-forwarded-host", "evil"),
            ],
        );
        assert_eq!(stranger.address.to_string(), "203.0.113.9");
        assert_eq!(stranger.origin().as_deref(), Some("http://pi"));
    }

    #[test]
    fn behind_a_trusted_proxy_its_word_counts() {
        let behind = client(
            PROXY,
            &[
                ("host", "127.0.0.1:8080"),
                ("x-forwarded-for", "203.0.113.9"),
                ("x-forwarded-proto", "https"),
                ("x-forwarded-host", "fluglog.example.org"),
            ],
        );
        assert_eq!(behind.address.to_string(), "203.0.113.9");
        assert_eq!(behind.origin().as_deref(), Some("https://fluglog.example.org"));
    }

    #[test]
    fn addresses_left_of_the_proxies_are_not_believed() {
        let behind = client(
            PROXY,
            &[
                ("x-forwarded-for", "198.51.100.1, 203.0.113.9"),
                ("x-forwarded-for", "10.1.2.3"),
            ],
        );
        assert_eq!(behind.address.to_string(), "203.0.113.9");
        assert_eq!(
            client(PROXY, &[("x-forwarded-for", "198.51.100.1, unknown, 10.1.2.3")])
                .address
                .to_string(),
            "10.1.2.3"
        );
    }
}
