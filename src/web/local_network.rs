//! The networks that this machine is in, read from Linux's /proc. Knows no request.

use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// The table of IPv4 routes. Reading it needs no netlink socket, which the systemd unit forbids.
const ROUTES: &str = "/proc/self/net/route";
/// The machine's IPv6 addresses.
const ADDRESSES: &str = "/proc/self/net/if_inet6";
/// The kernel's IPv4 routing trie, which includes the machine's own addresses.
const FIB_TRIE: &str = "/proc/self/net/fib_trie";
/// A route with a shorter prefix leads everywhere, as a VPN's does.
const MIN_PREFIX_BITS: u8 = 8;

/// Returns whether an address is this machine's or in one of its networks; `false` where /proc doesn't say.
#[must_use]
pub fn contains(address: IpAddr) -> bool {
    let address = address.to_canonical();
    let lines = |path| fs::read_to_string(path).unwrap_or_default();
    address.is_loopback()
        || lines(ROUTES)
            .lines()
            .filter_map(of_route)
            .chain(lines(ADDRESSES).lines().filter_map(of_address))
            .any(|network| network.prefix_len() >= MIN_PREFIX_BITS && network.contains(&address))
}

/// Returns this machine's addresses that other devices in its networks can use, IPv4 first.
#[must_use]
pub(crate) fn local_addresses() -> Vec<IpAddr> {
    let lines = |path| fs::read_to_string(path).unwrap_or_default();
    let mut own: Vec<IpAddr> = own_of_trie(&lines(FIB_TRIE)).map(IpAddr::V4).collect();
    let of_ipv6 = lines(ADDRESSES);
    own.extend(of_ipv6.lines().filter_map(own_of_line).map(IpAddr::V6));
    own
}

/// Returns the local addresses of the trie, each once: `/32 host LOCAL` follows the line `|-- 192.168.1.5`.
fn own_of_trie(trie: &str) -> impl Iterator<Item = Ipv4Addr> {
    let mut own = Vec::new();
    let mut last = None;
    for line in trie.lines() {
        if let Some((_, address)) = line.split_once("|-- ") {
            last = address.trim().parse::<Ipv4Addr>().ok();
        } else if line.trim() == "/32 host LOCAL"
            && let Some(address) = last.filter(|address| !address.is_loopback() && !own.contains(address))
        {
            own.push(address);
        }
    }
    own.into_iter()
}

/// Returns the address in a line of the form that [`of_address`] reads if its scope is global and it is permanent.
fn own_of_line(line: &str) -> Option<Ipv6Addr> {
    const EVERYWHERE: &str = "00";
    const PERMANENT: &str = "80";
    let fields: Vec<_> = line.split_whitespace().collect();
    let address = u128::from_str_radix(fields.first()?, 16).ok()?;
    let stays = [fields.get(3)?, fields.get(4)?] == [&EVERYWHERE, &PERMANENT];
    stays
        .then(|| Ipv6Addr::from(address))
        .filter(|address| !address.is_loopback())
}

/// Returns the network in a line such as `eth0 0001A8C0 00000000 0001 0 0 0 00FFFFFF 0 0 0` if it is reached without a
/// gateway.
fn of_route(line: &str) -> Option<IpNet> {
    let fields: Vec<_> = line.split_whitespace().collect();
    let address = |at: usize| {
        let number = u32::from_str_radix(fields.get(at)?, 16).ok()?;
        // Written as a number in this machine's byte order.
        Some(Ipv4Addr::from(number.to_ne_bytes()))
    };
    let (destination, gateway, mask) = (address(1)?, address(2)?, address(7)?);
    if !gateway.is_unspecified() {
        return None;
    }
    Ipv4Net::with_netmask(destination, mask).ok().map(IpNet::V4)
}

/// Returns the network in a line such as `20010db8000000000000000000000001 02 40 00 80 eth0`.
fn of_address(line: &str) -> Option<IpNet> {
    let mut fields = line.split_whitespace();
    let address = u128::from_str_radix(fields.next()?, 16).ok()?;
    let prefix = u8::from_str_radix(fields.nth(1)?, 16).ok()?;
    Ipv6Net::new(Ipv6Addr::from(address), prefix).ok().map(IpNet::V6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_without_a_gateway_leads_into_a_network_of_ours() {
        let own = u32::from_ne_bytes([192, 168, 1, 0]);
        let mask = u32::from_ne_bytes([255, 255, 255, 0]);
        let line = |gateway: u32| format!("eth0\t{own:08X}\t{gateway:08X}\t0001\t0\t0\t100\t{mask:08X}\t0\t0\t0");
        assert_eq!(of_route(&line(0)), "192.168.1.0/24".parse().ok());
        assert_eq!(of_route(&line(u32::from_ne_bytes([192, 168, 1, 1]))), None);
        assert_eq!(
            of_route("Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask"),
            None
        );
    }

    #[test]
    fn an_address_of_ours_brings_its_network() {
        let line = "20010db8000000010000000000000005 02 40 00 80     eth0";
        let network = of_address(line).unwrap();
        assert!(network.contains(&"2001:db8:0:1::99".parse::<IpAddr>().unwrap()));
        assert!(!network.contains(&"2001:db8:0:2::5".parse::<IpAddr>().unwrap()));
        assert_eq!(of_address(""), None);
    }

    #[test]
    fn the_own_addresses_are_those_that_others_can_use() {
        let trie = "Main:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 192.168.1.0\n        /24 link UNICAST\n\
            \x20    |-- 192.168.1.5\n        /32 host LOCAL\n\
            Local:\n     |-- 127.0.0.1\n        /32 host LOCAL\n     |-- 192.168.1.5\n        /32 host LOCAL\n\
            \x20    |-- 192.168.1.255\n        /32 link BROADCAST\n";
        assert_eq!(own_of_trie(trie).collect::<Vec<_>>(), [Ipv4Addr::new(192, 168, 1, 5)]);
        let line =
            |scope: &str, flags: &str| format!("20010db8000000010000000000000005 02 40 {scope} {flags}     eth0");
        assert_eq!(own_of_line(&line("00", "80")), "2001:db8:0:1::5".parse().ok());
        assert_eq!(own_of_line(&line("20", "80")), None);
        assert_eq!(own_of_line(&line("00", "01")), None);
        assert_eq!(own_of_line(""), None);
    }

    #[test]
    fn this_machine_is_near_and_an_address_of_documentation_is_not() {
        for near in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            assert!(contains(near.parse().unwrap()), "{near}");
        }
        for far in ["203.0.113.9", "2001:db8::9"] {
            assert!(!contains(far.parse().unwrap()), "{far}");
        }
    }
}
