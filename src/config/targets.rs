//! The settings of backup targets, `[backup.targets.NAME]`, and their checks. Opens no connection and no folder.

use std::path::{Component, PathBuf};

use url::Url;

use super::environment::Environment;
use super::error::ConfigError;
use super::secret_file::{self, SecretTexts};
use super::smtp::{Password, is_local_host};
use super::text::{nearest, shown};

/// Prefix of the variables with secrets: `FLUGLOG_BACKUP__TARGETS__NAS__PASSWORD` for `password` of the target `nas`.
pub(super) const VARIABLE_PREFIX: &str = "FLUGLOG_BACKUP__TARGETS__";
/// Archives kept at a target by default; the package's nightly backup keeps as many.
const KEEP_DEFAULT: u32 = 14;
const MAX_KEEP: i64 = 10_000;
const MAX_NAME_CHARACTERS: usize = 30;
/// Least length of a passphrase: whoever has an archive can try passphrases offline, as fast as a machine allows.
const MIN_PASSPHRASE_CHARACTERS: usize = 12;
const REGION_DEFAULT: &str = "us-east-1";
/// The expected address of a target: ports and paths are fine, user names, queries and fragments aren't.
const ADDRESS_EXPECTED: &str = "eine Adresse mit https://, ohne Benutzername, „?“ und „#“";

/// All backup targets, in the order of their names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Targets {
    pub all: Vec<Target>,
    /// The sections as written, until [`resolve`] has parsed them.
    unparsed: UnparsedSections,
}

/// Unparsed sections, which contain secrets.
#[derive(Clone, Default, PartialEq)]
struct UnparsedSections(toml::Table);

impl std::fmt::Debug for UnparsedSections {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("…")
    }
}

/// A backup target.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    pub name: String,
    pub place: Location,
    /// Archives kept at the target; `None` keeps all.
    pub keep: Option<u32>,
    pub encryption: Option<Encryption>,
}

/// The location of a target.
#[derive(Clone, Debug, PartialEq)]
pub enum Location {
    Folder {
        path: PathBuf,
        /// Whether a file system has to be mounted there.
        require_mount: bool,
    },
    /// A folder on the file system with this label, wherever that is mounted.
    Disk {
        label: String,
        folder: PathBuf,
    },
    WebDav {
        /// Address of the folder, with a trailing slash.
        url: Url,
        user: String,
        password: Password,
        /// PEM certificates that are trusted instead of the public authorities; empty for the public ones.
        certificates: String,
    },
    S3(S3),
}

/// A bucket of an S3-compatible store.
#[derive(Clone, Debug, PartialEq)]
pub struct S3 {
    pub endpoint: Url,
    pub bucket: String,
    pub region: String,
    /// Prefix of the archives' keys: empty or with a trailing slash.
    pub prefix: String,
    /// Whether the bucket is named in the path, instead of in the host name.
    pub is_path_style: bool,
    pub access_key: String,
    pub secret_key: Password,
    /// As in [`Location::WebDav`].
    pub certificates: String,
}

/// How archives are encrypted before they are sent.
#[derive(Clone, Debug, PartialEq)]
pub enum Encryption {
    Passphrase(Password),
    /// Public keys of age, `age1…`.
    Recipients(Vec<String>),
}

impl Targets {
    pub(super) fn set_tables(&mut self, tables: toml::Table) {
        self.unparsed = UnparsedSections(tables);
    }

    /// Returns the target of this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Target> {
        self.all.iter().find(|target| target.name == name)
    }
}

impl Location {
    /// Returns the place for display, without any secret.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Location::Folder { path, .. } => path.display().to_string(),
            Location::Disk { label, folder } if folder.as_os_str().is_empty() => format!("Datenträger {label}"),
            Location::Disk { label, folder } => format!("{} auf dem Datenträger {label}", folder.display()),
            Location::WebDav { url, .. } => url.to_string(),
            Location::S3(store) => {
                let host = store.endpoint.host_str().unwrap_or_default();
                format!("{}/{} bei {host}", store.bucket, store.prefix)
            }
        }
    }
}

/// Parses every section and reads the secrets from their sources. `is_setting` knows the names that belong elsewhere in
/// the file.
pub(super) fn resolve(
    targets: &mut Targets,
    environment: &Environment,
    is_setting: impl Fn(&str) -> bool,
) -> Result<(), ConfigError> {
    let written = std::mem::take(&mut targets.unparsed);
    targets.all = written
        .0
        .into_iter()
        .map(|(name, section)| {
            let mut section = Section::of(name, section, environment)?;
            let target = target(&mut section)?;
            section.reject_unknown_keys(&is_setting)?;
            Ok(target)
        })
        .collect::<Result<_, _>>()?;
    for variable in environment.variables.keys() {
        check_variable(&variable.to_string_lossy(), &targets.all)?;
    }
    Ok(())
}

