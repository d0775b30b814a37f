//! The settings of one process: flag > environment > file > default. The only reader of the environment.
//!
//! One table, `KEYS` in `config/keys.rs`, drives all of it: which keys a file may hold, how their environment variables are
//! called, which key is suggested for a misspelt one, and the commented example that `init` writes. A new setting
//! is a field of [`Config`] and a row of that table.
//!
//! Every mistake is an error with one German sentence, never a silent fallback. This file doesn't know
//! the commands, opens no address and makes no directory; it reads one file and writes none.

pub mod keys;
pub mod public_url;
pub mod refusal;
pub mod smtp;
pub mod tls;
mod value;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono_tz::Tz;
use ipnet::IpNet;
use tracing::Level;

use keys::{KEYS, Key, nearest, spellings};
use public_url::PublicUrl;
use refusal::ConfigError;
use smtp::Smtp;
use tls::Tls;
use value::{EXPECTED_PATH, Value, is_usable, shown};

/// The name of the configuration file inside a data directory.
pub const FILE_NAME: &str = "fluglog.toml";

const DEFAULT_DATA_DIR: &str = "./data";
const SYSTEM_FILE: &str = "/etc/fluglog/fluglog.toml";
const VARIABLE_PREFIX: &str = "FLUGLOG_";
const CONFIG_VARIABLE: &str = "FLUGLOG_CONFIG";
/// So many letters may be wrong, missing or too many in a name that was meant for another.
const MISSPELT_MOST: usize = 2;
/// More than any configuration needs; `--config /dev/zero` has to end.
const MOST_FILE_BYTES: u64 = 1024 * 1024;

/// Flags of the command line. Empty fields leave the choice to the environment, the file, the default.
#[derive(Clone, Debug, Default)]
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
    /// Where all data lies. A relative path starts at the working directory, also when it comes from a file.
    pub data_dir: PathBuf,
    /// Addresses to accept connections on, at least one. Port 0 lets the system choose.
    pub listen: Vec<SocketAddr>,
    /// The server's own certificate.
    pub tls: Tls,
    /// Where numbers for a monitor can be read.
    pub metrics_listen: Option<SocketAddr>,
    /// The zone whose wall clock is "now".
    pub time_zone: Tz,
    /// The address that users see, the base of links; `None` when the admin didn't say.
    pub public_url: Option<PublicUrl>,
    /// Networks of proxies whose `X-Forwarded-…` headers are believed.
    pub trusted_proxies: Vec<IpNet>,
    /// How mails leave.
    pub smtp: Smtp,
    /// The most verbose level that the server logs.
    pub log_level: Level,
    /// Whether anyone may register, or only the admin adds users.
    pub registration_open: bool,
    /// Limits on what one client may use.
    pub limits: Limits,
    /// The configuration file that was read; `None` when there is none.
    pub config_file: Option<PathBuf>,
    /// Variables that begin like ours and mean nothing here.
    pub ignored_variables: Vec<Ignored>,
}

/// A variable of the environment that is no setting. Others than the admin set some: a cluster one for each of its services.
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
    /// Seconds without a byte inside a request's body.
    pub body_seconds: f64,
    /// Seconds without a request on an open connection.
    pub idle_seconds: f64,
    /// Seconds that running requests have left when the server is told to stop.
    pub drain_seconds: f64,
    /// Connections open at once; more wait.
    pub connections: usize,
    /// Megabytes (of 1024 × 1024 bytes) of the disk that uploads leave free, so that the rest goes on.
    pub free_megabytes: usize,
    /// Seconds that one question for a login by mail waits for its confirmation.
    pub login_wait_seconds: f64,
    /// Mails in an hour, all together; more wait.
    pub mails_per_hour: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            header_seconds: 10.0,
            body_seconds: 30.0,
            idle_seconds: 75.0,
            drain_seconds: 10.0,
            connections: 512,
            free_megabytes: 200,
            login_wait_seconds: 25.0,
            mails_per_hour: 100,
        }
    }
}

impl Default for Config {
    fn default() -> Config {
        Config {
            data_dir: DEFAULT_DATA_DIR.into(),
            listen: vec![SocketAddr::from((Ipv4Addr::UNSPECIFIED, 8080))],
            tls: Tls::default(),
            metrics_listen: None,
            time_zone: Tz::Europe__Berlin,
            public_url: None,
            trusted_proxies: Vec::new(),
            smtp: Smtp::default(),
            log_level: Level::INFO,
            registration_open: true,
            limits: Limits::default(),
            config_file: None,
            ignored_variables: Vec::new(),
        }
    }
}

