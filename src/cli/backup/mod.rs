//! `fluglog backup …`

pub mod file;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde::Serialize;

use super::failure::Failure;
use super::{data_dir, finding, output};
use crate::archive::reader::{self, Contents, Refused};
use crate::base::config::Config;
use crate::base::number;
use crate::base::time::Clock;
use crate::control::{self, data::RememberBackup};
use crate::store::loading::Loading;
use crate::store::migrations::SCHEMA;
use file::Target;

/// Bytes read of an archive at a time.
pub const READ_BYTES: usize = 256 * 1024;

/// The arguments of `backup`.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Backup {
    #[command(subcommand)]
    command: Option<Command>,
    /// Datei oder Verzeichnis, „-“ für die Standardausgabe; ein Fluglog-Archiv dieses Namens wird ersetzt, eine andere Datei nie [Vorgabe: fluglog-JJJJMMTT-HHMMSS.tar im aktuellen Verzeichnis]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Behält nur die neuesten N Sicherungen dieses Namensmusters im Verzeichnis
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    keep: Option<u32>,
}

/// Further commands about backups.
#[derive(Subcommand)]
pub enum Command {
    /// Prüft, ob ein Archiv vollständig und unbeschädigt ist
    Verify {
        /// Das Archiv
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Als JSON
        #[arg(long)]
        json: bool,
    },
}

/// Makes a backup, or looks at one.
pub fn run(config: &Config, backup: Backup) -> Result<(), Failure> {
    if let Some(Command::Verify { file, json }) = backup.command {
        return verify(config, &file, json);
    }
    let target = Target::of(backup.output, backup.keep.is_some())?;
    let made = put(config, &target, |to, place| write(config, to, place)).and_then(|(path, made)| {
        if let (Some(keep), None) = (backup.keep, &made.trouble) {
            file::forget_oldest(&path, keep).map_err(|error| file::failed(&path, &error))?;
        }
        Ok((path, made))
    });
    remember(config, &target, &made);
    let (path, made) = made?;
    if !matches!(target, Target::Output) {
        let shown = path.strip_prefix(".").unwrap_or(&path).display();
        output::say(&format!("Gesichert: {shown} ({})\n", number::size(made.bytes)))?;
    }
    match made.trouble {
        None => Ok(()),
        Some(sentence) => Err(Failure::new(Failure::REFUSED, sentence)),
    }
}

/// An archive that is whole.
struct Made {
    bytes: u64,
    /// The damage of the data in it.
    trouble: Option<String>,
}

/// Has an archive written where it belongs; the place that it got. Nothing of it stays when that fails.
pub fn put<T>(
    config: &Config,
    target: &Target,
    write: impl FnOnce(&mut dyn Write, &Path) -> Result<T, Failure>,
) -> Result<(PathBuf, T), Failure> {
    match target {
        Target::Output => {
            let mut output = io::stdout();
            if output.is_terminal() {
                return Err(Failure::new(
                    Failure::USAGE,
                    "Das Archiv gehört nicht auf den Bildschirm; leiten Sie die Ausgabe um, zum Beispiel mit „> sicherung.tar“.",
                ));
            }
            let name = PathBuf::from("-");
            let made = write(&mut output, &name)?;
            Ok((name, made))
        }
        Target::File(path) => {
            let failed = |error: io::Error| file::failed(path, &error);
            let mut unfinished = file::Unfinished::begin(file::folder_of(path)).map_err(failed)?;
            let made = write(unfinished.file(), path)?;
            unfinished.replace(path).map_err(failed)?;
            Ok((path.clone(), made))
        }
        Target::Folder(folder) => {
            let failed = |error: io::Error| file::failed(folder, &error);
            let clock = Clock::system(config.time_zone);
            let now = clock.unix_seconds();
            let mut unfinished = file::Unfinished::begin(folder).map_err(failed)?;
            let made = write(unfinished.file(), folder)?;
            let path = unfinished.publish(|later| folder.join(file::name(&clock.stamp_at(now + later))));
            Ok((path.map_err(failed)?, made))
        }
    }
}

