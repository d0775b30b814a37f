//! Connections for connections: so many in all, and of one client's network only a part of them. Knows no stream and no
//! request.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use ipnet::IpNet;
use tokio::sync::futures::OwnedNotified;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use crate::base::error::{Error, Result};
use crate::config::Config;

/// Connections that are accepted and wait until their network has a permit, of one network and in all. Each needs a
/// file descriptor.
const WAITING_OF_ONE_MOST: usize = 64;
const WAITING_MOST: usize = 256;
/// From this many networks on, those without a connection are forgotten.
const MANY_NETWORKS: usize = 1000;

/// The network that limits count: an IPv4 address, or the /64 that one IPv6 household has.
#[must_use]
pub fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() & !u128::from(u64::MAX)).into()),
    }
}

/// The networks around that of an address, and how many times as much as one network each of them may have: what a
/// provider gives to one customer, or to some.
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

/// All of them.
pub struct Connections {
    all: Arc<Semaphore>,
    waiting: Semaphore,
    of_one_most: usize,
    networks: Mutex<HashMap<IpAddr, Weak<Network>>>,
    trusted_proxies: Vec<IpNet>,
}

/// The connections of one network: an IPv4 address or the /64 of an IPv6 one.
pub struct Network {
    free: Arc<Semaphore>,
    waiting: Semaphore,
    crowded: Arc<Notify>,
}

/// A permit among all.
pub type ConnectionPermit = OwnedSemaphorePermit;

/// A permit of a network; free again when it is dropped.
pub struct NetworkPermit {
    network: Arc<Network>,
    _permit: OwnedSemaphorePermit,
}

impl Connections {
    /// Those of the settings.
    #[must_use]
    pub fn new(config: &Config) -> Connections {
        let limits = &config.limits;
        Connections {
            trusted_proxies: config.trusted_proxies.clone(),
            ..Connections::with_limits(limits.connections, limits.connections_per_address)
        }
    }

    /// So many in all, and of one network.
    #[must_use]
    pub fn with_limits(all: usize, of_one_most: usize) -> Connections {
        Connections {
            all: Arc::new(Semaphore::new(all)),
            waiting: Semaphore::new(WAITING_MOST),
            of_one_most,
            networks: Mutex::default(),
            trusted_proxies: Vec::new(),
        }
    }

    /// How many are free.
    #[must_use]
    pub fn free(&self) -> usize {
        self.all.available_permits()
    }

    /// Waits for a permit; `None` never comes, for nobody closes them.
    pub async fn take(&self) -> Option<ConnectionPermit> {
        Arc::clone(&self.all).acquire_owned().await.ok()
    }

    /// The network of a connection. A trusted proxy has none: its clients are counted request by request.
    pub fn of_connection(&self, address: IpAddr) -> Option<Arc<Network>> {
        let is_proxy = self.trusted_proxies.iter().any(|proxies| proxies.contains(&address));
        (!is_proxy).then(|| self.network(address))
    }

    /// A permit for a request that a trusted proxy passes on for this client. Others have theirs by their connection.
    ///
    /// # Errors
    /// [`Error::Crowded`].
    pub fn for_request(&self, peer: IpAddr, client: IpAddr) -> Result<Option<NetworkPermit>> {
        if self.of_connection(peer).is_some() {
            return Ok(None);
        }
        self.network(client).enter().map(Some).ok_or(Error::Crowded)
    }

    /// Waits for a permit of the network; `None` when too many wait already.
    pub async fn wait_for(&self, network: &Arc<Network>) -> Option<NetworkPermit> {
        let _waiting = (self.waiting.try_acquire().ok()?, network.waiting.try_acquire().ok()?);
        network.crowded.notify_one();
        let permit = Arc::clone(&network.free).acquire_owned().await.ok()?;
        Some(network.permit(permit))
    }

    fn network(&self, address: IpAddr) -> Arc<Network> {
        let mut networks = self.networks.lock().unwrap_or_else(PoisonError::into_inner);
        if networks.len() >= MANY_NETWORKS {
            networks.retain(|_, network| network.strong_count() > 0);
        }
        let known = networks.entry(network(address)).or_default();
        known.upgrade().unwrap_or_else(|| {
            let new = Arc::new(Network {
                free: Arc::new(Semaphore::new(self.of_one_most)),
                waiting: Semaphore::new(WAITING_OF_ONE_MOST),
                crowded: Arc::default(),
            });
            *known = Arc::downgrade(&new);
            new
        })
    }
}

impl Network {
    /// A permit, if one is free.
    pub fn enter(self: &Arc<Network>) -> Option<NetworkPermit> {
        let permit = Arc::clone(&self.free).try_acquire_owned().ok()?;
        Some(self.permit(permit))
    }

    fn permit(self: &Arc<Network>, permit: OwnedSemaphorePermit) -> NetworkPermit {
        NetworkPermit {
            network: Arc::clone(self),
            _permit: permit,
        }
    }
}

impl NetworkPermit {
    /// Whether another connection of the network waits now.
    pub fn is_wanted(&self) -> bool {
        self.network.waiting.available_permits() < WAITING_OF_ONE_MOST
    }

    /// Resolves for one connection of the network when another one comes and waits: the one that asked first, which
    /// idles the longest.
    pub fn wanted(&self) -> OwnedNotified {
        Arc::clone(&self.network.crowded).notified_owned()
    }
}
