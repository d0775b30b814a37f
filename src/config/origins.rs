//! Where the values of settings come from. Knows no setting.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Shown in place of a secret.
pub const SECRET: &str = "…";

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    Default,
    File(PathBuf),
    /// An environment variable.
    Variable(String),
    /// The command line.
    Flag,
    /// The file of a secret, or systemd.
    SecretFile,
}

/// The values that aren't the defaults, as they were written. They make no two configurations differ.
#[derive(Clone, Debug, Default)]
pub struct Origins(BTreeMap<&'static str, (Source, String)>);

impl PartialEq for Origins {
    fn eq(&self, _: &Origins) -> bool {
        true
    }
}

impl Origins {
    /// Notes a value, in place of one that counts less. Of a secret only that it is there.
    pub(super) fn note(&mut self, name: &'static str, is_secret: bool, source: Source, shown: String) {
        let shown = match is_secret && !shown.is_empty() {
            true => SECRET.to_owned(),
            false => shown,
        };
        self.0.insert(name, (source, shown));
    }

    /// Where a setting comes from and how it was written, unless it is the default.
    pub(super) fn of(&self, name: &str) -> Option<&(Source, String)> {
        self.0.get(name)
    }
}
