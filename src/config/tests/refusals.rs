//! The error of a wrong setting names place, value and cure, and never a secret.

use proptest::prelude::*;

use super::*;

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
fn a_misspelt_variable_is_an_error_that_names_the_setting() {
    assert_eq!(
        Machine::new().variable("FLUGLOG_LISTN", "x").refusal(),
        "Die Umgebungsvariable FLUGLOG_LISTN ist unbekannt, am ähnlichsten ist FLUGLOG_LISTEN: \
         bitte berichtigen oder entfernen."
    );
    let misspelt = [
        ("FLUGLOG_DATADIR", "FLUGLOG_DATA_DIR"),
        ("FLUGLOG_listen", "FLUGLOG_LISTEN"),
        ("FLUGLOG_SMTP_HOST", "FLUGLOG_SMTP__HOST"),
        ("FLUGLOG_LIMITS_IDLE_SECONDS", "FLUGLOG_LIMITS__IDLE_SECONDS"),
    ];
    for (name, known) in misspelt {
        let sentence = Machine::new().variable(name, "x").refusal();
        assert!(sentence.contains(known), "{name}: {sentence}");
    }
}

#[test]
fn a_variable_that_is_no_setting_is_ignored_and_reported_with_the_nearest_one() {
    let strangers = [
        ("FLUGLOG_PORT", "FLUGLOG_LISTEN"),
        ("FLUGLOG_URL", "FLUGLOG_PUBLIC_URL"),
        ("FLUGLOG_CONFIG_FILE", "FLUGLOG_CONFIG"),
        ("FLUGLOG_IDLE_SECONDS", "FLUGLOG_LIMITS__IDLE_SECONDS"),
    ];
    for (name, nearest) in strangers {
        let config = Machine::new().variable(name, "tcp://10.0.0.1:8080").load().unwrap();
        let [ignored] = &config.ignored_variables[..] else {
            panic!("{name}: {:?}", config.ignored_variables);
        };
        assert_eq!((ignored.name.as_str(), ignored.nearest.as_str()), (name, nearest));
    }
    for name in ["FLUGLOG_LIMITS", "FLUGLOG_", "FLUGLOG_BIN"] {
        let config = Machine::new().variable(name, "x").load().unwrap();
        assert_eq!(config.ignored_variables.len(), 1, "{name}");
    }
    let config = Machine::new().variable("NOT_FLUGLOG_LISTN", "x").load().unwrap();
    assert_eq!(config.ignored_variables, []);
}

#[test]
fn a_wrong_value_is_an_error_that_names_place_value_and_form() {
    assert_eq!(
        file_refusal(r#"listen = ["127.0.0.1"]"#),
        "Der Wert „[\"127.0.0.1\"]“ von „listen“ in der Konfigurationsdatei ROOT/data/fluglog.toml ist ungültig, \
         erwartet wird IP-Adresse und Port, zum Beispiel 0.0.0.0:8080 für alle Netze oder [::1]:8080."
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
    // Refused even if a flag overrides it: without the flag the wrong value would be in force.
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
    assert_eq!(machine.load().unwrap().time_zone, zone("Europe/Rome"));
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
}
