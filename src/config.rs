//! The settings of one process: flag > environment > file > default. The only reader of the environment.
//!
//! One table, `KEYS`, drives all of it: which keys a file may hold, how their environment variables are
//! called, which key is suggested for a misspelt one, and the commented example that `init` writes. Whoever
//! adds a setting adds a field to [`Config`] and a row to that table.
//!
//! Whatever is wrong is an error with one German sentence, never a silent fallback. This file doesn't know
//! the commands, opens no address and makes no directory; it reads one file and writes none.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::ops::RangeInclusive;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use chrono_tz::Tz;
use ipnet::IpNet;

use crate::number;

/// The name of the configuration file inside a data directory.
pub const FILE_NAME: &str = "fluglog.toml";

const DEFAULT_DATA_DIR: &str = "./data";
const SYSTEM_FILE: &str = "/etc/fluglog/fluglog.toml";
const VARIABLE_PREFIX: &str = "FLUGLOG_";
const CONFIG_VARIABLE: &str = "FLUGLOG_CONFIG";
/// More than any configuration needs; `--config /dev/zero` has to end.
const MOST_FILE_BYTES: u64 = 1024 * 1024;
/// How much of a wrong value an error repeats.
const MOST_SHOWN_CHARACTERS: usize = 80;

/// What the command line said. Empty fields leave the choice to the environment, the file, the default.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// `--data-dir DIR`
    pub data_dir: Option<PathBuf>,
    /// `--config FILE`
    pub config: Option<PathBuf>,
    /// `--listen ADDR:PORT`, as often as it was given
    pub listen: Vec<SocketAddr>,
}

/// The settings in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Where all data lies. A relative path starts at the working directory, also when it comes from a file.
    pub data_dir: PathBuf,
    /// Addresses to accept connections on, at least one. Port 0 lets the system choose.
    pub listen: Vec<SocketAddr>,
    /// The zone whose wall clock is "now".
    pub time_zone: Tz,
    /// The address that users see, the base of links; `None` when the admin didn't say.
    pub public_url: Option<PublicUrl>,
    /// Networks of proxies whose `X-Forwarded-…` headers are believed.
    pub trusted_proxies: Vec<IpNet>,
    /// What one client may take of the server.
    pub limits: Limits,
    /// The configuration file that was read; `None` when there is none.
    pub config_file: Option<PathBuf>,
}

/// What one client may take of the server. Settings, so that a test can use tenths of seconds.
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
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            header_seconds: 10.0,
            body_seconds: 30.0,
            idle_seconds: 75.0,
            drain_seconds: 10.0,
            connections: 512,
        }
    }
}

impl Default for Config {
    fn default() -> Config {
        Config {
            data_dir: DEFAULT_DATA_DIR.into(),
            listen: vec![SocketAddr::from((Ipv4Addr::UNSPECIFIED, 8080))],
            time_zone: Tz::Europe__Berlin,
            public_url: None,
            trusted_proxies: Vec::new(),
            limits: Limits::default(),
            config_file: None,
        }
    }
}

/// One setting: everything that is to be said about it.
struct Key {
    /// Its name in the file, with a dot after its section.
    name: &'static str,
    /// Its default as TOML; a test compares it with `Config::default`.
    default: &'static str,
    /// What it is for, in German, one line of the example each.
    help: &'static [&'static str],
    /// What people write when they mean this key; only for the suggestion in an error.
    also_called: &'static [&'static str],
    /// Checks a value and puts it in its place; the error ends the sentence "erwartet wird …".
    set: fn(&mut Config, Value<'_>) -> Result<(), String>,
}

