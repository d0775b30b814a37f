//! Floors: the least work that a figure can be compared with, done by programs without Fluglog's code for it. `make
//! bench` runs them beside the real program.
//!
//! `cargo bench --bench floor -- FLOOR`, while no server runs on the data directory. The last word of stdout is the
//! figure.

// A measurement removes its own files.
#![allow(clippy::disallowed_methods)]

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

mod argon2;
mod decode;
mod flights;
mod lines;
mod saves;
mod serve;

/// The allocator of the real program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["decode", data_dir] => decode::run(Path::new(data_dir)),
        ["serve", data_dir] => serve::run(Path::new(data_dir)),
        ["argon2"] => argon2::run(),
        ["lines", file] => lines::run(Path::new(file)),
        ["saves", folder, what] => saves::run(Path::new(folder), what),
        _ => Err("say decode DIR, serve DIR, argon2, lines FILE, saves DIR cpu or saves DIR bytes".into()),
    }
}

/// CPU time used so far.
fn cpu_seconds() -> Result<f64> {
    let time = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID)?;
    Ok(Duration::from(time).as_secs_f64())
}

/// Prints a floor's figure.
#[expect(clippy::print_stdout, reason = "the output of this program")]
fn say(line: &str) {
    println!("{line}");
}
