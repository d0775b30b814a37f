//! The findings of a check as German sentences without a full stop.

use super::output;
use fluglog_store::blobs::folder;
use fluglog_store::findings::{Finding, Wrong};

/// Number of pilots that a finding names.
const MAX_NAMED: usize = 5;

/// A sentence for each finding.
pub fn sentences<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Vec<String> {
    findings.into_iter().map(sentence).collect()
}

/// The sentence of a finding.
pub fn sentence(finding: &Finding) -> String {
    let what = match &finding.wrong {
        Wrong::DatabaseChecksum => "die Prüfsummen der Datei stimmen nicht",
        Wrong::ChangeLost(time) => &format!(
            "die letzte Änderung vor dem Stromausfall (vom {time}) fehlt vielleicht; sehen Sie nach, und tragen Sie \
             sie noch einmal ein"
        ),
        Wrong::PartUnreadable(pilots) => {
            let part = part(&finding.place);
            return format!(
                "{part}: dieser Teil der Datenbank ist nicht lesbar{}",
                concerned(pilots)
            );
        }
        Wrong::RecordDamaged => "der Eintrag ist beschädigt",
        Wrong::RecordImpossible => "der Eintrag hat einen unmöglichen Wert",
        Wrong::RefersToNothing(other) => &format!("verweist auf {other}, was es nicht gibt"),
        Wrong::FileOfTwo(other) => &format!("nennt eine Datei, die auch {other} nennt"),
        Wrong::MissingInIndex => "im Verzeichnis fehlt ein Eintrag",
        Wrong::IndexLeadsNowhere => "der Eintrag im Verzeichnis führt nirgendwohin",
        Wrong::FolderMissing => "der Ordner fehlt; legen Sie ihn wieder an",
        Wrong::FolderUnreadable => "der Ordner ist nicht lesbar",
        Wrong::FolderNotOurs => &format!(
            "der Ordner ist keiner von Fluglog ({} fehlt darin) und wird nicht benutzt",
            folder::MARK
        ),
        Wrong::FileMissing(by) => &format!("die Datei fehlt; sie gehört zu {by}"),
        Wrong::FileUnreadable(by) => &format!("die Datei ist nicht lesbar; sie gehört zu {by}"),
        Wrong::FileDamaged(by) => &format!("die Datei ist beschädigt; sie gehört zu {by}"),
        Wrong::FileMissingInBackup(by) => &format!("die Datei fehlte schon beim Sichern; sie gehört zu {by}"),
        Wrong::FileDamagedInBackup(by) => &format!("die Datei war schon beim Sichern beschädigt; sie gehört zu {by}"),
        Wrong::Foreign => {
            return format!(
                "{}: gehört nicht zu Fluglog, bleibt liegen",
                output::without_control_characters(&finding.place)
            );
        }
        Wrong::FileOfNobody => "kein Eintrag nennt die Datei",
        Wrong::EmailInvalid => "hat keine gültige E-Mail-Adresse",
        Wrong::EmailOfTwoUsers => "hat dieselbe E-Mail-Adresse wie ein anderer Benutzer",
        Wrong::EmailOfAnotherUser => "führt zu einem Benutzer mit anderer E-Mail-Adresse",
        Wrong::EmailOfNobody => "die E-Mail-Adresse gehört niemandem",
        Wrong::EmailOfLostUser => "führt zu einem Benutzer, dessen Konto fehlt; seine Einträge sind noch da",
        Wrong::NotFoundByEmail => "ist über die E-Mail-Adresse nicht zu finden",
        Wrong::LoginOfNobody => "die Anmeldung gehört niemandem",
        Wrong::DocumentOfNoLog => "kein Log nennt dieses Dokument",
        Wrong::FlightTotalsWrong => "die Summen passen nicht zu den Flügen",
        Wrong::FlightTotalsMissing => "die Summen der Flüge fehlen",
        Wrong::ChargingTotalsWrong => "die Summen passen nicht zu den Ladevorgängen",
        Wrong::ChargingTotalsMissing => "die Summen der Ladevorgänge fehlen",
        Wrong::PackHealthWrong => "was über den Akku bekannt ist, passt nicht zu dem, was festgehalten wurde",
        Wrong::BatteryOfTwoSets(other) => &format!("dieselbe Batterie ist auch in {other}"),
        Wrong::PackHealthMissing => "was über den Akku bekannt ist, fehlt",
        Wrong::FlightUnlikeItsItems => "bei einem Gerät steht etwas anderes über diesen Flug",
        Wrong::FlightOpenAndNot => "ob der Flug noch offen ist, steht zweimal verschieden da",
        Wrong::UseOfNoFlight => "gehört zu einem Flug, den es nicht gibt",
        Wrong::FlownWithNothing => "wurde mit einem Gerät geflogen, das es nicht gibt",
        Wrong::UsesOfNoFlight => "bei den Geräten stehen Einsätze, die zu keinem Flug gehören",
    };
    format!("{}: {what}", finding.place)
}

/// The pilots whose data may be affected.
fn concerned(pilots: &[String]) -> String {
    let named = pilots
        .iter()
        .take(MAX_NAMED)
        .map(|address| output::without_control_characters(address));
    let named = named.collect::<Vec<_>>().join(", ");
    match pilots.len().saturating_sub(MAX_NAMED) {
        0 if pilots.is_empty() => String::new(),
        0 => format!("; es kann Daten betreffen von: {named}"),
        others => format!("; es kann Daten betreffen von: {named} und {others} weiteren"),
    }
}

/// The German name of a table's topic.
fn part(name: &str) -> &str {
    match name {
        "meta" => "Schema",
        "accounts" => "Konten",
        "mail_queue" => "Mails",
        "feedback" => "Feedback",
        "operations" => "Anfragen",
        "documents" => "Dokumente",
        "equipment" => "Geräte",
        "reminders" => "Erinnerungen",
        "logs" => "Logs",
        "open_flight" => "Offene Flüge",
        "flights" => "Flüge",
        "images" => "Bilder",
        "origin" => "Herkunft der Flüge",
        "imports" => "Importe",
        "backups" => "Sicherungen",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_topics::registry;

    #[test]
    fn every_topic_has_a_german_name() {
        for topic in &registry::ALL {
            assert_ne!(part(topic.name), topic.name);
        }
    }
}
