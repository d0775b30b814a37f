//! The settings as an admin sees them: which source wins, and what is said about a wrong one.

use proptest::prelude::*;
use tempfile::TempDir;

use super::keys::commented_example;
use super::smtp::{Encryption, Password, Smtp};
use super::*;

/// A machine of its own: folders for the system's file, the default and a named data directory.
struct Machine {
    root: TempDir,
    surroundings: Surroundings,
    flags: Flags,
}

impl Machine {
    fn new() -> Machine {
        let root = TempDir::new().unwrap();
        for folder in ["etc", "data", "named"] {
            std::fs::create_dir(root.path().join(folder)).unwrap();
        }
        let surroundings = Surroundings {
            variables: BTreeMap::from([("PATH".into(), "/bin".into())]),
            system_file: root.path().join("etc/fluglog.toml"),
            default_data_dir: root.path().join("data"),
        };
        Machine {
            root,
            surroundings,
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
        self.surroundings.variables.insert(name.into(), value.into());
        self
    }

    fn data_dir_flag(mut self, name: &str) -> Machine {
        self.flags.data_dir = Some(self.path(name));
        self
    }

    fn load(&self) -> Result<Config, ConfigError> {
        Config::load_in(&self.flags, &self.surroundings)
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
    assert!(!config.another_file_in_force());
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

#[test]
fn a_file_may_set_every_key() {
    let text = r#"
        data_dir = "/srv/fluglog"
        listen = ["127.0.0.1:8080", "[::1]:8080"]
        metrics_listen = "[::1]:9090"
        time_zone = "Europe/Vienna"
        public_url = "https://Fluglog.example.org/"
        trusted_proxies = ["127.0.0.1", "10.0.0.0/8"]
        registration = "closed"

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
        free_megabytes = 50
        login_wait_seconds = 0.5
        mails_per_hour = 3
    "#;
    let machine = Machine::new().write("data/fluglog.toml", text);
    let expected = Config {
        data_dir: "/srv/fluglog".into(),
        listen: vec![address("127.0.0.1:8080"), address("[::1]:8080")],
        time_zone: Tz::Europe__Vienna,
        public_url: PublicUrl::parse("https://fluglog.example.org"),
        trusted_proxies: vec![network("127.0.0.1/32"), network("10.0.0.0/8")],
        registration_open: false,
        smtp: Smtp {
            host: "smtp.example.org".to_owned(),
            port: 2525,
            encryption: Encryption::StartTls,
            user: "fluglog".to_owned(),
            password: Password("geheim".to_owned()),
            password_file: None,
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
        limits: Limits {
            header_seconds: 0.2,
            body_seconds: 3.0,
            idle_seconds: 0.5,
            drain_seconds: 0.0,
            connections: 7,
            free_megabytes: 50,
            login_wait_seconds: 0.5,
            mails_per_hour: 3,
        },
        config_file: Some(machine.path("data/fluglog.toml")),
    };
    assert_eq!(machine.load().unwrap(), expected);
}

#[test]
fn every_key_has_its_variable() {
    let machine = Machine::new()
        .variable("FLUGLOG_DATA_DIR", "/srv/fluglog")
        .variable("FLUGLOG_LISTEN", "127.0.0.1:0")
        .variable("FLUGLOG_TIME_ZONE", "Europe/Zurich")
        .variable("FLUGLOG_PUBLIC_URL", "http://192.168.1.5:8080")
        .variable("FLUGLOG_TRUSTED_PROXIES", "::1, 192.168.0.0/16")
        .variable("FLUGLOG_METRICS_LISTEN", "127.0.0.1:9090")
        .variable("FLUGLOG_TLS__CERT", "cert.pem")
        .variable("FLUGLOG_TLS__KEY", "key.pem")
        .variable("FLUGLOG_SMTP__CA_FILE", "")
        .variable("FLUGLOG_LIMITS__HEADER_SECONDS", "0,2")
        .variable("FLUGLOG_LIMITS__BODY_SECONDS", "0.3")
        .variable("FLUGLOG_LIMITS__IDLE_SECONDS", "4")
        .variable("FLUGLOG_LIMITS__DRAIN_SECONDS", "5")
        .variable("FLUGLOG_LIMITS__CONNECTIONS", "6")
        .variable("FLUGLOG_LIMITS__FREE_MEGABYTES", "60")
        .variable("FLUGLOG_LIMITS__LOGIN_WAIT_SECONDS", "7")
        .variable("FLUGLOG_LIMITS__MAILS_PER_HOUR", "8")
        .variable("FLUGLOG_REGISTRATION", "closed")
        .variable("FLUGLOG_SMTP__HOST", "127.0.0.1")
        .variable("FLUGLOG_SMTP__PORT", "25")
        .variable("FLUGLOG_SMTP__ENCRYPTION", "none")
        .variable("FLUGLOG_SMTP__USER", "fluglog@example.org")
        .variable("FLUGLOG_SMTP__PASSWORD", "geheim")
        .variable("FLUGLOG_SMTP__PASSWORD_FILE", "")
        .variable("FLUGLOG_SMTP__FROM", "")
        .variable("FLUGLOG_SMTP__TIMEOUT_SECONDS", "1,5")
        .variable("FLUGLOG_SMTP__RETRY_SECONDS", "1.5");
    let expected = Config {
        data_dir: "/srv/fluglog".into(),
        listen: vec![address("127.0.0.1:0")],
        time_zone: Tz::Europe__Zurich,
        public_url: PublicUrl::parse("http://192.168.1.5:8080"),
        trusted_proxies: vec![network("::1/128"), network("192.168.0.0/16")],
        registration_open: false,
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
        limits: Limits {
            header_seconds: 0.2,
            body_seconds: 0.3,
            idle_seconds: 4.0,
            drain_seconds: 5.0,
            connections: 6,
            free_megabytes: 60,
            login_wait_seconds: 7.0,
            mails_per_hour: 8,
        },
        config_file: None,
    };
    assert_eq!(machine.load().unwrap(), expected);
    for key in KEYS {
        assert!(machine.surroundings.variable(&key.variable()).is_some(), "{}", key.name);
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
    assert_eq!(config.time_zone, Tz::Europe__Oslo);
    assert_eq!(config.config_file, Some(machine.path("named/fluglog.toml")));
    assert!(!config.another_file_in_force());
}

#[test]
fn a_directory_named_by_a_variable_counts_as_named() {
    let mut machine = Machine::new().write("etc/fluglog.toml", r#"time_zone = "Europe/Paris""#);
    let named = machine.path("named");
    machine = machine.variable("FLUGLOG_DATA_DIR", named);
    let config = machine.load().unwrap();
    assert_eq!((config.time_zone, config.config_file), (Tz::Europe__Berlin, None));
}

#[test]
fn without_a_named_directory_the_file_of_the_system_comes_before_the_default_one() {
    let mut machine = Machine::new().write("data/fluglog.toml", r#"time_zone = "Europe/Rome""#);
    assert_eq!(machine.load().unwrap().time_zone, Tz::Europe__Rome);
    machine = machine.write("etc/fluglog.toml", r#"data_dir = "/var/lib/fluglog""#);
    let config = machine.load().unwrap();
    assert_eq!(config.data_dir, Path::new("/var/lib/fluglog"));
    assert_eq!(config.time_zone, Tz::Europe__Berlin);
    assert_eq!(config.config_file, Some(machine.path("etc/fluglog.toml")));
    assert!(config.another_file_in_force());
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
    assert_eq!(machine.load().unwrap().time_zone, Tz::Europe__Paris);
    machine.flags.config = Some(machine.path("mine.toml"));
    let config = machine.load().unwrap();
    assert_eq!(config.time_zone, Tz::Europe__Rome);
    assert_eq!(config.data_dir, machine.path("named"));
    assert!(config.another_file_in_force());
}

#[test]
fn the_file_in_the_data_directory_is_recognised_under_any_path() {
    let mut machine = Machine::new().write("named/fluglog.toml", "").data_dir_flag("named");
    machine.flags.config = Some(machine.path("data/../named/./fluglog.toml"));
    assert!(!machine.load().unwrap().another_file_in_force());
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
fn an_unknown_key_is_an_error_that_names_the_nearest() {
    assert_eq!(
        file_refusal("lisen = 1"),
        "In der Konfigurationsdatei ROOT/data/fluglog.toml ist „lisen“ unbekannt, \
         am ähnlichsten ist „listen“: bitte berichtigen oder löschen."
    );
    let nearest = [
        ("time-zone = 1", "time_zone"),
        ("timezone = 1", "time_zone"),
        ("DATA_DIR = 1", "data_dir"),
        ("port = 8080", "listen"),
        ("url = 1", "public_url"),
        ("header_seconds = 1", "limits.header_seconds"),
        ("[limits]\nheader_secnds = 1", "limits.header_seconds"),
        ("[limits]\nlisten = 1", "listen"),
        ("[limit]\nconnections = 1", "limits.connections"),
        ("[limts]", "limits"),
        ("[[limts]]", "limits"),
        ("[listen.more]\naddress = 1", "„listen“"),
    ];
    for (text, key) in nearest {
        let sentence = file_refusal(text);
        assert!(sentence.contains(key), "{text}: {sentence}");
    }
}

#[test]
fn an_unknown_variable_is_an_error_that_names_the_nearest() {
    assert_eq!(
        Machine::new().variable("FLUGLOG_LISTN", "x").refusal(),
        "Die Umgebungsvariable FLUGLOG_LISTN ist unbekannt, am ähnlichsten ist FLUGLOG_LISTEN: \
         bitte berichtigen oder entfernen."
    );
    let nearest = [
        ("FLUGLOG_CONFIG_FILE", "FLUGLOG_CONFIG:"),
        ("FLUGLOG_DATADIR", "FLUGLOG_DATA_DIR"),
        ("FLUGLOG_listen", "FLUGLOG_LISTEN"),
        ("FLUGLOG_PORT", "FLUGLOG_LISTEN"),
        ("FLUGLOG_LIMITS_IDLE_SECONDS", "FLUGLOG_LIMITS__IDLE_SECONDS"),
        ("FLUGLOG_IDLE_SECONDS", "FLUGLOG_LIMITS__IDLE_SECONDS"),
    ];
    for (name, known) in nearest {
        let sentence = Machine::new().variable(name, "x").refusal();
        assert!(sentence.contains(known), "{name}: {sentence}");
    }
    // A section alone is no variable, so it can't be the advice either.
    assert!(
        !Machine::new()
            .variable("FLUGLOG_LIMITS", "x")
            .refusal()
            .contains("ist FLUGLOG_LIMITS:")
    );
    assert!(Machine::new().variable("FLUGLOG_", "x").load().is_err());
    assert!(Machine::new().variable("NOT_FLUGLOG_LISTN", "x").load().is_ok());
}

#[test]
fn a_wrong_value_is_an_error_that_names_place_value_and_form() {
    assert_eq!(
        file_refusal(r#"listen = ["127.0.0.1"]"#),
        "Der Wert „[\"127.0.0.1\"]“ von „listen“ in der Konfigurationsdatei ROOT/data/fluglog.toml ist ungültig, \
         erwartet wird IP-Adresse und Port, zum Beispiel 0.0.0.0:8080 oder [::1]:8080."
    );
    assert_eq!(
        Machine::new().variable("FLUGLOG_TIME_ZONE", "Europa/Berlin").refusal(),
        "Der Wert „Europa/Berlin“ von FLUGLOG_TIME_ZONE ist ungültig, \
         erwartet wird ein Name wie Europe/Berlin (am ähnlichsten ist Europe/Berlin)."
    );
    assert!(file_refusal("limits.idle_seconds = 0").contains("eine Zahl von 0,1 bis 3.600 (Sekunden)"));
    assert!(file_refusal("limits = 5").contains("erwartet wird ein Abschnitt [limits]"));
}

#[test]
fn values_of_a_wrong_kind_or_out_of_range_are_refused_in_the_file() {
    let refused = [
        "data_dir = 5",
        "data_dir = [\"x\"]",
        "data_dir = \"a\\u0000b\"",
        "listen = []",
        "listen = 8080",
        "listen = \"\"",
        "listen = \"8080\"",
        "listen = \":8080\"",
        "listen = \"localhost:8080\"",
        "listen = \"127.0.0.1:99999\"",
        "listen = [\"127.0.0.1:1\", 2]",
        "listen = \"127.0.0.1:1,\"",
        "time_zone = \"\"",
        "time_zone = 1",
        "public_url = 1",
        "public_url = \"fluglog.example.org\"",
        "registration = true",
        "registration = \"maybe\"",
        "smtp.host = \"https://smtp.example.org\"",
        "smtp.host = \"smtp.example.org:465\"",
        "smtp.port = 65536",
        "smtp.port = \"25\"",
        "smtp.encryption = \"ssl\"",
        "smtp.from = \"fluglog\"",
        "smtp.from = \"a@b.de, c@d.de\"",
        "smtp.user = \"a\\nb\"",
        "smtp.timeout_seconds = 26",
        "limits.login_wait_seconds = 26",
        "limits.header_seconds = \"10\"",
        "limits.header_seconds = nan",
        "limits.header_seconds = inf",
        "limits.header_seconds = -1",
        "limits.header_seconds = 301",
        "limits.drain_seconds = 11",
        "limits.connections = 0",
        "limits.connections = 5.0",
        "limits.connections = 4097",
        "limits.connections = 9223372036854775807",
        "limits.connections = 1979-05-27",
        "limits.connections = {}",
    ];
    for text in refused {
        let machine = Machine::new().write("data/fluglog.toml", text);
        assert!(matches!(machine.load(), Err(ConfigError::BadValue { .. })), "{text}");
        machine.refusal();
    }
}

#[test]
fn values_out_of_range_are_refused_in_variables() {
    let refused = [
        ("FLUGLOG_LISTEN", ""),
        ("FLUGLOG_LISTEN", "127.0.0.1:1,,127.0.0.1:2"),
        ("FLUGLOG_LIMITS__HEADER_SECONDS", ""),
        ("FLUGLOG_LIMITS__HEADER_SECONDS", "-1"),
        ("FLUGLOG_LIMITS__HEADER_SECONDS", "1e1"),
        ("FLUGLOG_LIMITS__CONNECTIONS", "+5"),
        ("FLUGLOG_LIMITS__CONNECTIONS", "5000"),
        ("FLUGLOG_LIMITS__CONNECTIONS", "99999999999999999999999"),
    ];
    for (name, value) in refused {
        assert!(
            Machine::new().variable(name, value).refusal().contains(name),
            "{name}={value}"
        );
    }
    // Also when a flag would win: what is wrong today is in force tomorrow.
    let mut machine = Machine::new().variable("FLUGLOG_LISTEN", "nonsense");
    machine.flags.listen = vec![address("127.0.0.1:1")];
    assert!(machine.load().is_err());
}

#[test]
fn an_error_repeats_little_of_a_value_and_nothing_of_its_control_characters() {
    let sentence = file_refusal(&format!("public_url = \"\"\"{}\"\"\"", "x\n".repeat(1000)));
    assert!(sentence.len() < 500, "{sentence}");
    let sentence = file_refusal(&format!("\"{}\" = 1", "\\u001b[31m".repeat(1000)));
    assert!(sentence.len() < 500, "{sentence}");
}

#[test]
fn a_file_that_is_no_toml_is_an_error_that_names_the_line() {
    let sentence = file_refusal("# Größe\nlisten = \"127.0.0.1:1\"\ntime_zone = Europe/Berlin\n");
    assert!(
        sentence.contains("ist in Zeile 3, Spalte 13 kein gültiges TOML"),
        "{sentence}"
    );
    for text in [
        "listen",
        "[limits",
        "listen = \"a\"\nlisten = \"b\"",
        "\u{0}",
        "= 1",
        "a = 'ä",
    ] {
        let machine = Machine::new().write("data/fluglog.toml", text);
        assert!(matches!(machine.load(), Err(ConfigError::NotToml { .. })), "{text}");
    }
}

#[test]
fn a_file_written_on_windows_is_read() {
    let text = "\u{feff}# Größe\r\ntime_zone = \"Europe/Rome\"\r\n";
    let machine = Machine::new().write("data/fluglog.toml", text);
    assert_eq!(machine.load().unwrap().time_zone, Tz::Europe__Rome);
}

#[test]
fn the_password_of_the_mail_server_may_lie_in_a_file_or_come_from_systemd() {
    let in_file = Machine::new().write("etc/secret", "ge heim\r\n");
    let path = in_file.path("etc/secret").display().to_string();
    let in_file = in_file.variable("FLUGLOG_SMTP__PASSWORD_FILE", path);
    assert_eq!(in_file.load().unwrap().smtp.password.secret(), "ge heim");

    let from_systemd = Machine::new().write("etc/smtp.password", "geheim");
    let folder = from_systemd.path("etc");
    let from_systemd = from_systemd.variable("CREDENTIALS_DIRECTORY", folder);
    assert_eq!(from_systemd.load().unwrap().smtp.password.secret(), "geheim");
}

#[test]
fn two_sources_for_one_password_are_an_error_and_so_is_none_where_one_is_named() {
    let twice = Machine::new()
        .write("etc/secret", "geheim")
        .variable("FLUGLOG_SMTP__PASSWORD", "anderes");
    let path = twice.path("etc/secret");
    let twice = twice.variable("FLUGLOG_SMTP__PASSWORD_FILE", path);
    let sentence = twice.refusal();
    assert!(
        sentence.contains("smtp.password") && !sentence.contains("anderes"),
        "{sentence}"
    );
    let missing = Machine::new().variable("FLUGLOG_SMTP__PASSWORD_FILE", "/nowhere/secret");
    assert!(missing.refusal().contains("/nowhere/secret"));
}

#[test]
fn no_message_shows_the_password_of_the_mail_server() {
    let sentence = file_refusal("smtp.password = 4711");
    assert!(
        sentence.contains("smtp.password") && !sentence.contains("4711"),
        "{sentence}"
    );
    let config = Machine::new()
        .variable("FLUGLOG_SMTP__PASSWORD", "geheim")
        .load()
        .unwrap();
    assert!(!format!("{config:?}").contains("geheim"));
}

#[test]
fn a_mail_server_needs_a_sender_and_encryption_unless_it_is_near() {
    let refused = file_refusal("smtp.host = \"smtp.example.org\"");
    assert!(refused.contains("smtp.from"), "{refused}");
    let with = |host: &str| {
        Machine::new()
            .variable("FLUGLOG_SMTP__FROM", "a@b.de")
            .variable("FLUGLOG_SMTP__ENCRYPTION", "none")
            .variable("FLUGLOG_SMTP__HOST", host)
    };
    for far in ["smtp.example.org", "8.8.8.8", "2001:db8::1", "localhost.example.org"] {
        assert!(with(far).refusal().contains(far), "{far}");
    }
    for near in ["127.0.0.1", "::1", "localhost", "192.168.1.5", "fd00::1"] {
        assert!(with(near).load().is_ok(), "{near}");
    }
}

#[test]
fn an_empty_public_address_is_none() {
    let machine = Machine::new()
        .write("data/fluglog.toml", r#"public_url = "https://fluglog.example.org""#)
        .variable("FLUGLOG_PUBLIC_URL", "");
    assert_eq!(machine.load().unwrap().public_url, None);
}

#[test]
fn public_addresses_are_written_as_browsers_write_origins() {
    let accepted = [
        ("https://fluglog.example.org", "https://fluglog.example.org"),
        ("https://fluglog.example.org/", "https://fluglog.example.org"),
        ("HTTPS://Fluglog.Example.ORG", "https://fluglog.example.org"),
        ("https://fluglog.example.org:443", "https://fluglog.example.org"),
        ("https://fluglog.example.org:8443/", "https://fluglog.example.org:8443"),
        ("http://localhost:8080", "http://localhost:8080"),
        ("http://192.168.1.5:80", "http://192.168.1.5"),
        ("http://raspberry_pi", "http://raspberry_pi"),
        ("http://[::1]:8080", "http://[::1]:8080"),
        ("http://[2001:DB8:0::1]/", "http://[2001:db8::1]"),
    ];
    for (text, origin) in accepted {
        let url = PublicUrl::parse(text).unwrap();
        assert_eq!((url.as_str(), url.origin()), (origin, origin));
        assert_eq!(url.is_https(), origin.starts_with("https:"));
        assert_eq!(PublicUrl::parse(url.as_str()), Some(url));
    }
}

#[test]
fn anything_but_scheme_host_and_port_is_no_public_address() {
    let refused = [
        "",
        "fluglog.example.org",
        "//fluglog.example.org",
        "ftp://fluglog.example.org",
        "https:fluglog.example.org",
        "https://",
        "https:///",
        "https://fluglog.example.org//",
        "https://fluglog.example.org/app",
        "https://fluglog.example.org/app/",
        "https://fluglog.example.org?x",
        "https://fluglog.example.org#x",
        "https://user@fluglog.example.org",
        "https://user:secret@fluglog.example.org",
        "https://fluglog.example.org:",
        "https://fluglog.example.org:0",
        "https://fluglog.example.org:65536",
        "https://fluglog.example.org:+80",
        "https://fluglog .example.org",
        " https://fluglog.example.org",
        "https://fluglog.example.org\r\nX: y",
        "https://flüglog.example.org",
        "https://fluglog..org",
        "https://.org",
        "https://*.example.org",
        "http://1.2.3.256",
        "http://::1",
        "http://[::1",
        "http://[::g]",
    ];
    for text in refused {
        assert_eq!(PublicUrl::parse(text), None, "{text}");
    }
}

#[test]
fn the_example_changes_nothing_as_it_is_written() {
    let machine = Machine::new().write("data/fluglog.toml", &commented_example());
    let expected = Config {
        data_dir: machine.path("data"),
        config_file: Some(machine.path("data/fluglog.toml")),
        ..Config::default()
    };
    assert_eq!(machine.load().unwrap(), expected);
}

#[test]
fn the_example_holds_every_key_with_its_default() {
    let settings: String = commented_example()
        .lines()
        .filter_map(|line| line.strip_prefix('#'))
        .filter(|line| !line.is_empty() && !line.starts_with(' '))
        .map(|line| format!("{line}\n"))
        .collect();
    let machine = Machine::new().write("data/fluglog.toml", &settings);
    let expected = Config {
        config_file: Some(machine.path("data/fluglog.toml")),
        ..Config::default()
    };
    assert_eq!(machine.load().unwrap(), expected);
    assert_eq!(settings.lines().count(), KEYS.len());
    for (line, key) in settings.lines().zip(KEYS) {
        assert_eq!(line, format!("{} = {}", key.name, key.default));
        assert!(!key.help.is_empty());
        assert!(commented_example().contains(&format!("# Umgebungsvariable: {}\n", key.variable())));
    }
}

#[test]
fn any_single_line_of_the_example_works_without_its_mark() {
    for key in KEYS {
        let line = format!("{} = {}\n", key.name, key.default);
        let text = commented_example().replace(&format!("#{line}"), &line);
        assert_ne!(text, commented_example());
        assert!(
            Machine::new().write("data/fluglog.toml", &text).load().is_ok(),
            "{line}"
        );
    }
}

#[test]
fn lines_of_the_example_fit_a_screen() {
    for line in commented_example().lines() {
        assert!(line.chars().count() <= 110, "{line}");
    }
}

#[test]
fn the_settings_of_this_process_can_be_asked_for() {
    let surroundings = Surroundings::of_process();
    assert_eq!(surroundings.system_file, Path::new("/etc/fluglog/fluglog.toml"));
    assert_eq!(surroundings.default_data_dir, Config::default().data_dir);
    let _ = journal_reads_stderr();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_file_breaks_the_reader(text in ".{0,200}", key in "[a-z_.]{0,20}", value in any::<f64>()) {
        let _ = Machine::new().write("data/fluglog.toml", &text).load();
        let _ = Machine::new().write("data/fluglog.toml", &format!("{key} = {value}")).load();
    }

    #[test]
    fn no_variable_breaks_the_reader(name in "[^=\\x00]{1,30}", value in "[^\\x00]{0,60}") {
        let _ = Machine::new().variable(&format!("FLUGLOG_{name}"), &value).load();
        for key in KEYS {
            let machine = Machine::new().variable(&key.variable(), &value);
            if machine.load().is_err() {
                machine.refusal();
            }
        }
    }

    #[test]
    fn a_public_address_stays_as_it_is_once_read(text in "(https?|HTTP)://[a-zA-Z0-9.:\\[\\]_-]{0,20}/?") {
        if let Some(url) = PublicUrl::parse(&text) {
            prop_assert!(!url.as_str().ends_with('/'));
            prop_assert_eq!(PublicUrl::parse(url.as_str()), Some(url));
        }
    }
}
