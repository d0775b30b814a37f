//! `fluglog import`

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;

use super::failure::Failure;
use super::{data_dir, output, owner, refusal};
use crate::control::imports::{self, ImportFiles, Imported, StagedFile};
use crate::control::task::Refusal;
use fluglog_base::error::Result;
use fluglog_base::number;
use fluglog_base::text;
use fluglog_config::Config;
use fluglog_store::blobs::{Blobs, UncommittedBlobs};
use fluglog_topics::imports::FILES;

/// Imports files for a pilot, who then reviews their flights.
pub fn run(config: &Config, email: String, paths: &[PathBuf]) -> std::result::Result<(), Failure> {
    let too_much = |sentence: &str| Failure::new(Failure::REFUSED, sentence);
    if paths.len() > FILES.most {
        return Err(too_much(FILES.too_many));
    }
    let opened: Vec<_> = paths
        .iter()
        .map(|path| open(path))
        .collect::<std::result::Result<_, _>>()?;
    if opened.iter().map(|file| file.bytes).sum::<u64>() > FILES.most_bytes {
        return Err(too_much(FILES.too_large));
    }
    if !data_dir::has_database(&config.data_dir) {
        // Fails with the sentence about a missing database.
        data_dir::open(&config.data_dir, false)?;
    }
    let imported = {
        let blobs = Blobs::new(&config.data_dir, fluglog_app::disk_reserves(config));
        let mut staged = UncommittedBlobs::new(&blobs);
        let files = {
            let _owner = owner::act(&config.data_dir)?;
            stage(&blobs, &mut staged, opened).map_err(|error| refusal::failure(config, Refusal::of_a_call(error)))
        };
        let asked = files.and_then(|files| {
            let email = email.clone();
            data_dir::ask(config, ImportFiles { email, files })
        });
        let _owner = owner::act(&config.data_dir)?;
        // The task has made copies of its own.
        drop(staged);
        asked?.value
    };
    say(&email, imported)
}

struct Opened {
    name: String,
    file: File,
    bytes: u64,
}

fn open(path: &Path) -> std::result::Result<Opened, Failure> {
    let failed = |why: &str| Failure::new(Failure::REFUSED, format!("{} {why}", path.display()));
    let mut options = OpenOptions::new();
    // Otherwise a pipe without a writer would block the command.
    options.read(true).custom_flags(OFlag::O_NONBLOCK.bits());
    let file = options.open(path).map_err(|error| {
        failed(match error.kind() {
            io::ErrorKind::NotFound => "ist nicht da.",
            io::ErrorKind::PermissionDenied => "darf nicht gelesen werden; mit sudo geht es vielleicht.",
            _ => "ist nicht lesbar.",
        })
    })?;
    match file.metadata() {
        Ok(about) if about.is_file() => Ok(Opened {
            name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            bytes: about.len(),
            file,
        }),
        _ => Err(failed(
            "ist keine Datei; nennen Sie die Dateien einzeln, etwa mit „LOGS/*.csv“.",
        )),
    }
}

/// Copies files to where the server can read them.
fn stage(blobs: &Blobs, staged: &mut UncommittedBlobs<'_>, files: Vec<Opened>) -> Result<Vec<StagedFile>> {
    let mut all = Vec::new();
    for Opened { name, file, .. } in files {
        let content = imports::copy_to_blobs(blobs, file, FILES.most_bytes)?;
        let blob = staged.keep(content)?.id.to_string();
        all.push(StagedFile { name, blob });
    }
    Ok(all)
}

fn say(email: &str, imported: Imported) -> std::result::Result<(), Failure> {
    let Imported {
        flights,
        waits,
        messages,
    } = imported;
    let mut told: Vec<_> = messages
        .iter()
        .filter(|(_, message)| !message.is_empty())
        .map(|(name, message)| format!("{}: {message}\n", output::without_control_characters(name)))
        .collect();
    if !waits {
        let why = told.concat();
        let why = why.trim_end().replace('\n', " ");
        return Err(Failure::new(
            Failure::REFUSED,
            if why.is_empty() { text::IMPORT_NO_FLIGHTS } else { &why },
        ));
    }
    let found = match flights {
        0 => "Die Dateien warten".to_owned(),
        1 => "1 Flug wartet".to_owned(),
        _ => format!("{} warten", number::counted(flights as u64, "Flug", "Flüge")),
    };
    told.push(format!("{found} auf {}, unter „Aus Datei übernehmen“.\n", email.trim()));
    output::say(&told.concat())
}
