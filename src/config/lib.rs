//! The settings of a process. Precedence: flag > environment > file > default. The only module that reads the
//! environment.
//!
//! The table `KEYS` in `config/keys.rs` drives all of it: which keys a file may hold, the names of their environment
//! variables, which key is suggested for a misspelt one, and the commented example that `init` writes. A new setting is
//! a field of [`Config`] and a row of that table.
//!
//! Every mistake is an error with one German sentence, never a silent fallback. This module knows no command, opens no
//! address and creates no directory; it reads one configuration file and writes none.

// Tests remove and rename what they made.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod auth;
pub mod provenance;
mod text;
pub mod public_url;
pub mod error;
pub mod environment;
mod secret_file;
pub mod smtp;
pub mod targets;
pub mod tls;
mod value;
pub mod keys;
mod load;
pub mod settings;

use std::ffi::OsString;
use std::fs::File;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ipnet::IpNet;
use tracing::Level;

use auth::Auth;
use fluglog_base::time::Zone;
use provenance::Provenance;
use public_url::PublicUrl;
use smtp::Smtp;
use targets::Targets;
use tls::Tls;

/// Name of the configuration file inside a data directory.
pub const FILE_NAME: &str = "fluglog.toml";
/// Temporary name of the configuration file while it is written.
pub const UNFINISHED_FILE_NAME: &str = "fluglog.toml.part";

const VARIABLE_PREFIX: &str = "FLUGLOG_";
/// Permission bit that lets everybody on the machine read a file.
const FOR_OTHERS: u32 = 0o004;

/// Flags of the command line. Empty fields fall back to the environment, the file or the default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flags {
    /// `--data-dir DIR`
    pub data_dir: Option<PathBuf>,
    /// `--config FILE`
    pub config: Option<PathBuf>,
    /// `--listen ADDR:PORT`, repeatable
    pub listen: Vec<SocketAddr>,
    /// `--tls-cert FILE` and `--tls-key FILE`
    pub tls: Tls,
}

/// The settings in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Folder of all data. A relative path is relative to the working directory, even if it comes from a file.
    pub data_dir: PathBuf,
    /// Addresses to accept connections on, at least one. Port 0 lets the system choose.
    pub listen: Vec<SocketAddr>,
    /// The server's certificate and key.
    pub tls: Tls,
    /// Address at which Prometheus can read metrics.
    pub metrics_listen: Option<SocketAddr>,
    /// Time zone of "now".
    pub time_zone: Zone,
    /// Address at which users open the app, the base of links; `None` if the admin didn't set one.
    pub public_url: Option<PublicUrl>,
    /// Networks of proxies whose `X-Forwarded-…` headers are trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Logins that such a proxy has made.
    pub auth: Auth,
    /// The mail server.
    pub smtp: Smtp,
    /// Recipient of mails about problems of the server; empty for none.
    pub admin_mail: String,
    /// The most verbose level that the server logs.
    pub log_level: Level,
    /// Whether anyone may register; otherwise only the admin adds users.
    pub registration_open: bool,
    /// Whether operators can manage the server in the browser.
    pub admin_ui: bool,
    /// Bytes that the records and files of one pilot may take together; `None` for no limit.
    pub quota_per_pilot: Option<u64>,
    /// Bytes that the equipment of one space may take with its documents; `None` for no limit.
    pub quota_per_space: Option<u64>,
    /// Whether browsers store the app, so that it opens offline.
    pub offline: bool,
    /// Hour of the day from which pilots are mailed what waits to be done.
    pub reminder_hour: usize,
    /// Folder from which pilots' files are imported.
    pub import_dir: Option<PathBuf>,
    /// Where backups are sent.
    pub targets: Targets,
    /// Limits on connections, the disk, memory and mails.
    pub limits: Limits,
    /// Where the values come from.
    pub provenance: Provenance,
    /// The flags with which the settings were read.
    pub flags: Flags,
    /// The configuration file that was read; `None` if there is none.
    pub config_file: Option<PathBuf>,
    /// Files with secrets, such as passwords: the configuration file if it holds one, and those that it names.
    pub secret_files: Vec<PathBuf>,
    /// Variables that begin with `FLUGLOG_` but are no setting.
    pub ignored_variables: Vec<IgnoredVariable>,
}

/// An environment variable that is no setting. Not an error, because software sets such variables too: Kubernetes adds
/// some for each service.
#[derive(Clone, Debug, PartialEq)]
pub struct IgnoredVariable {
    pub name: String,
    /// The closest setting.
    pub nearest: String,
}

