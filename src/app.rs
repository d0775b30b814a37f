//! What a handler gets: everything that lives as long as the process. Knows no topic.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use crate::config::Config;
use crate::picture;
use crate::secret::Hasher;
use crate::store::Store;
use crate::store::blobs::Blobs;
use crate::time::Clock;
use crate::tries::Tries;

/// Shared by all requests.
pub struct App {
    pub config: Config,
    pub store: Store,
    pub blobs: Blobs,
    pub picture_memory: picture::Memory,
    pub clock: Clock,
    pub hasher: Hasher,
    pub tries: Tries,
}

impl App {
    /// The parts that a configuration and an open store make.
    #[must_use]
    pub fn new(config: Config, store: Store) -> App {
        let reserve_bytes = (config.limits.free_megabytes as u64).saturating_mul(1024 * 1024);
        App {
            clock: Clock::system(config.time_zone),
            // Half of the cores: a flood of logins leaves the other half, and 19 MiB each, to everybody else.
            hasher: Hasher::new(available_parallelism().map_or(1, NonZeroUsize::get).div_ceil(2)),
            tries: Tries::default(),
            blobs: Blobs::new(&config.data_dir, reserve_bytes),
            picture_memory: picture::Memory::default(),
            config,
            store,
        }
    }
}
