//! What the shell asks about the state of the data: the check and the backup.

use std::fmt::Write as _;
use std::io::Write;

use super::Answer;
use crate::app::App;
use crate::archive::backup;
use crate::archive::check::{self, Report};
use crate::base::number;

/// So many lines are shown of each kind; damage comes in thousands or not at all.
const SHOWN_MOST: usize = 500;

/// Checks everything; removes orphans if told so.
pub fn check(app: &App, repair: bool) -> Answer {
    match check::check(app, repair) {
        Ok(report) => answer(&report, repair),
        Err(error) => {
            tracing::error!("the check failed: {error:?}");
            Answer::Refused(format!(
                "Die Prüfung von {} war nicht möglich; prüfen Sie die Rechte und den Datenträger.",
                app.config.data_dir.display()
            ))
        }
    }
}

/// Writes an archive of the data as it is now.
pub fn back_up(app: &App, out: &mut dyn Write) -> Answer {
    match backup::write(app, out) {
        Ok(0) => Answer::Done(String::new()),
        Ok(damages) => Answer::Found {
            report: String::new(),
            sentence: format!(
                "Die Sicherung enthält alles, was lesbar ist, aber die Daten haben {}; „fluglog check“ nennt sie. Ältere Sicherungen bleiben liegen, weil sie mehr enthalten können.",
                number::counted(damages as u64, "Schaden", "Schäden")
            ),
        },
        Err(error) => {
            tracing::error!("the backup failed: {error:?}");
            Answer::Refused(
                "Die Sicherung ist abgebrochen, weil die Daten nicht lesbar sind oder niemand sie mehr entgegennimmt; „fluglog check“ prüft die Daten."
                    .to_owned(),
            )
        }
    }
}

fn answer(report: &Report, repair: bool) -> Answer {
    let mut text = String::new();
    list(&mut text, "Schaden", &report.damage);
    list(&mut text, if repair { "Entfernt" } else { "Verwaist" }, &report.orphans);
    let checked = format!(
        "{} und {} mit {} geprüft",
        number::counted(report.records, "Eintrag", "Einträge"),
        number::counted(report.files, "Datei", "Dateien"),
        number::size(report.bytes)
    );
    if report.is_clean() {
        let _ = writeln!(text, "{checked}: alles in Ordnung.");
        return Answer::Done(text);
    }
    let _ = writeln!(text, "{checked}.");
    Answer::Found {
        report: text,
        sentence: summary(report.damage.len(), report.orphans.len().saturating_sub(report.removed)),
    }
}

fn summary(damages: usize, orphans: usize) -> String {
    let mut parts = Vec::new();
    if damages > 0 {
        parts.push(format!(
            "{} gefunden; was beschädigt ist, kann nur aus einer Sicherung zurückkommen („fluglog restore“)",
            number::counted(damages as u64, "Schaden", "Schäden")
        ));
    }
    if orphans > 0 {
        parts.push(format!(
            "{} gefunden; „fluglog check --repair“ entfernt, was verwaist ist",
            number::counted(orphans as u64, "verwaister Rest", "verwaiste Reste")
        ));
    }
    parts.join(". ") + "."
}

fn list(text: &mut String, kind: &str, lines: &[String]) {
    // Writing into a string can't fail.
    for line in lines.iter().take(SHOWN_MOST) {
        let _ = writeln!(text, "{kind}: {line}");
    }
    if lines.len() > SHOWN_MOST {
        let _ = writeln!(text, "{kind}: und {} weitere", lines.len() - SHOWN_MOST);
    }
}
