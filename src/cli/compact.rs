//! `fluglog compact`

use super::failure::Failure;
use super::{data_dir, output, owner};
use crate::control::socket;
use fluglog_base::number;
use fluglog_config::Config;
use fluglog_store::Store;

/// Shrinks the database file as far as possible.
pub fn run(config: &Config) -> Result<(), Failure> {
    let dir = &config.data_dir;
    if socket::is_server_running(dir) {
        return Err(Failure::new(
            Failure::REFUSED,
            format!(
                "Auf {} läuft ein Fluglog-Server; die Datenbank wird nur verkleinert, wenn er steht („sudo systemctl \
                 stop fluglog“). Ist mehr als die Hälfte frei, verkleinert sie jeder Start von selbst.",
                dir.display()
            ),
        ));
    }
    let _owner = owner::act(dir)?;
    let (before, after) = Store::compact(dir).map_err(|error| data_dir::open_failure(dir, &error))?;
    let gained = match before.file.saturating_sub(after.file) {
        0 => "mehr lässt sich nicht gewinnen".to_owned(),
        gained => format!("{} sind frei geworden", number::size(gained)),
    };
    output::say(&format!(
        "Die Datenbank belegt {}; {gained}.\n",
        number::size(after.file)
    ))
}