const KEYS: &[Key] = &[
    Key {
        name: "data_dir",
        default: r#""./data""#,
        help: &[
            "Verzeichnis für alle Daten. Ein relativer Pfad beginnt im Arbeitsverzeichnis.",
            "Nur nötig, wenn diese Datei nicht selbst im Datenverzeichnis liegt.",
        ],
        also_called: &["data", "dir", "path"],
        set: |config, value| {
            config.data_dir = value.path()?;
            Ok(())
        },
    },
    Key {
        name: "listen",
        default: r#"["0.0.0.0:8080"]"#,
        help: &[
            "Adressen, auf denen der Server erreichbar ist: IP-Adresse und Port. 0.0.0.0 und [::] stehen",
            "für alle Netze; 127.0.0.1 nur für diesen Rechner, etwa hinter einem Proxy.",
        ],
        also_called: &["port", "host", "bind", "address", "addr"],
        set: |config, value| {
            config.listen = value.addresses()?;
            Ok(())
        },
    },
    Key {
        name: "time_zone",
        default: r#""Europe/Berlin""#,
        help: &["Zeitzone für „jetzt“, zum Beispiel beim Start eines Fluges."],
        also_called: &["tz"],
        set: |config, value| {
            config.time_zone = value.time_zone()?;
            Ok(())
        },
    },
    Key {
        name: "public_url",
        default: r#""""#,
        help: &[
            "Adresse, unter der die Piloten Fluglog öffnen, zum Beispiel https://fluglog.example.org, ohne Pfad.",
            "Sie ist die Grundlage aller Links. Leer: nicht festgelegt.",
        ],
        also_called: &["url", "base_url", "domain", "hostname", "origin"],
        set: |config, value| {
            config.public_url = value.public_url()?;
            Ok(())
        },
    },
    Key {
        name: "trusted_proxies",
        default: "[]",
        help: &[
            "Netze von Proxys, deren Angaben (X-Forwarded-For, -Proto und -Host) gelten, zum Beispiel",
            "[\"127.0.0.1/32\", \"::1/128\"]. Leer: keinem Proxy wird geglaubt.",
        ],
        also_called: &["proxy", "proxies", "trust_proxy"],
        set: |config, value| {
            config.trusted_proxies = value.networks()?;
            Ok(())
        },
    },
    Key {
        name: "limits.header_seconds",
        default: "10",
        help: &["So viele Sekunden darf ein Gerät für den Kopf einer Anfrage brauchen (0,1 bis 300)."],
        also_called: &[],
        set: |config, value| {
            config.limits.header_seconds = value.seconds(0.1..=300.0)?;
            Ok(())
        },
    },
    Key {
        name: "limits.body_seconds",
        default: "30",
        help: &["So viele Sekunden darf eine Anfrage mitten im Inhalt stocken (0,1 bis 600)."],
        also_called: &["timeout"],
        set: |config, value| {
            config.limits.body_seconds = value.seconds(0.1..=600.0)?;
            Ok(())
        },
    },
    Key {
        name: "limits.idle_seconds",
        default: "75",
        help: &["Nach so vielen Sekunden ohne Anfrage wird eine Verbindung geschlossen (0,1 bis 3600)."],
        also_called: &["keep_alive"],
        set: |config, value| {
            config.limits.idle_seconds = value.seconds(0.1..=3600.0)?;
            Ok(())
        },
    },
    Key {
        name: "limits.drain_seconds",
        default: "10",
        help: &["So viele Sekunden dürfen laufende Anfragen beim Beenden noch brauchen (0 bis 10)."],
        also_called: &["shutdown_seconds"],
        set: |config, value| {
            config.limits.drain_seconds = value.seconds(0.0..=10.0)?;
            Ok(())
        },
    },
    Key {
        name: "limits.connections",
        default: "512",
        help: &["So viele Verbindungen sind gleichzeitig offen; weitere warten (1 bis 4096)."],
        also_called: &["max_connections"],
        set: |config, value| {
            config.limits.connections = value.whole(1..=4096)?;
            Ok(())
        },
    },
];

impl Key {
    /// `FLUGLOG_LIMITS__HEADER_SECONDS` for `limits.header_seconds`.
    fn variable(&self) -> String {
        format!("{VARIABLE_PREFIX}{}", self.name.replace('.', "__").to_uppercase())
    }

    fn section(&self) -> Option<&'static str> {
        self.name.rsplit_once('.').map(|(section, _)| section)
    }
}

