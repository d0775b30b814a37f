//! Sentences for refused tasks.

use super::failure::Failure;
use crate::control::task::Refusal;
use fluglog_config::Config;

/// Length to which repeated input is cut.
const SHOWN_CHARACTERS: usize = 100;

/// Converts a refusal into the failure of a command.
pub fn failure(config: &Config, refusal: Refusal) -> Failure {
    let dir = config.data_dir.display();
    Failure::new(
        Failure::REFUSED,
        match refusal {
            Refusal::NotAnAddress(typed) => format!(
                "„{}“ ist keine E-Mail-Adresse; gebraucht wird eine wie pilot@example.org.",
                in_one_line(&typed)
            ),
            Refusal::UserUnknown(email) => format!("{email} ist kein Benutzer; „fluglog user list“ zeigt alle."),
            Refusal::AddressTaken(email) => {
                format!("{email} ist bereits registriert; „fluglog user show {email}“ zeigt den Benutzer.")
            }
            Refusal::UserDisabled(email) => {
                format!("{email} ist gesperrt, und kein Link führt hinein; „fluglog user enable {email}“ ändert das.")
            }
            Refusal::LastOperator(email) => format!(
                "{email} bleibt Betreiber, denn sonst gäbe es keinen; machen Sie zuerst jemand anderen dazu: „fluglog \
                 user change E-MAIL --operator“."
            ),
            Refusal::LastManager { email, spaces } => format!(
                "{email} bleibt, denn diese Bereiche verwaltet sonst niemand: {}. „fluglog space manager BEREICH \
                 E-MAIL“ gibt einem Mitglied die Verwaltung; „fluglog space delete“ löscht einen ganzen Bereich.",
                spaces
                    .iter()
                    .map(|space| format!("„{space}“"))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            Refusal::SpaceUnknown(typed) => format!(
                "„{}“ ist kein Haushalt und kein Verein; „fluglog space list“ zeigt alle.",
                in_one_line(&typed)
            ),
            Refusal::SpaceAmbiguous(typed) => format!(
                "Mehr als ein Bereich heißt „{}“; nehmen Sie die Kennung, die „fluglog space list --json“ zeigt.",
                in_one_line(&typed)
            ),
            Refusal::NotAMember { email, space } => {
                format!("{email} ist in „{space}“ nicht dabei; „fluglog space show“ zeigt die Mitglieder.")
            }
            Refusal::Rule(rule) => rule.sentence(),
            Refusal::Configuration(sentence) | Refusal::AsInTheApp(sentence) => sentence,
            Refusal::NotTaken => "Der Export ist abgebrochen, weil ihn niemand mehr entgegennimmt.".to_owned(),
            Refusal::ReadOnly => format!(
                "Die Datenbank in {dir} ist beschädigt und wird nur noch gelesen. „fluglog recover“ rettet, was noch \
                 lesbar ist, „fluglog restore“ macht daraus in einem leeren Verzeichnis ein neues."
            ),
            Refusal::StorageFull => {
                format!("In {dir} kann nicht geschrieben werden: der Speicher ist voll. Schaffen Sie Platz.")
            }
            Refusal::DataUnusable => format!(
                "Die Daten in {dir} sind nicht lesbar oder nicht schreibbar; „fluglog check“ zeigt, was beschädigt ist."
            ),
        },
    )
}

fn in_one_line(typed: &str) -> String {
    let shown = typed.chars().filter(|character| !character.is_control());
    shown.take(SHOWN_CHARACTERS).collect()
}
