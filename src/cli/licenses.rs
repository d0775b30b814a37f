//! `--licenses`: the licences of everything in the program.

use std::io::Read as _;

use flate2::read::GzDecoder;

use super::failure::Failure;
use super::output;

/// Made by packaging/licenses/list.mts from Cargo.lock and ui/package-lock.json.
const LIST: &[u8] = include_bytes!("../../embed/licenses.txt.gz");

pub fn print() -> Result<(), Failure> {
    let mut list = String::new();
    GzDecoder::new(LIST)
        .read_to_string(&mut list)
        .map_err(|_| Failure::new(Failure::REFUSED, "Die Liste der Lizenzen ist beschädigt."))?;
    output::say(&list)
}