/// What a process finds around itself. Tests make their own.
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
        refuse_unknown_variables(surroundings)?;
        let mut config = Config {
            data_dir: surroundings.default_data_dir.clone(),
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

/// The commented `fluglog.toml`: every key with its explanation and its default, all commented out.
///
/// A line that starts with `#` and no blank after it is a setting; without that mark it takes effect.
#[must_use]
pub fn commented_example() -> String {
    let mut text = String::from(
        "# Einstellungen von Fluglog\n\
         #\n\
         # Jede Zeile, die mit „#“ ohne Leerzeichen beginnt, zeigt eine Einstellung mit ihrer Vorgabe.\n\
         # Zum Ändern das „#“ davor löschen, den Wert anpassen und Fluglog neu starten.\n\
         # Vorrang haben Angaben beim Aufruf, danach die genannten Umgebungsvariablen, danach diese Datei.\n",
    );
    for key in KEYS {
        let help: Vec<String> = key.help.iter().map(|line| format!("# {line}\n")).collect();
        let variable = format!("# Umgebungsvariable: {}\n", key.variable());
        let setting = format!("#{} = {}\n", key.name, key.default);
        text.extend(["\n", &help.concat(), &variable, &setting]);
    }
    text
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

/// The address that users see: `http` or `https`, a host, perhaps a port; never a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    /// As a browser writes an origin: lower case, no default port, no slash at the end.
    origin: String,
}

impl PublicUrl {
    /// Reads `https://host[:port]`, with or without a slash at the end.
    ///
    /// `None` for everything else: another scheme, a user name, a path, a query, a host that isn't ASCII
    /// (a browser sends `xn--…` as the origin).
    #[must_use]
    pub fn parse(text: &str) -> Option<PublicUrl> {
        let text = text.to_ascii_lowercase();
        let (scheme, rest) = text.split_once("://")?;
        let default_port = match scheme {
            "http" => 80,
            "https" => 443,
            _ => return None,
        };
        let authority = rest.strip_suffix('/').unwrap_or(rest);
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
            _ => (authority, None),
        };
        let host = normal_host(host)?;
        let port = match port {
            Some(port) => whole_number(port).and_then(|port| u16::try_from(port).ok())?,
            None => default_port,
        };
        let origin = match port {
            0 => return None,
            port if port == default_port => format!("{scheme}://{host}"),
            port => format!("{scheme}://{host}:{port}"),
        };
        Some(PublicUrl { origin })
    }

    /// The base of links, without a slash at the end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.origin
    }

    /// Whether users come by https.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.origin.starts_with("https://")
    }

    /// What a browser sends as `Origin` from pages of this address. The same text as the base of links,
    /// since there is no path.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }
}

/// A host name in lower case, an IPv4 address, or an IPv6 address in brackets, as a browser writes it.
fn normal_host(host: &str) -> Option<String> {
    if let Some(inner) = host.strip_prefix('[') {
        let address: Ipv6Addr = inner.strip_suffix(']')?.parse().ok()?;
        return Some(format!("[{address}]"));
    }
    let label_is_good = |label: &str| {
        (1..=63).contains(&label.len())
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    let mut labels = host.rsplit('.');
    let looks_like_ipv4 = labels.next()?.bytes().all(|byte| byte.is_ascii_digit());
    let good = host.len() <= 253
        && host.split('.').all(label_is_good)
        && (!looks_like_ipv4 || host.parse::<Ipv4Addr>().is_ok());
    good.then(|| host.to_owned())
}

/// What is wrong with the configuration; prints one German sentence with the way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigError {
    /// The file holds a key that doesn't exist.
    UnknownKey {
        /// The configuration file.
        file: PathBuf,
        /// The key with its section.
        key: String,
        /// The known key that comes nearest.
        nearest: String,
    },
    /// The environment holds a `FLUGLOG_` variable that doesn't exist.
    UnknownVariable {
        /// Its name.
        name: String,
        /// The known variable that comes nearest.
        nearest: String,
    },
    /// A value that its key can't have.
    BadValue {
        /// The flag, the variable, or the key and its file.
        place: String,
        /// The value, shortened and without control characters.
        value: String,
        /// What is expected instead; ends the sentence.
        expected: String,
    },
    /// A configuration file was named and doesn't exist.
    Missing {
        /// The named file.
        file: PathBuf,
        /// The flag or variable that named it.
        named_by: &'static str,
    },
    /// A configuration file exists and can't be read.
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why not; a clause.
        reason: String,
    },
    /// The file breaks the syntax of TOML.
    NotToml {
        /// The file.
        file: PathBuf,
        /// Where reading stopped, from 1.
        line: usize,
        /// Where in the line, in characters from 1.
        column: usize,
    },
}

