//! `fluglog demo`

use super::{Failure, data_dir};
use crate::admin::demo;
use crate::app::App;
use crate::config::Config;

/// Makes a data directory and fills it with a believable pilot.
pub fn run(config: Config) -> Result<(), Failure> {
    let store = data_dir::make(&config)?;
    let app = App::new(config, store);
    demo::fill(&app).map_err(|error| Failure::new(Failure::REFUSED, error.sentence()))?;
    super::say(&format!(
        "{} enthält jetzt Beispieldaten. Anmelden: {} / {}\n",
        app.config.data_dir.display(),
        demo::EMAIL,
        demo::PASSWORD
    ));
    Ok(())
}
