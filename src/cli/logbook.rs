//! `fluglog logbook`

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use super::backup::file;
use super::export::check_place;
use super::failure::Failure;
use super::{data_dir, output, refusal};
use crate::archive::folder::{self, CountingWriter, UnfinishedArchive};
use crate::control::users::MakeLogbook;
use fluglog_base::number;
use fluglog_config::Config;

/// The beginnings of the files that a book may replace.
const STARTS: [(&str, &[u8]); 2] = [("pdf", b"%PDF"), ("csv", b"\xEF\xBB\xBF")];

/// Writes a book of a user's flights into a file, which gets its name only when it is complete.
pub fn run(
    config: &Config,
    user: String,
    year: Option<u32>,
    item: Option<String>,
    output: &Path,
) -> Result<(), Failure> {
    let extension = output.extension().and_then(|extension| extension.to_str());
    let start = STARTS
        .iter()
        .find(|(name, _)| extension.is_some_and(|own| own.eq_ignore_ascii_case(name)));
    let task = MakeLogbook {
        email: user,
        year,
        item,
        csv: start.is_some_and(|(name, _)| *name == "csv"),
    };
    if output.as_os_str() == "-" {
        return to_output(config, task);
    }
    let Some((name, start)) = start else {
        return Err(Failure::new(
            Failure::USAGE,
            "Die Datei braucht die Endung .pdf oder .csv, zum Beispiel „--output flugbuch.pdf“.",
        ));
    };
    check_place(output, start, &name.to_uppercase())?;
    let failed = |error: io::Error| file::unwritable("Das Flugbuch", output, &error);
    let mut unfinished = UnfinishedArchive::begin(folder::folder_of(output)).map_err(failed)?;
    let flights = write(config, task, unfinished.file(), output)?;
    unfinished.replace(output).map_err(failed)?;
    let flights = number::counted(flights, "Flug", "Flüge");
    output::say(&format!("{}: {flights}.\n", output.display()))
}

fn to_output(config: &Config, task: MakeLogbook) -> Result<(), Failure> {
    let mut output = io::stdout();
    if output.is_terminal() {
        return Err(Failure::new(
            Failure::USAGE,
            "Das Flugbuch gehört nicht auf den Bildschirm; leiten Sie die Ausgabe um, zum Beispiel mit \
             „> flugbuch.pdf“.",
        ));
    }
    write(config, task, &mut output, Path::new("-")).map(drop)
}

fn write(config: &Config, task: MakeLogbook, to: &mut dyn Write, place: &Path) -> Result<u64, Failure> {
    let mut counted = CountingWriter::new(to);
    let answered = data_dir::ask_for(config, task, &mut counted);
    if let Some(error) = counted.failure {
        return Err(file::unwritable("Das Flugbuch", place, &error));
    }
    answered?.value.map_err(|refusal| refusal::failure(config, refusal))
}
