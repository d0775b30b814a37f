//! `fluglog backup …`

pub mod contents;
pub mod file;
pub mod targets;

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::failure::Failure;
use super::{data_dir, output, owner};
use crate::alarms::BACKUP_ON_SAME_DISK;
use crate::archive::folder::{self, CountingWriter};
use crate::control::{self, data::RememberBackup};
use file::Target;
use fluglog_base::number;
use fluglog_base::time::Clock;
use fluglog_config::Config;
use fluglog_process::{log, machine};

/// Time of day for nightly backups, in the form of a stamp.
const NIGHT: &str = "030000";
const LOOK_EVERY: Duration = Duration::from_secs(60);

/// The arguments of `backup`.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Backup {
    #[command(subcommand)]
    command: Option<Command>,
    /// Datei oder Verzeichnis, „-“ für die Standardausgabe; ein Fluglog-Archiv dieses Namens wird ersetzt, eine andere
    /// Datei nie [Vorgabe: fluglog-JJJJMMTT-HHMMSS.tar im aktuellen Verzeichnis]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Behält nur die neuesten N Sicherungen dieses Namensmusters im Verzeichnis
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    keep: Option<u32>,
    /// Sichert nur auf einen eigenen, eingehängten Datenträger; ohne ihn ist die Sicherung misslungen, und nichts geht
    /// auf die Karte der Daten
    #[arg(long, requires = "output")]
    require_mount: bool,
    /// Bleibt und macht jede Nacht nach 3 Uhr eine Sicherung, nachdem die vorige geprüft ist; für Container ohne Timer
    #[arg(long, requires = "output")]
    nightly: bool,
}

/// Further commands about backups.
#[derive(Subcommand)]
pub enum Command {
    /// Prüft, ob ein Archiv vollständig und unbeschädigt ist
    Verify {
        /// Das Archiv; von einem Verzeichnis das neueste darin, und „fluglog status“ sagt danach, wie es ausging
        #[arg(value_name = "FILE", required_unless_present = "target")]
        file: Option<PathBuf>,
        #[command(flatten)]
        source: targets::Source,
        /// Als JSON
        #[arg(long)]
        json: bool,
    },
    /// Zeigt, welche Sicherungen bei den Zielen der Einstellungen (backup.targets) liegen
    List {
        /// Nur dieses Ziel
        #[arg(long, value_name = "NAME")]
        target: Option<String>,
        /// Als JSON
        #[arg(long)]
        json: bool,
    },
}

/// Makes, verifies or lists backups.
pub fn run(config: &Config, backup: Backup) -> Result<(), Failure> {
    match &backup.command {
        Some(Command::Verify { file, source, json }) => return verify(config, file.as_deref(), source, *json),
        Some(Command::List { target, json }) => return targets::list(config, target.as_deref(), *json),
        None => {}
    }
    let target = Target::of(backup.output.clone(), backup.keep.is_some()).inspect_err(|failure| {
        if failure.code == Failure::REFUSED {
            remember_failure(&config.data_dir, &backup, failure);
        }
    })?;
    match (backup.nightly, &target) {
        (false, _) => make(config, &target, &backup),
        (true, Target::Folder(folder)) => every_night(config, &target, folder, &backup),
        (true, _) => Err(Failure::new(
            Failure::USAGE,
            "--nightly braucht mit --output ein Verzeichnis.",
        )),
    }
}

fn verify(config: &Config, file: Option<&Path>, source: &targets::Source, json: bool) -> Result<(), Failure> {
    // A missing path without an extension is taken for a folder on a disk that isn't mounted.
    let is_folder = |file: &&Path| file.is_dir() || (file.extension().is_none() && !file.exists());
    if let Some(folder) = file.filter(is_folder) {
        return contents::verify_newest(config, folder, json);
    }
    let (name, archive) = source.open(config, file)?;
    contents::verify(config, &name, archive, json)
}

fn make(config: &Config, target: &Target, backup: &Backup) -> Result<(), Failure> {
    let is_damaged = |made: &WrittenArchive| made.damage.is_some();
    let mounted = match backup.require_mount {
        true => check_mount(config, target),
        false => Ok(()),
    };
    let made = mounted
        .and_then(|()| put(config, target, is_damaged, |to, place| write(config, to, place)))
        .and_then(|(path, made)| {
            if let (Some(keep), None) = (backup.keep, &made.damage) {
                folder::delete_oldest(&path, keep).map_err(|error| file::failed(&path, &error))?;
            }
            Ok((path, made))
        });
    remember(config, target, &made);
    let (path, made) = made?;
    let mut sent = Ok(());
    if !matches!(target, Target::Output) {
        let said = say_made(config, &path, made.bytes);
        sent = targets::send(config, &path, made.damage.is_none());
        said?;
    }
    match made.damage {
        None => sent,
        Some(sentence) => Err(Failure::new(Failure::REFUSED, sentence)),
    }
}

