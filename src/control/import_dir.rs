//! The admin's folder `import_dir` with a folder for each pilot, named after the e-mail address: files put there
//! become an import of that pilot. Nothing in it is changed or removed.
//!
//! A pilot may have write access and may replace a folder by a link at any moment. So every step of a path is opened
//! relative to the open folder before it, never through a link, and a file counts only if it belongs to the owner of
//! the pilot's folder or to root. Fluglog's own data aren't imported, whatever name leads to them.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use nix::unistd::geteuid;

use super::imports;
use fluglog_accounts::guard::{self, Viewer};
use fluglog_app::{App, tasks};
use fluglog_base::dir::{Dir, Identity, identity};
use fluglog_base::error::{Error, Result};
use fluglog_base::limits::tasks::Task;
use fluglog_base::secret::digest_key;
use fluglog_mail::outbox;
use fluglog_store::blobs::folder::FOLDER_NAME;
use fluglog_store::blobs::hash_content;
use fluglog_topics::imports::{FILES, MAX_FILE_BYTES};
use fluglog_web::authority;

/// Limits for nested folders and for entries examined per pilot.
const MAX_DEPTH: usize = 4;
const MAX_ENTRIES: usize = 10_000;
/// Folders that storage devices and Windows keep for themselves in every shared folder.
const FOLDERS_OF_STORAGE: [&str; 8] = [
    "@eadir",
    "@recycle",
    "@recently-snapshot",
    "#recycle",
    "#snapshot",
    "lost+found",
    "$recycle.bin",
    "system volume information",
];
/// Endings of files that are still being copied.
const UNFINISHED: [&str; 6] = [".part", ".partial", ".filepart", ".crdownload", ".download", ".tmp"];

/// Scans the folder as long as the server runs.
pub async fn watch(app: Arc<App>) {
    let Some(folder) = app.config.import_dir.clone() else {
        return;
    };
    let every = Duration::from_secs_f64(app.config.limits.import_dir_seconds);
    let mut rounds = tasks::rounds(Task::ImportFolder, Duration::ZERO, every);
    let mut scanner = Scanner::default();
    loop {
        rounds.tick().await;
        let (app, folder) = (Arc::clone(&app), folder.clone());
        let looked = tasks::blocking(Task::ImportFolder, move || {
            scanner.scan(&app, &folder);
            scanner
        });
        match looked.await {
            Ok(looked) => scanner = looked,
            Err(_) => return tracing::error!("import_dir isn't looked into any more"),
        }
    }
}

/// The state of the folder at the last scan.
#[derive(Default)]
struct Scanner {
    /// By path relative to the folder.
    files: HashMap<PathBuf, FileState>,
    /// Sentences that have been logged.
    logged: HashSet<String>,
}

/// A file at the last scan.
struct FileState {
    bytes: u64,
    modified: SystemTime,
    /// The digest of its content, computed once the file had stopped changing.
    digest: Option<u128>,
    /// Whether the file needs no further work.
    is_done: bool,
}

/// A file that hasn't changed since the last scan.
struct UnchangedFile {
    path: PathBuf,
    file: File,
    bytes: u64,
    digest: u128,
}

/// The open folder of one pilot.
struct PilotFolder {
    /// Path relative to `import_dir`.
    path: PathBuf,
    dir: Dir,
    /// The user id of the folder's owner.
    owner: u32,
    viewer: Viewer,
}

impl PilotFolder {
    fn open(parent: &Dir, name: OsString, viewer: Viewer) -> io::Result<PilotFolder> {
        let dir = parent.open_dir(&name)?;
        Ok(PilotFolder {
            owner: dir.as_file().metadata()?.uid(),
            path: PathBuf::from(name),
            dir,
            viewer,
        })
    }
}

impl Scanner {
    fn scan(&mut self, app: &App, folder: &Path) {
        if app.store.is_read_only() {
            return;
        }
        let own = own_folders(&app.config.data_dir);
        let parent = match open_parent(folder, &own) {
            Ok(parent) => parent,
            Err(error) => return self.warn_once(format!("import_dir can't be read: {error}")),
        };
        let pilots = self.pilots(app, &parent);
        let mut there = HashSet::new();
        for (name, viewer) in pilots {
            // A folder that can't be opened is skipped in this scan.
            let Ok(place) = PilotFolder::open(&parent, name, viewer) else {
                continue;
            };
            let mut files = Files {
                own: &own,
                found: Vec::new(),
                entries_left: MAX_ENTRIES,
            };
            files.list(&place.dir, &place.path, MAX_DEPTH);
            let mut files = files.found;
            files.sort_by(|(one, _), (other, _)| one.cmp(other));
            let resting = files.iter().filter(|(path, found)| self.is_unchanged(path, found));
            let resting = resting.map(|(path, _)| path.clone()).collect();
            there.extend(files.into_iter().map(|(path, _)| path));
            if let Err(error) = self.take(app, &place, resting) {
                self.warn_once(format!("files in import_dir wait: {}", cause(&error)));
            }
        }
        self.files.retain(|path, _| there.contains(path));
    }