/// The environment of a process. Tests make their own.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// All environment variables, also those that are none of ours.
    pub variables: BTreeMap<OsString, OsString>,
    /// The file that the package ships, read when no data directory was named.
    pub system_file: PathBuf,
    /// The data directory when nobody names one.
    pub default_data_dir: PathBuf,
}

impl Surroundings {
    /// Those of this process.
    #[must_use]
    pub fn of_process() -> Surroundings {
        Surroundings {
            variables: std::env::vars_os().collect(),
            system_file: SYSTEM_FILE.into(),
            default_data_dir: DEFAULT_DATA_DIR.into(),
        }
    }

    fn variable(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(OsString::as_os_str)
    }
}

impl Config {
    /// Reads the settings of this process.
    ///
    /// # Errors
    /// Anything unknown, malformed, unreadable, or named and missing, see [`ConfigError`].
    pub fn load(flags: &Flags) -> Result<Config, ConfigError> {
        Config::load_in(flags, &Surroundings::of_process())
    }

    /// [`Config::load`] with the environment and the places of files given.
    ///
    /// # Errors
    /// As [`Config::load`].
    pub fn load_in(flags: &Flags, surroundings: &Surroundings) -> Result<Config, ConfigError> {
        let mut config = Config {
            data_dir: surroundings.default_data_dir.clone(),
            ignored_variables: unknown_variables(surroundings)?,
            ..Config::default()
        };
        if let Some((path, text)) = find_file(flags, surroundings)? {
            apply_file(&mut config, &path, &text)?;
            config.config_file = Some(path);
        }
        for key in KEYS {
            let name = key.variable();
            if let Some(value) = surroundings.variable(&name) {
                set(&mut config, key, Value::Variable(value), || name)?;
            }
        }
        if let Some(data_dir) = &flags.data_dir {
            config.data_dir.clone_from(data_dir);
        }
        if !flags.listen.is_empty() {
            config.listen.clone_from(&flags.listen);
        }
        let Tls { certificate, key } = flags.tls.clone();
        config.tls.certificate = certificate.or(config.tls.certificate);
        config.tls.key = key.or(config.tls.key);
        tls::settle(&config.tls)?;
        smtp::settle(&mut config, surroundings)?;
        Ok(config)
    }

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

/// Whether it is this machine's or one that no router passes on (RFC 1918, RFC 3927, RFC 4193, RFC 4291).
#[must_use]
pub fn is_near_address(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback() || address.is_private() || address.is_link_local(),
        IpAddr::V6(address) => address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local(),
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

/// Where systemd listens for what the service has to say (sd_notify(3)); `@` stands for an abstract socket.
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

fn set(config: &mut Config, key: &Key, value: Value<'_>, place: impl FnOnce() -> String) -> Result<(), ConfigError> {
    (key.set)(config, value).map_err(|expected| ConfigError::BadValue {
        place: place(),
        value: if key.is_secret() {
            "…".to_owned()
        } else {
            value.shown()
        },
        expected,
    })
}

/// Refuses a variable that is a setting misspelt; what is none is only told.
fn unknown_variables(surroundings: &Surroundings) -> Result<Vec<Ignored>, ConfigError> {
    let mut ignored = Vec::new();
    let known: Vec<String> = KEYS
        .iter()
        .map(Key::variable)
        .chain([CONFIG_VARIABLE.to_owned()])
        .collect();
    for name in surroundings.variables.keys() {
        let name = name.to_string_lossy();
        if !name.starts_with(VARIABLE_PREFIX) || known.iter().any(|known| *known == name) {
            continue;
        }
        let sought = name[VARIABLE_PREFIX.len()..].replace("__", ".");
        let candidates = spellings().chain([("config", "config"), ("config_file", "config")]);
        let nearest = nearest(&sought, candidates).replace('.', "__").to_uppercase();
        let nearest = format!("{VARIABLE_PREFIX}{nearest}");
        let name = shown(&name);
        if is_misspelt(&name, &nearest) {
            return Err(ConfigError::UnknownVariable { name, nearest });
        }
        ignored.push(Ignored { name, nearest });
    }
    Ok(ignored)
}

/// Whether a name differs from another by less than anybody would on purpose.
fn is_misspelt(name: &str, other: &str) -> bool {
    let letters = |text: &str| text.to_uppercase().replace('_', "");
    strsim::damerau_levenshtein(&letters(name), &letters(other)) <= MISSPELT_MOST
}

/// The configuration file in force and its text. One that is only implied may be missing.
fn find_file(flags: &Flags, surroundings: &Surroundings) -> Result<Option<(PathBuf, String)>, ConfigError> {
    let variable = |name| surroundings.variable(name).map(PathBuf::from);
    let named = [
        ("--config", flags.config.clone()),
        (CONFIG_VARIABLE, variable(CONFIG_VARIABLE)),
    ];
    let directories = [
        ("--data-dir", flags.data_dir.clone()),
        ("FLUGLOG_DATA_DIR", variable("FLUGLOG_DATA_DIR")),
    ];
    if let Some((named_by, file)) = first_named(named)? {
        let text = read(&file)?.ok_or_else(|| ConfigError::Missing {
            file: file.clone(),
            named_by,
        })?;
        // A directory that is named badly is refused even when it isn't needed to find the file.
        first_named(directories)?;
        return Ok(Some((file, text)));
    }
    let implied = match first_named(directories)? {
        Some((_, directory)) => vec![directory.join(FILE_NAME)],
        None => vec![
            surroundings.system_file.clone(),
            surroundings.default_data_dir.join(FILE_NAME),
        ],
    };
    for file in implied {
        if let Some(text) = read(&file)? {
            return Ok(Some((file, text)));
        }
    }
    Ok(None)
}

/// The first path that was named, with what named it. An empty one is an error: it is a variable that
/// someone forgot to fill, and going on without it would mean a second data directory.
fn first_named(sources: [(&'static str, Option<PathBuf>); 2]) -> Result<Option<(&'static str, PathBuf)>, ConfigError> {
    for (place, path) in sources {
        match path {
            Some(path) if is_usable(&path) => return Ok(Some((place, path))),
            Some(path) => {
                return Err(ConfigError::BadValue {
                    place: place.to_owned(),
                    value: shown(&path.to_string_lossy()),
                    expected: EXPECTED_PATH.to_owned(),
                });
            }
            None => {}
        }
    }
    Ok(None)
}

/// The text of a file; `None` when it doesn't exist.
fn read(file: &Path) -> Result<Option<String>, ConfigError> {
    let unreadable = |reason: String| ConfigError::Unreadable {
        file: file.to_owned(),
        reason,
    };
    let mut bytes = Vec::new();
    let outcome = File::open(file).and_then(|opened| opened.take(MOST_FILE_BYTES + 1).read_to_end(&mut bytes));
    match outcome {
        Ok(_) if bytes.len() as u64 > MOST_FILE_BYTES => Err(unreadable("größer als 1 MiB".into())),
        Ok(_) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err(unreadable("kein Text in UTF-8".into())),
        },
        Err(error) => match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Ok(None),
            // The number: that is what an admin gives a container's volume to.
            ErrorKind::PermissionDenied => Err(unreadable(format!(
                "keine Leserechte für den Benutzer mit der Nummer {}",
                rustix::process::geteuid().as_raw()
            ))),
            ErrorKind::IsADirectory => Err(unreadable("ein Verzeichnis".into())),
            _ => Err(unreadable("der Datenträger meldet einen Fehler".into())),
        },
    }
}

fn apply_file(config: &mut Config, file: &Path, text: &str) -> Result<(), ConfigError> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let stop = error.span().map_or(0, |span| span.start);
        let before = text.get(..stop).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        ConfigError::NotToml {
            file: file.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    })?;
    apply_table(config, file, "", &table)
}

fn apply_table(config: &mut Config, file: &Path, section: &str, table: &toml::Table) -> Result<(), ConfigError> {
    for (name, value) in table {
        let path = if section.is_empty() {
            name.clone()
        } else {
            format!("{section}.{name}")
        };
        let place = || format!("„{path}“ in der Konfigurationsdatei {}", file.display());
        let known = KEYS.iter().find(|key| key.name == path);
        let is_section = KEYS.iter().any(|key| key.section() == Some(&*path));
        match (known, value) {
            (Some(key), value) => set(config, key, Value::File(value), place)?,
            (None, toml::Value::Table(inner)) if is_section || !inner.is_empty() => {
                apply_table(config, file, &path, inner)?;
            }
            (None, value) if is_section => {
                return Err(ConfigError::BadValue {
                    place: place(),
                    value: Value::File(value).shown(),
                    expected: format!("ein Abschnitt [{path}]"),
                });
            }
            (None, _) => {
                let sections = KEYS
                    .iter()
                    .filter_map(|key| key.section().map(|section| (section, section)));
                return Err(ConfigError::UnknownKey {
                    file: file.to_owned(),
                    nearest: nearest(&path, spellings().chain(sections)).to_owned(),
                    key: shown(&path),
                });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
