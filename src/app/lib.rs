//! The application state, shared by all handlers: everything that lives as long as the process. Knows no topic.

pub mod tasks;
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
use fluglog_base::limits::permits::{Kind, Limits, Permits};
use fluglog_base::limits::rate_limit::RateLimiter;
use fluglog_base::limits::usage::Usage;
use fluglog_base::secret::{Hasher, Token};
use fluglog_base::time::Clock;
use fluglog_config::Config;
use fluglog_mail::Mailer;
use fluglog_picture::memory::MemoryBudget;
use fluglog_process::machine;
use fluglog_process::metrics::Metrics;
use fluglog_store::Store;
use fluglog_store::blobs::{Blobs, Reserves};

/// Threads for blocking work (disk, password hashes), and how many of them may do slow work; the rest is reserved for
/// reads.
pub const BLOCKING_THREADS: usize = 64;
const SLOW_THREADS: usize = 48;

/// Building an answer takes a few milliseconds. The largest, two thousand items with long texts, takes 30 MB meanwhile.
const ANSWER_LIMITS: Limits = Limits {
    kind: Kind::Answer,
    weight: 4,
    per_pilot: 2,
    waiting: 1024,
    waiting_per_pilot: 256,
};
/// A gzip stream takes about 400 kB of memory.
const GZIP_LIMITS: Limits = Limits {
    kind: Kind::Gzip,
    weight: 48,
    per_pilot: 6,
    waiting: 0,
    waiting_per_pilot: 0,
};
/// A large form takes a megabyte, and as much again when it is decoded.
const FORM_LIMITS: Limits = Limits {
    kind: Kind::Form,
    weight: 16,
    per_pilot: 4,
    waiting: 0,
    waiting_per_pilot: 0,
};
/// An evaluation may occupy one core for half a minute.
const EVALUATION_LIMITS: Limits = Limits {
    kind: Kind::Evaluation,
    weight: 1,
    per_pilot: 1,
    waiting: 16,
    waiting_per_pilot: 4,
};

/// Last uses of sessions not yet written to the database: session key and Unix seconds.
pub type SessionUses = Arc<Mutex<HashMap<(u128, u128), i64>>>;

/// Sessions kept only in memory, because the database is read-only: key to user, generation and begin (Unix seconds).
pub(crate) type MemorySessions = Mutex<HashMap<(u128, u128), (u128, u32, i64)>>;

/// Operators who confirm themselves by mail instead of logging in: request key to session key and the time of the
/// request in Unix seconds.
pub type AdminConfirmations = HashMap<(u128, u128), ((u128, u128), i64)>;

/// Archive work that outlives the request that began it; one job at a time.
#[derive(Default)]
pub struct ArchiveJob {
    pub is_busy: bool,
    /// Whether the last job succeeded, and a sentence about it.
    pub result: Option<(bool, String)>,
}

