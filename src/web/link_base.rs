//! The base URL of the links in mails and answers. Knows no call.
//!
//! A client chooses the `Host` of its request, so a link in a mail could be made to lead to a stranger, and the
//! reader's click would hand over the token in it. Without `public_url` a host therefore counts only if it is this
//! machine, even behind a trusted proxy, which passes on any name that it answers for.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

use super::client::Client;
use crate::local_network;
use fluglog_app::App;
use fluglog_config::public_url::PublicUrl;

/// Ports that only an admin can listen on.
const WELL_KNOWN_PORTS: [u16; 2] = [80, 443];

/// Returns the base of the links in an answer to this client.
#[must_use]
pub fn base_for(app: &App, client: &Client) -> String {
    let listening = app.listening.get().map_or(&[][..], Vec::as_slice);
    of(
        app.config.public_url.as_ref(),
        listening,
        app.config.tls.is_set(),
        client,
    )
}

/// Returns the base of the links for the admin: `public_url`, or the first address that the server listens on.
#[must_use]
pub fn admin_base(app: &App) -> String {
    let listening = app.listening.get().map_or(&[][..], Vec::as_slice);
    match &app.config.public_url {
        Some(url) if app.config.listen.iter().all(|address| address.port() != 0) => url.as_str().to_owned(),
        // No server is running: use the addresses it will listen on.
        _ if listening.is_empty() => base_of_first(&app.config.listen, app.config.tls.is_set()),
        _ => base_of_first(listening, app.config.tls.is_set()),
    }
}

/// Returns further bases that lead to the server from other devices: its other addresses, its name in the local network
/// (RFC 6762), and all of them by https where a certificate of the own authority allows that beside http.
#[must_use]
pub fn alternative_bases(app: &App) -> Vec<String> {
    let listening = app.listening.get().map_or(&[][..], Vec::as_slice);
    let scheme = if app.config.tls.is_set() { "https" } else { "http" };
    let mut bases = Vec::new();
    for address in listening {
        if address.ip().is_loopback() {
            continue;
        }
        if !address.ip().is_unspecified() {
            bases.push(format!("{scheme}://{address}"));
            continue;
        }
        let own = local_network::local_addresses().into_iter();
        let own = own.filter(|own| own.is_ipv4() || address.is_ipv6());
        bases.extend(own.map(|own| format!("{scheme}://{}", SocketAddr::new(own, address.port()))));
        if let Some(name) = host_name() {
            let first = name.split('.').next().unwrap_or_default();
            bases.push(format!("{scheme}://{first}.local:{}", address.port()));
        }
    }
    let first = admin_base(app);
    bases.retain(|base| *base != first);
    bases.dedup();
    if scheme == "http" && app.certificate_expiry.borrow().is_some() {
        let local = Some(&first).filter(|_| app.config.public_url.is_none());
        let by_http = local.into_iter().chain(&bases);
        let by_https: Vec<_> = by_http.map(|base| base.replacen("http:", "https:", 1)).collect();
        bases.extend(by_https);
    }
    bases
}

/// Returns this machine's host name, unless it is `localhost`.
pub(super) fn host_name() -> Option<String> {
    let name = hostname::get().ok()?.into_string().ok()?;
    Some(name.to_ascii_lowercase()).filter(|name| !name.is_empty() && !name.starts_with("localhost"))
}

/// Returns scheme, host and port without a trailing slash. `listening` lists the addresses on which the server accepts
/// connections; `https` says which protocol it speaks there.
#[must_use]
fn of(public_url: Option<&PublicUrl>, listening: &[SocketAddr], https: bool, client: &Client) -> String {
    if let Some(url) = public_url {
        return url.as_str().to_owned();
    }
    let asked = client.origin().and_then(|origin| PublicUrl::parse(&origin));
    match asked {
        Some(asked) if is_this_machine(asked.as_str(), listening) => asked.as_str().to_owned(),
        _ => base_of_first(listening, https),
    }
}

/// Returns the server's address that can be typed on another device.
#[must_use]
fn base_of_first(listening: &[SocketAddr], https: bool) -> String {
    let first = listening
        .first()
        .map_or((IpAddr::V4(Ipv4Addr::LOCALHOST), 80), |address| {
            (reachable(address.ip()), address.port())
        });
    let scheme = if https { "https" } else { "http" };
    format!("{scheme}://{}", SocketAddr::from(first))
}

