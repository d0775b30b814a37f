//! The settings of one process: flag > environment > file > default. The only reader of the environment.
//!
//! One table, `KEYS` in `config/keys.rs`, drives all of it: which keys a file may hold, how their environment variables
//! are called, which key is suggested for a misspelt one, and the commented example that `init` writes. A new setting
//! is a field of [`Config`] and a row of that table.
//!
//! Every mistake is an error with one German sentence, never a silent fallback. This file doesn't know
//! the commands, opens no address and makes no directory; it reads one file and writes none.

// Tests remove and rename what they made.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod origins;
mod plain;
pub mod public_url;
pub mod refusal;
pub mod surroundings;
mod secret_file;
pub mod smtp;
pub mod targets;
pub mod tls;
mod value;
pub mod keys;
mod changed;
mod load;
pub mod settings;

use std::ffi::OsString;
use std::fs::File;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::time::Duration;

use ipnet::IpNet;
use tracing::Level;

use fluglog_base::time::Zone;
use origins::Origins;
use public_url::PublicUrl;
use smtp::Smtp;
use targets::Targets;
use tls::Tls;

/// The name of the configuration file inside a data directory.
pub const FILE_NAME: &str = "fluglog.toml";
/// That file while it is written.
pub const UNFINISHED_FILE_NAME: &str = "fluglog.toml.part";

const VARIABLE_PREFIX: &str = "FLUGLOG_";
/// Flags of the command line. Empty fields leave the choice to the environment, the file, the default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flags {
    /// `--data-dir DIR`
    pub data_dir: Option<PathBuf>,
    /// `--config FILE`
    pub config: Option<PathBuf>,
    /// `--listen ADDR:PORT`, as often as it was given
    pub listen: Vec<SocketAddr>,
    /// `--tls-cert FILE` and `--tls-key FILE`
    pub tls: Tls,
}

/// The settings in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The folder of all data. A relative path starts at the working directory, also when it comes from a file.
    pub data_dir: PathBuf,
    /// Addresses to accept connections on, at least one. Port 0 lets the system choose.
    pub listen: Vec<SocketAddr>,
    /// The server's own certificate.
    pub tls: Tls,
    /// The address at which a monitor can read metrics.
    pub metrics_listen: Option<SocketAddr>,
    /// The zone whose wall clock is "now".
    pub time_zone: Zone,
    /// The address that users see, the base of links; `None` when the admin didn't say.
    pub public_url: Option<PublicUrl>,
    /// Networks of proxies whose `X-Forwarded-…` headers are believed.
    pub trusted_proxies: Vec<IpNet>,
    /// How mails leave.
    pub smtp: Smtp,
    /// Where mails about problems of the server go; empty: nowhere.
    pub admin_mail: String,
    /// The most verbose level that the server logs.
    pub log_level: Level,
    /// Whether anyone may register, or only the admin adds users.
    pub registration_open: bool,
    /// Whether those who run the server can do so in the browser.
    pub admin_ui: bool,
    /// Bytes that the records and files of one pilot may have together; `None`: as many as fit.
    pub quota_per_pilot: Option<u64>,
    /// Whether browsers keep the app, so that it opens without network.
    pub offline: bool,
    /// The hour of the day from which pilots get mails about their packs.
    pub reminder_hour: usize,
    /// The folder from which files of pilots are read.
    pub import_dir: Option<PathBuf>,
    /// Where backups are sent to.
    pub targets: Targets,
    /// Limits on what one client may use.
    pub limits: Limits,
    /// Where the settings come from.
    pub origins: Origins,
    /// The flags that it was read with.
    pub flags: Flags,
    /// The configuration file that was read; `None` when there is none.
    pub config_file: Option<PathBuf>,
    /// Variables that begin like ours and mean nothing here.
    pub ignored_variables: Vec<Ignored>,
}

/// A variable of the environment that is no setting. Others than the admin set some: a cluster one for each of its
/// services.
#[derive(Clone, Debug, PartialEq)]
pub struct Ignored {
    pub name: String,
    /// The setting that it may have been meant for.
    pub nearest: String,
}

/// Limits on what one client may use. They are settings so that a test can use tenths of seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Seconds for sending a request's header.
    pub header_seconds: f64,
    /// Seconds for a form. Of what is larger, body or answer, 1 kB a second has to come or go on average over as long.
    pub body_seconds: f64,
    /// Seconds without a request on an open connection.
    pub idle_seconds: f64,
    /// Seconds that running requests have left when the server stops.
    pub drain_seconds: f64,
    /// Connections open at once; more wait.
    pub connections: usize,
    /// Of them those of one address (IPv6: one /64); behind a trusted proxy, requests at once of one client.
    pub connections_per_address: usize,
    /// Megabytes (of 1024 × 1024 bytes) of the disk that uploads leave free, so that the rest goes on.
    pub free_megabytes: usize,
    /// Megabytes of the disk below which no records are added; changes and deletions go on.
    pub records_free_megabytes: usize,
    /// Megabytes of memory that the whole program may use; 0: what control groups or the machine leave it.
    pub memory_megabytes: usize,
    /// Seconds that one question for a login by mail waits for its confirmation.
    pub login_wait_seconds: f64,
    /// Mails in an hour, all together; more wait.
    pub mails_per_hour: usize,
    /// Seconds between two looks into `import_dir`, in which a file must rest.
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
            data_dir: surroundings::DEFAULT_DATA_DIR.into(),
            listen: vec![SocketAddr::from((Ipv4Addr::UNSPECIFIED, 8080))],
            tls: Tls::default(),
            metrics_listen: None,
            time_zone: Zone::GERMANY,
            public_url: None,
            trusted_proxies: Vec::new(),
            smtp: Smtp::default(),
            log_level: Level::INFO,
            registration_open: true,
            admin_ui: true,
            quota_per_pilot: Some(10 * 1024 * 1024 * 1024),
            admin_mail: String::new(),
            offline: true,
            reminder_hour: 18,
            import_dir: None,
            targets: Targets::default(),
            limits: Limits::default(),
            origins: Origins::default(),
            flags: Flags::default(),
            config_file: None,
            ignored_variables: Vec::new(),
        }
    }
}

impl Config {
    /// Whether the file in force is another one than `fluglog.toml` in the data directory.
    ///
    /// Then a file written there would never be read.
    #[must_use]
    pub fn another_file_in_force(&self) -> bool {
        let Some(file) = &self.config_file else {
            return false;
        };
        let own = self.data_dir.join(FILE_NAME);
        match (file.canonicalize(), own.canonicalize()) {
            (Ok(file), Ok(own)) => file != own,
            _ => true,
        }
    }
}

/// Whether stderr goes to systemd's journal, which adds the time to each line itself.
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

/// Whether the environment has a variable of another program's.
#[must_use]
pub fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some()
}

/// The folder of the whole system, as dpkg(1) has it.
#[must_use]
pub fn system_root() -> PathBuf {
    let named = std::env::var_os("DPKG_ROOT").filter(|root| !root.is_empty());
    named.unwrap_or_else(|| "/".into()).into()
}

/// The command line of this process, its own name first.
pub fn command_line() -> impl Iterator<Item = OsString> {
    std::env::args_os()
}

/// The socket on which systemd listens for the service's messages (sd_notify(3)); a leading `@` means an abstract
/// socket.
#[must_use]
pub fn notify_socket() -> Option<OsString> {
    std::env::var_os("NOTIFY_SOCKET").filter(|socket| !socket.is_empty())
}

/// After how long without a sign of life systemd ends this process (sd_watchdog_enabled(3)).
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
