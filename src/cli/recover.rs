//! `fluglog recover`

use std::fmt::Write as _;
use std::fs::{File, TryLockError};
use std::io;
use std::path::PathBuf;

use super::failure::Failure;
use super::{backup, data_dir, finding, output, owner};
use crate::archive::folder::CountingWriter;
use crate::archive::recover::{self, Failed, Lost, Placeholder, Recovered};
use crate::control::socket;
use fluglog_base::dir::open_regular_file;
use fluglog_base::number;
use fluglog_base::time::Clock;
use fluglog_config::Config;
use fluglog_store::{OpenError, blobs};

/// Number of losses that are shown.
const MAX_SHOWN: usize = 500;

/// Makes an archive of what can be recovered from a damaged data directory.
pub fn run(config: &Config, to: PathBuf) -> Result<(), Failure> {
    let dir = &config.data_dir;
    let target = backup::file::Target::of(Some(to), false)?;
    if socket::is_server_running(dir) {
        return Err(data_dir::still_served(dir));
    }
    let clock = Clock::system(config.time_zone);
    let (path, (recovered, bytes)) = backup::put(
        config,
        &target,
        |_| false,
        |to, place| {
            // Files outside of the directory are open by now.
            let _owner = owner::act(dir)?;
            let _lock = lock_database_file(config)?;
            let mut counted = CountingWriter::new(to);
            let recovered = recover::recover(dir, &clock, &mut counted);
            match (counted.failure, recovered) {
                (Some(error), _) => Err(backup::file::failed(place, &error)),
                (None, Err(failed)) => Err(refused(config, failed)),
                (None, Ok(recovered)) => Ok((recovered, counted.bytes)),
            }
        },
    )?;
    if path.as_os_str() != "-" {
        output::say(&lines(&recovered))?;
        output::say(&format!("Gerettet: {} ({})\n", path.display(), number::size(bytes)))?;
    }
    match recovered.lost.len() {
        0 => Ok(()),
        _ => Err(Failure::new(
            Failure::REFUSED,
            format!(
                "{} enthält alles, was noch lesbar ist, aber es fehlt etwas. „fluglog restore“ stellt es in einem \
                 leeren Datenverzeichnis wieder her; eine Sicherung kann mehr enthalten.",
                path.display()
            ),
        )),
    }
}

/// Opens and locks the database file, so that nobody opens the database meanwhile.
fn lock_database_file(config: &Config) -> Result<File, Failure> {
    let dir = &config.data_dir;
    let path = dir.join(fluglog_store::FILE_NAME);
    let file = open_regular_file(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => data_dir::open_failure(dir, &OpenError::Missing),
        _ => Failure::unusable(&path, &error),
    })?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Err(data_dir::locked(dir)),
        // On a file system without locks, a server holds none either.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

fn lines(recovered: &Recovered) -> String {
    let mut text = String::new();
    // Writing into a string can't fail.
    for lost in recovered.lost.iter().take(MAX_SHOWN) {
        let _ = match lost {
            Lost::Records { table, count } => {
                writeln!(
                    text,
                    "Fehlt: {table}: {}",
                    number::counted(*count, "Eintrag", "Einträge")
                )
            }
            Lost::Older { table, count } => writeln!(
                text,
                "Unsicher: {table}: {} in einem vielleicht älteren Stand",
                number::counted(*count, "Eintrag", "Einträge")
            ),
            Lost::Unverified { table, count } => writeln!(
                text,
                "Unsicher: {table}: {} von Fluglog 1.3, deren Zuordnung nichts mehr beweist",
                number::counted(*count, "Eintrag", "Einträge")
            ),
            Lost::File { id, by } => writeln!(
                text,
                "Fehlt: {}/{id}: die Datei fehlt oder ist beschädigt; sie gehört zu {by}",
                blobs::folder::FOLDER_NAME
            ),
            Lost::UncommittedBlobs(name) => writeln!(
                text,
                "Übrig: {}/{name}: kein geretteter Eintrag nennt die Datei; sie bleibt, wo sie ist",
                blobs::folder::FOLDER_NAME
            ),
            Lost::Found(found) => writeln!(text, "Schaden: {}", finding::sentence(found)),
        };
    }
    if let Some(more @ 1..) = recovered.lost.len().checked_sub(MAX_SHOWN) {
        let _ = writeln!(text, "Fehlt: und {more} weitere");
    }
    for Placeholder { email, records } in &recovered.placeholders {
        let _ = writeln!(
            text,
            "Konto: {email} ist gesperrt und steht für ein Konto, das fehlt ({}). Nach „fluglog restore“ gibt es \
             seinem Piloten „fluglog user change {email} --email ADRESSE“, und „fluglog user reset ADRESSE“ den Link \
             für ein Passwort. Findet „fluglog user show ADRESSE“ es unter der Adresse des Piloten, ist es seins.",
            number::counted(*records, "Eintrag", "Einträge")
        );
    }
    for name in &recovered.spaces {
        let _ = writeln!(
            text,
            "Bereich: „{name}“ steht für einen Haushalt oder Verein, der fehlt; seine Mitglieder geben ihm seinen \
             Namen."
        );
    }
    let _ = writeln!(
        text,
        "{} und {} mit {} sind unbeschädigt.",
        number::counted(recovered.records, "Eintrag", "Einträge"),
        number::counted(recovered.files, "Datei", "Dateien"),
        number::size(recovered.file_bytes)
    );
    text
}

fn refused(config: &Config, failed: Failed) -> Failure {
    let dir = &config.data_dir;
    let path = dir.join(fluglog_store::FILE_NAME);
    match failed {
        Failed::Unreadable(error) => Failure::unusable(&path, &error),
        Failed::Newer { schema, program } => data_dir::open_failure(dir, &OpenError::Newer { schema, program }),
        Failed::NothingFound => Failure::new(
            Failure::REFUSED,
            format!(
                "In {} ist kein einziger Eintrag mehr lesbar; stellen Sie eine Sicherung wieder her.",
                path.display()
            ),
        ),
        Failed::Unwritten => Failure::new(
            Failure::REFUSED,
            "Das Archiv kann nicht geschrieben werden; prüfen Sie den freien Speicherplatz und den Arbeitsspeicher.",
        ),
    }
}