/// The keys that hold a secret.
const SECRETS: [&str; 3] = ["password", "secret_key", "passphrase"];

/// Returns whether a section as written holds a secret.
pub(super) fn hold_secret(sections: &toml::Value) -> bool {
    let mut sections = sections.as_table().into_iter().flat_map(toml::Table::values);
    sections.any(|section| {
        SECRETS
            .iter()
            .filter_map(|secret| section.get(*secret))
            .any(|value| !is_empty(value))
    })
}

/// Returns the files that sections name for their secrets.
pub(super) fn secret_files(sections: &toml::Value) -> Vec<PathBuf> {
    let sections = sections.as_table().into_iter().flat_map(toml::Table::values);
    sections
        .flat_map(|section| SECRETS.map(|secret| section.get(format!("{secret}_file"))?.as_str().map(PathBuf::from)))
        .flatten()
        .collect()
}

/// Returns whether a value is the text that stands for none.
pub(super) fn is_empty(value: &toml::Value) -> bool {
    value.as_str() == Some("")
}

fn variable_of(target: &str, secret: &str) -> String {
    format!("{VARIABLE_PREFIX}{}__{secret}", target.replace('-', "_")).to_uppercase()
}

/// Refuses a variable of an unknown target or of a key that is no secret.
fn check_variable(variable: &str, targets: &[Target]) -> Result<(), ConfigError> {
    if !variable.starts_with(VARIABLE_PREFIX) {
        return Ok(());
    }
    let known: Vec<_> = targets
        .iter()
        .flat_map(|target| SECRETS.map(|secret| variable_of(&target.name, secret)))
        .collect();
    if known.iter().any(|known| known == variable) {
        return Ok(());
    }
    Err(ConfigError::UnknownVariable {
        name: shown(variable),
        nearest: match known.is_empty() {
            true => VARIABLE_PREFIX.trim_end_matches('_').to_owned(),
            false => nearest(variable, known.iter().map(|known| (known.as_str(), known.as_str()))).to_owned(),
        },
    })
}

fn target(section: &mut Section<'_>) -> Result<Target, ConfigError> {
    let kinds = "„folder“, „disk“, „webdav“ oder „s3“";
    let place = match section.required_text("kind", kinds)?.as_str() {
        "folder" => Location::Folder {
            path: PathBuf::from(section.required_text("path", "ein Verzeichnis, zum Beispiel /mnt/nas/fluglog")?),
            require_mount: section.boolean("require_mount", false)?,
        },
        "disk" => Location::Disk {
            label: section.required_text("label", "die Bezeichnung des Datenträgers, wie „lsblk -f“ sie nennt")?,
            folder: section.folder_below()?,
        },
        "webdav" => Location::WebDav {
            url: section.address("url", true)?,
            user: section.text("user")?.unwrap_or_default(),
            password: section.secret("password", "Passwort")?.unwrap_or_default(),
            certificates: section.certificates()?,
        },
        "s3" => Location::S3(store(section)?),
        other => return Err(section.bad_value("kind", other, kinds)),
    };
    let keep = section.keep()?;
    let passphrase = section.secret("passphrase", "Passphrase")?;
    let recipients = section.recipients()?;
    let encryption = match (passphrase, recipients) {
        (Some(_), Some(_)) => {
            return Err(section.inconsistent("hat passphrase und recipients: bitte eins davon entfernen."));
        }
        (Some(passphrase), None) if passphrase.secret().chars().count() < MIN_PASSPHRASE_CHARACTERS => {
            return Err(section.inconsistent(&format!(
                "hat eine zu kurze Passphrase: bitte mindestens {MIN_PASSPHRASE_CHARACTERS} Zeichen wählen."
            )));
        }
        (Some(passphrase), None) => Some(Encryption::Passphrase(passphrase)),
        (None, recipients) => recipients.map(Encryption::Recipients),
    };
    Ok(Target {
        name: section.name.clone(),
        place,
        keep,
        encryption,
    })
}

fn store(section: &mut Section<'_>) -> Result<S3, ConfigError> {
    let prefix = section.text("prefix")?.unwrap_or_default();
    let prefix = prefix.trim_matches('/');
    let needed_key = "der Schlüssel vom Anbieter des Speichers";
    let access_key = section.required_text("access_key", needed_key)?;
    let Some(secret_key) = section.secret("secret_key", "Geheimnis")? else {
        return Err(section.inconsistent("braucht secret_key oder secret_key_file."));
    };
    Ok(S3 {
        endpoint: section.address("endpoint", false)?,
        bucket: section.required_text("bucket", "der Name des Buckets")?,
        region: section.text("region")?.unwrap_or_else(|| REGION_DEFAULT.to_owned()),
        prefix: match prefix {
            "" => String::new(),
            prefix => format!("{prefix}/"),
        },
        is_path_style: section.boolean("path_style", true)?,
        access_key,
        secret_key,
        certificates: section.certificates()?,
    })
}

