//! The data directory: making it, opening what is in it. Every failure is one sentence that names the path and the way
//! out.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

use nix::unistd::{AccessFlags, eaccess};

use super::failure::Failure;
use super::{blobs_folder, owner, refusal};
use crate::archive::last_backup;
use crate::archive::restore::UNFINISHED;
use crate::control::question::{self, Answer, AnyTask};
use crate::control::socket;
use crate::control::task::{Refusal, Task};
use fluglog_app::App;
use fluglog_base::dir::create_or_truncate;
use fluglog_base::error::Error;
use fluglog_base::number;
use fluglog_base::time::{Clock, Zone};
use fluglog_config::Config;
use fluglog_mail::outbox;
use fluglog_store::blobs::folder::{FOLDER_NAME, LOST_AND_FOUND};
use fluglog_store::{OpenError, Store};
use fluglog_topics::registry;
use fluglog_web::assets::LEGAL_FOLDER;

/// A server that is starting or ending holds the database for a moment without answering, and so does a command.
pub const PATIENCE: Duration = Duration::from_secs(5);
pub const PAUSE: Duration = Duration::from_millis(50);
/// Entries that an admin may have put into the directory before its first use.
const PREPARED: [&str; 3] = [fluglog_config::FILE_NAME, LEGAL_FOLDER, LOST_AND_FOUND];

/// Makes the directory with an empty database and, unless another one is in force, a configuration file.
pub fn make(config: &Config) -> Result<Store, Failure> {
    let dir = &config.data_dir;
    if has_database(dir) {
        return Err(has_one_already(dir));
    }
    if dir.join(UNFINISHED).exists() {
        return Err(restore_again(dir));
    }
    blobs_folder::refuse_full(dir)?;
    if is_fresh(dir, fluglog_store::UNFINISHED_NAME)? {
        make_closed_folder(dir)?;
    }
    let _lock = lock_directory(dir)?;
    if has_database(dir) {
        return Err(has_one_already(dir));
    }
    let begun = dir.join(fluglog_store::UNFINISHED_NAME);
    let mut options = OpenOptions::new();
    let marked = options.append(true).create(true).mode(0o600).open(&begun);
    // On disk before all else: folders alone would look like data whose database is lost.
    marked
        .and_then(|_| sync_folder(dir))
        .map_err(|error| Failure::unusable(&begun, &error))?;
    blobs_folder::make(dir)?;
    make_config_and_outbox(config)?;
    // The database comes last: a directory that has one has all of it.
    sync_folder(dir).map_err(|error| Failure::unusable(dir, &error))?;
    let store = open(dir, true)?;
    let database = dir.join(fluglog_store::FILE_NAME);
    fs::set_permissions(&database, fs::Permissions::from_mode(0o600))
        .map_err(|error| Failure::unusable(&database, &error))?;
    Ok(store)
}

fn has_one_already(dir: &Path) -> Failure {
    Failure::new(
        Failure::REFUSED,
        format!(
            "{} enthält bereits eine Fluglog-Datenbank; es wurde nichts geändert. Wählen Sie mit --data-dir ein \
             anderes Verzeichnis.",
            dir.display()
        ),
    )
}

/// Waits until nobody else fills the directory; nobody does while the answer lives. A file system without locks has
/// none to wait for.
pub fn lock_directory(dir: &Path) -> Result<File, Failure> {
    let folder = File::open(dir).map_err(|error| Failure::unusable(dir, &error))?;
    let _ = folder.lock();
    Ok(folder)
}

/// Makes what stands beside the data: the folder of the mails and, unless another one is in force, a configuration
/// file.
pub fn make_config_and_outbox(config: &Config) -> Result<(), Failure> {
    let dir = &config.data_dir;
    make_folder(&dir.join(outbox::FOLDER_NAME))?;
    let file = dir.join(fluglog_config::FILE_NAME);
    if !config.uses_other_file() && file.symlink_metadata().is_err() {
        write_configuration(&file).map_err(|error| Failure::unusable(&file, &error))?;
    }
    Ok(())
}

