//! Permits for connections: a limit in total and one per client network. When permits run out, the connections that
//! have been at rest longest are ended first. Knows no stream and no request.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use ipnet::IpNet;
use tokio::sync::futures::OwnedNotified;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use crate::error::{Error, Result};

/// Accepted connections that may wait for a permit of their network, per network and in total. Each needs a file
/// descriptor.
const MAX_WAITING_PER_CLIENT: usize = 64;
const MAX_WAITING: usize = 256;
/// Number of networks from which on those without a connection are forgotten.
const MANY_NETWORKS: usize = 1000;

/// Returns the network by which clients are limited: an IPv4 address, or the /64 that one IPv6 household has.
#[must_use]
pub fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() & !u128::from(u64::MAX)).into()),
    }
}

/// Returns the larger networks around an address, each with the multiple of one network's limit that it may use: the
/// blocks that providers assign to one customer or to a few.
#[must_use]
pub fn wider_networks(address: IpAddr) -> Vec<(IpAddr, u32)> {
    let within = |prefix: u8| IpNet::new(address, prefix).map(|net| net.network());
    let widths: &[(u8, u32)] = match address {
        IpAddr::V4(_) => &[(24, 4)],
        IpAddr::V6(_) => &[(56, 2), (48, 4)],
    };
    let widths = widths.iter();
    widths
        .filter_map(|(prefix, times)| Some((within(*prefix).ok()?, *times)))
        .collect()
}

/// All connection permits: in total, per client, per network.
pub struct Connections {
    all: Arc<Semaphore>,
    waiting: Semaphore,
    per_network: usize,
    networks: Mutex<Networks>,
    trusted_proxies: Vec<IpNet>,
    idle_queue: Arc<IdleQueue>,
}

#[derive(Default)]
struct Networks {
    by_address: HashMap<IpAddr, Weak<Network>>,
    /// Semaphores of the networks around IPv6 networks; part of the key is the multiple of the limit.
    around: HashMap<(IpAddr, u32), Weak<Semaphore>>,
}

/// The connections of one network: an IPv4 address or the /64 of an IPv6 one.
pub struct Network {
    /// The network's own semaphore, and those of the networks around it.
    free: Vec<Arc<Semaphore>>,
    waiting: Semaphore,
}

/// A permit out of the total.
pub type ConnectionPermit = OwnedSemaphorePermit;

/// A permit of a network; released when dropped.
pub struct NetworkPermit {
    network: Arc<Network>,
    _permits: Vec<OwnedSemaphorePermit>,
}

/// Connections at rest, and connections that wait for one of those to end.
#[derive(Default)]
struct IdleQueue(Mutex<IdleQueueState>);

#[derive(Default)]
struct IdleQueueState {
    next: u64,
    /// Connections at rest, by the order in which they came to rest.
    idle: BTreeMap<u64, IdleEntry>,
    /// Connections that wait for a permit.
    waiters: BTreeMap<u64, WaitingFor>,
}

/// A connection that waits for a permit of its network (`Some`) or out of the total.
struct WaitingFor {
    network: Option<Arc<Network>>,
    /// Whether a connection has been asked to end for it.
    has_victim: bool,
}

/// Registration of a waiting connection; ends when dropped.
struct Waiter<'r> {
    number: u64,
    idle_queue: &'r IdleQueue,
}

struct IdleEntry {
    /// The network, if the connection is idle between two requests. `None` for a silent or unfinished one: it is ended
    /// only in favour of [`Connections::acquire`].
    network: Option<Arc<Network>>,
    ends: Arc<Notify>,
}

/// Registration of a connection at rest; ends when dropped.
pub struct IdleConnection {
    number: u64,
    ends: Arc<Notify>,
    idle_queue: Arc<IdleQueue>,
}

impl Connections {
    /// Creates the permits that the settings allow.
    #[must_use]
    pub fn new(trusted_proxies: Vec<IpNet>, most: usize, most_of_one: usize) -> Connections {
        Connections {
            trusted_proxies,
            ..Connections::with_limits(most, most_of_one)
        }
    }