fn say_made(config: &Config, path: &Path, bytes: u64) -> Result<(), Failure> {
    let shown = path.strip_prefix(".").unwrap_or(path).display();
    output::say(&format!("Gesichert: {shown} ({})\n", number::size(bytes)))?;
    match config.targets.all.is_empty() && machine::are_on_same_filesystem(path, &config.data_dir) {
        true => output::say(&format!("{BACKUP_ON_SAME_DISK}\n")),
        false => Ok(()),
    }
}

/// Refuses a folder that isn't on a disk of its own: an unmounted disk's folder is on the disk of the system or of the
/// data.
fn check_mount(config: &Config, target: &Target) -> Result<(), Failure> {
    let folder = match target {
        Target::Output => return Ok(()),
        Target::File(path) => folder::folder_of(path),
        Target::Folder(folder) => folder,
    };
    let others = [Path::new("/"), &config.data_dir];
    if !others
        .iter()
        .any(|other| machine::are_on_same_filesystem(folder, other))
    {
        return Ok(());
    }
    Err(Failure::new(
        Failure::REFUSED,
        format!(
            "An {} ist kein eigener Datenträger eingehängt; es wurde nichts gesichert. Steckt der Stick?",
            folder.display()
        ),
    ))
}

/// Makes a backup every night as long as the process runs. Reports failures and tries again the next night.
fn every_night(config: &Config, target: &Target, folder: &Path, backup: &Backup) -> Result<(), Failure> {
    let clock = Clock::system(config.time_zone);
    let mut tried = String::new();
    loop {
        let now = clock.file_stamp_at(clock.unix_seconds());
        let newest = folder::newest_stamp(folder).unwrap_or_default();
        if is_night_due(newest.as_deref().unwrap_or_default().max(&tried), &now) {
            let verified = match newest {
                Some(_) => contents::verify_newest(config, folder, false),
                None => Ok(()),
            };
            for failure in [verified, make(config, target, backup)]
                .into_iter()
                .filter_map(Result::err)
            {
                // Best effort: stderr may be closed, and the status reports the failure as well.
                let _ = writeln!(
                    io::stderr(),
                    "{}fluglog: {}",
                    log::journal_error_prefix(),
                    failure.sentence
                );
            }
            tried = now;
        }
        thread::sleep(LOOK_EVERY);
    }
}

/// Whether a night has begun since the last backup. Both times are stamps; `last` is empty before the first backup.
fn is_night_due(last: &str, now: &str) -> bool {
    let (last_day, _) = last.split_once('-').unwrap_or_default();
    let (day, time) = now.split_once('-').unwrap_or_default();
    last_day < day && (last_day.is_empty() || time >= NIGHT)
}

/// A complete archive.
struct WrittenArchive {
    bytes: u64,
    /// A sentence about damage in the data.
    damage: Option<String>,
}

/// Writes an archive to `target` and returns its path; leaves nothing behind on failure. If `spare` says that an
/// existing archive must be kept, the new one gets a name made from the time, in the same folder.
pub fn put<T>(
    config: &Config,
    target: &Target,
    spare: impl FnOnce(&T) -> bool,
    write: impl FnOnce(&mut dyn Write, &Path) -> Result<T, Failure>,
) -> Result<(PathBuf, T), Failure> {
    match target {
        Target::Output => {
            let mut output = io::stdout();
            if output.is_terminal() {
                return Err(Failure::new(
                    Failure::USAGE,
                    "Das Archiv gehört nicht auf den Bildschirm; leiten Sie die Ausgabe um, zum Beispiel mit „> \
                     sicherung.tar“.",
                ));
            }
            let name = PathBuf::from("-");
            let made = write(&mut output, &name)?;
            Ok((name, made))
        }
        Target::File(path) => {
            let failed = |error: io::Error| file::failed(path, &error);
            let mut unfinished = folder::UnfinishedArchive::begin(folder::folder_of(path)).map_err(failed)?;
            unfinished.give_to_owner_of(&config.data_dir);
            let made = write(unfinished.file(), path)?;
            if path.exists() && spare(&made) {
                let path = unfinished.publish(named_by_time(config, folder::folder_of(path)));
                return Ok((path.map_err(failed)?, made));
            }
            unfinished.replace(path).map_err(failed)?;
            Ok((path.clone(), made))
        }
        Target::Folder(folder) => {
            let failed = |error: io::Error| file::failed(folder, &error);
            let name = named_by_time(config, folder);
            let mut unfinished = folder::UnfinishedArchive::begin(folder).map_err(failed)?;
            unfinished.give_to_owner_of(&config.data_dir);
            let made = write(unfinished.file(), folder)?;
            let path = unfinished.publish(name);
            Ok((path.map_err(failed)?, made))
        }
    }
}