/// Limits on connections, the disk, memory and mails. They are settings because machines differ, and so that a test can
/// use tenths of seconds. The limits of what is stored are constants of their topics.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Seconds for sending a request's header.
    pub header_seconds: f64,
    /// Seconds for sending a form. Larger bodies and answers must average 1 kB per second over this time.
    pub body_seconds: f64,
    /// Seconds without a request after which a connection is closed.
    pub idle_seconds: f64,
    /// Seconds that running requests have left when the server stops.
    pub drain_seconds: f64,
    /// Connections open at once; further ones wait.
    pub connections: usize,
    /// Connections of one address (IPv6: one /64) at once; behind a trusted proxy, requests of one client at once.
    pub connections_per_address: usize,
    /// Megabytes (of 1024 × 1024 bytes) of the disk that uploads leave free, so that everything else can go on.
    pub free_megabytes: usize,
    /// Free megabytes of the disk below which no records are added; changes and deletions go on.
    pub records_free_megabytes: usize,
    /// Megabytes of memory of the process, from which the budget for pictures follows; 0 for what the control group or
    /// the machine allows. Nothing else is measured by it.
    pub memory_megabytes: usize,
    /// Seconds that one request for a login by mail waits for its confirmation.
    pub login_wait_seconds: f64,
    /// Mails sent per hour in total; further ones wait.
    pub mails_per_hour: usize,
    /// Seconds between two scans of `import_dir`, during which a file must stay unchanged.
    pub import_dir_seconds: f64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            header_seconds: 10.0,
            body_seconds: 30.0,
            idle_seconds: 75.0,
            drain_seconds: 10.0,
            connections: 512,
            connections_per_address: 64,
            free_megabytes: 200,
            records_free_megabytes: 50,
            memory_megabytes: 0,
            login_wait_seconds: 25.0,
            mails_per_hour: 100,
            import_dir_seconds: 30.0,
        }
    }
}

impl Default for Config {
    fn default() -> Config {
        Config {
            data_dir: environment::DEFAULT_DATA_DIR.into(),
            listen: vec![SocketAddr::from((Ipv4Addr::UNSPECIFIED, 8080))],
            tls: Tls::default(),
            metrics_listen: None,
            time_zone: Zone::GERMANY,
            public_url: None,
            trusted_proxies: Vec::new(),
            auth: Auth::default(),
            smtp: Smtp::default(),
            log_level: Level::INFO,
            registration_open: true,
            admin_ui: true,
            quota_per_pilot: Some(10 * 1024 * 1024 * 1024),
            quota_per_space: Some(10 * 1024 * 1024 * 1024),
            admin_mail: String::new(),
            offline: true,
            reminder_hour: 18,
            import_dir: None,
            targets: Targets::default(),
            limits: Limits::default(),
            provenance: Provenance::default(),
            flags: Flags::default(),
            config_file: None,
            secret_files: Vec::new(),
            ignored_variables: Vec::new(),
        }
    }
}

impl Config {
    /// Returns whether the file in force is another one than `fluglog.toml` in the data directory. A file written there
    /// would then never be read.
    #[must_use]
    pub fn uses_other_file(&self) -> bool {
        let Some(file) = &self.config_file else {
            return false;
        };
        let own = self.data_dir.join(FILE_NAME);
        match (file.canonicalize(), own.canonicalize()) {
            (Ok(file), Ok(own)) => file != own,
            _ => true,
        }
    }

    /// Returns the files with secrets that everybody on the machine can read.
    pub fn exposed_files(&self) -> impl Iterator<Item = &Path> {
        let is_exposed = |file: &&Path| file.metadata().is_ok_and(|found| found.mode() & FOR_OTHERS != 0);
        self.secret_files.iter().map(PathBuf::as_path).filter(is_exposed)
    }
}

/// Returns whether stderr goes to systemd's journal, which adds the time to each line itself.
#[must_use]
pub fn journal_reads_stderr() -> bool {
    let Some(stream) = std::env::var_os("JOURNAL_STREAM") else {
        return false;
    };
    let Ok(stderr) = std::io::stderr().as_fd().try_clone_to_owned() else {
        return false;
    };
    File::from(stderr)
        .metadata()
        .is_ok_and(|file| stream == *format!("{}:{}", file.dev(), file.ino()))
}

/// Returns whether an environment variable of another program is set.
#[must_use]
pub fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some()
}

/// Returns the root of the system's files, which dpkg(1) may have moved.
#[must_use]
pub fn system_root() -> PathBuf {
    let named = std::env::var_os("DPKG_ROOT").filter(|root| !root.is_empty());
    named.unwrap_or_else(|| "/".into()).into()
}

/// Returns the command line of this process, beginning with the program's name.
pub fn command_line() -> impl Iterator<Item = OsString> {
    std::env::args_os()
}

/// Returns the socket for messages to systemd (sd_notify(3)); a leading `@` means an abstract socket.
#[must_use]
pub fn notify_socket() -> Option<OsString> {
    std::env::var_os("NOTIFY_SOCKET").filter(|socket| !socket.is_empty())
}

/// Returns the time without a sign of life after which systemd kills this process (sd_watchdog_enabled(3)).
#[must_use]
pub fn watchdog() -> Option<Duration> {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let for_another = number("WATCHDOG_PID").is_some_and(|process| process != u64::from(std::process::id()));
    number("WATCHDOG_USEC")
        .filter(|limit| *limit > 0 && !for_another)
        .map(Duration::from_micros)
}

#[cfg(test)]
mod tests;
