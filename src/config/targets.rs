//! The settings of the places that backups are sent to, `[backup.targets.NAME]`, and what each has to say. Opens no
//! connection and looks at no folder.

use std::path::{Component, PathBuf};

use url::Url;

use super::plain::{nearest, shown};
use super::refusal::ConfigError;
use super::secret_file::{self, Secret};
use super::smtp::{Password, is_near};
use super::surroundings::Surroundings;

/// The variables of secrets: `FLUGLOG_BACKUP__TARGETS__NAS__PASSWORD` for `password` of the target `nas`.
pub(super) const VARIABLE_PREFIX: &str = "FLUGLOG_BACKUP__TARGETS__";
/// So many archives stay at a target, as the package keeps every night.
const KEEP_DEFAULT: u32 = 14;
const KEEP_MOST: i64 = 10_000;
const NAME_MOST_CHARACTERS: usize = 30;
/// With an archive at hand, passphrases can be tried as fast as the machine goes.
const PASSPHRASE_LEAST_CHARACTERS: usize = 12;
const REGION_DEFAULT: &str = "us-east-1";
/// The ports, user names and parts that an address mustn't bring along.
const ADDRESS_EXPECTED: &str = "eine Adresse mit https://, ohne Benutzername, „?“ und „#“";

/// Where backups are sent to, in the order of their names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Targets {
    pub all: Vec<Target>,
    /// As they were written, until [`settle`] has read them.
    written: Written,
}

/// The sections as they were written: with secrets.
#[derive(Clone, Default, PartialEq)]
struct Written(toml::Table);

impl std::fmt::Debug for Written {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("…")
    }
}

/// A place that backups are sent to.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    pub name: String,
    pub place: Place,
    /// So many archives stay there; `None`: all.
    pub keep: Option<u32>,
    pub encryption: Option<Encryption>,
}

/// A kind of places, and which of them.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    Folder {
        path: PathBuf,
        /// Whether something must be mounted there.
        require_mount: bool,
    },
    /// A folder on the file system with this label, wherever that is mounted.
    Disk {
        label: String,
        folder: PathBuf,
    },
    WebDav {
        /// That of the folder, with a slash at its end.
        url: Url,
        user: String,
        password: Password,
        /// PEM certificates that are trusted in place of the public authorities; empty: those.
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
    /// Of the names of the archives: empty, or with a slash at its end.
    pub prefix: String,
    /// Whether the bucket is in the path, or else in the name of the host.
    pub is_path_style: bool,
    pub access_key: String,
    pub secret_key: Password,
    /// As those of [`Place::WebDav`].
    pub certificates: String,
}

/// How archives are encrypted before they leave.
#[derive(Clone, Debug, PartialEq)]
pub enum Encryption {
    Passphrase(Password),
    /// Public keys of age, `age1…`.
    Recipients(Vec<String>),
}

impl Targets {
    pub(super) fn set_tables(&mut self, tables: toml::Table) {
        self.written = Written(tables);
    }

    /// The target of this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Target> {
        self.all.iter().find(|target| target.name == name)
    }
}

impl Place {
    /// How people speak of it: without any secret.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Place::Folder { path, .. } => path.display().to_string(),
            Place::Disk { label, folder } if folder.as_os_str().is_empty() => format!("Datenträger {label}"),
            Place::Disk { label, folder } => format!("{} auf dem Datenträger {label}", folder.display()),
            Place::WebDav { url, .. } => url.to_string(),
            Place::S3(store) => {
                let host = store.endpoint.host_str().unwrap_or_default();
                format!("{}/{} bei {host}", store.bucket, store.prefix)
            }
        }
    }
}

/// Reads every section, and the secrets from where they are.
pub(super) fn settle(targets: &mut Targets, surroundings: &Surroundings) -> Result<(), ConfigError> {
    let written = std::mem::take(&mut targets.written);
    targets.all = written
        .0
        .into_iter()
        .map(|(name, section)| {
            let mut section = Section::of(name, section, surroundings)?;
            let target = target(&mut section)?;
            section.expect_no_more()?;
            Ok(target)
        })
        .collect::<Result<_, _>>()?;
    for variable in surroundings.variables.keys() {
        check_variable(&variable.to_string_lossy(), &targets.all)?;
    }
    Ok(())
}

