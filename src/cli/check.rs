//! `fluglog check`

use std::fmt::Write as _;
use std::io;

use serde::Serialize;

use super::failure::Failure;
use super::{data_dir, finding, output};
use crate::archive::check::{Report, SuspectVoltages};
use crate::control::data::Check;
use fluglog_base::number;
use fluglog_config::Config;
use fluglog_store::findings::Finding;

/// Number of lines shown of each kind; damage comes in thousands or not at all.
const MAX_SHOWN: usize = 500;

/// The complete report, as JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Printed<'r> {
    entries: u64,
    files: u64,
    file_bytes: u64,
    damage: &'r [String],
    repaired: &'r [String],
    orphans: &'r [String],
    removed: usize,
    foreign: &'r [String],
    voltages: &'r [SuspectVoltages],
}

/// Checks the data, in the running server or directly.
pub fn run(config: &Config, repair: bool, json: bool) -> Result<(), Failure> {
    let answered = data_dir::ask_for(config, Check { repair }, &mut io::sink())?;
    let report = answered.value.map_err(|_| {
        let sentence = format!(
            "Die Prüfung von {} war nicht möglich; prüfen Sie die Rechte und den Datenträger.",
            config.data_dir.display()
        );
        Failure::new(Failure::REFUSED, sentence)
    })?;
    let damage = finding::sentences(&report.damage);
    let repaired = finding::sentences(&report.repaired);
    let orphans = finding::sentences(&report.orphans);
    let foreign = finding::sentences(&report.foreign);
    if json {
        output::say_json(&Printed {
            entries: report.records,
            files: report.files,
            file_bytes: report.bytes,
            damage: &damage,
            repaired: &repaired,
            orphans: &orphans,
            removed: report.removed.len(),
            foreign: &foreign,
            voltages: &report.voltages,
        })?;
    } else {
        output::say(&lines(&report, &damage, &repaired, &foreign))?;
    }
    // An orphan harms nobody, unless it was to be removed.
    if report.damage.is_empty() && (!repair || report.remaining_orphans() == 0) {
        return Ok(());
    }
    Err(Failure::new(Failure::REFUSED, summary(&report, config)))
}

fn lines(report: &Report, damage: &[String], repaired: &[String], foreign: &[String]) -> String {
    let mut text = String::new();
    list(&mut text, "Schaden", damage);
    list(&mut text, "Repariert", repaired);
    list(
        &mut text,
        "Hinweis",
        &report.voltages.iter().map(voltages).collect::<Vec<_>>(),
    );
    let stays = |orphan: &&Finding| !report.removed.contains(orphan);
    list(&mut text, "Entfernt", &finding::sentences(&report.removed));
    list(
        &mut text,
        "Verwaist",
        &finding::sentences(report.orphans.iter().filter(stays)),
    );
    list(&mut text, "Fremd", foreign);
    let end = match (report.damage.is_empty(), report.remaining_orphans()) {
        (true, 0) => ": alles in Ordnung.",
        (true, _) => {
            ": kein Schaden. Was verwaist ist, entfernt der Server nach einem Tag, „fluglog check --repair“ sofort."
        }
        (false, _) => ".",
    };
    // Writing into a string can't fail.
    let _ = writeln!(
        text,
        "{} und {} mit {} geprüft{end}",
        number::counted(report.records, "Eintrag", "Einträge"),
        number::counted(report.files, "Datei", "Dateien"),
        number::size(report.bytes)
    );
    text
}

fn voltages(wrong: &SuspectVoltages) -> String {
    let SuspectVoltages {
        email,
        flights,
        mendable,
    } = wrong;
    let ways = match (*mendable, flights - mendable) {
        (_, 0) => "; auf der Startseite lassen sie sich berichtigen".to_owned(),
        (0, _) => "; ohne die Datei bleibt nur, sie anzusehen".to_owned(),
        (mendable, _) => format!(
            "; {} davon lassen sich auf der Startseite berichtigen",
            number::count(mendable)
        ),
    };
    format!(
        "{} von {email} mit der Spannung des Empfängers statt der des Akkus{ways}.",
        number::counted(*flights, "Flug", "Flüge")
    )
}

fn list(text: &mut String, kind: &str, lines: &[String]) {
    // Writing into a string can't fail.
    for line in lines.iter().take(MAX_SHOWN) {
        let _ = writeln!(text, "{kind}: {line}");
    }
    if lines.len() > MAX_SHOWN {
        let _ = writeln!(text, "{kind}: und {} weitere", lines.len() - MAX_SHOWN);
    }
}

fn summary(report: &Report, config: &Config) -> String {
    let damages = report.damage.len() as u64;
    let orphans = report.remaining_orphans();
    let mut parts = Vec::new();
    if damages > 0 {
        parts.push(format!("{} gefunden", number::counted(damages, "Schaden", "Schäden")));
    }
    if report.rebuildable > 0 {
        parts.push(format!(
            "„fluglog check --repair“ schreibt neu, was aus anderen Einträgen folgt: {} davon",
            number::count(report.rebuildable)
        ));
    }
    if damages > report.rebuildable {
        parts.push(format!(
            "Was sonst beschädigt ist, kann nur aus einer Sicherung zurückkommen („fluglog restore“), und „fluglog \
             recover“ rettet, was noch lesbar ist; {}",
            data_dir::newest_backup(&config.data_dir).trim_end_matches('.')
        ));
    }
    if damages == 0 && !report.repaired.is_empty() {
        parts.push("Was beschädigt war, ist repariert".to_owned());
    }
    if orphans > 0 {
        parts.push(format!(
            "{} gefunden; „fluglog check --repair“ entfernt, was verwaist ist",
            number::counted(orphans as u64, "verwaister Rest", "verwaiste Reste")
        ));
    }
    parts.join(". ") + "."
}
