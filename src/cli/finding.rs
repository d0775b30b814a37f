//! The findings of a check as German sentences without a full stop.

use super::output;
use fluglog_store::blobs::folder;
use fluglog_store::findings::{Finding, FindingKind};

/// Number of pilots that a finding names.
const MAX_NAMED: usize = 5;

/// A sentence for each finding.
pub fn sentences<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Vec<String> {
    findings.into_iter().map(sentence).collect()
}

/// The sentence of a finding.
pub fn sentence(finding: &Finding) -> String {
    let what = match &finding.wrong {
        FindingKind::DatabaseChecksum => "die Prüfsummen der Datei stimmen nicht",
        FindingKind::ChangeLost(time) => &format!(
            "die letzte Änderung vor dem Stromausfall (vom {time}) fehlt vielleicht; sehen Sie nach, und tragen Sie \
             sie noch einmal ein"
        ),
        FindingKind::PartUnreadable(pilots) => {
            let part = part(&finding.place);
            return format!(
                "{part}: dieser Teil der Datenbank ist nicht lesbar{}",
                concerned(pilots)
            );
        }
        FindingKind::RecordDamaged => "der Eintrag ist beschädigt",
        FindingKind::RecordImpossible => "der Eintrag hat einen unmöglichen Wert",
        FindingKind::RefersToNothing(other) => &format!("verweist auf {other}, was es nicht gibt"),
        FindingKind::FileOfTwo(other) => &format!("nennt eine Datei, die auch {other} nennt"),
        FindingKind::MissingInIndex => "im Verzeichnis fehlt ein Eintrag",
        FindingKind::IndexLeadsNowhere => "der Eintrag im Verzeichnis führt nirgendwohin",
        FindingKind::FolderMissing => "der Ordner fehlt; legen Sie ihn wieder an",
        FindingKind::FolderUnreadable => "der Ordner ist nicht lesbar",
        FindingKind::FolderNotOurs => &format!(
            "der Ordner ist keiner von Fluglog ({} fehlt darin) und wird nicht benutzt",
            folder::MARK
        ),
        FindingKind::FileMissing(by) => &format!("die Datei fehlt; sie gehört zu {by}"),
        FindingKind::FileUnreadable(by) => &format!("die Datei ist nicht lesbar; sie gehört zu {by}"),
        FindingKind::FileDamaged(by) => &format!("die Datei ist beschädigt; sie gehört zu {by}"),
        FindingKind::FileMissingInBackup(by) => &format!("die Datei fehlte schon beim Sichern; sie gehört zu {by}"),
        FindingKind::FileDamagedInBackup(by) => {
            &format!("die Datei war schon beim Sichern beschädigt; sie gehört zu {by}")
        }
        FindingKind::Foreign => {
            return format!(
                "{}: gehört nicht zu Fluglog, bleibt liegen",
                output::without_control_characters(&finding.place)
            );
        }
        FindingKind::FileOfNobody => "kein Eintrag nennt die Datei",
        FindingKind::EmailInvalid => "hat keine gültige E-Mail-Adresse",
        FindingKind::EmailOfTwoUsers => "hat dieselbe E-Mail-Adresse wie ein anderer Benutzer",
        FindingKind::EmailOfAnotherUser => "führt zu einem Benutzer mit anderer E-Mail-Adresse",
        FindingKind::EmailOfNobody => "die E-Mail-Adresse gehört niemandem",
        FindingKind::EmailOfLostUser => "führt zu einem Benutzer, dessen Konto fehlt; seine Einträge sind noch da",
        FindingKind::NotFoundByEmail => "ist über die E-Mail-Adresse nicht zu finden",
        FindingKind::LoginOfNobody => "die Anmeldung gehört niemandem",
        FindingKind::SpaceWithoutManager => "den Bereich verwaltet niemand",
        FindingKind::DocumentOfNoLog => "kein Log nennt dieses Dokument",
        FindingKind::FlightTotalsWrong => "die Summen passen nicht zu den Flügen",
        FindingKind::FlightTotalsMissing => "die Summen der Flüge fehlen",
        FindingKind::ChargingTotalsWrong => "die Summen passen nicht zu den Ladevorgängen",
        FindingKind::ChargingTotalsMissing => "die Summen der Ladevorgänge fehlen",
        FindingKind::PackHealthWrong => "was über den Akku bekannt ist, passt nicht zu dem, was festgehalten wurde",
        FindingKind::BatteryOfTwoSets(other) => &format!("dieselbe Batterie ist auch in {other}"),
        FindingKind::PackHealthMissing => "was über den Akku bekannt ist, fehlt",
        FindingKind::FlightUnlikeItsItems => "bei einem Gerät steht etwas anderes über diesen Flug",
        FindingKind::FlightOpenAndNot => "ob der Flug noch offen ist, steht zweimal verschieden da",
        FindingKind::JobCountWrong => "der Stand der Wartung passt nicht zu den Flügen",
        FindingKind::JobCountMissing => "der Stand der Wartung fehlt",
        FindingKind::UseOfNoFlight => "gehört zu einem Flug, den es nicht gibt",
        FindingKind::UseLost => "ein Flug aus einem gelöschten Konto ist verloren; seine Zeit fehlt bei diesem Gerät",
        FindingKind::PilotOfUseLost => "wer hier geflogen ist, ist verloren; die Zeit zählt bei diesem Gerät weiter",
        FindingKind::FlownWithNothing => "wurde mit einem Gerät geflogen, das es nicht gibt",
        FindingKind::UsesOfNoFlight => "bei den Geräten stehen Einsätze, die zu keinem Flug gehören",
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
        "spaces" => "Bereiche",
        "mail_queue" => "Mails",
        "feedback" => "Feedback",
        "operations" => "Anfragen",
        "documents" => "Dokumente",
        "proofs" => "Nachweise",
        "equipment" => "Geräte",
        "reminders" => "Erinnerungen",
        "logs" => "Logs",
        "maintenance" => "Wartung",
        "open_flight" => "Offene Flüge",
        "flights" => "Flüge",
        "images" => "Bilder",
        "origin" => "Herkunft der Flüge",
        "imports" => "Importe",
        "backups" => "Sicherungen",
        "deletions" => "Löschungen",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_topics::registry;

    #[test]
    fn every_topic_has_a_german_name() {
        for topic in registry::ALL {
            assert_ne!(part(topic.name), topic.name);
        }
    }
}
