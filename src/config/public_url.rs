//! The address that users see. Knows no setting and no request.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::plain::whole_number;

/// The address that users see: `http` or `https`, a host, perhaps a port; never a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    /// As a browser writes an origin: lower case, no default port, no slash at the end.
    origin: String,
}

impl PublicUrl {
    /// Reads `https://host[:port]`, with or without a slash at the end.
    ///
    /// `None` for everything else: another scheme, a user name, a path, a query, a host that isn't ASCII
    /// (a browser sends `xn--…` as the origin).
    #[must_use]
    pub fn parse(text: &str) -> Option<PublicUrl> {
        let text = text.to_ascii_lowercase();
        let (scheme, rest) = text.split_once("://")?;
        let default_port = match scheme {
            "http" => 80,
            "https" => 443,
            _ => return None,
        };
        let authority = rest.strip_suffix('/').unwrap_or(rest);
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
            _ => (authority, None),
        };
        let host = normal_host(host)?;
        let port = match port {
            Some(port) => whole_number(port).and_then(|port| u16::try_from(port).ok())?,
            None => default_port,
        };
        let origin = match port {
            0 => return None,
            port if port == default_port => format!("{scheme}://{host}"),
            port => format!("{scheme}://{host}:{port}"),
        };
        Some(PublicUrl { origin })
    }

    /// The base of links, without a slash at the end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.origin
    }

    /// Whether users come by https.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.origin.starts_with("https://")
    }

    /// The `Origin` that a browser sends from pages of this address. The same text as the base of links,
    /// since there is no path.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }
}

/// A host name in lower case, an IPv4 address, or an IPv6 address in brackets, as a browser writes it.
fn normal_host(host: &str) -> Option<String> {
    if let Some(inner) = host.strip_prefix('[') {
        let address: Ipv6Addr = inner.strip_suffix(']')?.parse().ok()?;
        return Some(format!("[{address}]"));
    }
    let label_is_good = |label: &str| {
        (1..=63).contains(&label.len())
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    let mut labels = host.rsplit('.');
    let looks_like_ipv4 = labels.next()?.bytes().all(|byte| byte.is_ascii_digit());
    let good = host.len() <= 253
        && host.split('.').all(label_is_good)
        && (!looks_like_ipv4 || host.parse::<Ipv4Addr>().is_ok());
    good.then(|| host.to_owned())
}
