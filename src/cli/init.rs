//! `fluglog init`

use super::{Failure, data_dir, owner};
use crate::base::config::Config;

/// Makes the data directory.
pub fn run(config: &Config) -> Result<(), Failure> {
    owner::become_owner(&config.data_dir)?;
    data_dir::make(config)?;
    super::say(&format!("{} ist angelegt.\n", config.data_dir.display()))
}
