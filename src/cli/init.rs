//! `fluglog init`

use super::failure::Failure;
use super::{data_dir, output, owner};
use fluglog_config::Config;

/// Creates the data directory.
pub fn run(config: &Config) -> Result<(), Failure> {
    owner::become_owner(&config.data_dir)?;
    data_dir::make(config)?;
    output::say(&format!("{} ist angelegt.\n", config.data_dir.display()))
}