    /// The folders of pilots.
    fn pilots(&mut self, app: &App, parent: &Dir) -> Vec<(OsString, Viewer)> {
        let mut pilots = Vec::new();
        let entries = parent.entries().into_iter().flatten().flatten();
        let folders = entries.filter(|(name, found)| found.is_dir() && !is_left_alone(name));
        for (name, _) in folders.take(MAX_ENTRIES) {
            let email = name.to_string_lossy();
            match app.store.read(|data| guard::named_by_admin(data, &email)) {
                Ok(viewer) => pilots.push((name, viewer)),
                Err(_) => self.warn_once(format!("no user has the address of a folder in import_dir: {email:?}")),
            }
        }
        pilots
    }

    /// Whether a file that isn't done is unchanged since the last scan.
    fn is_unchanged(&mut self, path: &Path, found: &Metadata) -> bool {
        let (bytes, modified) = (found.len(), found.modified().unwrap_or(SystemTime::UNIX_EPOCH));
        match self.files.get(path) {
            Some(seen) if (seen.bytes, seen.modified) == (bytes, modified) => !seen.is_done && bytes > 0,
            _ => {
                let new = FileState {
                    bytes,
                    modified,
                    digest: None,
                    is_done: false,
                };
                self.files.insert(path.to_owned(), new);
                false
            }
        }
    }

    /// Imports files for a pilot, in batches of at most an upload's size.
    fn take(&mut self, app: &App, place: &PilotFolder, paths: Vec<PathBuf>) -> Result<()> {
        let mut batch: Vec<UnchangedFile> = Vec::new();
        for path in paths {
            let Some(file) = self.open(app, place, path)? else {
                continue;
            };
            let bytes = batch.iter().map(|file| file.bytes).sum::<u64>() + file.bytes;
            if batch.len() == FILES.most || bytes > FILES.most_bytes {
                self.import(app, place.viewer, std::mem::take(&mut batch))?;
            }
            batch.push(file);
        }
        match batch.is_empty() {
            true => Ok(()),
            false => self.import(app, place.viewer, batch),
        }
    }

    /// Opens a file unless its content has been imported before.
    fn open(&mut self, app: &App, place: &PilotFolder, path: PathBuf) -> Result<Option<UnchangedFile>> {
        let Some(seen) = self.files.get_mut(&path) else {
            return Ok(None);
        };
        if seen.bytes > MAX_FILE_BYTES {
            seen.is_done = true;
            self.warn_once(format!(
                "a file in import_dir is larger than 100 MB: {}",
                path.display()
            ));
            return Ok(None);
        }
        let read = || -> io::Result<(File, u128)> {
            let below = path.strip_prefix(&place.path).map_err(io::Error::other)?;
            let mut file = place.dir.open_file_below(below)?;
            check_is_of_pilot(&file.metadata()?, place.owner, &app.config.data_dir)?;
            let digest = match seen.digest {
                Some(digest) => digest,
                // The file may have grown or been replaced since the scan.
                None => digest_key(&hash_content((&file).take(MAX_FILE_BYTES))?.0).0,
            };
            file.rewind()?;
            Ok((file, digest))
        };
        let (file, digest) = match read() {
            Ok(read) => read,
            Err(error) => {
                self.warn_once(format!("{} in import_dir isn't read: {error}", path.display()));
                return Ok(None);
            }
        };
        let bytes = seen.bytes;
        seen.digest = Some(digest);
        if app
            .store
            .read(|data| fluglog_topics::imports::was_read_from_drop_folder(data, &place.viewer, digest))?
        {
            seen.is_done = true;
            return Ok(None);
        }
        Ok(Some(UnchangedFile {
            path,
            file,
            bytes,
            digest,
        }))
    }

