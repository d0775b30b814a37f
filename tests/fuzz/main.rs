//! Runs the seeds of the fuzzing and every case found before; `make fuzz` searches for new ones.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::panic)]

mod targets;

use std::collections::BTreeSet;
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

/// The fuzzer is a separate crate that no other test builds.
#[test]
fn the_fuzzer_has_every_crate_that_the_targets_import() {
    let source = fs::read_to_string("tests/fuzz/targets.rs").unwrap();
    let manifest = fs::read_to_string("tests/fuzz/libfuzzer/Cargo.toml").unwrap();
    let imports = source.lines().filter_map(|line| line.strip_prefix("use "));
    let crates: BTreeSet<_> = imports.filter_map(|path| path.split("::").next()).collect();
    assert!(crates.len() > 5, "{crates:?}");
    for name in crates {
        let entry = format!("\n{} = ", name.replace('_', "-"));
        assert!(name == "std" || manifest.contains(&entry), "{name} is missing");
    }
}

/// The archive of the first release is a seed as well.
fn run_archive() {
    let archive = fs::read("tests/fixtures/1.3.0/archive.tar").unwrap();
    let (_, run) = targets::ALL.iter().find(|(name, _)| *name == "archive").unwrap();
    run(&archive);
}
