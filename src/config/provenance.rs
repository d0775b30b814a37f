//! The source of each setting's value. Knows no setting.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Placeholder for a secret.
pub const SECRET: &str = "…";

/// The source of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    Default,
    File(PathBuf),
    /// An environment variable.
    Variable(String),
    /// The command line.
    Flag,
    /// The file of a secret, or a systemd credential.
    SecretFile,
}

/// The values that aren't defaults, as they were written. Configurations compare equal whatever their sources.
#[derive(Clone, Debug, Default)]
pub struct Provenance(BTreeMap<&'static str, (Source, String)>);

impl PartialEq for Provenance {
    fn eq(&self, _: &Provenance) -> bool {
        true
    }
}

impl Provenance {
    /// Records where a value comes from, replacing sources of lower precedence; a secret's value is never kept.
    pub(super) fn record(&mut self, name: &'static str, is_secret: bool, source: Source, shown: String) {
        let shown = match is_secret && !shown.is_empty() {
            true => SECRET.to_owned(),
            false => shown,
        };
        self.0.insert(name, (source, shown));
    }

    /// Returns the source of a setting and its value as written; `None` for a default.
    pub(super) fn of(&self, name: &str) -> Option<&(Source, String)> {
        self.0.get(name)
    }
}