impl std::error::Error for ConfigError {}

impl fmt::Display for ConfigError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigError::UnknownKey { file, key, nearest } => write!(
                out,
                "In der Konfigurationsdatei {} ist „{key}“ unbekannt, am ähnlichsten ist „{nearest}“: \
                 bitte berichtigen oder löschen.",
                file.display()
            ),
            ConfigError::UnknownVariable { name, nearest } => write!(
                out,
                "Die Umgebungsvariable {name} ist unbekannt, am ähnlichsten ist {nearest}: \
                 bitte berichtigen oder entfernen."
            ),
            ConfigError::BadValue { place, value, expected } => {
                write!(
                    out,
                    "Der Wert „{value}“ von {place} ist ungültig, erwartet wird {expected}."
                )
            }
            ConfigError::Missing { file, named_by } => write!(
                out,
                "Die mit {named_by} genannte Konfigurationsdatei {} gibt es nicht: \
                 bitte anlegen oder die Angabe weglassen.",
                file.display()
            ),
            ConfigError::Unreadable { file, reason } => write!(
                out,
                "Die Konfigurationsdatei {} ist nicht lesbar ({reason}): bitte Pfad und Rechte prüfen.",
                file.display()
            ),
            ConfigError::NotToml { file, line, column } => write!(
                out,
                "Die Konfigurationsdatei {} ist in Zeile {line}, Spalte {column} kein gültiges TOML: \
                 bitte diese Zeile berichtigen, zum Beispiel auf fehlende Anführungszeichen und doppelte Einträge prüfen.",
                file.display()
            ),
        }
    }
}

/// A value as its source gave it: typed by TOML, or the text of an environment variable.
#[derive(Clone, Copy)]
enum Value<'a> {
    File(&'a toml::Value),
    Variable(&'a OsStr),
}

impl<'a> Value<'a> {
    fn text(self) -> Option<&'a str> {
        match self {
            Value::File(value) => value.as_str(),
            Value::Variable(value) => value.to_str(),
        }
    }

    fn path(self) -> Result<PathBuf, String> {
        let path = match self {
            Value::File(value) => value.as_str().map(PathBuf::from),
            Value::Variable(value) => Some(PathBuf::from(value)),
        };
        path.filter(|path| is_usable(path)).ok_or_else(|| EXPECTED_PATH.into())
    }

    /// The items of a TOML list, or of a text with commas; an empty text has none.
    fn list<T>(self, read: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
        let texts: Option<Vec<&str>> = match self {
            Value::File(toml::Value::Array(items)) => items.iter().map(toml::Value::as_str).collect(),
            _ => match self.text() {
                Some("") => Some(Vec::new()),
                text => text.map(|text| text.split(',').collect()),
            },
        };
        texts?.iter().map(|text| read(text.trim())).collect()
    }

    fn networks(self) -> Result<Vec<IpNet>, String> {
        let network = |text: &str| {
            text.parse()
                .ok()
                .or_else(|| text.parse::<IpAddr>().map(IpNet::from).ok())
        };
        self.list(network)
            .ok_or_else(|| "eine Liste von Netzen, zum Beispiel 127.0.0.1/32 oder 192.168.0.0/16".into())
    }

    fn addresses(self) -> Result<Vec<SocketAddr>, String> {
        self.list(|text| text.parse().ok())
            .filter(|addresses| !addresses.is_empty())
            .ok_or_else(|| "IP-Adresse und Port, zum Beispiel 0.0.0.0:8080 oder [::1]:8080".into())
    }

    fn time_zone(self) -> Result<Tz, String> {
        let name = self.text().unwrap_or_default();
        name.parse().map_err(|_| {
            let zones = chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name());
            let nearest = nearest(name, zones.map(|zone| (zone, zone)));
            format!("ein Name wie Europe/Berlin (am ähnlichsten ist {nearest})")
        })
    }

    /// An empty text is the default: no address is set.
    fn public_url(self) -> Result<Option<PublicUrl>, String> {
        match self.text() {
            Some("") => Ok(None),
            text => text.and_then(PublicUrl::parse).map(Some).ok_or_else(|| {
                "http:// oder https:// mit Rechnername und ohne Pfad, zum Beispiel https://fluglog.example.org".into()
            }),
        }
    }

    fn seconds(self, range: RangeInclusive<f64>) -> Result<f64, String> {
        let seconds = match self {
            Value::File(toml::Value::Float(seconds)) => Some(*seconds),
            Value::File(toml::Value::Integer(seconds)) => u32::try_from(*seconds).ok().map(f64::from),
            Value::File(_) => None,
            Value::Variable(_) => self.text().and_then(number::parse),
        };
        seconds.filter(|seconds| range.contains(seconds)).ok_or_else(|| {
            let (least, most) = (number::german(*range.start(), 1), number::german(*range.end(), 1));
            format!("eine Zahl von {least} bis {most} (Sekunden)")
        })
    }

    fn whole(self, range: RangeInclusive<usize>) -> Result<usize, String> {
        let whole = match self {
            Value::File(value) => value.as_integer().and_then(|value| usize::try_from(value).ok()),
            Value::Variable(_) => self.text().and_then(whole_number),
        };
        whole
            .filter(|whole| range.contains(whole))
            .ok_or_else(|| format!("eine ganze Zahl von {} bis {}", range.start(), range.end()))
    }

    /// The value for an error's sentence.
    fn shown(self) -> String {
        match self {
            Value::File(toml::Value::String(text)) => shown(text),
            Value::File(value) => shown(&value.to_string()),
            Value::Variable(value) => shown(&value.to_string_lossy()),
        }
    }
}

