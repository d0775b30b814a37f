//! The settings from an admin's view: which source wins, and which values each key accepts.

mod example;
mod public_url;
mod refusals;
mod settings;
mod targets;

use std::collections::BTreeMap;
use std::path::Path;

use tempfile::TempDir;

use super::environment::Environment;
use super::error::ConfigError;
use super::keys::{KEYS, commented_example};
use super::smtp::{Encryption, Password, Smtp};
use super::*;

fn zone(name: &str) -> Zone {
    Zone::named(name).unwrap()
}

/// A simulated machine: folders for the system's file, the default data directory and a named one.
struct Machine {
    root: TempDir,
    environment: Environment,
    flags: Flags,
}

impl Machine {
    fn new() -> Machine {
        let root = TempDir::new().unwrap();
        for folder in ["etc", "data", "named"] {
            std::fs::create_dir(root.path().join(folder)).unwrap();
        }
        let environment = Environment {
            variables: BTreeMap::from([("PATH".into(), "/bin".into())]),
            system_file: root.path().join("etc/fluglog.toml"),
            default_data_dir: root.path().join("data"),
        };
        Machine {
            root,
            environment,
            flags: Flags::default(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn write(self, name: &str, text: &str) -> Machine {
        std::fs::write(self.path(name), text).unwrap();
        self
    }

    fn variable(mut self, name: &str, value: impl Into<OsString>) -> Machine {
        self.environment.variables.insert(name.into(), value.into());
        self
    }

    fn data_dir_flag(mut self, name: &str) -> Machine {
        self.flags.data_dir = Some(self.path(name));
        self
    }

    fn load(&self) -> Result<Config, ConfigError> {
        Config::load_in(&self.flags, &self.environment)
    }

    fn refusal(&self) -> String {
        let sentence = self.load().unwrap_err().to_string();
        assert!(sentence.ends_with('.'), "{sentence}");
        assert!(!sentence.contains(char::is_control), "{sentence}");
        sentence.replace(&self.root.path().display().to_string(), "ROOT")
    }
}

fn file_refusal(text: &str) -> String {
    Machine::new().write("data/fluglog.toml", text).refusal()
}

fn network(text: &str) -> IpNet {
    text.parse().unwrap()
}

fn address(text: &str) -> SocketAddr {
    text.parse().unwrap()
}

#[test]
fn with_nothing_said_the_defaults_are_in_force() {
    let machine = Machine::new();
    let config = machine.load().unwrap();
    let expected = Config {
        data_dir: machine.path("data"),
        ..Config::default()
    };
    assert_eq!(config, expected);
    assert_eq!(Config::default().data_dir, Path::new("./data"));
    assert_eq!(config.listen, [address("0.0.0.0:8080")]);
    assert_eq!(config.time_zone.name(), "Europe/Berlin");
    assert!(!config.uses_other_file());
}

#[test]
fn the_flag_beats_the_variable_which_beats_the_file_which_beats_the_default() {
    let mut machine = Machine::new().write("data/fluglog.toml", r#"listen = "127.0.0.1:1""#);
    assert_eq!(machine.load().unwrap().listen, [address("127.0.0.1:1")]);
    machine = machine.variable("FLUGLOG_LISTEN", "127.0.0.1:2, [::1]:3");
    assert_eq!(
        machine.load().unwrap().listen,
        [address("127.0.0.1:2"), address("[::1]:3")]
    );
    machine.flags.listen = vec![address("127.0.0.1:4")];
    assert_eq!(machine.load().unwrap().listen, [address("127.0.0.1:4")]);
}

#[test]
fn the_data_directory_follows_the_same_precedence() {
    let mut machine = Machine::new().write("data/fluglog.toml", r#"data_dir = "/from/file""#);
    assert_eq!(machine.load().unwrap().data_dir, Path::new("/from/file"));
    machine = machine.variable("FLUGLOG_DATA_DIR", "/from/variable");
    assert_eq!(machine.load().unwrap().data_dir, Path::new("/from/variable"));
    machine = machine.data_dir_flag("named");
    assert_eq!(machine.load().unwrap().data_dir, machine.path("named"));
}

/// A file that sets every key to something else than its default.
const EVERY_KEY: &str = r#"
data_dir = "/srv/fluglog"
listen = ["127.0.0.1:8080", "[::1]:8080"]
metrics_listen = "[::1]:9090"
time_zone = "Europe/Vienna"
public_url = "https://Fluglog.example.org/"
trusted_proxies = ["127.0.0.1", "10.0.0.0/8"]
admin_mail = "betreiber@example.org"
log_level = "warn"
registration = "closed"
admin_ui = false
quota_per_pilot = "500 MB"
quota_per_space = "2 GB"
offline = false
reminder_hour = 7
import_dir = "/srv/logs"

[auth]
header = "Remote-Email"
create_accounts = true
logout_url = "https://auth.example.org/logout"

[backup]
targets = {}

[tls]
cert = "/etc/fluglog/cert.pem"
key = "/etc/fluglog/key.pem"

[smtp]
ca_file = ""
host = "smtp.example.org"
port = 2525
encryption = "starttls"
user = "fluglog"
password = "geheim"
password_file = ""
from = "Fluglog <fluglog@example.org>"
timeout_seconds = 2.5
retry_seconds = 1

[limits]
header_seconds = 0.2
body_seconds = 3
idle_seconds = 0.5
drain_seconds = 0
connections = 7
connections_per_address = 5
free_megabytes = 50
records_free_megabytes = 40
memory_megabytes = 128
login_wait_seconds = 0.5
mails_per_hour = 3
import_dir_seconds = 0.5
"#;

fn every_auth() -> Auth {
    Auth {
        header: "remote-email".to_owned(),
        creates_accounts: true,
        logout_url: "https://auth.example.org/logout".to_owned(),
    }
}

#[test]
fn a_file_may_set_every_key() {
    let machine = Machine::new().write("data/fluglog.toml", EVERY_KEY);
    let expected = Config {
        data_dir: "/srv/fluglog".into(),
        listen: vec![address("127.0.0.1:8080"), address("[::1]:8080")],
        time_zone: zone("Europe/Vienna"),
        public_url: PublicUrl::parse("https://fluglog.example.org"),
        trusted_proxies: vec![network("127.0.0.1/32"), network("10.0.0.0/8")],
        auth: every_auth(),
        admin_mail: "betreiber@example.org".to_owned(),
        log_level: Level::WARN,
        registration_open: false,
        admin_ui: false,
        smtp: Smtp {
            host: "smtp.example.org".to_owned(),
            port: 2525,
            encryption: Encryption::StartTls,
            user: "fluglog".to_owned(),
            password: Password("geheim".to_owned()),
            from: "Fluglog <fluglog@example.org>".to_owned(),
            timeout_seconds: 2.5,
            retry_seconds: 1.0,
            ..Smtp::default()
        },
        tls: Tls {
            certificate: Some("/etc/fluglog/cert.pem".into()),
            key: Some("/etc/fluglog/key.pem".into()),
        },
        metrics_listen: Some(address("[::1]:9090")),
        quota_per_pilot: Some(500 * 1024 * 1024),
        quota_per_space: Some(2 * 1024 * 1024 * 1024),
        offline: false,
        reminder_hour: 7,
        import_dir: Some("/srv/logs".into()),
        targets: Targets::default(),
        limits: Limits {
            header_seconds: 0.2,
            body_seconds: 3.0,
            idle_seconds: 0.5,
            drain_seconds: 0.0,
            connections: 7,
            connections_per_address: 5,
            free_megabytes: 50,
            records_free_megabytes: 40,
            memory_megabytes: 128,
            login_wait_seconds: 0.5,
            mails_per_hour: 3,
            import_dir_seconds: 0.5,
        },
        config_file: Some(machine.path("data/fluglog.toml")),
        secret_files: vec![machine.path("data/fluglog.toml")],
        provenance: Provenance::default(),
        flags: Flags::default(),
        ignored_variables: Vec::new(),
    };
    assert_eq!(machine.load().unwrap(), expected);
}

/// Every setting as a variable.
const EVERY_VARIABLE: &[(&str, &str)] = &[
    ("FLUGLOG_DATA_DIR", "/srv/fluglog"),
    ("FLUGLOG_LISTEN", "127.0.0.1:0"),
    ("FLUGLOG_TIME_ZONE", "Europe/Zurich"),
    ("FLUGLOG_PUBLIC_URL", "http://192.168.1.5:8080"),
    ("FLUGLOG_TRUSTED_PROXIES", "::1, 192.168.0.0/16"),
    ("FLUGLOG_METRICS_LISTEN", "127.0.0.1:9090"),
    ("FLUGLOG_TLS__CERT", "cert.pem"),
    ("FLUGLOG_TLS__KEY", "key.pem"),
    ("FLUGLOG_SMTP__CA_FILE", ""),
    ("FLUGLOG_LIMITS__HEADER_SECONDS", "0,2"),
    ("FLUGLOG_LIMITS__BODY_SECONDS", "0.3"),
    ("FLUGLOG_LIMITS__IDLE_SECONDS", "4"),
    ("FLUGLOG_LIMITS__DRAIN_SECONDS", "5"),
    ("FLUGLOG_LIMITS__CONNECTIONS", "6"),
    ("FLUGLOG_LIMITS__CONNECTIONS_PER_ADDRESS", "5"),
    ("FLUGLOG_LIMITS__FREE_MEGABYTES", "60"),
    ("FLUGLOG_LIMITS__MEMORY_MEGABYTES", "212"),
    ("FLUGLOG_LIMITS__RECORDS_FREE_MEGABYTES", "30"),
    ("FLUGLOG_LIMITS__LOGIN_WAIT_SECONDS", "7"),
    ("FLUGLOG_LIMITS__MAILS_PER_HOUR", "8"),
    ("FLUGLOG_LIMITS__IMPORT_DIR_SECONDS", "9"),
    ("FLUGLOG_QUOTA_PER_PILOT", "0"),
    ("FLUGLOG_QUOTA_PER_SPACE", "0"),
    ("FLUGLOG_OFFLINE", "false"),
    ("FLUGLOG_REMINDER_HOUR", "0"),
    ("FLUGLOG_IMPORT_DIR", "logs"),
    ("FLUGLOG_BACKUP__TARGETS", "{}"),
    ("FLUGLOG_AUTH__HEADER", "Remote-Email"),
    ("FLUGLOG_AUTH__CREATE_ACCOUNTS", "true"),
    ("FLUGLOG_AUTH__LOGOUT_URL", "https://auth.example.org/logout"),
    ("FLUGLOG_ADMIN_MAIL", "betreiber@example.org"),
    ("FLUGLOG_LOG_LEVEL", "debug"),
    ("FLUGLOG_REGISTRATION", "closed"),
    ("FLUGLOG_ADMIN_UI", "false"),
    ("FLUGLOG_SMTP__HOST", "127.0.0.1"),
    ("FLUGLOG_SMTP__PORT", "25"),
    ("FLUGLOG_SMTP__ENCRYPTION", "none"),
    ("FLUGLOG_SMTP__USER", "fluglog@example.org"),
    ("FLUGLOG_SMTP__PASSWORD", "geheim"),
    ("FLUGLOG_SMTP__PASSWORD_FILE", ""),
    ("FLUGLOG_SMTP__FROM", ""),
    ("FLUGLOG_SMTP__TIMEOUT_SECONDS", "1,5"),
    ("FLUGLOG_SMTP__RETRY_SECONDS", "1.5"),
];

#[test]
fn every_key_has_its_variable() {
    let machine = EVERY_VARIABLE
        .iter()
        .fold(Machine::new(), |machine, (name, value)| machine.variable(name, value));
    let expected = Config {
        data_dir: "/srv/fluglog".into(),
        listen: vec![address("127.0.0.1:0")],
        time_zone: zone("Europe/Zurich"),
        public_url: PublicUrl::parse("http://192.168.1.5:8080"),
        trusted_proxies: vec![network("::1/128"), network("192.168.0.0/16")],
        auth: every_auth(),
        admin_mail: "betreiber@example.org".to_owned(),
        log_level: Level::DEBUG,
        registration_open: false,
        admin_ui: false,
        smtp: Smtp {
            host: "127.0.0.1".to_owned(),
            port: 25,
            encryption: Encryption::None,
            user: "fluglog@example.org".to_owned(),
            password: Password("geheim".to_owned()),
            password_file: None,
            from: String::new(),
            timeout_seconds: 1.5,
            retry_seconds: 1.5,
            ..Smtp::default()
        },
        tls: Tls {
            certificate: Some("cert.pem".into()),
            key: Some("key.pem".into()),
        },
        metrics_listen: Some(address("127.0.0.1:9090")),
        quota_per_pilot: None,
        quota_per_space: None,
        offline: false,
        reminder_hour: 0,
        import_dir: Some("logs".into()),
        targets: Targets::default(),
        limits: Limits {
            header_seconds: 0.2,
            body_seconds: 0.3,
            idle_seconds: 4.0,
            drain_seconds: 5.0,
            connections: 6,
            connections_per_address: 5,
            free_megabytes: 60,
            records_free_megabytes: 30,
            memory_megabytes: 212,
            login_wait_seconds: 7.0,
            mails_per_hour: 8,
            import_dir_seconds: 9.0,
        },
        config_file: None,
        secret_files: Vec::new(),
        provenance: Provenance::default(),
        flags: Flags::default(),
        ignored_variables: Vec::new(),
    };
    assert_eq!(machine.load().unwrap(), expected);
    for key in KEYS {
        assert!(machine.environment.variable(&key.variable()).is_some(), "{}", key.name);
    }
}

#[test]
fn a_data_directory_that_is_not_text_can_be_named_by_a_variable() {
    use std::os::unix::ffi::OsStringExt;
    let odd = OsString::from_vec(b"/srv/\xff".to_vec());
    let machine = Machine::new().variable("FLUGLOG_DATA_DIR", odd.clone());
    assert_eq!(machine.load().unwrap().data_dir, PathBuf::from(odd.clone()));
    let sentence = Machine::new().variable("FLUGLOG_TIME_ZONE", odd).refusal();
    assert!(sentence.contains("FLUGLOG_TIME_ZONE"), "{sentence}");
}

#[test]
fn the_file_of_a_named_directory_wins_over_that_of_the_system() {
    let machine = Machine::new()
        .write("etc/fluglog.toml", r#"time_zone = "Europe/Paris""#)
        .write("data/fluglog.toml", r#"time_zone = "Europe/Rome""#)
        .write("named/fluglog.toml", r#"time_zone = "Europe/Oslo""#)
        .data_dir_flag("named");
    let config = machine.load().unwrap();
    assert_eq!(config.time_zone, zone("Europe/Oslo"));
    assert_eq!(config.config_file, Some(machine.path("named/fluglog.toml")));
    assert!(!config.uses_other_file());
}

#[test]
fn a_directory_named_by_a_variable_counts_as_named() {
    let mut machine = Machine::new().write("etc/fluglog.toml", r#"time_zone = "Europe/Paris""#);
    let named = machine.path("named");
    machine = machine.variable("FLUGLOG_DATA_DIR", named);
    let config = machine.load().unwrap();
    assert_eq!((config.time_zone, config.config_file), (zone("Europe/Berlin"), None));
}

#[test]
fn without_a_named_directory_the_file_of_the_system_comes_before_the_default_one() {
    let mut machine = Machine::new().write("data/fluglog.toml", r#"time_zone = "Europe/Rome""#);
    assert_eq!(machine.load().unwrap().time_zone, zone("Europe/Rome"));
    machine = machine.write("etc/fluglog.toml", r#"data_dir = "/var/lib/fluglog""#);
    let config = machine.load().unwrap();
    assert_eq!(config.data_dir, Path::new("/var/lib/fluglog"));
    assert_eq!(config.time_zone, zone("Europe/Berlin"));
    assert_eq!(config.config_file, Some(machine.path("etc/fluglog.toml")));
    assert!(config.uses_other_file());
}

#[test]
fn a_named_file_is_the_only_one_that_is_read() {
    let mut machine = Machine::new()
        .write("mine.toml", r#"time_zone = "Europe/Rome""#)
        .write("other.toml", r#"time_zone = "Europe/Paris""#)
        .write("named/fluglog.toml", "nonsense")
        .data_dir_flag("named");
    let other = machine.path("other.toml");
    machine = machine.variable("FLUGLOG_CONFIG", other);
    assert_eq!(machine.load().unwrap().time_zone, zone("Europe/Paris"));
    machine.flags.config = Some(machine.path("mine.toml"));
    let config = machine.load().unwrap();
    assert_eq!(config.time_zone, zone("Europe/Rome"));
    assert_eq!(config.data_dir, machine.path("named"));
    assert!(config.uses_other_file());
}

#[test]
fn the_file_in_the_data_directory_is_recognised_under_any_path() {
    let mut machine = Machine::new().write("named/fluglog.toml", "").data_dir_flag("named");
    machine.flags.config = Some(machine.path("data/../named/./fluglog.toml"));
    assert!(!machine.load().unwrap().uses_other_file());
}

#[test]
fn a_named_file_that_does_not_exist_is_an_error() {
    let mut machine = Machine::new();
    machine.flags.config = Some(machine.path("gone.toml"));
    assert_eq!(
        machine.refusal(),
        "Die mit --config genannte Konfigurationsdatei ROOT/gone.toml gibt es nicht: \
         bitte anlegen oder die Angabe weglassen."
    );
    let machine = Machine::new().variable("FLUGLOG_CONFIG", "/nowhere/fluglog.toml");
    assert!(
        machine
            .refusal()
            .contains("FLUGLOG_CONFIG genannte Konfigurationsdatei /nowhere/fluglog.toml")
    );
}

#[test]
fn a_file_that_can_not_be_read_is_an_error_even_when_it_is_only_implied() {
    let machine = Machine::new();
    std::fs::create_dir(machine.path("etc/fluglog.toml")).unwrap();
    assert!(
        machine
            .refusal()
            .contains("ROOT/etc/fluglog.toml ist nicht lesbar (ein Verzeichnis)")
    );
    let machine = Machine::new();
    std::fs::write(machine.path("data/fluglog.toml"), b"# \xff").unwrap();
    assert!(machine.refusal().contains("(kein Text in UTF-8)"));
    let mut machine = Machine::new();
    machine.flags.config = Some("/dev/zero".into());
    assert!(machine.refusal().contains("(größer als 1 MiB)"));
}

#[test]
fn an_empty_path_is_an_error_and_not_another_directory() {
    let sentence = Machine::new().variable("FLUGLOG_DATA_DIR", "").refusal();
    assert_eq!(
        sentence,
        "Der Wert „“ von FLUGLOG_DATA_DIR ist ungültig, erwartet wird ein Pfad, der nicht leer ist."
    );
    assert!(
        Machine::new()
            .variable("FLUGLOG_CONFIG", "")
            .refusal()
            .contains("FLUGLOG_CONFIG")
    );
    assert!(file_refusal(r#"data_dir = """#).contains("„data_dir“"));
    let mut machine = Machine::new().write("mine.toml", "");
    machine.flags.data_dir = Some("".into());
    assert!(machine.refusal().contains("--data-dir"));
    machine.flags.config = Some(machine.path("mine.toml"));
    assert!(machine.refusal().contains("--data-dir"));
    machine.flags.data_dir = None;
    machine = machine.variable("FLUGLOG_DATA_DIR", "");
    assert!(machine.refusal().contains("FLUGLOG_DATA_DIR"));
}

#[test]
fn the_settings_of_this_process_can_be_asked_for() {
    let environment = Environment::current();
    assert_eq!(environment.system_file, Path::new("/etc/fluglog/fluglog.toml"));
    assert_eq!(environment.default_data_dir, Config::default().data_dir);
    let _ = journal_reads_stderr();
}
