//! Runs the seeds of the fuzzing and every case found before; `make fuzz` searches for new ones.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

mod targets;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use proptest::prelude::Rng as _;
use proptest::test_runner::{RngAlgorithm, TestRng};

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

/// Tries seeds with random changes, some of each target; `FLUGLOG_FUZZ_SECONDS` asks for longer runs and prints their
/// counts, `FLUGLOG_FUZZ_TARGETS` names the targets. It sees no coverage as `make fuzz` does, and needs no build of its
/// own.
#[test]
fn no_parser_fails_on_what_seeds_become() {
    let variable = |name| std::env::var(name).ok();
    let seconds = variable("FLUGLOG_FUZZ_SECONDS").map(|seconds| seconds.parse::<u64>().unwrap());
    let wanted = variable("FLUGLOG_FUZZ_TARGETS");
    let is_wanted = |name: &str| match (&wanted, seconds) {
        (Some(wanted), _) => wanted.split(' ').any(|one| one == name),
        (None, Some(_)) => true,
        (None, None) => FOREIGN.contains(&name),
    };
    let begun = Instant::now();
    let named: Vec<_> = targets::ALL.iter().filter(|(name, _)| is_wanted(name)).collect();
    let mut fuzzers: Vec<_> = named.into_iter().map(Fuzzer::new).collect();
    loop {
        for fuzzer in &mut fuzzers {
            fuzzer.run(ROUNDS);
        }
        if begun.elapsed().as_secs() >= seconds.unwrap_or(0) {
            break;
        }
    }
    if seconds.is_some() {
        for fuzzer in &fuzzers {
            eprintln!(
                "{}: {} runs in {:.1} minutes, longest {} ms",
                fuzzer.name,
                fuzzer.runs,
                fuzzer.took.as_secs_f64() / 60.0,
                fuzzer.longest.as_millis()
            );
        }
    }
}

/// Targets that read answers of foreign servers, and paths.
const FOREIGN: [&str; 6] = ["mail_server", "s3", "webdav", "age", "credentials", "names"];
/// Runs of a target before the next one has its turn, and the time after which it has.
const ROUNDS: usize = 50;
const TURN: Duration = Duration::from_secs(1);
/// Bytes that mean something to many parsers.
const SPECIAL: &[u8] = b"\0\n\r-<>&;/.=\x7f\xff09 ";
/// A parser that takes longer hangs.
const LONGEST: Duration = Duration::from_secs(10);

/// Tries seeds of a target with random changes.
struct Fuzzer {
    name: &'static str,
    run: fn(&[u8]),
    seeds: Vec<Vec<u8>>,
    random: TestRng,
    runs: u64,
    took: Duration,
    longest: Duration,
}

impl Fuzzer {
    fn new((name, run): &targets::Target) -> Fuzzer {
        let seeds = fs::read_dir(Path::new("tests/fuzz/seeds").join(name)).unwrap();
        let mut seeds: Vec<_> = seeds.map(|seed| seed.unwrap().path()).collect();
        seeds.sort();
        let random = match std::env::var("FLUGLOG_FUZZ_SECONDS") {
            Ok(_) => TestRng::from_seed(RngAlgorithm::ChaCha, &seed_of_now()),
            Err(_) => TestRng::deterministic_rng(RngAlgorithm::ChaCha),
        };
        Fuzzer {
            name,
            run: *run,
            seeds: seeds.into_iter().map(|seed| fs::read(seed).unwrap()).collect(),
            random,
            runs: 0,
            took: Duration::ZERO,
            longest: Duration::ZERO,
        }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.random.next_u32() as usize % limit.max(1)
    }

    fn run(&mut self, rounds: usize) {
        let before = self.took;
        for _ in 0..rounds {
            if self.took - before > TURN {
                break;
            }
            let input = self.changed();
            let begun = Instant::now();
            if std::panic::catch_unwind(|| (self.run)(&input)).is_err() {
                let path = std::env::temp_dir().join(format!("found-{}-{}", self.name, self.runs));
                fs::write(&path, &input).unwrap();
                panic!("{} fails on {}", self.name, path.display());
            }
            let took = begun.elapsed();
            assert!(took < LONGEST, "{} takes {took:?} for {input:?}", self.name);
            (self.runs, self.took, self.longest) = (self.runs + 1, self.took + took, self.longest.max(took));
        }
    }

    /// A seed with one to eight changes.
    fn changed(&mut self) -> Vec<u8> {
        let seed = self.below(self.seeds.len());
        let mut input = self.seeds[seed].clone();
        for _ in 0..=self.below(8) {
            let (at, end) = (self.below(input.len() + 1), self.below(input.len() + 1));
            let (from, to) = (at.min(end), at.max(end));
            match self.below(7) {
                0 if !input.is_empty() => {
                    let (at, bit) = (at.min(input.len() - 1), self.below(8));
                    input[at] ^= 1 << bit;
                }
                1 if !input.is_empty() => {
                    let at = at.min(input.len() - 1);
                    input[at] = SPECIAL[self.below(SPECIAL.len())];
                }
                2 => drop(input.drain(from..to)),
                3 => input.truncate(at),
                4 => {
                    let piece = input[from..to].to_vec();
                    let times = 1 + self.below(20);
                    let piece = piece.repeat(times.min(1 + 65_536 / piece.len().max(1)));
                    input.splice(at..at, piece);
                }
                5 => {
                    let other = self.below(self.seeds.len());
                    let other = self.seeds[other].clone();
                    let (start, end) = (self.below(other.len() + 1), self.below(other.len() + 1));
                    let piece = other[start.min(end)..start.max(end)].to_vec();
                    input.splice(at..at, piece);
                }
                _ => {
                    let byte = self.below(256).to_le_bytes()[0];
                    input.insert(at, byte);
                }
            }
            input.truncate(1 << 17);
        }
        input
    }
}

/// Another seed of random numbers in each run.
fn seed_of_now() -> [u8; 32] {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
    let mut seed = [0; 32];
    seed[..16].copy_from_slice(&now.to_le_bytes());
    seed
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
