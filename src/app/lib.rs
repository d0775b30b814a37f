//! The state that handlers share: everything that lives as long as the process. Knows no topic.

pub mod mail_queue;

use std::collections::HashMap;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::available_parallelism;

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};

use fluglog_base::error::{Error, Result};
use fluglog_base::id::RequestId;
use fluglog_base::limits::connections::Connections;
use fluglog_base::limits::downloads::Downloads;
use fluglog_base::limits::keyed_lock::KeyedLock;
use fluglog_base::limits::permits::{Limits, Permits};
use fluglog_base::limits::rate_limit::RateLimiter;
use fluglog_base::limits::usage::Usage;
use fluglog_base::secret::{Hasher, Token};
use fluglog_base::time::Clock;
use fluglog_config::Config;
use fluglog_mail::Mailer;
use fluglog_picture::memory::Memory;
use fluglog_process::machine;
use fluglog_process::metrics::Metrics;
use fluglog_store::Store;
use fluglog_store::blobs::{Blobs, Reserves};

/// Threads that wait for the disk or for a password's hash, and how many of them those who only read leave to others.
pub const BLOCKING_THREADS: usize = 64;
const SLOW_THREADS: usize = 48;

/// An answer is made in a few milliseconds. The largest, two thousand items with long texts, takes 30 MB meanwhile.
const ANSWERS: Limits = Limits {
    weight: 4,
    of_one: 2,
    waiting: 1024,
    waiting_of_one: 256,
};
/// Each is some 400 kB of memory.
const PACKERS: Limits = Limits {
    weight: 48,
    of_one: 6,
    waiting: 0,
    waiting_of_one: 0,
};
/// Each may take all of one processor for half a minute.
const EVALUATIONS: Limits = Limits {
    weight: 1,
    of_one: 1,
    waiting: 16,
    waiting_of_one: 4,
};

/// When sessions were used that the database says an older time of: key and Unix seconds.
pub type Uses = Arc<Mutex<HashMap<(u128, u128), i64>>>;

/// Sessions that only this process knows, because the database is only read: key, user, generation, and when they
/// began, in Unix seconds.
pub type KeptSessions = Mutex<HashMap<(u128, u128), (u128, u32, i64)>>;

/// Logins by mail that open no session and confirm an operator instead: by the key of the request the key of the
/// session, and when it was asked for, in Unix seconds.
pub type Confirmations = HashMap<(u128, u128), ((u128, u128), i64)>;

/// Work that goes on when the request that began it is answered; one at a time.
#[derive(Default)]
pub struct Archiving {
    pub is_busy: bool,
    /// Whether the last one went well, and a sentence about it.
    pub told: Option<(bool, String)>,
}

/// Shared by all requests.
pub struct App {
    pub metrics: Metrics,
    /// Open connections take one each.
    pub connections: Arc<Connections>,
    /// Answers out of a pilot's data take one each while they are made.
    pub answers: Permits,
    /// Long answers that are packed take one each until they are sent.
    pub packers: Permits,
    /// Requests with an id, of which each is carried out once.
    pub requests: KeyedLock<RequestId>,
    /// Whatever may wait for the disk takes one each: some threads are always left for those who only read.
    pub slow_threads: Arc<Semaphore>,
    pub config: Config,
    pub store: Store,
    pub blobs: Blobs,
    pub picture_memory: Memory,
    /// Evaluations of files take one each.
    pub evaluations: Permits,
    /// Those of all data.
    pub downloads: Downloads,
    pub clock: Clock,
    pub hasher: Hasher,
    pub rate_limiter: RateLimiter,
    pub session_uses: Uses,
    pub kept_sessions: KeptSessions,
    /// Until when the password of an operator counts as shown, in Unix seconds, by the key of the session.
    pub confirmed_until: Mutex<HashMap<(u128, u128), i64>>,
    pub confirmations: Mutex<Confirmations>,
    /// The work on archives that was begun in the browser.
    pub archiving: Mutex<Archiving>,
    /// How much room each pilot has used up.
    pub usage: Usage,
    pub mailer: Mailer,
    /// The addresses that the server accepts connections on; empty before it does, and without a server.
    pub listening: OnceLock<Vec<SocketAddr>>,
    /// When the server's own certificate ends, in Unix seconds.
    pub certificate_ends: watch::Sender<Option<i64>>,
    /// The token that makes the first account, and until when it does, in Unix seconds.
    pub setup: watch::Sender<Option<(Token, i64)>>,
    /// Rung when a mail was put where mails wait.
    pub mail_waits: Notify,
    /// Counts logins by mail that were confirmed or died, for those who wait for one.
    pub logins_settled: watch::Sender<u64>,
    /// Whether the server was told to stop: nobody should wait any longer.
    pub stopping: watch::Sender<bool>,
}

impl App {
    /// Waits for the right to take a thread for what may wait for the disk.
    ///
    /// # Errors
    /// Never: the threads are there until the end.
    pub async fn slow_thread(&self) -> Result<OwnedSemaphorePermit> {
        let closed = |_| Error::Internal("the threads are closed".to_owned());
        Arc::clone(&self.slow_threads).acquire_owned().await.map_err(closed)
    }

    /// The parts that a configuration and an open store make.
    #[must_use]
    pub fn new(config: Config, store: Store) -> App {
        App {
            metrics: Metrics::default(),
            connections: Arc::new(Connections::new(
                config.trusted_proxies.clone(),
                config.limits.connections,
                config.limits.connections_per_address,
            )),
            answers: Permits::new(ANSWERS),
            packers: Permits::new(PACKERS),
            requests: KeyedLock::default(),
            slow_threads: Arc::new(Semaphore::new(SLOW_THREADS)),
            clock: Clock::system(config.time_zone),
            // Half of the cores: a flood of logins leaves the other half, and 19 MiB each, to everybody else.
            hasher: Hasher::new(available_parallelism().map_or(1, NonZeroUsize::get).div_ceil(2)),
            rate_limiter: RateLimiter::default(),
            session_uses: Uses::default(),
            kept_sessions: KeptSessions::default(),
            confirmed_until: Mutex::default(),
            confirmations: Mutex::default(),
            archiving: Mutex::default(),
            usage: Usage::default(),
            blobs: Blobs::new(&config.data_dir, reserves(&config)),
            picture_memory: Memory::of_process(match config.limits.memory_megabytes {
                0 => machine::memory_bytes(),
                megabytes => bytes(megabytes),
            }),
            evaluations: Permits::new(EVALUATIONS),
            downloads: Downloads::default(),
            mailer: Mailer::new(&config),
            listening: OnceLock::new(),
            certificate_ends: watch::Sender::new(None),
            setup: watch::Sender::new(None),
            mail_waits: Notify::new(),
            logins_settled: watch::Sender::new(0),
            stopping: watch::Sender::new(false),
            config,
            store,
        }
    }
}

/// How much of the disk stays free.
#[must_use]
pub fn reserves(config: &Config) -> Reserves {
    Reserves {
        uploads: bytes(config.limits.free_megabytes),
        records: bytes(config.limits.records_free_megabytes),
    }
}

fn bytes(megabytes: usize) -> u64 {
    (megabytes as u64).saturating_mul(1024 * 1024)
}
