//! The program. Everything is in the library; see its first page.

use std::process::ExitCode;

fn main() -> ExitCode {
    fluglog::cli::run()
}
