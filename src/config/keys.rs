//! The table of all settings: name, default, explanation, check. The configuration file, the environment, suggestions
//! for misspelt names and the commented example are all driven by it. Knows no file and no variable.

use tracing::Level;

use super::smtp::{Encryption, Password};
use super::value::Value;
use super::{Config, VARIABLE_PREFIX};

/// A setting.
pub(super) struct Key {
    /// Name in the file: section, dot, key.
    pub(super) name: &'static str,
    /// Default as TOML; a test compares it with `Config::default`.
    pub(super) default: &'static str,
    /// Explanation in German; each item is one line of the commented example.
    pub(super) help: &'static [&'static str],
    /// Other names that people try for it; only for suggestions in errors.
    aliases: &'static [&'static str],
    pub(super) field: Field,
}

/// The field of the configuration that holds a setting.
pub(super) struct Field {
    /// Checks a value and stores it; an error completes the sentence "erwartet wird …".
    pub(super) set: fn(&mut Config, Value<'_>) -> Result<(), String>,
    differs: fn(&Config, &Config) -> bool,
}

macro_rules! field {
    ($($field:ident).+, |$value:ident| $checked:expr) => {
        Field {
            set: |config, $value| {
                config.$($field).+ = $checked;
                Ok(())
            },
            differs: |one, other| one.$($field).+ != other.$($field).+,
        }
    };
}

pub(super) const KEYS: &[Key] = &[
    Key {
        name: "data_dir",
        default: r#""./data""#,
        help: &[
            "Verzeichnis für alle Daten. Ein relativer Pfad beginnt im Arbeitsverzeichnis.",
            "Nur nötig, wenn diese Datei nicht selbst im Datenverzeichnis liegt.",
        ],
        aliases: &["data", "dir", "path"],
        field: field!(data_dir, |value| value.path()?),
    },
    Key {
        name: "listen",
        default: r#"["0.0.0.0:8080"]"#,
        help: &[
            "Adressen, auf denen der Server erreichbar ist: IP-Adresse und Port. 0.0.0.0 und [::] stehen",
            "für alle Netze; 127.0.0.1 nur für diesen Rechner, etwa hinter einem Proxy.",
        ],
        aliases: &["port", "host", "bind", "address", "addr"],
        field: field!(listen, |value| value.addresses()?),
    },
    Key {
        name: "tls.cert",
        default: r#""""#,
        help: &[
            "Eigenes Zertifikat für https (PEM, mit den Zwischenzertifikaten), zum Beispiel /etc/fluglog/cert.pem.",
            "Leer: http. Nach einer Erneuerung liest „systemctl reload fluglog“ (SIGHUP) beide Dateien neu.",
        ],
        aliases: &["tls.certificate", "tls_cert", "https", "ssl.cert", "certificate"],
        field: field!(tls.certificate, |value| value.optional_path()?),
    },
    Key {
        name: "tls.key",
        default: r#""""#,
        help: &["Der private Schlüssel zum Zertifikat (PEM, ohne Passwort); nur Fluglog soll ihn lesen können."],
        aliases: &["tls_key", "ssl.key", "private_key"],
        field: field!(tls.key, |value| value.optional_path()?),
    },
    Key {
        name: "metrics_listen",
        default: r#""""#,
        help: &[
            "Adresse, auf der ein Prometheus Zahlen über den Server lesen kann (http, /metrics), zum Beispiel",
            "127.0.0.1:9090. Ohne Anmeldung, ohne Daten von Personen. Leer: aus.",
        ],
        aliases: &["metrics", "prometheus", "metrics_address"],
        field: field!(metrics_listen, |value| value.optional_address()?),
    },
    Key {
        name: "time_zone",
        default: r#""Europe/Berlin""#,
        help: &["Zeitzone für „jetzt“, zum Beispiel beim Start eines Fluges."],
        aliases: &["tz"],
        field: field!(time_zone, |value| value.time_zone()?),
    },
    Key {
        name: "public_url",
        default: r#""""#,
        help: &[
            "Adresse, unter der die Piloten Fluglog öffnen, zum Beispiel https://fluglog.example.org, ohne Pfad.",
            "Sie ist die Grundlage aller Links. Leer: nicht festgelegt.",
        ],
        aliases: &["url", "base_url", "domain", "hostname", "origin"],
        field: field!(public_url, |value| value.public_url()?),
    },
    Key {
        name: "trusted_proxies",
        default: "[]",
        help: &[
            "Netze von Proxys, deren Angaben (X-Forwarded-For, -Proto und -Host) gelten, zum Beispiel",
            "[\"127.0.0.1/32\", \"::1/128\"]. Leer: keinem Proxy wird geglaubt.",
        ],
        aliases: &["proxy", "proxies", "trust_proxy"],
        field: field!(trusted_proxies, |value| value.networks()?),
    },
    Key {
        name: "auth.header",
        default: r#""""#,
        help: &[
            "Header, in dem ein Proxy aus trusted_proxies nach seiner eigenen Anmeldung die Mail-Adresse nennt, zum",
            "Beispiel Remote-Email. Wer dort steht, ist in seinem Konto angemeldet. Der Proxy muss den Header aus",
            "fremden Anfragen entfernen. Leer: Niemand meldet sich so an.",
        ],
        aliases: &["auth.proxy", "auth_header", "remote_user", "sso", "proxy_auth"],
        field: field!(auth.header, |value| value.header_name()?),
    },
    Key {
        name: "auth.create_accounts",
        default: "false",
        help: &["Ob ein Konto bekommt, wen der Proxy angemeldet hat und Fluglog nicht kennt."],
        aliases: &["auth.register", "auth.create", "auto_create"],
        field: field!(auth.creates_accounts, |value| value.boolean()?),
    },
    Key {
        name: "auth.logout_url",
        default: r#""""#,
        help: &[
            "Adresse, unter der man sich beim Proxy abmeldet, zum Beispiel https://auth.example.org/logout. Dorthin",
            "führt „Logout“. Leer: Wer sich nur in Fluglog abmeldet, ist beim nächsten Öffnen wieder angemeldet.",
        ],
        aliases: &["auth.logout", "logout_url"],
        field: field!(auth.logout_url, |value| value.optional_url()?),
    },
    Key {
        name: "admin_mail",
        default: r#""""#,
        help: &[
            "Adresse, an die höchstens einmal am Tag eine Mail geht, solange auf dem Server etwas zu tun ist, etwa",
            "keine oder eine beschädigte Sicherung, wenig Platz, ein Zertifikat, das abläuft. Leer: keine Mails.",
        ],
        aliases: &["admin", "admin_email", "operator_mail", "notify"],
        field: field!(admin_mail, |value| value.optional_mail_address()?),
    },
    Key {
        name: "log_level",
        default: r#""info""#,
        help: &[
            "Wie viel der Server protokolliert: „error“, „warn“, „info“ (auch Anmeldungen, Aktionen von Betreibern und",
            "abgelehnte Anfragen) oder „debug“ (jede Anfrage).",
        ],
        aliases: &["log", "loglevel", "verbosity", "rust_log"],
        field: field!(log_level, |value| value.choice(&[
            ("error", Level::ERROR),
            ("warn", Level::WARN),
            ("info", Level::INFO),
            ("debug", Level::DEBUG),
        ])?),
    },
    Key {
        name: "registration",
        default: r#""open""#,
        help: &[
            "„open“: jeder darf sich registrieren. „closed“: nur wen der Admin anlegt („fluglog user add“) oder",
            "einlädt („fluglog user invite“), hat ein Konto.",
        ],
        aliases: &["signup", "register"],
        field: field!(registration_open, |value| value
            .choice(&[("open", true), ("closed", false)])?),
    },
    Key {
        name: "admin_ui",
        default: "true",
        help: &["„true“: Betreiber verwalten den Server auch im Browser (/admin). „false“: nur an der Shell."],
        aliases: &["admin_page", "admin_enabled", "web_admin"],
        field: field!(admin_ui, |value| value.boolean()?),
    },
    Key {
        name: "quota_per_pilot",
        default: r#""10 GB""#,
        help: &[
            "So viel Platz haben die Einträge, Bilder und Dokumente eines Piloten zusammen: eine Zahl mit kB, MB, GB",
            "oder TB; 0: so viel, wie auf dem Datenträger ist.",
        ],
        aliases: &["quota", "limits.quota_per_pilot", "max_size", "storage_limit"],
        field: field!(quota_per_pilot, |value| Some(value.bytes()?).filter(|bytes| *bytes > 0)),
    },
    Key {
        name: "quota_per_space",
        default: r#""10 GB""#,
        help: &[
            "So viel Platz haben die Dokumente zur Ausrüstung eines Haushalts oder Vereins: eine Zahl mit kB, MB,",
            "GB oder TB; 0: so viel, wie auf dem Datenträger ist.",
        ],
        aliases: &["limits.quota_per_space", "space_quota"],
        field: field!(quota_per_space, |value| Some(value.bytes()?).filter(|bytes| *bytes > 0)),
    },
    Key {
        name: "offline",
        default: "true",
        help: &[
            "Ob Browser die App behalten, damit sie auch ohne Netz öffnet (nur über https). false nimmt sie beim",
            "nächsten Besuch wieder von den Geräten.",
        ],
        aliases: &["pwa", "service_worker", "worker", "install"],
        field: field!(offline, |value| value.boolean()?),
    },
    Key {
        name: "reminder_hour",
        default: "18",
        help: &[
            "Ab dieser Stunde gehen Mails an Piloten, die an das erinnert werden wollen, was zu erledigen ist,",
            "höchstens eine am Tag.",
        ],
        aliases: &["reminder", "reminders", "reminder_time"],
        field: field!(reminder_hour, |value| value.integer(0..=23)?),
    },
    Key {
        name: "import_dir",
        default: r#""""#,
        help: &[
            "Ordner, aus dem Fluglog Dateien liest, zum Beispiel /srv/logs. Darin hat jeder Pilot einen Ordner,",
            "der wie seine E-Mail-Adresse heißt; die Flüge daraus warten in der App auf ihn. Geändert und",
            "gelöscht wird nichts; gelesen werden nur Dateien des Benutzers, dem der Ordner des Piloten gehört, und",
            "von root. Fluglog muss ihn lesen dürfen; unter /home darf der Dienst das nicht. Leer: aus.",
        ],
        aliases: &["import", "imports", "drop_dir", "watch_dir", "import_folder"],
        field: field!(import_dir, |value| value.optional_path()?),
    },
    Key {
        name: "backup.targets",
        default: "{}",
        help: &[
            "Wohin jede Sicherung außerdem geht, je Ziel ein Abschnitt [backup.targets.NAME] mit kind = \"folder\",",
            "\"disk\", \"webdav\" oder \"s3\". Was hineingehört, steht in der Dokumentation (backup.md). In der",
            "Umgebung steht alles auf einer Zeile, wie TOML es schreibt: { nas = { kind = \"webdav\", … } }.",
        ],
        aliases: &["targets", "backup", "backups", "backup.target", "s3", "webdav"],
        field: Field {
            set: |config, value| {
                config.targets.set_tables(value.table()?);
                Ok(())
            },
            differs: |one, other| one.targets != other.targets,
        },
    },
    Key {
        name: "smtp.host",
        default: r#""""#,
        help: &[
            "Mailserver, zum Beispiel smtp.example.org. Leer: keine Mail verlässt dieses Gerät, jede liegt als",
            "Datei im Ordner outbox des Datenverzeichnisses; „fluglog mail outbox“ zeigt sie.",
        ],
        aliases: &["mail", "smtp.server", "mail.host"],
        field: field!(smtp.host, |value| value.host()?),
    },
    Key {
        name: "smtp.port",
        default: "0",
        help: &["Port des Mailservers. 0: der übliche (tls 465, starttls 587, none 25)."],
        aliases: &[],
        field: field!(smtp.port, |value| u16::try_from(value.integer(0..=65_535)?)
            .unwrap_or_default()),
    },
    Key {
        name: "smtp.encryption",
        default: r#""tls""#,
        help: &[
            "„tls“: von Anfang an verschlüsselt. „starttls“: der Server muss es anbieten. „none“: unverschlüsselt,",
            "nur zu diesem Rechner oder zu einer Adresse im eigenen Netz. Zertifikate werden immer geprüft.",
        ],
        aliases: &["smtp.tls", "smtp.security", "smtp.starttls"],
        field: field!(smtp.encryption, |value| value.choice(&[
            ("tls", Encryption::Tls),
            ("starttls", Encryption::StartTls),
            ("none", Encryption::None),
        ])?),
    },
    Key {
        name: "smtp.user",
        default: r#""""#,
        help: &["Benutzername beim Mailserver. Leer: er verlangt keine Anmeldung."],
        aliases: &["smtp.username", "smtp.login"],
        field: field!(smtp.user, |value| value.line()?),
    },
    Key {
        name: "smtp.password",
        default: r#""""#,
        help: &["Passwort beim Mailserver. Besser in einer eigenen Datei, siehe smtp.password_file."],
        aliases: &["smtp.pass", "smtp.secret"],
        field: field!(smtp.password, |value| Password(value.line()?)),
    },
    Key {
        name: "smtp.password_file",
        default: r#""""#,
        help: &[
            "Datei, in der nur das Passwort steht. Mit systemd geht auch ein Credential namens smtp.password.",
            "Zwei Angaben für dasselbe Passwort sind ein Fehler.",
        ],
        aliases: &[],
        field: field!(smtp.password_file, |value| value.optional_path()?),
    },
    Key {
        name: "smtp.from",
        default: r#""""#,
        help: &[
            "Absender der Mails: fluglog@example.org oder Fluglog <fluglog@example.org>. Leer: der Benutzername,",
            "wenn er eine Adresse ist.",
        ],
        aliases: &["smtp.sender", "mail.from"],
        field: field!(smtp.from, |value| value.sender()?),
    },
    Key {
        name: "smtp.ca_file",
        default: r#""""#,
        help: &[
            "Datei (PEM) mit dem Zertifikat einer eigenen Zertifizierungsstelle, der beim Mailserver zusätzlich zu",
            "den öffentlichen vertraut wird.",
        ],
        aliases: &["smtp.ca", "smtp.tls_ca", "smtp.root_certificate"],
        field: field!(smtp.ca_file, |value| value.optional_path()?),
    },
    Key {
        name: "smtp.timeout_seconds",
        default: "20",
        help: &["So viele Sekunden darf ein Versuch dauern, eine Mail zu senden (0,1 bis 25)."],
        aliases: &[],
        field: field!(smtp.timeout_seconds, |value| value.seconds(0.1..=25.0)?),
    },
    Key {
        name: "smtp.retry_seconds",
        default: "30",
        help: &["Nach so vielen Sekunden folgt ein zweiter Versuch, danach immer doppelt so spät (1 bis 3600)."],
        aliases: &[],
        field: field!(smtp.retry_seconds, |value| value.seconds(1.0..=3600.0)?),
    },
    Key {
        name: "limits.header_seconds",
        default: "10",
        help: &["So viele Sekunden darf ein Gerät für den Kopf einer Anfrage brauchen (0,1 bis 300)."],
        aliases: &[],
        field: field!(limits.header_seconds, |value| value.seconds(0.1..=300.0)?),
    },
    Key {
        name: "limits.body_seconds",
        default: "30",
        help: &[
            "So viele Sekunden darf ein Formular brauchen. Was größer ist, hinein oder hinaus, muss über diese Zeit",
            "mindestens 1 kB in der Sekunde schaffen (0,1 bis 600).",
        ],
        aliases: &["timeout"],
        field: field!(limits.body_seconds, |value| value.seconds(0.1..=600.0)?),
    },
    Key {
        name: "limits.idle_seconds",
        default: "75",
        help: &["Nach so vielen Sekunden ohne Anfrage wird eine Verbindung geschlossen (0,1 bis 3600)."],
        aliases: &["keep_alive"],
        field: field!(limits.idle_seconds, |value| value.seconds(0.1..=3600.0)?),
    },
    Key {
        name: "limits.drain_seconds",
        default: "10",
        help: &["So viele Sekunden dürfen laufende Anfragen beim Beenden noch brauchen (0 bis 10)."],
        aliases: &["shutdown_seconds"],
        field: field!(limits.drain_seconds, |value| value.seconds(0.0..=10.0)?),
    },
    Key {
        name: "limits.connections",
        default: "512",
        help: &["So viele Verbindungen sind gleichzeitig offen; weitere warten (1 bis 4096)."],
        aliases: &["max_connections"],
        field: field!(limits.connections, |value| value.integer(1..=4096)?),
    },
    Key {
        name: "limits.connections_per_address",
        default: "64",
        help: &[
            "So viele davon hat eine einzelne Adresse (bei IPv6 ein /64-Netz); weitere warten (1 bis 4096). Hinter",
            "einem Proxy aus trusted_proxies zählen die Anfragen des Geräts, das er nennt.",
        ],
        aliases: &["max_connections_per_ip"],
        field: field!(limits.connections_per_address, |value| value.integer(1..=4096)?),
    },
    Key {
        name: "limits.free_megabytes",
        default: "200",
        help: &["Hochgeladen wird nur, solange so viele Megabyte auf dem Datenträger frei sind (10 bis 1000000000)."],
        aliases: &["disk_reserve", "min_free", "free_space"],
        field: field!(limits.free_megabytes, |value| value.integer(10..=1_000_000_000)?),
    },
    Key {
        name: "limits.records_free_megabytes",
        default: "50",
        help: &[
            "Sind weniger Megabyte auf dem Datenträger frei, kommt nichts Neues hinzu; ändern und löschen geht",
            "weiter (0 bis 1000000000).",
        ],
        aliases: &[],
        field: field!(limits.records_free_megabytes, |value| value
            .integer(0..=1_000_000_000)?),
    },
    Key {
        name: "limits.memory_megabytes",
        default: "0",
        help: &[
            "So viele Megabyte Arbeitsspeicher darf Fluglog belegen; danach richtet sich, wie große Bilder es annimmt.",
            "0: was das Gerät hat oder systemd oder der Container erlauben.",
        ],
        aliases: &["memory", "max_memory"],
        field: field!(limits.memory_megabytes, |value| value.integer(0..=1_000_000)?),
    },
    Key {
        name: "limits.login_wait_seconds",
        default: "25",
        help: &[
            "So viele Sekunden wartet eine Anfrage auf die Bestätigung per Mail, bevor der Browser neu fragt",
            "(0,1 bis 25).",
        ],
        aliases: &[],
        field: field!(limits.login_wait_seconds, |value| value.seconds(0.1..=25.0)?),
    },
    Key {
        name: "limits.mails_per_hour",
        default: "100",
        help: &["So viele Mails gehen höchstens in einer Stunde hinaus; weitere warten (1 bis 10000)."],
        aliases: &[],
        field: field!(limits.mails_per_hour, |value| value.integer(1..=10_000)?),
    },
    Key {
        name: "limits.import_dir_seconds",
        default: "30",
        help: &[
            "Alle so viele Sekunden sieht der Server in import_dir nach; so lange muss eine Datei ruhen",
            "(0,1 bis 3600).",
        ],
        aliases: &[],
        field: field!(limits.import_dir_seconds, |value| value.seconds(0.1..=3600.0)?),
    },
];

impl Key {
    /// Returns the environment variable, such as `FLUGLOG_LIMITS__HEADER_SECONDS` for `limits.header_seconds`.
    pub(super) fn variable(&self) -> String {
        format!("{VARIABLE_PREFIX}{}", self.name.replace('.', "__").to_uppercase())
    }