/// The secrets that a target can have.
const SECRETS: [&str; 3] = ["password", "secret_key", "passphrase"];

fn variable_of(target: &str, secret: &str) -> String {
    format!("{VARIABLE_PREFIX}{}__{secret}", target.replace('-', "_")).to_uppercase()
}

/// Refuses a variable of a target that isn't there, or of what is no secret.
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
    let place = match section.needed("kind", kinds)?.as_str() {
        "folder" => Place::Folder {
            path: PathBuf::from(section.needed("path", "ein Verzeichnis, zum Beispiel /mnt/nas/fluglog")?),
            require_mount: section.boolean("require_mount", false)?,
        },
        "disk" => Place::Disk {
            label: section.needed("label", "die Bezeichnung des Datenträgers, wie „lsblk -f“ sie nennt")?,
            folder: section.folder_below()?,
        },
        "webdav" => Place::WebDav {
            url: section.address("url", true)?,
            user: section.text("user")?.unwrap_or_default(),
            password: section.secret("password", "Passwort")?.unwrap_or_default(),
            certificates: section.certificates()?,
        },
        "s3" => Place::S3(store(section)?),
        other => return Err(section.bad("kind", other, kinds)),
    };
    let keep = section.keep()?;
    let passphrase = section.secret("passphrase", "Passphrase")?;
    let recipients = section.recipients()?;
    let encryption = match (passphrase, recipients) {
        (Some(_), Some(_)) => return Err(section.unfit("hat passphrase und recipients: bitte eins davon entfernen.")),
        (Some(passphrase), None) if passphrase.secret().chars().count() < PASSPHRASE_LEAST_CHARACTERS => {
            return Err(section.unfit(&format!(
                "hat eine zu kurze Passphrase: bitte mindestens {PASSPHRASE_LEAST_CHARACTERS} Zeichen wählen."
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
    let access_key = section.needed("access_key", needed_key)?;
    let Some(secret_key) = section.secret("secret_key", "Geheimnis")? else {
        return Err(section.unfit("braucht secret_key oder secret_key_file."));
    };
    Ok(S3 {
        endpoint: section.address("endpoint", false)?,
        bucket: section.needed("bucket", "der Name des Buckets")?,
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

/// The section of one target. What is read is taken out, so that the rest is known to be too much.
struct Section<'s> {
    name: String,
    table: toml::Table,
    /// The keys that were asked for.
    known: Vec<String>,
    surroundings: &'s Surroundings,
}

impl<'s> Section<'s> {
    fn of(name: String, section: toml::Value, surroundings: &'s Surroundings) -> Result<Section<'s>, ConfigError> {
        let is_name = !name.is_empty()
            && name.len() <= NAME_MOST_CHARACTERS
            && name.starts_with(|first: char| first.is_ascii_lowercase())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        let toml::Value::Table(table) = section else {
            return Err(ConfigError::Unfit(format!(
                "„backup.targets.{}“ ist kein Abschnitt: bitte [backup.targets.{}] schreiben und darunter kind = … \
                 und das Weitere.",
                shown(&name),
                shown(&name)
            )));
        };
        if !is_name {
            return Err(ConfigError::Unfit(format!(
                "Ein Ziel kann nicht „{}“ heißen: bitte mit einem Kleinbuchstaben beginnen und nur Kleinbuchstaben, \
                 Ziffern und „-“ verwenden, höchstens {NAME_MOST_CHARACTERS} Zeichen.",
                shown(&name)
            )));
        }
        Ok(Section {
            name,
            table,
            known: Vec::new(),
            surroundings,
        })
    }

    fn unfit(&self, what: &str) -> ConfigError {
        ConfigError::Unfit(format!("Das Ziel „{}“ (backup.targets) {what}", self.name))
    }

    fn bad(&self, key: &str, value: &str, expected: &str) -> ConfigError {
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
            // It may be a secret.
            Some(_) => Err(self.bad(key, "…", "ein Text in einer Zeile")),
        }
    }

    fn needed(&mut self, key: &str, expected: &str) -> Result<String, ConfigError> {
        let text = self.text(key)?;
        text.ok_or_else(|| self.unfit(&format!("braucht {key}: {expected}.")))
    }

    fn boolean(&mut self, key: &str, default: bool) -> Result<bool, ConfigError> {
        match self.take(key) {
            None => Ok(default),
            Some(toml::Value::Boolean(value)) => Ok(value),
            Some(other) => Err(self.bad(key, &other.to_string(), "true oder false")),
        }
    }

    fn keep(&mut self) -> Result<Option<u32>, ConfigError> {
        match self.take("keep") {
            None => Ok(Some(KEEP_DEFAULT)),
            Some(toml::Value::Integer(keep)) if (0..=KEEP_MOST).contains(&keep) => {
                Ok(u32::try_from(keep).ok().filter(|keep| *keep > 0))
            }
            Some(other) => {
                let expected = format!("eine ganze Zahl von 0 (alle bleiben) bis {KEEP_MOST}");
                Err(self.bad("keep", &other.to_string(), &expected))
            }
        }
    }

    /// A folder that can't lead out of where it lies.
    fn folder_below(&mut self) -> Result<PathBuf, ConfigError> {
        let folder = PathBuf::from(self.text("folder")?.unwrap_or_default());
        let is_below = folder.components().all(|part| matches!(part, Component::Normal(_)));
        match is_below {
            true => Ok(folder),
            false => {
                let expected = "ein Verzeichnis auf dem Datenträger, ohne „/“ am Anfang und ohne „..“";
                Err(self.bad("folder", &folder.to_string_lossy(), expected))
            }
        }
    }

    /// An address, which isn't encrypted only in the own network.
    fn address(&mut self, key: &str, is_folder: bool) -> Result<Url, ConfigError> {
        let text = self.needed(key, ADDRESS_EXPECTED)?;
        let written = match is_folder && !text.ends_with('/') {
            true => format!("{text}/"),
            false => text.clone(),
        };
        let is_plain = |url: &Url| {
            let has_more = url.query().is_some() || url.fragment().is_some() || url.password().is_some();
            matches!(url.scheme(), "http" | "https") && url.has_host() && url.username().is_empty() && !has_more
        };
        let url = Url::parse(&written).ok().filter(is_plain);
        // An address can hold a password.
        let url = url.ok_or_else(|| self.bad(key, "…", ADDRESS_EXPECTED))?;
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        match url.scheme() == "https" || is_near(host) {
            true => Ok(url),
            false => Err(self.unfit(&format!(
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

    /// A secret from the file, a file of its own, the environment or systemd.
    fn secret(&mut self, key: &str, german: &str) -> Result<Option<Password>, ConfigError> {
        let setting = format!("{key}_file");
        let written = self.text(key)?;
        let file = self.text(&setting)?.map(PathBuf::from);
        let variable = variable_of(&self.name, key);
        let of_environment = match self.surroundings.variable(&variable).map(std::ffi::OsStr::to_str) {
            Some(None) => return Err(self.unfit(&format!("hat mit {variable} keinen Text in UTF-8."))),
            Some(Some(text)) => Some(text.to_owned()).filter(|text| !text.is_empty()),
            None => None,
        };
        let credential_name = format!("backup.{}.{key}", self.name);
        let credential = secret_file::credential(self.surroundings, &credential_name);
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
            return Err(self.unfit(&format!(
                "hat {german} doppelt ({one} und {other}): bitte eine der Angaben entfernen."
            )));
        }
        let of_file = file.or(credential).map(|file| {
            let about = Secret {
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
            // Somebody may have taken the secret key for the public one.
            None => Err(self.bad("recipients", "…", expected)),
        }
    }

    fn expect_no_more(self) -> Result<(), ConfigError> {
        let Some(key) = self.table.keys().next() else {
            return Ok(());
        };
        let known = self.known.iter().map(|known| (known.as_str(), known.as_str()));
        Err(self.unfit(&format!(
            "kennt „{}“ nicht, am ähnlichsten ist „{}“: bitte berichtigen oder löschen.",
            shown(key),
            nearest(key, known)
        )))
    }
}