/// The section of one target. Keys are removed as they are read, so that those left are unknown.
struct Section<'s> {
    name: String,
    table: toml::Table,
    /// The keys that were looked up, for suggestions.
    known: Vec<String>,
    environment: &'s Environment,
}

impl<'s> Section<'s> {
    fn of(name: String, section: toml::Value, environment: &'s Environment) -> Result<Section<'s>, ConfigError> {
        let is_name = !name.is_empty()
            && name.len() <= MAX_NAME_CHARACTERS
            && name.starts_with(|first: char| first.is_ascii_lowercase())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        let toml::Value::Table(table) = section else {
            return Err(ConfigError::Inconsistent(format!(
                "„backup.targets.{}“ ist kein Abschnitt: bitte [backup.targets.{}] schreiben und darunter kind = … \
                 und das Weitere.",
                shown(&name),
                shown(&name)
            )));
        };
        if !is_name {
            return Err(ConfigError::Inconsistent(format!(
                "Ein Ziel kann nicht „{}“ heißen: bitte mit einem Kleinbuchstaben beginnen und nur Kleinbuchstaben, \
                 Ziffern und „-“ verwenden, höchstens {MAX_NAME_CHARACTERS} Zeichen.",
                shown(&name)
            )));
        }
        Ok(Section {
            name,
            table,
            known: Vec::new(),
            environment,
        })
    }

    fn inconsistent(&self, what: &str) -> ConfigError {
        ConfigError::Inconsistent(format!("Das Ziel „{}“ (backup.targets) {what}", self.name))
    }

    fn bad_value(&self, key: &str, value: &str, expected: &str) -> ConfigError {
        ConfigError::BadValue {
            place: format!("„backup.targets.{}.{key}“", self.name),
            value: shown(value),
            expected: expected.to_owned(),
        }
    }

    fn take(&mut self, key: &str) -> Option<toml::Value> {
        self.known.push(key.to_owned());
        self.table.remove(key)
    }

    fn text(&mut self, key: &str) -> Result<Option<String>, ConfigError> {
        match self.take(key) {
            None => Ok(None),
            Some(toml::Value::String(text)) if !text.contains(char::is_control) => {
                Ok(Some(text).filter(|text| !text.is_empty()))
            }
            // Not repeated in the error: the value may be a secret.
            Some(_) => Err(self.bad_value(key, "…", "ein Text in einer Zeile")),
        }
    }

    fn required_text(&mut self, key: &str, expected: &str) -> Result<String, ConfigError> {
        let text = self.text(key)?;
        text.ok_or_else(|| self.inconsistent(&format!("braucht {key}: {expected}.")))
    }

    fn boolean(&mut self, key: &str, default: bool) -> Result<bool, ConfigError> {
        match self.take(key) {
            None => Ok(default),
            Some(toml::Value::Boolean(value)) => Ok(value),
            Some(other) => Err(self.bad_value(key, &other.to_string(), "true oder false")),
        }
    }

    fn keep(&mut self) -> Result<Option<u32>, ConfigError> {
        match self.take("keep") {
            None => Ok(Some(KEEP_DEFAULT)),
            Some(toml::Value::Integer(keep)) if (0..=MAX_KEEP).contains(&keep) => {
                Ok(u32::try_from(keep).ok().filter(|keep| *keep > 0))
            }
            Some(other) => {
                let expected = format!("eine ganze Zahl von 0 (alle bleiben) bis {MAX_KEEP}");
                Err(self.bad_value("keep", &other.to_string(), &expected))
            }
        }
    }

    /// Reads a relative folder that can't lead out of its parent.
    fn folder_below(&mut self) -> Result<PathBuf, ConfigError> {
        let folder = PathBuf::from(self.text("folder")?.unwrap_or_default());
        let is_below = folder.components().all(|part| matches!(part, Component::Normal(_)));
        match is_below {
            true => Ok(folder),
            false => {
                let expected = "ein Verzeichnis auf dem Datenträger, ohne „/“ am Anfang und ohne „..“";
                Err(self.bad_value("folder", &folder.to_string_lossy(), expected))
            }
        }
    }

    /// Reads an address; plain http is allowed only in the local network.
    fn address(&mut self, key: &str, is_folder: bool) -> Result<Url, ConfigError> {
        let text = self.required_text(key, ADDRESS_EXPECTED)?;
        let written = match is_folder && !text.ends_with('/') {
            true => format!("{text}/"),
            false => text.clone(),
        };
        let is_plain = |url: &Url| {
            let has_more = url.query().is_some() || url.fragment().is_some() || url.password().is_some();
            matches!(url.scheme(), "http" | "https") && url.has_host() && url.username().is_empty() && !has_more
        };
        let url = Url::parse(&written).ok().filter(is_plain);
        // Not repeated in the error: the address may contain a password.
        let url = url.ok_or_else(|| self.bad_value(key, "…", ADDRESS_EXPECTED))?;
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        match url.scheme() == "https" || is_local_host(host) {
            true => Ok(url),
            false => Err(self.inconsistent(&format!(
                "ist mit http:// nur auf diesem Rechner oder unter einer IP-Adresse im eigenen Netz zu erreichen, \
                 nicht unter „{host}“: bitte https:// oder die IP-Adresse eintragen."
            ))),
        }
    }

    fn certificates(&mut self) -> Result<String, ConfigError> {
        match self.text("ca_file")? {
            None => Ok(String::new()),
            Some(file) => secret_file::certificates(&PathBuf::from(file), &format!("backup.targets.{}", self.name)),
        }
    }

    /// Reads a secret from the section, a file of its own, the environment or a systemd credential.
    fn secret(&mut self, key: &str, german: &str) -> Result<Option<Password>, ConfigError> {
        let setting = format!("{key}_file");
        let written = self.text(key)?;
        let file = self.text(&setting)?.map(PathBuf::from);
        let variable = variable_of(&self.name, key);
        let of_environment = match self.environment.variable(&variable).map(std::ffi::OsStr::to_str) {
            Some(None) => return Err(self.inconsistent(&format!("hat mit {variable} keinen Text in UTF-8."))),
            Some(Some(text)) => Some(text.to_owned()).filter(|text| !text.is_empty()),
            None => None,
        };
        let credential_name = format!("backup.{}.{key}", self.name);
        let credential = secret_file::credential(self.environment, &credential_name);
        let sources = [
            written.is_some().then(|| key.to_owned()),
            file.is_some().then(|| setting.clone()),
            of_environment.is_some().then(|| variable.clone()),
            credential
                .is_some()
                .then(|| format!("systemd-Credential {credential_name}")),
        ];
        let named: Vec<_> = sources.into_iter().flatten().collect();
        if let [one, other, ..] = &named[..] {
            return Err(self.inconsistent(&format!(
                "hat {german} doppelt ({one} und {other}): bitte eine der Angaben entfernen."
            )));
        }
        let of_file = file.or(credential).map(|file| {
            let about = SecretTexts {
                dative: &format!("„{key}“ des Ziels „{}“", self.name),
                none: &format!("nichts für „{key}“ des Ziels „{}“", self.name),
                setting: &format!("backup.targets.{}.{setting}", self.name),
            };
            secret_file::secret(&file, &about)
        });
        Ok(written.or(of_environment).or(of_file.transpose()?).map(Password::from))
    }

    fn recipients(&mut self) -> Result<Option<Vec<String>>, ConfigError> {
        let expected = "eine Liste öffentlicher Schlüssel von age, zum Beispiel [\"age1…\"]";
        let texts = match self.take("recipients") {
            None => return Ok(None),
            Some(toml::Value::Array(items)) => items,
            Some(other) => vec![other],
        };
        let read = |item: &toml::Value| {
            let text = item.as_str()?;
            text.parse::<age::x25519::Recipient>().ok().map(|_| text.to_owned())
        };
        let recipients: Option<Vec<_>> = texts.iter().map(read).collect();
        match recipients.filter(|recipients| !recipients.is_empty()) {
            Some(recipients) => Ok(Some(recipients)),
            // Not repeated in the error: somebody may have pasted the secret key.
            None => Err(self.bad_value("recipients", "…", expected)),
        }
    }

    fn reject_unknown_keys(self, is_setting: impl Fn(&str) -> bool) -> Result<(), ConfigError> {
        let Some(key) = self.table.keys().next() else {
            return Ok(());
        };
        if is_setting(key) {
            return Err(self.inconsistent(&format!(
                "kennt „{key}“ nicht: Diese Einstellung gehört in der Datei über den ersten Abschnitt mit eckigen \
                 Klammern."
            )));
        }
        let known = self.known.iter().map(|known| (known.as_str(), known.as_str()));
        Err(self.inconsistent(&format!(
            "kennt „{}“ nicht, am ähnlichsten ist „{}“: bitte berichtigen oder löschen.",
            shown(key),
            nearest(key, known)
        )))
    }
}
