//! `fluglog demo`

use super::failure::Failure;
use super::{data_dir, output, owner};
use crate::demo;
use fluglog_app::App;
use fluglog_base::error::Error;
use fluglog_config::Config;

/// Creates a data directory and fills it with the demo pilot's data.
pub fn run(config: Config) -> Result<(), Failure> {
    let directory = config.data_dir.display().to_string();
    owner::become_owner(&config.data_dir)?;
    if !data_dir::has_database(&config.data_dir)
        && !data_dir::is_fresh(&config.data_dir, fluglog_store::UNFINISHED_NAME)?
    {
        return Err(data_dir::not_empty(&config.data_dir));
    }
    let store = data_dir::make(&config)?;
    let made = demo::fill(App::new(config, store)).map_err(|error| {
        let why = match error {
            Error::DiskFull(_) => "der Speicher ist voll. Schaffen Sie Platz",
            _ => "der Datenträger meldet einen Fehler. Prüfen Sie ihn",
        };
        let sentence = format!(
            "{directory} ist nur halb gefüllt: {why}, leeren Sie das Verzeichnis, und versuchen Sie es erneut."
        );
        Failure::new(Failure::REFUSED, sentence)
    })?;
    output::say(&format!(
        "{directory} enthält jetzt ein Beispieljahr: {} Flüge mit {} Bildern, {} Teile Equipment, {} Logs und {} \
         Dokumente.\n\
         Anmelden: {} / {}\n",
        made.flights,
        made.images,
        made.items,
        made.logs,
        made.documents,
        demo::EMAIL,
        demo::PASSWORD
    ))
}
