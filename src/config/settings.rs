//! The settings in force for display: their values and sources, without secrets.

use std::path::PathBuf;

use super::Config;
use super::keys::{KEYS, Key};
use super::provenance::{SECRET, Source};

/// A setting in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    pub name: &'static str,
    /// As it would be written in the file, without the quotes of a string.
    pub value: String,
    pub source: Source,
}

impl Config {
    /// Returns all settings in the order of the example file.
    #[must_use]
    pub fn settings(&self) -> Vec<Setting> {
        let setting = |key: &Key| {
            let (source, value) = match self.provenance.of(key.name) {
                Some((source, value)) => (source.clone(), value.clone()),
                None if key.is_secret() && !self.smtp.password.secret().is_empty() => {
                    (Source::SecretFile, SECRET.to_owned())
                }
                None => (Source::Default, key.default.trim_matches('"').to_owned()),
            };
            Setting {
                name: key.name,
                value,
                source,
            }
        };
        KEYS.iter().map(setting).collect()
    }

    /// Records the values given on the command line.
    pub(super) fn record_flags(&mut self) {
        let listen: Vec<_> = self.flags.listen.iter().map(ToString::to_string).collect();
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let named = [
            ("data_dir", path(&self.flags.data_dir)),
            ("listen", (!listen.is_empty()).then(|| listen.join(", "))),
            ("tls.cert", path(&self.flags.tls.certificate)),
            ("tls.key", path(&self.flags.tls.key)),
        ];
        for (name, value) in named {
            let key = KEYS.iter().find(|key| key.name == name);
            if let (Some(key), Some(value)) = (key, value) {
                self.provenance.record(key.name, key.is_secret(), Source::Flag, value);
            }
        }
    }
}
