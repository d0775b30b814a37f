//! The public address of the app. Knows no setting and no request.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::text::whole_number;

/// The public address of the app: `http` or `https`, a host, optionally a port; never a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    /// Serialized like a browser's origin: lower case, no default port, no trailing slash.
    origin: String,
}

impl PublicUrl {
    /// Parses `https://host[:port]`, with or without a trailing slash.
    ///
    /// Returns `None` for everything else: another scheme, a user name, a path, a query, a host that isn't ASCII (a
    /// browser sends `xn--…` as the origin).
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

    /// Returns the base of links, without a trailing slash.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.origin
    }

    /// Returns whether the address is https.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.origin.starts_with("https://")
    }

    /// Returns the `Origin` that a browser sends from pages of this address; equal to [`PublicUrl::as_str`], since
    /// there is no path.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }
}

/// Normalizes a host name to lower case, an IPv4 address, or an IPv6 address in brackets, as browsers write them.
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
