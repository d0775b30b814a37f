//! Creates and opens the data directory. Every failure is one sentence that names the path and a way out.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

use nix::unistd::{AccessFlags, eaccess, geteuid};

use super::failure::Failure;
use super::{blobs_folder, owner, refusal};
use crate::archive::last_backup;
use crate::archive::replaced::{self, UNFINISHED};
use crate::control::question::{self, Answer, AnyTask};
use crate::control::socket;
use crate::control::task::{Refusal, Task};
use fluglog_app::App;
use fluglog_base::dir::{Dir, create_or_truncate};
use fluglog_base::error::Error;
use fluglog_base::number;
use fluglog_base::time::{Clock, Zone};
use fluglog_config::Config;
use fluglog_mail::outbox;
use fluglog_store::blobs::folder::{FOLDER_NAME, LOST_AND_FOUND};
use fluglog_store::{OpenError, Store};
use fluglog_topics::registry;
use fluglog_web::assets::LEGAL_FOLDER;
use fluglog_web::authority;

/// How long to wait for the database: a starting or stopping server, or another command, holds it briefly without
/// answering.
pub const PATIENCE: Duration = Duration::from_secs(5);
pub const PAUSE: Duration = Duration::from_millis(50);
/// Entries that an admin may have prepared before the first use.
const PREPARED: [&str; 4] = [
    fluglog_config::FILE_NAME,
    LEGAL_FOLDER,
    authority::FOLDER_NAME,
    LOST_AND_FOUND,
];

/// Creates the directory with an empty database and, unless another one is in force, a configuration file.
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
    // The marker must be durable first: folders alone would look like data whose database is lost.
    marked
        .and_then(|_| sync_folder(dir))
        .map_err(|error| Failure::unusable(&begun, &error))?;
    blobs_folder::make(dir)?;
    make_config_and_outbox(config)?;
    // The database comes last: a directory with a database is complete.
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

/// Waits for other processes that are creating the directory, and keeps them out while the returned file lives. Best
/// effort on a file system without locks.
pub(crate) fn lock_directory(dir: &Path) -> Result<Dir, Failure> {
    let folder = Dir::open(dir).map_err(|error| Failure::unusable(dir, &error))?;
    let _ = folder.as_file().lock();
    Ok(folder)
}

/// Creates what belongs beside the data: the outbox and, unless another one is in force, a configuration file.
pub(crate) fn make_config_and_outbox(config: &Config) -> Result<(), Failure> {
    let dir = &config.data_dir;
    make_folder(&dir.join(outbox::FOLDER_NAME))?;
    let file = dir.join(fluglog_config::FILE_NAME);
    if !config.uses_other_file() && file.symlink_metadata().is_err() {
        write_configuration(&file).map_err(|error| Failure::unusable(&file, &error))?;
    }
    Ok(())
}

/// The failure when a restore was interrupted and must be repeated.
fn restore_again(dir: &Path) -> Failure {
    if replaced::is_interrupted(dir) {
        return Failure::new(
            Failure::CONFIGURATION,
            format!(
                "In {} wurde eine Wiederherstellung abgebrochen; führen Sie „fluglog restore --replace“ noch einmal \
                 aus. Die bisherigen Daten sind noch da.",
                dir.display()
            ),
        );
    }
    Failure::new(
        Failure::CONFIGURATION,
        format!(
            "In {} wurde eine Wiederherstellung abgebrochen; führen Sie „fluglog restore“ noch einmal aus oder leeren \
             Sie das Verzeichnis.",
            dir.display()
        ),
    )
}

/// Refuses a directory with a database but missing or unwritable parts: nothing must be recreated silently, and no
/// problem show only at the first upload.
pub(crate) fn check_parts(dir: &Path) -> Result<(), Failure> {
    let parts = [dir, &dir.join(FOLDER_NAME), &dir.join(outbox::FOLDER_NAME)];
    parts.into_iter().try_for_each(check_folder)
}

/// Refuses a directory that is there and that this user can't use, before a file in it is blamed.
pub(crate) fn check_access(dir: &Path) -> Result<(), Failure> {
    let Ok(found) = fs::metadata(dir) else {
        return Ok(());
    };
    let user = geteuid();
    check_folder(dir).map_err(|failure| match found.is_dir() && found.uid() != user.as_raw() {
        true => Failure::new(
            Failure::CONFIGURATION,
            format!(
                "{dir} gehört nicht dem Benutzer mit der Nummer {user}, als der Fluglog hier läuft. Das ändert: sudo \
                 chown --recursive {user}: {dir}",
                dir = dir.display()
            ),
        ),
        false => failure,
    })
}

fn check_folder(path: &Path) -> Result<(), Failure> {
    let is_folder = fs::metadata(path).map(|found| found.is_dir());
    let usable = is_folder.and_then(|is_folder| match is_folder {
        false => Err(io::ErrorKind::NotADirectory.into()),
        true => {
            let needed = AccessFlags::R_OK | AccessFlags::W_OK | AccessFlags::X_OK;
            Ok(eaccess(path, needed)?)
        }
    });
    usable.map_err(|error| Failure::unusable(path, &error))
}

