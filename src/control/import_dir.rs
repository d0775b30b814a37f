//! The folder of the admin's (`import_dir`) in which each pilot has one, named after the e-mail address: what is put
//! there becomes an import of that pilot. Nothing in it is changed or removed.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::Seek;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use nix::fcntl::OFlag;

use super::imports;
use crate::accounts::guard::{self, Viewer};
use crate::app::App;
use crate::base::error::{Error, Result};
use crate::base::secret::digest_key;
use crate::imports::{FILE_MOST_BYTES, FILES};
use crate::store::blobs;

/// Folders in each other, and files that are looked at.
const DEPTH_MOST: usize = 4;
const ENTRIES_MOST: usize = 10_000;

/// Looks into the folder for as long as the server runs.
pub async fn watch(app: Arc<App>) {
    let Some(folder) = app.config.import_dir.clone() else {
        return;
    };
    let mut every = tokio::time::interval(Duration::from_secs_f64(app.config.limits.import_dir_seconds));
    every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut looking = Looking::default();
    loop {
        every.tick().await;
        let (app, folder) = (Arc::clone(&app), folder.clone());
        let looked = tokio::task::spawn_blocking(move || {
            looking.look(&app, &folder);
            looking
        });
        match looked.await {
            Ok(looked) => looking = looked,
            Err(_) => return tracing::error!("import_dir isn't looked into any more"),
        }
    }
}

/// The folder as it was at the last look.
#[derive(Default)]
struct Looking {
    files: HashMap<PathBuf, Seen>,
    /// Sentences that the log has already.
    told: HashSet<String>,
}

/// A file as it was at the last look.
struct Seen {
    bytes: u64,
    modified: SystemTime,
    /// Of its content, once it rested.
    digest: Option<u128>,
    /// Whether nothing more is to be done with it.
    is_done: bool,
}

/// A file that rests.
struct Resting {
    path: PathBuf,
    file: File,
    bytes: u64,
    digest: u128,
}

impl Looking {
    fn look(&mut self, app: &App, folder: &Path) {
        if app.store.is_read_only() {
            return;
        }
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return self.tell(format!("import_dir can't be read: {error}")),
        };
        let mut there = HashSet::new();
        for entry in entries.flatten().filter(|entry| is_folder(&entry.path())) {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Ok(viewer) = app.store.read(|data| guard::named_by_admin(data, &name)) else {
                self.tell(format!("no user has the address of a folder in import_dir: {name:?}"));
                continue;
            };
            let mut paths = Vec::new();
            list(&entry.path(), DEPTH_MOST, &mut paths);
            paths.sort();
            let resting = paths.iter().filter(|path| self.rests(path)).cloned().collect();
            there.extend(paths);
            if let Err(error) = self.take(app, viewer, resting) {
                self.tell(format!("files in import_dir wait: {}", cause(&error)));
            }
        }
        self.files.retain(|path, _| there.contains(path));
    }

    /// Whether a file that isn't done yet is as it was at the last look.
    fn rests(&mut self, path: &Path) -> bool {
        let Ok(about) = path.symlink_metadata() else {
            return false;
        };
        let (bytes, modified) = (about.len(), about.modified().unwrap_or(SystemTime::UNIX_EPOCH));
        match self.files.get(path) {
            Some(seen) if (seen.bytes, seen.modified) == (bytes, modified) => !seen.is_done && bytes > 0,
            _ => {
                let new = Seen {
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

    /// Gives files to a pilot, as many at a time as an upload may have.
    fn take(&mut self, app: &App, viewer: Viewer, paths: Vec<PathBuf>) -> Result<()> {
        let mut batch: Vec<Resting> = Vec::new();
        for path in paths {
            let Some(file) = self.open(app, viewer, path)? else {
                continue;
            };
            let bytes = batch.iter().map(|file| file.bytes).sum::<u64>() + file.bytes;
            if batch.len() == FILES.most || bytes > FILES.most_bytes {
                self.import(app, viewer, std::mem::take(&mut batch))?;
            }
            batch.push(file);
        }
        match batch.is_empty() {
            true => Ok(()),
            false => self.import(app, viewer, batch),
        }
    }

    /// A file that wasn't looked through before.
    fn open(&mut self, app: &App, viewer: Viewer, path: PathBuf) -> Result<Option<Resting>> {
        let mut options = OpenOptions::new();
        options
            .read(true)
            .custom_flags((OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits());
        let Some(seen) = self.files.get_mut(&path) else {
            return Ok(None);
        };
        let bytes = seen.bytes;
        if bytes > FILE_MOST_BYTES {
            seen.is_done = true;
            self.tell(format!(
                "a file in import_dir is larger than 100 MB: {}",
                path.display()
            ));
            return Ok(None);
        }
        let opened = options.open(&path).and_then(|mut file| {
            let digest = match seen.digest {
                Some(digest) => digest,
                None => digest_key(&blobs::sum(&file)?.0).0,
            };
            file.rewind()?;
            Ok((file, digest))
        });
        let (file, digest) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                self.tell(format!("{} can't be read: {error}", path.display()));
                return Ok(None);
            }
        };
        seen.digest = Some(digest);
        if app
            .store
            .read(|data| crate::imports::was_dropped(data, &viewer, digest))?
        {
            seen.is_done = true;
            return Ok(None);
        }
        Ok(Some(Resting {
            path,
            file,
            bytes,
            digest,
        }))
    }

    fn import(&mut self, app: &App, viewer: Viewer, batch: Vec<Resting>) -> Result<()> {
        let digests: Vec<_> = batch.iter().map(|file| file.digest).collect();
        let paths: Vec<_> = batch.iter().map(|file| file.path.clone()).collect();
        let named = |file: Resting| {
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
            // They are what they are.
            Err(Error::WrongKindOfFile(_) | Error::FilesTooLarge(_) | Error::Invalid { .. }) => {
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

    /// Says something in the log, once.
    fn tell(&mut self, sentence: String) {
        if self.told.len() < ENTRIES_MOST && self.told.insert(sentence.clone()) {
            tracing::warn!("{sentence}");
        }
    }
}

fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|about| about.is_dir())
}

/// All files of a folder that aren't hidden. Links lead anywhere, so they aren't followed.
fn list(folder: &Path, depth: usize, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if name.to_string_lossy().starts_with('.') || paths.len() >= ENTRIES_MOST {
            continue;
        }
        match entry.file_type() {
            Ok(kind) if kind.is_file() => paths.push(path),
            Ok(kind) if kind.is_dir() && depth > 1 => list(&path, depth - 1, paths),
            _ => {}
        }
    }
}

/// An error for the log.
fn cause(error: &Error) -> String {
    match error {
        Error::Busy(cause) | Error::Full(cause) | Error::Internal(cause) => cause.clone(),
        other => other.sentence().to_owned(),
    }
}