/// Writes an archive to the end.
fn write(config: &Config, to: &mut dyn Write, place: &Path) -> Result<Made, Failure> {
    let mut counted = Counted::new(to);
    let answered = data_dir::ask_for(config, control::data::Backup, &mut counted);
    let bytes = counted.bytes;
    if let Some(error) = counted.failure {
        return Err(file::failed(place, &error));
    }
    let refuse = |sentence| Err(Failure::new(Failure::REFUSED, sentence));
    match answered.map(|answered| answered.value) {
        Ok(Ok(0)) => Ok(Made { bytes, trouble: None }),
        Ok(Ok(damages)) => {
            let sentence = format!(
                "Die Sicherung enthält alles, was lesbar ist, aber die Daten haben {}; „fluglog check“ nennt sie. Ältere Sicherungen bleiben liegen, weil sie mehr enthalten können.",
                number::counted(damages as u64, "Schaden", "Schäden")
            );
            Ok(Made {
                bytes,
                trouble: Some(sentence),
            })
        }
        Ok(Err(_)) => refuse(
            "Die Sicherung ist abgebrochen, weil die Daten nicht lesbar sind oder niemand sie mehr entgegennimmt; „fluglog check“ prüft die Daten.",
        ),
        Err(_) if bytes > 0 => refuse(
            "Der Server hat die Sicherung nicht zu Ende gebracht; es bleibt kein Archiv zurück. Versuchen Sie es erneut.",
        ),
        Err(failure) => Err(failure),
    }
}

/// Notes for the status how it went. A backup is none the worse if that fails.
fn remember(config: &Config, target: &Target, made: &Result<(PathBuf, Made), Failure>) {
    let noted = match made {
        Ok((path, made)) => RememberBackup {
            target: fs::canonicalize(path)
                .unwrap_or_else(|_| path.clone())
                .display()
                .to_string(),
            bytes: made.bytes,
            failure: made.trouble.clone().unwrap_or_default(),
        },
        // Then there is no database to note it in.
        Err(failure) if failure.code != Failure::REFUSED => return,
        Err(failure) => RememberBackup {
            target: target.to_string(),
            bytes: 0,
            failure: failure.sentence.clone(),
        },
    };
    let _ = data_dir::ask(config, noted);
}

/// Notes for the status that a backup wasn't even begun, because the settings can't be read.
pub fn remember_failure(data_dir: &Path, backup: &Backup, failure: &Failure) {
    if backup.command.is_some() {
        return;
    }
    let output = backup.output.as_deref().unwrap_or(Path::new("."));
    let config = Config {
        data_dir: data_dir.to_owned(),
        ..Config::default()
    };
    let noted = RememberBackup {
        target: output.display().to_string(),
        bytes: 0,
        failure: failure.sentence.clone(),
    };
    let _ = data_dir::ask(&config, noted);
}

/// Counts what is written through it, and keeps the first error: the other end only learns that nobody takes any more.
pub struct Counted<'w> {
    inner: &'w mut dyn Write,
    pub bytes: u64,
    pub failure: Option<io::Error>,
}