/// Returns whether an origin leads to this server: an address or name of this machine, and a port that the server
/// listens on or that only the admin can use.
fn is_this_machine(origin: &str, listening: &[SocketAddr]) -> bool {
    let Some((scheme, authority)) = origin.split_once("://") else {
        return false;
    };
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port.parse().ok()),
        _ => (authority, Some(if scheme == "https" { 443 } else { 80 })),
    };
    let is_ours =
        |port: u16| WELL_KNOWN_PORTS.contains(&port) || listening.iter().any(|address| address.port() == port);
    let address = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .unwrap_or(host);
    let is_here = match address.parse::<IpAddr>() {
        Ok(address) => is_own_address(address),
        Err(_) => is_own_name(
            host,
            hostname::get().ok().and_then(|name| name.into_string().ok()).as_deref(),
        ),
    };
    port.is_some_and(is_ours) && is_here
}

/// Returns whether an address is this machine's: the system lets nobody bind another.
fn is_own_address(address: IpAddr) -> bool {
    let one_machine = match address {
        IpAddr::V4(address) => !address.is_unspecified() && !address.is_multicast() && !address.is_broadcast(),
        IpAddr::V6(address) => !address.is_unspecified() && !address.is_multicast(),
    };
    one_machine && std::net::TcpListener::bind((address, 0)).is_ok()
}

fn is_own_name(host: &str, own: Option<&str>) -> bool {
    if host == "localhost" {
        return true;
    }
    let Some(own) = own.map(str::to_ascii_lowercase).filter(|own| !own.is_empty()) else {
        return false;
    };
    let first = own.split('.').next().unwrap_or_default();
    host == own || host == first || host.strip_suffix(".local") == Some(first)
}

/// Returns an address that can be typed on another device: for the unspecified address, the one with the default route.
fn reachable(address: IpAddr) -> IpAddr {
    if !address.is_unspecified() {
        return address;
    }
    // Connecting a UDP socket only looks up the route; nothing is sent. The address is reserved for documentation (RFC
    // 5737).
    UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))
        .and_then(|socket| {
            socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9))?;
            socket.local_addr()
        })
        .map(|local| local.ip())
        // A machine without a default route still has an address in its local network.
        .ok()
        .or_else(|| local_network::local_addresses().first().copied())
        .unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(host: &str) -> Client {
        Client {
            address: Ipv4Addr::LOCALHOST.into(),
            https: false,
            host: Some(host.to_owned()),
            may_be_proxy: false,
            browser: None,
            login: None,
        }
    }

    fn base(host: &str) -> String {
        of(None, &["127.0.0.1:8080".parse().unwrap()], false, &client(host))
    }

    #[test]
    fn this_machine_may_be_called_by_its_own_addresses_and_names() {
        for own in ["localhost:8080", "127.0.0.1:8080", "localhost", "127.0.0.1"] {
            assert_eq!(base(own), format!("http://{own}"));
        }
        assert!(is_own_name("pi", Some("Pi")) && is_own_name("pi.local", Some("pi")));
        assert!(is_own_name("pi", Some("pi.example.org")) && is_own_name("pi.example.org", Some("pi.example.org")));
    }

    #[test]
    fn a_foreign_host_chooses_no_link() {
        for foreign in [
            "evil.example",
            "evil.example:8080",
            "8.8.8.8:8080",
            "255.255.255.255:8080",
            "0.0.0.0:8080",
            "localhost.evil.example:8080",
            "127.0.0.1:9",
            "user@localhost:8080",
            "localhost:8080/evil",
            "evil.example#localhost:8080",
            "",
        ] {
            assert_eq!(base(foreign), "http://127.0.0.1:8080", "{foreign}");
        }
        assert!(!is_own_name("evil.example", Some("pi")) && !is_own_name("pi.evil", Some("pi")));
        assert!(!is_own_name("", Some("")) && !is_own_name(".local", None));
    }

    #[test]
    fn the_public_address_counts_whatever_was_asked_for() {
        let public = PublicUrl::parse("https://fluglog.example.org").unwrap();
        let base = of(Some(&public), &[], false, &client("evil.example"));
        assert_eq!(base, "https://fluglog.example.org");
    }
}
