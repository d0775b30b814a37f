//! The seeds of the fuzzing and every case that it found, once more: `make fuzz` looks for new ones.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::panic)]

mod targets;

use std::fs;
use std::path::Path;

#[test]
fn no_parser_fails_on_what_was_found() {
    for (name, run) in targets::ALL {
        let seeds = fs::read_dir(Path::new("tests/fuzz/seeds").join(name)).unwrap();
        let mut count = 0;
        for seed in seeds {
            let content = fs::read(seed.unwrap().path()).unwrap();
            run(&content);
            for end in [content.len() / 2, content.len().saturating_sub(1)] {
                run(&content[..end]);
            }
            count += 1;
        }
        assert!(count > 0, "{name} has no seeds");
    }
    run_archive();
}

/// An archive of the first release is a seed, too.
fn run_archive() {
    let archive = fs::read("tests/fixtures/1.3.0/archive.tar").unwrap();
    let (_, run) = targets::ALL.iter().find(|(name, _)| *name == "archive").unwrap();
    run(&archive);
}