/// An unfinished restore must be repeated before the directory is used.
fn restore_again(dir: &Path) -> Failure {
    Failure::new(
        Failure::CONFIGURATION,
        format!(
            "In {} wurde eine Wiederherstellung abgebrochen; führen Sie „fluglog restore“ noch einmal aus oder leeren \
             Sie das Verzeichnis.",
            dir.display()
        ),
    )
}

/// Refuses a directory that has a database but not all that belongs to it, or where something can't be written: nothing
/// is made anew in silence, nor found out with the first upload.
pub fn check_parts(dir: &Path) -> Result<(), Failure> {
    for path in [dir, &dir.join(FOLDER_NAME), &dir.join(outbox::FOLDER_NAME)] {
        let is_folder = fs::metadata(path).map(|found| found.is_dir());
        let usable = is_folder.and_then(|is_folder| match is_folder {
            false => Err(io::ErrorKind::NotADirectory.into()),
            true => {
                let needed = AccessFlags::R_OK | AccessFlags::W_OK | AccessFlags::X_OK;
                Ok(eaccess(path, needed)?)
            }
        });
        usable.map_err(|error| Failure::unusable(path, &error))?;
    }
    Ok(())
}

/// Removes what a restore left that was killed after its very last step but one: its folder, empty by then.
pub fn clear_finished_restore(dir: &Path) {
    if has_database(dir) {
        // It is hardly ever there, and one that isn't empty is none of this.
        #[expect(
            clippy::disallowed_methods,
            reason = "the system refuses a directory with anything in it"
        )]
        let _ = fs::remove_dir(dir.join(UNFINISHED));
    }
}