    /// Creates `all` permits in total and `per_network` per network.
    #[must_use]
    pub fn with_limits(all: usize, per_network: usize) -> Connections {
        Connections {
            all: Arc::new(Semaphore::new(all)),
            waiting: Semaphore::new(MAX_WAITING),
            per_network,
            networks: Mutex::default(),
            trusted_proxies: Vec::new(),
            idle_queue: Arc::default(),
        }
    }

    /// Number of free permits.
    #[must_use]
    pub fn free(&self) -> usize {
        self.all.available_permits()
    }

    /// Waits for a permit; never `None`, because the semaphore is never closed. To free one, the connection that has
    /// been at rest longest (silent, unfinished or idle) is ended.
    pub async fn acquire(&self) -> Option<ConnectionPermit> {
        if let Ok(permit) = Arc::clone(&self.all).try_acquire_owned() {
            return Some(permit);
        }
        let _waiter = self.idle_queue.make_room_for(None);
        Arc::clone(&self.all).acquire_owned().await.ok()
    }

    /// Returns the network of a connection; `None` for a trusted proxy, whose clients are counted per request.
    pub fn network_of_peer(&self, address: IpAddr) -> Option<Arc<Network>> {
        let is_proxy = self.trusted_proxies.iter().any(|proxies| proxies.contains(&address));
        (!is_proxy).then(|| self.network(address))
    }

    /// Takes a permit for a request that a trusted proxy passes on for this client. `None` for direct clients: their
    /// connection holds one.
    ///
    /// # Errors
    /// [`Error::TooManyRequests`].
    pub fn permit_for_request(&self, peer: IpAddr, client: IpAddr) -> Result<Option<NetworkPermit>> {
        if self.network_of_peer(peer).is_some() {
            return Ok(None);
        }
        self.network(client)
            .try_acquire()
            .map(Some)
            .ok_or(Error::TooManyRequests)
    }

    /// Waits for a permit of the network; `None` if too many wait already.
    pub async fn acquire_for(&self, network: &Arc<Network>) -> Option<NetworkPermit> {
        let _waiting = (self.waiting.try_acquire().ok()?, network.waiting.try_acquire().ok()?);
        let _waiter = self.idle_queue.make_room_for(Some(network));
        let mut permits = Vec::with_capacity(network.free.len());
        for free in &network.free {
            permits.push(Arc::clone(free).acquire_owned().await.ok()?);
        }
        Some(network.permit(permits))
    }

    /// Registers a connection at rest: idle between two requests if `is_idle`, otherwise silent or unfinished. `None`
    /// tells an idle connection to end at once, because another one waits for its permit.
    pub fn mark_idle(&self, place: Option<&NetworkPermit>, is_idle: bool) -> Option<IdleConnection> {
        let network = place.map(|place| &place.network);
        let mut idle_queue = self.idle_queue.lock();
        let mut waiters = idle_queue.waiters.values_mut();
        let wanted = waiters.find(|waiters| {
            let of = waiters.network.as_ref();
            !waiters.has_victim && of.is_none_or(|of| network.is_some_and(|own| own.holds_permits_for(of)))
        });
        if let Some(waiters) = wanted.filter(|_| is_idle) {
            waiters.has_victim = true;
            return None;
        }
        let ends = Arc::new(Notify::new());
        let idle = IdleEntry {
            network: network.filter(|_| is_idle).cloned(),
            ends: Arc::clone(&ends),
        };
        let number = idle_queue.number();
        idle_queue.idle.insert(number, idle);
        drop(idle_queue);
        Some(IdleConnection {
            number,
            ends,
            idle_queue: Arc::clone(&self.idle_queue),
        })
    }