/// Returns the path for an archive made now, or a number of seconds later.
fn named_by_time(config: &Config, folder: &Path) -> impl Fn(i64) -> PathBuf {
    let clock = Clock::system(config.time_zone);
    let now = clock.unix_seconds();
    move |later| folder.join(folder::name(&clock.file_stamp_at(now + later)))
}

fn write(config: &Config, to: &mut dyn Write, place: &Path) -> Result<WrittenArchive, Failure> {
    let mut counted = CountingWriter::new(to);
    let answered = data_dir::ask_for(config, control::data::Backup, &mut counted);
    let bytes = counted.bytes;
    if let Some(error) = counted.failure {
        return Err(file::failed(place, &error));
    }
    let refuse = |sentence: String| Err(Failure::new(Failure::REFUSED, sentence));
    match answered.map(|answered| answered.value) {
        Ok(Ok(0)) => Ok(WrittenArchive { bytes, damage: None }),
        Ok(Ok(damages)) => {
            let sentence = format!(
                "Die Sicherung enthält alles, was lesbar ist, aber die Daten haben {}. {}",
                number::counted(damages as u64, "Schaden", "Schäden"),
                what_helps(config)
            );
            Ok(WrittenArchive {
                bytes,
                damage: Some(sentence),
            })
        }
        Ok(Err(_)) => refuse(format!(
            "Die Sicherung ist abgebrochen, weil ein Teil der Daten nicht lesbar ist. {}",
            what_helps(config)
        )),
        Err(_) if bytes > 0 => refuse(
            "Der Server hat die Sicherung nicht zu Ende gebracht; es bleibt kein Archiv zurück. Versuchen Sie es \
             erneut."
                .to_owned(),
        ),
        Err(failure) => Err(failure),
    }
}

/// The commands that help with damaged data.
fn what_helps(config: &Config) -> String {
    format!(
        "Ältere Sicherungen bleiben liegen; {} „fluglog check“ nennt, was beschädigt ist; steht der Server, rettet \
         „fluglog recover“, was noch lesbar ist.",
        data_dir::newest_backup(&config.data_dir)
    )
}

/// Records the outcome for the status. Best effort: the backup itself is complete.
fn remember(config: &Config, target: &Target, made: &Result<(PathBuf, WrittenArchive), Failure>) {
    let by_root = owner::is_root_for_another(&config.data_dir);
    let noted = match made {
        Ok((path, made)) => RememberBackup {
            target: fs::canonicalize(path)
                .unwrap_or_else(|_| path.clone())
                .display()
                .to_string(),
            bytes: made.bytes,
            failure: made.damage.clone().unwrap_or_default(),
            by_root,
        },
        // These failures mean that no database can be opened to record it in.
        Err(failure) if failure.code != Failure::REFUSED => return,
        Err(failure) => RememberBackup {
            target: match target {
                Target::Output => target.to_string(),
                Target::File(path) | Target::Folder(path) => full(path),
            },
            bytes: 0,
            failure: failure.sentence.clone(),
            by_root,
        },
    };
    let _ = data_dir::ask(config, noted);
}

/// The absolute path, even of something that doesn't exist.
fn full(path: &Path) -> String {
    std::path::absolute(path)
        .unwrap_or_else(|_| path.to_owned())
        .display()
        .to_string()
}

/// Records for the status that a backup wasn't begun: the settings can't be read, or its destination is unusable.
pub(crate) fn remember_failure(data_dir: &Path, backup: &Backup, failure: &Failure) {
    if backup.command.is_some() {
        return;
    }
    let output = backup.output.as_deref().unwrap_or(Path::new("."));
    let config = Config {
        data_dir: data_dir.to_owned(),
        ..Config::default()
    };
    let noted = RememberBackup {
        target: full(output),
        bytes: 0,
        failure: failure.sentence.clone(),
        by_root: owner::is_root_for_another(data_dir),
    };
    let _ = data_dir::ask(&config, noted);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_night_begins_at_three_and_is_made_up_for_once() {
        for (last, now, is_due) in [
            ("", "20260131-120000", true),
            ("20260131-120000", "20260131-235959", false),
            ("20260131-120000", "20260201-025959", false),
            ("20260131-120000", "20260201-030000", true),
            ("20260201-030001", "20260201-235959", false),
            ("20260101-030000", "20260201-120000", true),
            // The clock was set back.
            ("20260201-030000", "20260131-120000", false),
        ] {
            assert_eq!(is_night_due(last, now), is_due, "{last} {now}");
        }
    }
}