    fn import(&mut self, app: &App, viewer: Viewer, batch: Vec<UnchangedFile>) -> Result<()> {
        let digests: Vec<_> = batch.iter().map(|file| file.digest).collect();
        let paths: Vec<_> = batch.iter().map(|file| file.path.clone()).collect();
        let named = |file: UnchangedFile| {
            let name = file.path.file_name().unwrap_or_default();
            (name.to_string_lossy().into_owned(), file.file)
        };
        match imports::import(app, viewer, batch.into_iter().map(named).collect()) {
            Ok(found) => tracing::info!(
                "{} flights of {} files in import_dir wait for {}",
                found.proposals.len(),
                paths.len(),
                viewer.user()
            ),
            // A retry wouldn't change these results.
            Err(Error::UnsupportedFile(_) | Error::FilesTooLarge(_) | Error::Invalid { .. }) => {
                tracing::info!("nothing was found in {} files in import_dir", paths.len());
            }
            Err(error) => return Err(error),
        }
        imports::remember(app, viewer, digests)?;
        for path in &paths {
            if let Some(seen) = self.files.get_mut(path) {
                seen.is_done = true;
            }
        }
        Ok(())
    }

    /// Logs a sentence once.
    fn warn_once(&mut self, sentence: String) {
        if self.logged.len() < MAX_ENTRIES && self.logged.insert(sentence.clone()) {
            tracing::warn!("{sentence}");
        }
    }
}

/// Opens the folder of all pilots, unless it is one of Fluglog's own.
fn open_parent(folder: &Path, own: &[Identity]) -> io::Result<Dir> {
    let dir = Dir::open(folder)?;
    match own.contains(&identity(&dir.as_file().metadata()?)) {
        true => Err(io::Error::other("it is a folder of the data directory")),
        false => Ok(dir),
    }
}

/// The data directory and Fluglog's folders in it.
fn own_folders(data_dir: &Path) -> Vec<Identity> {
    let below = [FOLDER_NAME, outbox::FOLDER_NAME, authority::FOLDER_NAME].map(|name| data_dir.join(name));
    let folders = below.iter().map(PathBuf::as_path).chain([data_dir]);
    let found = folders.filter_map(|folder| folder.metadata().ok());
    found.map(|found| identity(&found)).collect()
}

/// Refuses an open file that belongs neither to the owner of the pilot's folder nor to root, or that is a hard link to
/// one of Fluglog's own.
fn check_is_of_pilot(file: &Metadata, owner: u32, data_dir: &Path) -> io::Result<()> {
    let is_admins = file.uid() == 0 && !geteuid().is_root();
    if file.uid() != owner && !is_admins {
        let why = format!("it belongs to user {}, the pilot's folder to user {owner}", file.uid());
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
    }
    let is_in = |folder: &Path| -> io::Result<bool> {
        let dir = Dir::open(folder)?;
        let mut entries = dir.entries()?;
        Ok(entries.any(|entry| entry.is_ok_and(|(_, found)| identity(&found) == identity(file))))
    };
    // Fluglog's own files have a single name unless somebody has added a hard link.
    if file.nlink() > 1 && (is_in(data_dir)? || is_in(&data_dir.join(FOLDER_NAME))?) {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it is a file of Fluglog's own",
        ));
    }
    Ok(())
}

/// Collects the files in a pilot's folder.
struct Files<'a> {
    own: &'a [Identity],
    found: Vec<(PathBuf, Metadata)>,
    /// Number of entries that may still be examined.
    entries_left: usize,
}

impl Files<'_> {
    /// Adds all files of a folder that aren't left alone, with paths below `path`. Links aren't followed, as they may
    /// lead anywhere; Fluglog's own folders aren't entered.
    fn list(&mut self, dir: &Dir, path: &Path, depth: usize) {
        let is_own = |found: Metadata| self.own.contains(&identity(&found));
        let Ok(entries) = dir.entries() else { return };
        if dir.as_file().metadata().map_or(true, is_own) {
            return;
        }
        for (name, found) in entries.flatten() {
            let Some(entries_left) = self.entries_left.checked_sub(1) else {
                return;
            };
            self.entries_left = entries_left;
            if is_left_alone(&name) {
                continue;
            }
            let path = path.join(&name);
            if found.is_file() {
                self.found.push((path, found));
            } else if found.is_dir()
                && depth > 1
                && let Ok(inner) = dir.open_dir(&name)
            {
                self.list(&inner, &path, depth - 1);
            }
        }
    }
}

/// Returns whether a name is that of a hidden file, of a file that is still being copied, or of a storage device's own
/// folder.
fn is_left_alone(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_lowercase();
    name.starts_with('.')
        || name.ends_with('~')
        || FOLDERS_OF_STORAGE.contains(&&*name)
        || UNFINISHED.iter().any(|ending| name.ends_with(ending))
}

/// The text of an error for the log.
fn cause(error: &Error) -> String {
    match error {
        Error::Busy(cause) | Error::DiskFull(cause) | Error::Internal(cause) => cause.clone(),
        other => other.sentence().to_owned(),
    }
}

#[cfg(test)]
mod tests;