    fn network(&self, address: IpAddr) -> Arc<Network> {
        let mut networks = self.networks.lock().unwrap_or_else(PoisonError::into_inner);
        if networks.by_address.len() >= MANY_NETWORKS {
            networks.by_address.retain(|_, network| network.strong_count() > 0);
            networks.around.retain(|_, free| free.strong_count() > 0);
        }
        let known = networks.by_address.get(&network(address)).and_then(Weak::upgrade);
        known.unwrap_or_else(|| {
            let mut free = vec![Arc::new(Semaphore::new(self.per_network))];
            // IPv4 has no limit for wider networks: the devices of an airfield or club may share one /24.
            let around = Some(address).filter(IpAddr::is_ipv6).map(wider_networks);
            for (wider, times) in around.into_iter().flatten() {
                let known = networks.around.entry((wider, times)).or_default();
                free.push(known.upgrade().unwrap_or_else(|| {
                    let new = Arc::new(Semaphore::new(self.per_network * times as usize));
                    *known = Arc::downgrade(&new);
                    new
                }));
            }
            let new = Arc::new(Network {
                free,
                waiting: Semaphore::new(MAX_WAITING_PER_CLIENT),
            });
            networks.by_address.insert(network(address), Arc::downgrade(&new));
            new
        })
    }
}

impl IdleQueueState {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }
}

impl IdleQueue {
    fn lock(&self) -> MutexGuard<'_, IdleQueueState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the connection at rest longest among those that hold a permit `network` lacks (or any permit, without
    /// `network`). If there is none, the next connection to become idle is ended, as long as the returned value is
    /// alive.
    fn make_room_for(&self, network: Option<&Arc<Network>>) -> Waiter<'_> {
        let mut idle_queue = self.lock();
        let is_in_way = |idle: &IdleEntry| {
            network.is_none_or(|network| idle.network.as_ref().is_some_and(|own| own.holds_permits_for(network)))
        };
        let first = idle_queue.idle.iter().find(|(_, idle)| is_in_way(idle));
        let idle = first.map(|(number, _)| *number);
        let idle = idle.and_then(|number| idle_queue.idle.remove(&number));
        idle.iter().for_each(|idle| idle.ends.notify_one());
        let waiters = WaitingFor {
            network: network.cloned(),
            has_victim: idle.is_some(),
        };
        let number = idle_queue.number();
        idle_queue.waiters.insert(number, waiters);
        Waiter {
            number,
            idle_queue: self,
        }
    }
}

impl WaitingFor {
    /// Returns whether both wait for the same permits.
    fn waits_for_same(&self, other: &WaitingFor) -> bool {
        match (&self.network, &other.network) {
            (Some(own), Some(others)) => own.shares_with(others),
            (own, others) => own.is_none() && others.is_none(),
        }
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        let mut idle_queue = self.idle_queue.lock();
        let Some(waiters) = idle_queue
            .waiters
            .remove(&self.number)
            .filter(|waiters| !waiters.has_victim)
        else {
            return;
        };
        // This connection may have received the permit that was meant for another one: semaphores serve in the order of
        // `acquire`, not by these numbers.
        let mut others = idle_queue.waiters.values_mut();
        let other = others.find(|other| other.has_victim && other.waits_for_same(&waiters));
        other.into_iter().for_each(|other| other.has_victim = false);
    }
}

impl IdleConnection {
    /// Returns whether the connection has been asked to end.
    #[must_use]
    pub fn was_told_to_end(&self) -> bool {
        !self.idle_queue.lock().idle.contains_key(&self.number)
    }

    /// Resolves when the connection has to end.
    pub fn ended(&self) -> OwnedNotified {
        Arc::clone(&self.ends).notified_owned()
    }
}

impl Drop for IdleConnection {
    fn drop(&mut self) {
        self.idle_queue.lock().idle.remove(&self.number);
    }
}

impl Network {
    /// Takes a permit if one is free.
    pub fn try_acquire(self: &Arc<Network>) -> Option<NetworkPermit> {
        let permits = self.free.iter().map(|free| Arc::clone(free).try_acquire_owned().ok());
        permits.collect::<Option<_>>().map(|permits| self.permit(permits))
    }