/// Ends a restore that was killed just before its last steps.
pub(crate) fn clear_finished_restore(dir: &Path) {
    if has_database(dir) {
        let _ = replaced::finish(dir);
        // Best effort: the folder rarely exists, and one with content isn't meant.
        #[expect(
            clippy::disallowed_methods,
            reason = "the system refuses a directory with anything in it"
        )]
        let _ = fs::remove_dir(dir.join(UNFINISHED));
    }
}

/// Whether the directory contains nothing but what an admin may have prepared, or leftovers of an interrupted
/// operation, which are named `unfinished`. Never true with a database.
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

/// The failure when a directory that must be empty isn't.
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

pub(crate) fn has_database(dir: &Path) -> bool {
    dir.join(fluglog_store::FILE_NAME).exists()
}

pub fn open(dir: &Path, create: bool) -> Result<Store, Failure> {
    let store = Store::open(dir, create).map_err(|error| open_failure(dir, &error))?;
    complete_derived(dir, store)
}

/// Completes what is derived from the records, which an earlier version may have left out.
pub(crate) fn complete_derived(dir: &Path, store: Store) -> Result<Store, Failure> {
    if store.is_read_only() {
        return Ok(store);
    }
    match store.write(registry::complete) {
        // The write may have revealed that nothing can be stored any more.
        Ok(()) | Err(Error::ReadOnly) => Ok(store),
        Err(Error::Busy(cause) | Error::DiskFull(cause)) => Err(open_failure(dir, &OpenError::Disk(cause))),
        // Every check reports unreadable records; the server starts and serves the rest.
        Err(error) => {
            tracing::error!("what follows from the records could not be completed: {error:?}");
            Ok(store)
        }
    }
}

/// Why the database of a directory can't be opened.
pub(crate) fn open_failure(dir: &Path, error: &OpenError) -> Failure {
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

/// The newest successful backup recorded in a damaged database, as the end of a sentence.
pub(crate) fn newest_backup(dir: &Path) -> String {
    match last_backup::recovered(dir) {
        Some(backup) => format!(
            "die letzte gute Sicherung ist vom {} und ging nach {}.",
            Clock::system(Zone::UTC).wall_time_at(backup.finished).date(),
            backup.target
        ),
        None => "von einer guten Sicherung weiß die Datenbank nichts mehr.".to_owned(),
    }
}

/// The failure when a server is running that must be stopped first.
pub(crate) fn still_served(dir: &Path) -> Failure {
    Failure::new(
        Failure::REFUSED,
        format!(
            "Auf {} läuft ein Fluglog-Server; beenden Sie ihn vorher.",
            dir.display()
        ),
    )
}

/// The outcome of a task, and by whom it was performed.
pub struct Answered<T> {
    pub value: T,
    pub by_a_server: bool,
    /// The zone for displaying its times.
    pub time_zone: String,
    pub clock: Clock,
}

/// Performs a task in the running server, or directly if there is none.
pub fn ask<T: Task + Into<AnyTask>>(config: &Config, task: T) -> Result<Answered<T::Outcome>, Failure> {
    let answered = ask_for(config, task, &mut io::sink())?;
    Ok(Answered {
        value: answered.value.map_err(|refusal| refusal::failure(config, refusal))?,
        by_a_server: answered.by_a_server,
        time_zone: answered.time_zone,
        clock: answered.clock,
    })
}

/// Like [`ask`], but returns a refusal to the caller, and streamed output goes to `out`.
pub(crate) fn ask_for<T: Task + Into<AnyTask>>(
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
        // Dropped once the task has been performed.
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

/// The failure when a server ended while it answered.
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

/// The failure when a process holds the database and doesn't answer.
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

/// The failure when a running server already holds the database.
pub(crate) fn already_served(dir: &Path) -> Failure {
    Failure::new(
        Failure::REFUSED,
        format!(
            "Auf {} läuft bereits ein Fluglog-Server; wählen Sie mit --data-dir ein anderes Verzeichnis oder beenden \
             Sie ihn.",
            dir.display()
        ),
    )
}

/// Creates a folder that only its owner may enter; an existing one stays as it is.
pub(crate) fn make_folder(path: &Path) -> Result<(), Failure> {
    let mut builder = DirBuilder::new();
    let made = builder.recursive(true).mode(0o700).create(path);
    made.map_err(|error| Failure::unusable(path, &error))
}

/// Creates a folder, or takes an existing one, and lets only its owner enter.
pub(crate) fn make_closed_folder(path: &Path) -> Result<(), Failure> {
    make_folder(path)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o700)).map_err(|error| Failure::unusable(path, &error))
}

/// Writes a file completely or not at all.
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