    /// Formats a value for display; of a table, whose values may be secret, only the names.
    pub(super) fn shown(&self, value: Value<'_>) -> String {
        match self.is_table() {
            true => value.names(),
            false => value.shown(),
        }
    }

    /// Returns whether the value is the sections of the targets.
    pub(super) fn is_table(&self) -> bool {
        self.default == "{}"
    }

    /// Returns whether the value must never be shown.
    pub(super) fn is_secret(&self) -> bool {
        self.name.ends_with(".password")
    }

    pub(super) fn section(&self) -> Option<&'static str> {
        self.name.rsplit_once('.').map(|(section, _)| section)
    }
}

impl Config {
    /// Returns the names of the settings whose values differ from those of another configuration.
    #[must_use]
    pub fn differing(&self, other: &Config) -> Vec<&'static str> {
        let differs = |key: &&Key| (key.field.differs)(self, other);
        KEYS.iter().filter(differs).map(|key| key.name).collect()
    }
}

/// Returns the commented `fluglog.toml`: every key with its explanation and its default, all commented out.
///
/// A line that starts with `#` and no blank after it is a setting; removing the `#` puts it into force.
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

/// Returns each setting as `name = default`, with its explanation and environment variable as one text.
pub fn documented() -> impl Iterator<Item = (String, String)> {
    KEYS.iter().map(|key| {
        (
            format!("{} = {}", key.name, key.default),
            format!("{} Umgebungsvariable: {}", key.help.join(" "), key.variable()),
        )
    })
}

/// Returns the spellings from which suggestions are made, each with the key it means: the name, the name without its
/// section, and its other names.
pub(super) fn spellings() -> impl Iterator<Item = (&'static str, &'static str)> {
    KEYS.iter().flat_map(|key| {
        let without_section = key.name.rsplit('.').next().unwrap_or(key.name);
        [key.name, without_section]
            .into_iter()
            .chain(key.aliases.iter().copied())
            .map(|spelling| (spelling, key.name))
    })
}