    fn permit(self: &Arc<Network>, permits: Vec<OwnedSemaphorePermit>) -> NetworkPermit {
        NetworkPermit {
            network: Arc::clone(self),
            _permits: permits,
        }
    }

    fn shares_with(&self, other: &Network) -> bool {
        let mut free = self.free.iter();
        free.any(|own| other.free.iter().any(|free| Arc::ptr_eq(own, free)))
    }

    /// Returns whether this network holds permits that the other one lacks.
    fn holds_permits_for(&self, other: &Network) -> bool {
        let lacking = other.free.iter().filter(|free| free.available_permits() == 0);
        lacking
            .into_iter()
            .any(|free| self.free.iter().any(|own| Arc::ptr_eq(own, free)))
    }
}

#[cfg(test)]
mod tests {
    use futures_executor::block_on;
    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn networks_of_one_household_share_a_limit_of_connections() {
        let connections = Connections::with_limits(512, 4);
        let enter = |address: &str| connections.network(address.parse().unwrap()).try_acquire();
        let mut entered = Vec::new();
        // Networks of one /56, then of another /56 in the same /48.
        for (address, most) in [
            ("2001:db8:0:1", 4),
            ("2001:db8:0:2", 4),
            ("2001:db8:0:3", 0),
            ("2001:db8:0:101", 4),
        ] {
            let ours: Vec<_> = (0..6)
                .filter_map(|host| enter(&format!("{address}::{host:x}")))
                .collect();
            assert_eq!(ours.len(), most, "{address}");
            entered.extend(ours);
        }
        let rest = enter("2001:db8:0:201::1")
            .into_iter()
            .chain(enter("2001:db8:0:301::1"))
            .count();
        assert_eq!(rest, 2);
        assert!(enter("2001:db8:1::1").is_some() && enter("192.0.2.1").is_some());
        drop(entered);
        assert!(enter("2001:db8:0:3::1").is_some());
    }

    #[test]
    fn a_silent_connection_gives_its_place_before_an_idle_one() {
        let connections = Connections::with_limits(1, 1);
        let (silent, idle) = (
            connections.mark_idle(None, false).unwrap(),
            connections.mark_idle(None, true).unwrap(),
        );
        let held = block_on(connections.acquire()).unwrap();
        let mut taking: Vec<_> = (0..3).map(|_| Box::pin(connections.acquire())).collect();
        let mut wait = |number: usize| (&mut taking[number]).now_or_never().is_none();
        assert!(wait(0) && silent.was_told_to_end() && !idle.was_told_to_end());
        // A permit is already being freed for the waiting connection.
        assert!(connections.mark_idle(None, true).is_some());
        assert!(wait(1) && idle.was_told_to_end() && idle.ended().now_or_never().is_some());
        assert!(wait(2));
        // A connection before its first request may be about to send one.
        assert!(connections.mark_idle(None, false).is_some());
        assert!(connections.mark_idle(None, true).is_none() && connections.mark_idle(None, true).is_some());
        drop(held);
        assert!(!wait(0));
    }

    #[test]
    fn a_request_for_a_place_lasts_until_its_own_connection_has_one() {
        let connections = Connections::with_limits(9, 1);
        let network = connections.network(std::net::Ipv4Addr::LOCALHOST.into());
        let mut place = network.try_acquire().unwrap();
        // The first to register is the last to queue at the semaphore.
        let _first = connections.idle_queue.make_room_for(Some(&network));
        let mut waiting: Vec<_> = (0..2).map(|_| Box::pin(connections.acquire_for(&network))).collect();
        assert!(waiting.iter_mut().all(|waits| waits.now_or_never().is_none()));
        for waits in waiting {
            assert!(connections.mark_idle(Some(&place), true).is_none());
            drop(place);
            place = block_on(waits).unwrap();
        }
        assert!(connections.mark_idle(Some(&place), true).is_none());
        assert!(connections.mark_idle(Some(&place), true).is_some());
    }
}
