//! Backup targets on the command line: sending, listing and reading archives.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::contents;
use crate::cli::failure::Failure;
use crate::cli::{data_dir, output, owner};
use crate::control::data::RememberTarget;
use crate::targets::{self, Keys, TargetError, Upload};
use fluglog_base::number;
use fluglog_base::time::Clock;
use fluglog_config::Config;
use fluglog_config::targets::Target;

/// An archive that is read: a file, or one at a target.
#[derive(Args)]
pub struct Source {
    /// Liest von diesem Ziel der Einstellungen (backup.targets) statt aus einer Datei
    #[arg(long, value_name = "NAME", conflicts_with = "file")]
    target: Option<String>,
    /// Das Archiv am Ziel [Vorgabe: das neueste]
    #[arg(long, value_name = "NAME", requires = "target")]
    archive: Option<String>,
    /// Datei mit dem geheimen Schlüssel von age, wenn das Archiv damit verschlüsselt ist; eine Passphrase steht in den
    /// Einstellungen
    #[arg(long, value_name = "FILE")]
    identity: Option<PathBuf>,
}

impl Source {
    /// Opens the archive. Returns its name and its decrypted content.
    ///
    /// # Errors
    /// The archive doesn't exist, or can't be read or decrypted.
    pub fn open(&self, config: &Config, file: Option<&Path>) -> Result<(String, Box<dyn Read>), Failure> {
        let encryptions = config
            .targets
            .all
            .iter()
            .filter_map(|target| target.encryption.as_ref());
        let keys = Keys::of(encryptions, self.identity.as_deref()).map_err(refused)?;
        match (&self.target, file) {
            (Some(name), _) => {
                let target = named(config, name)?;
                let read = targets::read(target, self.archive.as_deref(), &keys);
                let (archive, content) = read.map_err(|error| at(target, &error))?;
                Ok((format!("{archive} bei {name}"), content))
            }
            (None, Some(file)) => {
                let content = keys.open(contents::open(file)?).map_err(refused)?;
                Ok((file.display().to_string(), content))
            }
            (None, None) => Err(Failure::new(
                Failure::USAGE,
                "Es fehlt das Archiv: eine Datei oder mit --target ein Ziel aus den Einstellungen.",
            )),
        }
    }
}

fn refused(error: TargetError) -> Failure {
    Failure::new(Failure::REFUSED, error.to_string())
}

fn at(target: &Target, error: &TargetError) -> Failure {
    Failure::new(Failure::REFUSED, format!("Ziel „{}“: {error}", target.name))
}

fn named<'c>(config: &'c Config, name: &str) -> Result<&'c Target, Failure> {
    config.targets.named(name).ok_or_else(|| {
        let names: Vec<_> = config.targets.all.iter().map(|target| target.name.as_str()).collect();
        let known = match names.is_empty() {
            true => "in den Einstellungen (backup.targets) steht keins".to_owned(),
            false => format!("in den Einstellungen stehen: {}", names.join(", ")),
        };
        Failure::new(Failure::REFUSED, format!("Ein Ziel „{name}“ gibt es nicht; {known}."))
    })
}

/// Sends an archive to every target, and records the outcomes for the status. `replaces` says whether older archives
/// may be deleted.
///
/// # Errors
/// Some target didn't get the archive.
pub fn send(config: &Config, archive: &Path, replaces: bool) -> Result<(), Failure> {
    let clock = Clock::system(config.time_zone);
    let now = clock.unix_seconds();
    let upload = Upload {
        file: archive,
        stamp: &|later| clock.file_stamp_at(now + later),
        replaces,
        data_dir: &config.data_dir,
    };
    let by_root = owner::is_root_for_another(&config.data_dir);
    let mut failed = Vec::new();
    for target in &config.targets.all {
        let name = target.name.clone();
        let noted = match targets::send(target, &upload) {
            Ok(stored) => {
                let size = number::size(stored.bytes);
                // A closed stdout must not keep other targets from getting the archive.
                let _ = output::say(&format!("Auch bei {name}: {} ({size})\n", stored.name));
                RememberTarget {
                    name,
                    archive: stored.name,
                    bytes: stored.bytes,
                    failure: String::new(),
                    by_root,
                }
            }
            Err(error) => {
                failed.push(at(target, &error).sentence);
                RememberTarget {
                    name,
                    archive: String::new(),
                    bytes: 0,
                    failure: error.to_string(),
                    by_root,
                }
            }
        };
        // Best effort: the backup itself is complete.
        let _ = data_dir::ask(config, noted);
    }
    match failed.is_empty() {
        true => Ok(()),
        false => Err(Failure::new(
            Failure::REFUSED,
            format!(
                "Die Sicherung ist gemacht, kam aber nicht überall an. {}",
                failed.join(" ")
            ),
        )),
    }
}

/// The archives at a target, as JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Printed {
    target: String,
    place: String,
    archives: Vec<ArchiveFile>,
    /// Why the target can't be reached.
    failure: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArchiveFile {
    name: String,
    bytes: u64,
    /// Whether it isn't encrypted although its target encrypts.
    #[serde(skip)]
    is_unexpectedly_plain: bool,
}

/// Lists the archives at all targets, or at one.
///
/// # Errors
/// A target can't be reached.
pub fn list(config: &Config, only: Option<&str>, json: bool) -> Result<(), Failure> {
    let all = match only {
        Some(name) => vec![named(config, name)?],
        None => config.targets.all.iter().collect(),
    };
    if all.is_empty() && !json {
        return output::say("In den Einstellungen (backup.targets) steht kein Ziel.\n");
    }
    let listed: Vec<_> = all.iter().map(|target| printed(target)).collect();
    if json {
        output::say_json(&listed)?;
    } else {
        let lines: String = listed.iter().map(lines).collect();
        output::say(&lines)?;
    }
    let failed: Vec<_> = listed
        .iter()
        .filter(|one| one.failure.is_some())
        .map(|one| one.target.as_str())
        .collect();
    match failed.is_empty() {
        true => Ok(()),
        false => Err(Failure::new(
            Failure::REFUSED,
            format!("Nicht zu lesen: {}.", failed.join(", ")),
        )),
    }
}

fn printed(target: &Target) -> Printed {
    let (archives, failure) = match targets::list(target) {
        Ok(archives) => (archives, None),
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    Printed {
        target: target.name.clone(),
        place: target.place.shown(),
        archives: archives
            .into_iter()
            .map(|archive| ArchiveFile {
                is_unexpectedly_plain: targets::is_unexpectedly_plain(target, &archive),
                name: archive.name,
                bytes: archive.bytes,
            })
            .collect(),
        failure,
    }
}

fn lines(target: &Printed) -> String {
    let mut text = format!("{} ({})\n", target.target, target.place);
    if let Some(failure) = &target.failure {
        text += &format!("  {failure}\n");
    } else if target.archives.is_empty() {
        text += "  noch keine Sicherung\n";
    }
    for archive in &target.archives {
        let note = match archive.is_unexpectedly_plain {
            true => ", nicht verschlüsselt",
            false => "",
        };
        text += &format!("  {}  {}{note}\n", archive.name, number::size(archive.bytes));
    }
    text
}
