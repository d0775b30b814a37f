//! Twenty pilots at work while a hostile one uses up all limits, the server is killed and restarted, and backups are
//! made, for as long as wanted: `make soak`. Confirmed changes must be present and equal; memory, open files and the
//! size of the data must stay within bounds. Draws `target/soak.svg`.

mod chart;
mod hostile;
mod pilot;

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use self::chart::Sample;
use self::hostile::Hostile;
use self::pilot::{Chance, Life};
use crate::faults::ledger::expect_sound;
use crate::harness::process::run;
use crate::harness::{PASSWORD, Server, temporary_directory, text};

const PILOTS: usize = 20;
const MINUTES: u64 = 60;
/// Seconds from a start of the server to its kill, in turn.
const ROUND_SECONDS: [u64; 4] = [12, 20, 35, 50];
/// One round in this many has a backup.
const BACKUP_ONE_IN: usize = 3;
const SAMPLE_EVERY: Duration = Duration::from_millis(500);

/// The limit in the README, minus the pages of the released program.
const MAX_MEMORY_BYTES: u64 = (256 - 20) * 1024 * 1024;
/// Each pilot has one connection at a time and the hostile one some hundred; each connection may have a file open, and
/// the program itself needs some.
const MAX_DESCRIPTORS: u64 = 2 * PILOTS as u64 + 280;
/// The database grows because the ids of deleted flights are remembered, 10,000 per pilot, and because the hostile pilot
/// has quota for chargings. redb doubles its file when it is full.
const MAX_DATABASE_BYTES: u64 = 512 * 1024 * 1024;
/// The pilots' data hardly grow. Each kill leaves orphaned files for a day.
const MAX_FILES_BYTES: u64 = 128 * 1024 * 1024;
/// Ratio of the second half to the first. The pilots delete as much as they add.
const MAX_GROWTH: f64 = 1.5;

fn duration() -> Duration {
    let wanted = std::env::var("SOAK_MINUTES").ok();
    Duration::from_secs(60 * wanted.map_or(MINUTES, |minutes| minutes.parse().unwrap()))
}

#[test]
#[ignore = "runs for an hour: make soak"]
fn twenty_pilots_lose_nothing_while_the_server_is_killed_and_backed_up_again_and_again() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let server = Server::start_in(&directory);
    let mut lives: Vec<_> = (0..PILOTS).map(|number| Life::begin(&server, number)).collect();
    let hostile = Hostile::begin(&server);
    assert!(server.stop().success());

    let (begun, until) = (Instant::now(), duration());
    let (mut samples, mut waited) = (Vec::new(), Vec::new());
    let mut chance = Chance::new(0);
    for round in 0.. {
        let server = Server::start_in(&directory);
        together(&mut lives, |life| life.settle(&server));
        if begun.elapsed() > until {
            assert_eq!(server.stop().code(), Some(0));
            break;
        }
        let length = Duration::from_secs(*chance.pick(&ROUND_SECONDS).unwrap());
        let archive = place.path().join("sicherung.tar");
        let backup = (round % BACKUP_ONE_IN == 0).then_some(archive.as_path());
        work(server, &mut lives, &hostile, length, backup, |sample, answers| {
            waited.extend(answers);
            samples.push(sample.at(begun.elapsed()));
        });
        if archive.exists() {
            let verified = run(["backup", "verify", text(&archive)]);
            assert_eq!(verified.code, 0, "{verified:?}");
            fs::remove_file(&archive).unwrap();
        }
        fs::write("target/soak.svg", chart::svg(&samples)).unwrap();
    }
    expect_sound(&directory);
    expect_few_files(&directory);
    expect_restored(&directory, place.path(), &mut lives);
    let confirmed: usize = lives.iter().map(|life| life.confirmed).sum();
    waited.sort_unstable();
    let [half, most, last] = [50, 99, 100].map(|percent| waited[(waited.len() - 1) * percent / 100]);
    let memory = samples.iter().map(Sample::memory).fold(0.0, f64::max) / (1024.0 * 1024.0);
    let tried = hostile.tried.load(Ordering::SeqCst);
    eprintln!(
        "{confirmed} confirmed changes; half in {half:?}, 99 of 100 in {most:?}, all in {last:?}; at most {memory:.0} MB \
         of memory; {tried} chargings tried by the hostile pilot; target/soak.svg"
    );
    expect_bounds(&samples);
}

