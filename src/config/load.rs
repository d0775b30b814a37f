//! Reads the settings of a process. Precedence: flag > environment > file > default.

use std::path::{Path, PathBuf};

use super::environment::{Environment, read};
use super::error::ConfigError;
use super::keys::{KEYS, Key, spellings};
use super::provenance::Source;
use super::text::{nearest, shown};
use super::tls::Tls;
use super::value::{EXPECTED_PATH, Value, is_usable};
use super::{Config, FILE_NAME, Flags, IgnoredVariable, VARIABLE_PREFIX, auth, smtp, targets, tls};

const DATA_DIR_VARIABLE: &str = "FLUGLOG_DATA_DIR";
const CONFIG_VARIABLE: &str = "FLUGLOG_CONFIG";
/// Edit distance up to which an unknown name counts as a misspelt setting.
const MAX_MISSPELT: usize = 2;

impl Config {
    /// Reads the settings of this process.
    ///
    /// # Errors
    /// Anything unknown, malformed or unreadable, or a file that was named and doesn't exist; see [`ConfigError`].
    pub fn load(flags: &Flags) -> Result<Config, ConfigError> {
        Config::load_in(flags, &Environment::current())
    }

    /// Returns the explicitly named data directory if its own `fluglog.toml` is the file to be read; the directory's
    /// owner can have written that file.
    #[must_use]
    pub fn implied_file_dir(flags: &Flags) -> Option<PathBuf> {
        let environment = Environment::current();
        let variable = |name| environment.variable(name).map(PathBuf::from);
        let is_elsewhere = flags.config.is_some() || variable(CONFIG_VARIABLE).is_some();
        let directory = flags.data_dir.clone().or_else(|| variable(DATA_DIR_VARIABLE));
        directory.filter(|_| !is_elsewhere)
    }

    /// Reads the settings anew, as a server of this data directory would now.
    ///
    /// # Errors
    /// As for [`Config::load`].
    pub fn reload(&self) -> Result<Config, ConfigError> {
        Config::load(&Flags {
            data_dir: Some(self.data_dir.clone()),
            config: self.config_file.clone(),
            ..self.flags.clone()
        })
    }

    /// Determines the data directory although the settings as a whole can't be read.
    #[must_use]
    pub fn best_effort_data_dir(flags: &Flags) -> PathBuf {
        let environment = Environment::current();
        let named = flags.data_dir.clone();
        let variable = environment.variable(DATA_DIR_VARIABLE).map(PathBuf::from);
        let in_file = || {
            let (_, text) = find_file(flags, &environment).ok()??;
            text.lines().find_map(|line| {
                let (key, value) = line.split_once('=')?;
                let value = value.trim().trim_matches(['"', '\'']);
                (key.trim() == "data_dir").then(|| PathBuf::from(value))
            })
        };
        named
            .or(variable)
            .or_else(in_file)
            .unwrap_or(environment.default_data_dir)
    }

