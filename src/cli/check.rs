//! `fluglog check`

use super::{Failure, data_dir};
use crate::base::config::Config;
use crate::control::Question;

/// Asks the server, or the database when no server runs.
pub fn run(config: Config, repair: bool) -> Result<(), Failure> {
    data_dir::ask(config, Question::Check { repair })
}