/// Runs one round: the pilots work until the server is killed.
fn work(
    server: Server,
    lives: &mut [Life],
    hostile: &Hostile,
    length: Duration,
    backup: Option<&Path>,
    mut sampled: impl FnMut(Sample, Vec<Duration>),
) {
    let is_over = AtomicBool::new(false);
    let answers = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for life in lives {
            let (server, is_over, answers) = (&server, &is_over, &answers);
            let pilot = life.log_on(server);
            scope.spawn(move || life.work(&pilot, is_over, answers));
        }
        scope.spawn(|| hostile.work(&server, &is_over));
        if let Some(archive) = backup {
            let directory = server.directory();
            scope.spawn(move || {
                let arguments = ["backup", "--data-dir", text(directory), "--output", text(archive)];
                let done = run(arguments);
                // If the server is killed meanwhile, there is no archive.
                assert_eq!(done.code == 0, archive.exists(), "{done:?}");
            });
        }
        let begun = Instant::now();
        while begun.elapsed() < length {
            let asked = Instant::now();
            server.stranger().get("/app/health").expect_status(200);
            let waited = asked.elapsed();
            std::thread::sleep(SAMPLE_EVERY);
            let since = std::mem::take(&mut *answers.lock().unwrap());
            let per_second = since.len() as f64 / asked.elapsed().as_secs_f64();
            let slowest = since.iter().max().copied().unwrap_or_default();
            sampled(Sample::of(&server, [waited, slowest], per_second), since);
        }
        is_over.store(true, Ordering::SeqCst);
        server.signal("KILL");
    });
}

/// Fails unless a restored backup equals the data, except for the sessions.
fn expect_restored(directory: &Path, place: &Path, lives: &mut [Life]) {
    let (archive, again) = (place.join("letzte.tar"), place.join("again"));
    let saved = run(["backup", "--data-dir", text(directory), "--output", text(&archive)]);
    assert_eq!(saved.code, 0, "{saved:?}");
    let restored = run(["restore", "--data-dir", text(&again), text(&archive)]);
    assert_eq!(restored.code, 0, "{restored:?}");
    let server = Server::start_in(&again);
    for life in &mut *lives {
        let pilot = server.stranger();
        pilot.log_in(&life.email, PASSWORD).expect_status(202);
        life.session = pilot.cookie("session").unwrap();
    }
    together(lives, |life| life.settle(&server));
}

/// Works for four pilots at a time: for all at once, answers would take too long.
fn together(lives: &mut [Life], work: impl Fn(&mut Life) + Sync) {
    for some in lives.chunks_mut(4) {
        std::thread::scope(|scope| {
            let work = &work;
            for life in some {
                scope.spawn(move || work(life));
            }
        });
    }
}

/// To be called after orphans have been removed.
fn expect_few_files(directory: &Path) {
    let files = fs::read_dir(directory.join("blobs")).unwrap();
    let bytes: u64 = files.map(|file| file.unwrap().metadata().unwrap().len()).sum();
    assert!(bytes <= MAX_FILES_BYTES, "{bytes} bytes of files");
}

fn expect_bounds(samples: &[Sample]) {
    let halves = samples.split_at(samples.len() / 2);
    for (what, value, most) in [
        ("memory", Sample::memory as fn(&Sample) -> f64, MAX_MEMORY_BYTES as f64),
        ("descriptors", Sample::descriptors, MAX_DESCRIPTORS as f64),
        ("database", Sample::database, MAX_DATABASE_BYTES as f64),
    ] {
        let most_of = |samples: &[Sample]| samples.iter().map(value).fold(0.0, f64::max);
        let (first, second) = (most_of(halves.0), most_of(halves.1));
        assert!(
            first.max(second) <= most,
            "{what}: {first} and {second}, at most {most}"
        );
        let may_grow = what == "database";
        assert!(
            may_grow || second <= first * MAX_GROWTH,
            "{what} grows: {first}, then {second}"
        );
    }
}