    /// Like [`Config::load`], with the environment and the paths of files given.
    ///
    /// # Errors
    /// As for [`Config::load`].
    pub(crate) fn load_in(flags: &Flags, environment: &Environment) -> Result<Config, ConfigError> {
        let mut config = Config {
            data_dir: environment.default_data_dir.clone(),
            flags: flags.clone(),
            ignored_variables: unknown_variables(environment)?,
            ..Config::default()
        };
        if let Some((path, text)) = find_file(flags, environment)? {
            apply_file(&mut config, &path, &text)?;
            config.config_file = Some(path);
        }
        for key in KEYS {
            let name = key.variable();
            if let Some(value) = environment.variable(&name) {
                set(&mut config, key, Value::Variable(value), || name.clone())?;
                let shown = key.shown(Value::Variable(value));
                config
                    .provenance
                    .record(key.name, key.is_secret(), Source::Variable(name), shown);
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
        config.record_flags();
        tls::resolve(&config.tls)?;
        smtp::resolve(&mut config.smtp, environment)?;
        config.secret_files.extend(config.smtp.password_file.clone());
        let is_setting = |name: &str| KEYS.iter().any(|key| key.name == name || key.section() == Some(name));
        targets::resolve(&mut config.targets, environment, is_setting)?;
        auth::check(&config.auth, &config.trusted_proxies)?;
        config.secret_files.sort();
        config.secret_files.dedup();
        Ok(config)
    }
}

fn set(config: &mut Config, key: &Key, value: Value<'_>, place: impl FnOnce() -> String) -> Result<(), ConfigError> {
    (key.field.set)(config, value).map_err(|expected| ConfigError::BadValue {
        place: place(),
        value: if key.is_secret() {
            "…".to_owned()
        } else {
            key.shown(value)
        },
        expected,
    })
}

/// Refuses variables that look like a misspelt setting; returns other unknown ones.
fn unknown_variables(environment: &Environment) -> Result<Vec<IgnoredVariable>, ConfigError> {
    let mut ignored = Vec::new();
    let known: Vec<String> = KEYS
        .iter()
        .map(Key::variable)
        .chain([CONFIG_VARIABLE.to_owned()])
        .collect();
    for name in environment.variables.keys() {
        let name = name.to_string_lossy();
        let is_of_target = name.starts_with(targets::VARIABLE_PREFIX);
        if !name.starts_with(VARIABLE_PREFIX) || is_of_target || known.iter().any(|known| *known == name) {
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
        ignored.push(IgnoredVariable { name, nearest });
    }
    Ok(ignored)
}

/// Returns whether a name is so close to another that it is probably misspelt.
fn is_misspelt(name: &str, other: &str) -> bool {
    let letters = |text: &str| text.to_uppercase().replace('_', "");
    strsim::damerau_levenshtein(&letters(name), &letters(other)) <= MAX_MISSPELT
}

/// Finds the configuration file and reads it. An implied file may be missing, a named one may not.
fn find_file(flags: &Flags, environment: &Environment) -> Result<Option<(PathBuf, String)>, ConfigError> {
    let variable = |name| environment.variable(name).map(PathBuf::from);
    let named = [
        ("--config", flags.config.clone()),
        (CONFIG_VARIABLE, variable(CONFIG_VARIABLE)),
    ];
    let directories = [
        ("--data-dir", flags.data_dir.clone()),
        (DATA_DIR_VARIABLE, variable(DATA_DIR_VARIABLE)),
    ];
    if let Some((named_by, file)) = first_named(named)? {
        let text = read(&file)?.ok_or_else(|| ConfigError::Missing {
            file: file.clone(),
            named_by,
        })?;
        // A malformed directory is refused even if it isn't needed to find the file.
        first_named(directories)?;
        return Ok(Some((file, text)));
    }
    let implied = match first_named(directories)? {
        Some((_, directory)) => vec![directory.join(FILE_NAME)],
        None => vec![
            environment.system_file.clone(),
            environment.default_data_dir.join(FILE_NAME),
        ],
    };
    for file in implied {
        if let Some(text) = read(&file)? {
            return Ok(Some((file, text)));
        }
    }
    Ok(None)
}

/// Returns the first path that was named, with its source. An empty path is an error: probably a variable that somebody
/// forgot to fill, and ignoring it would silently create a second data directory.
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
            (Some(key), value) => {
                set(config, key, Value::File(value), place)?;
                if key.is_secret() && !targets::is_empty(value) || key.is_table() && targets::hold_secret(value) {
                    config.secret_files.push(file.to_owned());
                }
                if key.is_table() {
                    config.secret_files.extend(targets::secret_files(value));
                }
                let (source, shown) = (Source::File(file.to_owned()), key.shown(Value::File(value)));
                config.provenance.record(key.name, key.is_secret(), source, shown);
            }
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