const EXPECTED_PATH: &str = "ein Pfad, der nicht leer ist";

fn is_usable(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    !bytes.is_empty() && !bytes.contains(&0)
}

fn whole_number(text: &str) -> Option<usize> {
    let only_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    only_digits.then(|| text.parse().ok())?
}

/// One line, and not the whole of a file that someone pasted into a value.
fn shown(text: &str) -> String {
    let mut characters = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut shown: String = characters.by_ref().take(MOST_SHOWN_CHARACTERS).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

fn set(config: &mut Config, key: &Key, value: Value<'_>, place: impl FnOnce() -> String) -> Result<(), ConfigError> {
    (key.set)(config, value).map_err(|expected| ConfigError::BadValue {
        place: place(),
        value: value.shown(),
        expected,
    })
}

fn refuse_unknown_variables(surroundings: &Surroundings) -> Result<(), ConfigError> {
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
        let candidates = spellings().chain([("config", "config")]);
        let nearest = nearest(&sought, candidates).replace('.', "__").to_uppercase();
        return Err(ConfigError::UnknownVariable {
            name: shown(&name),
            nearest: format!("{VARIABLE_PREFIX}{nearest}"),
        });
    }
    Ok(())
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
            ErrorKind::PermissionDenied => Err(unreadable("keine Leserechte".into())),
            ErrorKind::IsADirectory => Err(unreadable("ein Verzeichnis".into())),
            _ => Err(unreadable(error.to_string())),
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

/// How each key may be meant: its name, its name without the section, and what else people call it.
fn spellings() -> impl Iterator<Item = (&'static str, &'static str)> {
    KEYS.iter().flat_map(|key| {
        let without_section = key.name.rsplit('.').next().unwrap_or(key.name);
        [key.name, without_section]
            .into_iter()
            .chain(key.also_called.iter().copied())
            .map(|spelling| (spelling, key.name))
    })
}

/// Of pairs of a spelling and what it means, the meaning whose spelling comes nearest to `name`.
fn nearest<'a>(name: &str, candidates: impl Iterator<Item = (&'a str, &'a str)>) -> &'a str {
    let plain = |text: &str| text.to_lowercase().replace(['-', ' '], "_");
    // Nobody recognises a longer spelling, and the comparison costs the product of both lengths.
    let name = plain(&shown(name));
    candidates
        .min_by_key(|(spelling, _)| strsim::damerau_levenshtein(&name, &plain(spelling)))
        .map_or("", |(_, meaning)| meaning)
}

#[cfg(test)]
mod tests;