impl<'w> Counted<'w> {
    /// Nothing yet.
    pub fn new(inner: &'w mut dyn Write) -> Counted<'w> {
        Counted {
            inner,
            bytes: 0,
            failure: None,
        }
    }
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.inner.write(bytes) {
            Ok(length) => {
                self.bytes += length as u64;
                Ok(length)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                let kind = error.kind();
                self.failure.get_or_insert(error);
                Err(kind.into())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.inner.flush();
        if let Err(error) = &flushed {
            self.failure.get_or_insert(error.kind().into());
        }
        flushed
    }
}

/// Opens an archive for reading.
pub fn open(file: &Path) -> Result<File, Failure> {
    let opened = File::open(file).and_then(|opened| match opened.metadata()?.is_dir() {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => Ok(opened),
    });
    opened.map_err(|error| {
        let why = match error.kind() {
            io::ErrorKind::NotFound => "es gibt sie nicht",
            io::ErrorKind::PermissionDenied => "dafür fehlen die Rechte",
            io::ErrorKind::IsADirectory => "es ist ein Verzeichnis",
            _ => "der Datenträger meldet einen Fehler",
        };
        Failure::new(
            Failure::REFUSED,
            format!("Die Datei {} kann nicht gelesen werden: {why}.", file.display()),
        )
    })
}

/// The content of an archive, for programs.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Printed {
    created: String,
    entries: u64,
    files: u64,
    file_bytes: u64,
    damage: Vec<String>,
    orphans: Vec<String>,
}

fn verify(config: &Config, file: &Path, json: bool) -> Result<(), Failure> {
    let archive = BufReader::with_capacity(READ_BYTES, open(file)?);
    let database = Loading::in_memory()
        .map_err(|_| Failure::new(Failure::REFUSED, "Für die Prüfung reicht der Arbeitsspeicher nicht."))?;
    let contents = reader::read(archive, &database, None).map_err(|error| refused(file, None, &error))?;
    let damage = damage_lines(&contents);
    if json {
        output::say_json(&Printed {
            created: Clock::system(config.time_zone)
                .wall_time_at(contents.created)
                .to_string(),
            entries: contents.findings.records(),
            files: contents.blobs,
            file_bytes: contents.blob_bytes,
            damage: finding::sentences(&contents.damage),
            orphans: finding::sentences(contents.findings.orphans()),
        })?;
    } else if damage.is_empty() {
        output::say(&format!(
            "{} ist vollständig: {}.\n",
            file.display(),
            described(config, &contents)
        ))?;
    } else {
        output::say(&damage)?;
    }
    if damage.is_empty() {
        return Ok(());
    }
    Err(Failure::new(
        Failure::REFUSED,
        format!(
            "{} ist vollständig, aber die Daten darin hatten schon beim Sichern Schäden; eine ältere Sicherung kann mehr enthalten.",
            file.display()
        ),
    ))
}

/// The content of an archive, as the end of a sentence.
pub fn described(config: &Config, contents: &Contents) -> String {
    format!(
        "Sicherung vom {} mit {} und {} ({})",
        Clock::system(config.time_zone).wall_time_at(contents.created),
        number::counted(contents.findings.records(), "Eintrag", "Einträgen"),
        number::counted(contents.blobs, "Datei", "Dateien"),
        number::size(contents.blob_bytes)
    )
}

/// The damage that the data had when they were saved; a line each.
pub fn damage_lines(contents: &Contents) -> String {
    let mut lines = String::new();
    // Writing into a string can't fail.
    for sentence in finding::sentences(&contents.damage) {
        let _ = writeln!(lines, "Schaden: {sentence}");
    }
    for sentence in finding::sentences(contents.findings.orphans()) {
        let _ = writeln!(lines, "Verwaist: {sentence}");
    }
    lines
}

/// Why an archive isn't taken, or what it should have become can't be written to `place`.
pub fn refused(file: &Path, place: Option<&Path>, refused: &Refused) -> Failure {
    let archive = file.display();
    let place = place.unwrap_or(file).display();
    match refused {
        Refused::Foreign => Failure::new(Failure::REFUSED, format!("{archive} ist keine Sicherung von Fluglog.")),
        Refused::Cut => Failure::new(
            Failure::REFUSED,
            format!("{archive} bricht vor dem Ende ab; nehmen Sie eine andere Sicherung."),
        ),
        Refused::Damaged(what) => Failure::new(
            Failure::REFUSED,
            format!("{archive} ist beschädigt: {what}. Nehmen Sie eine andere Sicherung."),
        ),
        Refused::Newer { schema, program } => Failure::new(
            Failure::CONFIGURATION,
            format!(
                "{archive} wurde von Fluglog {program} geschrieben (Schema {schema}); diese Version {} kennt nur Schema {SCHEMA}. Installieren Sie mindestens Fluglog {program}.",
                env!("CARGO_PKG_VERSION")
            ),
        ),
        Refused::Unreadable(_) => Failure::new(
            Failure::REFUSED,
            format!("{archive} kann nicht gelesen werden: der Datenträger meldet einen Fehler."),
        ),
        Refused::Unwritable(error) => {
            tracing::error!("the restore failed: {error}");
            Failure::new(
                Failure::REFUSED,
                format!(
                    "In {place} kann nicht geschrieben werden; prüfen Sie die Rechte und den freien Speicherplatz."
                ),
            )
        }
    }
}