pub struct App {
    pub metrics: Metrics,
    /// Permits for open connections.
    pub connections: Arc<Connections>,
    /// Permits for building answers from a pilot's data.
    pub answer_permits: Permits,
    /// Permits for compressing long answers, each held until the answer is sent.
    pub gzip_permits: Permits,
    /// Permits for large forms, each held until the request is answered.
    pub form_permits: Permits,
    /// Locks by request id, so that a repeated request is carried out once.
    pub request_locks: KeyedLock<RequestId>,
    /// Permits for slow work on blocking threads: some threads always stay free for reads.
    pub slow_work_permits: Arc<Semaphore>,
    pub config: Config,
    pub store: Store,
    pub blobs: Blobs,
    pub picture_memory: MemoryBudget,
    /// Permits for evaluating files.
    pub evaluation_permits: Permits,
    /// Slots for downloads of all data of a pilot.
    pub downloads: Downloads,
    pub clock: Clock,
    pub hasher: Hasher,
    pub rate_limiter: RateLimiter,
    pub session_uses: SessionUses,
    pub in_memory_sessions: MemorySessions,
    /// Session key to the time until which the operator's password counts as confirmed, in Unix seconds.
    pub confirmed_until: Mutex<HashMap<(u128, u128), i64>>,
    pub confirmations: Mutex<AdminConfirmations>,
    /// The archive work that was begun in the browser.
    pub archive_job: Mutex<ArchiveJob>,
    /// How much of the quota each pilot uses.
    pub usage: Usage,
    pub mailer: Mailer,
    /// The addresses on which the server accepts connections; empty before it does, and in a process without a server.
    pub listening: OnceLock<Vec<SocketAddr>>,
    /// When the server's certificate expires, in Unix seconds.
    pub certificate_expiry: watch::Sender<Option<i64>>,
    /// The token for creating the first account, and when it expires, in Unix seconds.
    pub setup_token: watch::Sender<Option<(Token, i64)>>,
    /// Notified when a mail was put into the queue.
    pub mail_queued: Notify,
    /// Counts logins by mail that were confirmed or expired; requests that wait for one watch it.
    pub logins_settled: watch::Sender<u64>,
    /// Whether the server is stopping: waiting requests should end.
    pub stopping: watch::Sender<bool>,
}

impl App {
    /// Waits for a permit to do slow work on a blocking thread.
    ///
    /// # Errors
    /// Never in practice: the semaphore is never closed.
    pub async fn slow_work_permit(&self) -> Result<OwnedSemaphorePermit> {
        let closed = |_| Error::Internal("the threads are closed".to_owned());
        Arc::clone(&self.slow_work_permits)
            .acquire_owned()
            .await
            .map_err(closed)
    }

    /// Creates the state from a configuration and an open store.
    #[must_use]
    pub fn new(config: Config, store: Store) -> App {
        App {
            metrics: Metrics::default(),
            connections: Arc::new(Connections::new(
                config.trusted_proxies.clone(),
                config.limits.connections,
                config.limits.connections_per_address,
            )),
            answer_permits: Permits::new(ANSWER_LIMITS),
            gzip_permits: Permits::new(GZIP_LIMITS),
            form_permits: Permits::new(FORM_LIMITS),
            request_locks: KeyedLock::default(),
            slow_work_permits: Arc::new(Semaphore::new(SLOW_THREADS)),
            clock: Clock::system(config.time_zone),
            // Half of the cores: a flood of logins leaves the other half to everybody else, and takes 19 MiB per hash.
            hasher: Hasher::new(available_parallelism().map_or(1, NonZeroUsize::get).div_ceil(2)),
            rate_limiter: RateLimiter::default(),
            session_uses: SessionUses::default(),
            in_memory_sessions: MemorySessions::default(),
            confirmed_until: Mutex::default(),
            confirmations: Mutex::default(),
            archive_job: Mutex::default(),
            usage: Usage::default(),
            blobs: Blobs::new(&config.data_dir, disk_reserves(&config)),
            picture_memory: MemoryBudget::of_process(match config.limits.memory_megabytes {
                0 => machine::memory_bytes(),
                megabytes => bytes(megabytes),
            }),
            evaluation_permits: Permits::new(EVALUATION_LIMITS),
            downloads: Downloads::default(),
            mailer: Mailer::new(&config),
            listening: OnceLock::new(),
            certificate_expiry: watch::Sender::new(None),
            setup_token: watch::Sender::new(None),
            mail_queued: Notify::new(),
            logins_settled: watch::Sender::new(0),
            stopping: watch::Sender::new(false),
            config,
            store,
        }
    }
}

/// Returns how much of the disk has to stay free.
#[must_use]
pub fn disk_reserves(config: &Config) -> Reserves {
    Reserves {
        uploads: bytes(config.limits.free_megabytes),
        records: bytes(config.limits.records_free_megabytes),
    }
}

fn bytes(megabytes: usize) -> u64 {
    (megabytes as u64).saturating_mul(1024 * 1024)
}
