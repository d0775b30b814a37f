//! `fluglog export`

use std::fs::{self, File};
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;

use super::backup::file;
use super::failure::Failure;
use super::{data_dir, output, refusal};
use crate::archive::folder::{self, CountingWriter, UnfinishedArchive};
use crate::control::spaces::ExportSpace;
use crate::control::users::Export;
use crate::export::model::Exported;
use fluglog_base::number;
use fluglog_config::Config;

/// The beginning of every ZIP.
const ZIP_START: [u8; 4] = *b"PK\x03\x04";

/// Whose data are exported, as the admin named them.
pub(super) enum Whose {
    /// By e-mail address.
    User(String),
    /// By name or id.
    Space(String),
}

/// Writes all data of a user, or the equipment of a space, into a ZIP. The file gets its name only when it is complete.
pub fn run(config: &Config, whose: Whose, output: &Path) -> Result<(), Failure> {
    if output.as_os_str() == "-" {
        return to_output(config, whose);
    }
    check_place(output, &ZIP_START, "ZIP")?;
    let failed = |error: io::Error| file::unwritable("Der Export", output, &error);
    let mut unfinished = UnfinishedArchive::begin(folder::folder_of(output)).map_err(failed)?;
    let exported = write(config, whose, unfinished.file(), output)?;
    unfinished.replace(output).map_err(failed)?;
    let counted = |count: usize, one, many| number::counted(count as u64, one, many);
    let flights = exported.flights;
    output::say(&format!(
        "{}: {}: {}{}, {}, {}.\n",
        output.display(),
        exported.whose,
        flights.map_or_else(String::new, |flights| counted(flights, "Flug", "Flüge") + ", "),
        counted(exported.equipment, "Teil Equipment", "Teile Equipment"),
        counted(exported.logs, "Log", "Logs"),
        counted(exported.files, "Datei", "Dateien")
    ))?;
    report_damaged_files(&exported)
}

fn to_output(config: &Config, whose: Whose) -> Result<(), Failure> {
    let mut output = io::stdout();
    if output.is_terminal() {
        return Err(Failure::new(
            Failure::USAGE,
            "Der Export gehört nicht auf den Bildschirm; leiten Sie die Ausgabe um, zum Beispiel mit „> export.zip“.",
        ));
    }
    let exported = write(config, whose, &mut output, Path::new("-"))?;
    report_damaged_files(&exported)
}

/// Reports files that were missing or damaged on the server: the export is complete without them, but must not pass
/// for a success.
fn report_damaged_files(exported: &Exported) -> Result<(), Failure> {
    if exported.damaged.is_empty() {
        return Ok(());
    }
    let damaged = exported
        .damaged
        .iter()
        .map(|path| format!("{path} fehlt oder ist beschädigt"));
    Err(Failure::new(
        Failure::REFUSED,
        format!(
            "{}. Alles andere ist im Export; „fluglog check“ sagt, was im Datenverzeichnis beschädigt ist.",
            damaged.collect::<Vec<_>>().join("; ")
        ),
    ))
}

fn write(config: &Config, whose: Whose, to: &mut dyn Write, place: &Path) -> Result<Exported, Failure> {
    let mut counted = CountingWriter::new(to);
    let answered = match whose {
        Whose::User(email) => data_dir::ask_for(config, Export { email }, &mut counted),
        Whose::Space(space) => data_dir::ask_for(config, ExportSpace { space }, &mut counted),
    };
    if let Some(error) = counted.failure {
        return Err(file::unwritable("Der Export", place, &error));
    }
    match answered {
        Ok(answered) => answered.value.map_err(|refusal| refusal::failure(config, refusal)),
        Err(_) if counted.bytes > 0 => Err(Failure::new(
            Failure::REFUSED,
            "Der Server hat den Export nicht zu Ende gebracht; es bleibt keine Datei zurück. Versuchen Sie es erneut.",
        )),
        Err(failure) => Err(failure),
    }
}

/// Refuses to replace anything but an earlier file of this kind, which begins with `start`.
pub(super) fn check_place(output: &Path, start: &[u8], kind: &str) -> Result<(), Failure> {
    let taken = format!("ist da und kein {kind}; es wird nicht überschrieben. Wählen Sie einen anderen Namen.");
    let why = match fs::metadata(output) {
        Ok(there) if there.is_dir() => "ist ein Verzeichnis; nennen Sie eine Datei darin.",
        Ok(there) if there.is_file() && begins_with(output, start) => return Ok(()),
        Ok(_) => &taken,
        Err(_) if folder::folder_of(output).is_dir() => return Ok(()),
        Err(_) => "liegt in keinem Verzeichnis, das es gibt; legen Sie es vorher an.",
    };
    Err(Failure::new(Failure::REFUSED, format!("{} {why}", output.display())))
}

fn begins_with(path: &Path, start: &[u8]) -> bool {
    let mut there = vec![0; start.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut there));
    read.is_ok() && there == start
}