/// Whether there is nothing yet but what an admin may have prepared, or what is left of work that was broken off while
/// it was called `unfinished`. A database is never among it.
pub fn is_fresh(dir: &Path, unfinished: &str) -> Result<bool, Failure> {
    let left = [
        unfinished,
        FOLDER_NAME,
        outbox::FOLDER_NAME,
        fluglog_config::UNFINISHED_FILE_NAME,
    ];
    let was_broken_off = dir.join(unfinished).exists();
    let entries = match fs::read_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        entries => entries.map_err(|error| Failure::unusable(dir, &error))?,
    };
    for entry in entries {
        let entry = entry.map_err(|error| Failure::unusable(dir, &error))?;
        let name = entry.file_name();
        let is = |names: &[&str]| names.iter().any(|expected| name == *expected);
        if !(is(&PREPARED) || was_broken_off && is(&left)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// There is something in the directory where nothing may be.
pub fn not_empty(dir: &Path) -> Failure {
    Failure::new(
        Failure::REFUSED,
        format!(
            "{} ist nicht leer; es wurde nichts geändert. Wählen Sie mit --data-dir ein leeres Verzeichnis oder \
             benennen Sie dieses vorher um.",
            dir.display()
        ),
    )
}

/// Whether the directory holds a database.
pub fn has_database(dir: &Path) -> bool {
    dir.join(fluglog_store::FILE_NAME).exists()
}

/// Opens the database of a directory.
pub fn open(dir: &Path, create: bool) -> Result<Store, Failure> {
    let store = Store::open(dir, create).map_err(|error| open_failure(dir, &error))?;
    complete_derived(dir, store)
}

/// A database with all that follows from its records, even if an earlier version wrote it.
pub fn complete_derived(dir: &Path, store: Store) -> Result<Store, Failure> {
    if store.is_read_only() {
        return Ok(store);
    }
    match store.write(registry::complete) {
        // It may have turned out that nothing can be written.
        Ok(()) | Err(Error::ReadOnly) => Ok(store),
        Err(Error::Busy(cause) | Error::DiskFull(cause)) => Err(open_failure(dir, &OpenError::Disk(cause))),
        // Each check finds what is unreadable. The server starts and serves the rest.
        Err(error) => {
            tracing::error!("what follows from the records could not be completed: {error:?}");
            Ok(store)
        }
    }
}

/// Why the database of a directory can't be opened.
pub fn open_failure(dir: &Path, error: &OpenError) -> Failure {
    let path = dir.join(fluglog_store::FILE_NAME);
    match error {
        OpenError::Missing if dir.join(UNFINISHED).exists() => restore_again(dir),
        OpenError::Missing => Failure::new(
            Failure::CONFIGURATION,
            format!(
                "In {} liegt keine Fluglog-Datenbank; „fluglog init --data-dir {}“ legt sie an.",
                dir.display(),
                dir.display()
            ),
        ),
        OpenError::Locked => locked(dir),
        OpenError::Newer { schema, program } => Failure::new(
            Failure::CONFIGURATION,
            format!(
                "{} wurde von Fluglog {program} geschrieben (Schema {schema}); diese Version {} kennt nur Schema {}. \
                 Installieren Sie mindestens Fluglog {program}.",
                path.display(),
                env!("CARGO_PKG_VERSION"),
                fluglog_store::migrations::SCHEMA
            ),
        ),
        OpenError::NotMigrated { from, to, bytes, .. } => Failure::new(
            Failure::CONFIGURATION,
            format!(
                "Die Daten in {} kommen von Schema {from} auf Schema {to}; die Kopie, die vorher angelegt wird, gelang \
                 nicht. Sie braucht {} freien Speicherplatz und Schreibrechte.",
                dir.display(),
                number::size(*bytes)
            ),
        ),
        OpenError::Damaged(_) => Failure::new(
            Failure::CONFIGURATION,
            format!(
                "{} ist beschädigt und lässt sich nicht öffnen. „fluglog recover --data-dir {} --output rettung.tar“ \
                 rettet, was noch lesbar ist; {}",
                path.display(),
                dir.display(),
                newest_backup(dir)
            ),
        ),
        OpenError::Disk(_) => Failure::new(
            Failure::DISK,
            format!(
                "{} kann gerade nicht geöffnet werden: Der Datenträger ist voll oder meldet Fehler. Prüfen Sie den \
                 freien Speicherplatz und den Datenträger.",
                path.display()
            ),
        ),
        OpenError::Unusable(_) => Failure::new(
            Failure::CONFIGURATION,
            format!(
                "{} kann nicht geöffnet werden; prüfen Sie die Rechte der Datei und den freien Speicherplatz.",
                path.display()
            ),
        ),
    }
}

/// The newest good backup that a damaged database still knows of, as the end of a sentence.
pub fn newest_backup(dir: &Path) -> String {
    match last_backup::last_good_from_damaged(dir) {
        Some(backup) => format!(
            "die letzte gute Sicherung ist vom {} und ging nach {}.",
            Clock::system(Zone::UTC).wall_time_at(backup.finished).date(),
            backup.target
        ),
        None => "von einer guten Sicherung weiß die Datenbank nichts mehr.".to_owned(),
    }
}

/// A server that works on a directory is in the way.
pub fn still_served(dir: &Path) -> Failure {
    Failure::new(
        Failure::REFUSED,
        format!(
            "Auf {} läuft ein Fluglog-Server; beenden Sie ihn vorher.",
            dir.display()
        ),
    )
}

/// An answer, and who gave it.
pub struct Answered<T> {
    pub value: T,
    pub by_a_server: bool,
    /// The zone that its times are shown in.
    pub time_zone: String,
    pub clock: Clock,
}

/// Has a task done by the running server, or by opening the database when there is none.
pub fn ask<T: Task + Into<AnyTask>>(config: &Config, task: T) -> Result<Answered<T::Outcome>, Failure> {
    let answered = ask_for(config, task, &mut io::sink())?;
    Ok(Answered {
        value: answered.value.map_err(|refusal| refusal::failure(config, refusal))?,
        by_a_server: answered.by_a_server,
        time_zone: answered.time_zone,
        clock: answered.clock,
    })
}

/// As [`ask`], but leaves a refusal to the caller. Output that isn't part of the outcome goes to `out`.
pub fn ask_for<T: Task + Into<AnyTask>>(
    config: &Config,
    task: T,
    out: &mut dyn Write,
) -> Result<Answered<Result<T::Outcome, Refusal>>, Failure> {
    let answered = |answer: Answer<T::Outcome>, by_a_server| {
        let zone = Zone::named(&answer.time_zone).unwrap_or(config.time_zone);
        Answered {
            value: answer.outcome,
            by_a_server,
            time_zone: answer.time_zone,
            clock: Clock::system(zone),
        }
    };
    let begun = Instant::now();
    loop {
        match socket::ask(&config.data_dir, &task, out) {
            Ok(Some(answer)) => return Ok(answered(answer, true)),
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotADirectory | io::ErrorKind::PermissionDenied
                ) =>
            {
                return Err(Failure::unusable(&config.data_dir, &error));
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                return Err(locked(&config.data_dir));
            }
            Err(_) => return Err(broken_off(&config.data_dir)),
            Ok(None) => {}
        }
        // Until the answer is there.
        let _owner = owner::act(&config.data_dir)?;
        match open(&config.data_dir, false) {
            Ok(store) => {
                clear_finished_restore(&config.data_dir);
                if !T::TAKES_ANY_DIRECTORY {
                    check_parts(&config.data_dir)?;
                }
                let _blobs = blobs_folder::take(&config.data_dir, &store)?;
                let app = App::new(config.clone(), store);
                return Ok(answered(question::answer(&app, task, out), false));
            }
            Err(failure) if failure.code == Failure::LOCKED && begun.elapsed() < PATIENCE => std::thread::sleep(PAUSE),
            Err(failure) => return Err(failure),
        }
    }
}

/// A server ended while it answered.
fn broken_off(dir: &Path) -> Failure {
    Failure::new(
        Failure::REFUSED,
        format!(
            "Der Server auf {} ist mitten in der Antwort gegangen; sehen Sie in seinem Protokoll nach, und versuchen \
             Sie es erneut.",
            dir.display()
        ),
    )
}

/// The database is held by a process that doesn't answer.
pub fn locked(dir: &Path) -> Failure {
    Failure::new(
        Failure::LOCKED,
        format!(
            "Die Datenbank in {} ist von einem Prozess belegt, der nicht antwortet; beenden Sie ihn und versuchen Sie \
             es erneut.",
            dir.display()
        ),
    )
}

/// A server that answers holds the database.
pub fn already_served(dir: &Path) -> Failure {
    Failure::new(
        Failure::REFUSED,
        format!(
            "Auf {} läuft bereits ein Fluglog-Server; wählen Sie mit --data-dir ein anderes Verzeichnis oder beenden \
             Sie ihn.",
            dir.display()
        ),
    )
}

/// Makes a folder for its owner alone, or takes the one that is there as it is.
pub fn make_folder(path: &Path) -> Result<(), Failure> {
    let mut builder = DirBuilder::new();
    let made = builder.recursive(true).mode(0o700).create(path);
    made.map_err(|error| Failure::unusable(path, &error))
}

/// Makes a folder, or takes the one that is there, and closes it to others.
pub fn make_closed_folder(path: &Path) -> Result<(), Failure> {
    make_folder(path)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o700)).map_err(|error| Failure::unusable(path, &error))
}

/// Writes it whole or not at all.
#[expect(
    clippy::disallowed_methods,
    reason = "the caller saw nothing of the name; the other one is only this file's"
)]
fn write_configuration(path: &Path) -> io::Result<()> {
    let mut file = create_or_truncate(&path.with_file_name(fluglog_config::UNFINISHED_FILE_NAME))?;
    file.write_all(fluglog_config::keys::commented_example().as_bytes())?;
    file.sync_all()?;
    fs::rename(path.with_file_name(fluglog_config::UNFINISHED_FILE_NAME), path)?;
    sync_folder(path.parent().unwrap_or(Path::new(".")))
}

fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
