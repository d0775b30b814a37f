//! Who is really at the other end: the connection itself, or what a trusted proxy says of it. Knows no user.

use std::net::{IpAddr, SocketAddr};

use ipnet::IpNet;
use warp::http::HeaderMap;
use warp::http::header::{HOST, HeaderName};

use crate::config::public_url::PublicUrl;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const X_FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
const X_FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");

/// What home networks append to the name of a machine.
const OWN_SUFFIXES: [&str; 4] = [".local", ".lan", ".fritz.box", ".home.arpa"];

/// The other end of a connection; put into every request by the accept loop.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    pub address: IpAddr,
    /// Our own end of it.
    pub reached: SocketAddr,
}

/// Who sent a request, and how it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    pub address: IpAddr,
    pub https: bool,
    /// The host and port that were asked for.
    pub host: Option<String>,
    /// Our own end of the connection.
    reached: SocketAddr,
    /// Whether a trusted proxy says all that.
    behind_proxy: bool,
}

impl Client {
    /// Anyone can send the `X-Forwarded-…` headers, so they count only from a trusted proxy. Each proxy appends to them: they are read
    /// from the right, and the first address that is no trusted proxy is the client.
    #[must_use]
    pub fn of(peer: Peer, headers: &HeaderMap, trusted: &[IpNet]) -> Client {
        let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(&address));
        let asked = headers.get(HOST).and_then(|host| host.to_str().ok());
        if !is_trusted(peer.address) {
            return Client {
                address: peer.address,
                https: false,
                host: asked.map(str::to_owned),
                reached: peer.reached,
                behind_proxy: false,
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
            https: last(&X_FORWARDED_PROTO).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https")),
            host: last(&X_FORWARDED_HOST).or(asked).map(str::to_owned),
            reached: peer.reached,
            behind_proxy: true,
        }
    }

    /// What a browser sends as `Origin` from a page of the asked host.
    #[must_use]
    pub fn origin(&self) -> Option<String> {
        let scheme = if self.https { "https" } else { "http" };
        self.host.as_ref().map(|host| format!("{scheme}://{host}"))
    }

    /// Scheme, host and port that a link for others begins with: the configured one, else the host that was asked for if it is this
    /// machine's or a trusted proxy names it, else the address that was reached. So nobody outside chooses where a link leads.
    #[must_use]
    pub fn public_base(&self, public_url: Option<&PublicUrl>) -> String {
        if let Some(url) = public_url {
            return url.origin().to_owned();
        }
        let ours = self
            .host
            .as_deref()
            .is_some_and(|host| self.behind_proxy && is_host(host) || self.is_own(host));
        match self.origin() {
            Some(origin) if ours => origin,
            _ => format!("http://{}", self.reached),
        }
    }

    fn is_own(&self, host: &str) -> bool {
        if let Ok(address) = host.parse::<SocketAddr>() {
            return address == self.reached;
        }
        let (name, port) = host.rsplit_once(':').unwrap_or((host, ""));
        let port_fits = port.is_empty() || port.parse() == Ok(self.reached.port());
        let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        let machine = rustix::system::uname();
        let machine = machine.nodename().to_string_lossy().to_lowercase();
        let name = name.to_lowercase();
        let short = OWN_SUFFIXES
            .iter()
            .find_map(|suffix| name.strip_suffix(suffix))
            .unwrap_or(&name);
        port_fits
            && (address == Ok(self.reached.ip()) || name == "localhost" || !machine.is_empty() && short == machine)
    }
}

/// Nothing but a name or address and a port.
fn is_host(host: &str) -> bool {
    !host.is_empty()
        && host
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || "-.:[]".contains(character))
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
            reached: "192.168.1.5:8080".parse().unwrap(),
        };
        Client::of(
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
    fn what_the_client_wrote_left_of_the_proxies_is_not_believed() {
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

    #[test]
    fn a_link_begins_with_what_is_ours_and_never_with_what_a_stranger_names() {
        let base = |peer: &str, host: &'static str| client(peer, &[("host", host)]).public_base(None);
        let stranger = "203.0.113.9";
        for ours in ["192.168.1.5:8080", "localhost:8080", "192.168.1.5"] {
            assert_eq!(base(stranger, ours), format!("http://{ours}"));
        }
        for other in [
            "evil.example",
            "192.168.1.6:8080",
            "192.168.1.5:99",
            "",
            "localhost:8080/x",
            "localhost@evil:8080",
        ] {
            assert_eq!(base(stranger, other), "http://192.168.1.5:8080", "{other}");
        }
        assert_eq!(base(PROXY, "fluglog.example.org"), "http://fluglog.example.org");
        assert_eq!(base(PROXY, "evil/?"), "http://192.168.1.5:8080");
        let url = PublicUrl::parse("https://fluglog.example.org");
        assert_eq!(
            client(stranger, &[("host", "evil")]).public_base(url.as_ref()),
            "https://fluglog.example.org"
        );
    }
}
