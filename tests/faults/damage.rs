//! Flipped bits and lost pages on a disk that reports no error: damaged data must never be shown as intact, and the
//! rest must be served or recoverable. `FLUGLOG_DAMAGES` sets the number of damages per test, `FLUGLOG_SEED` their
//! choice; without them each run tries the same few.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::json;

use crate::harness::answer::Answer;
use crate::harness::calls::{BATTERY, COPTER, id_in};
use crate::harness::files;
use crate::harness::process::run;
use crate::harness::spaces::{CLUB, MEMBER, expect_clean};
use crate::harness::{Output, PASSWORD, Pilot, Server, run_with_input, temporary_directory, text};

pub const DATABASE: &str = "fluglog.redb";
const FEW: usize = 12;
const OPERATOR: &str = "otto@example.org";
/// Least share of all records that is recovered after a single bit error.
const MIN_RECORDS: f64 = 0.99;

pub fn damages() -> usize {
    let wanted = std::env::var("FLUGLOG_DAMAGES").ok();
    wanted.map_or(FEW, |wanted| wanted.parse().unwrap())
}

/// Pseudo-random numbers (xorshift64).
pub struct Numbers(u64);

impl Numbers {
    /// Starts from `usual`, unless `FLUGLOG_SEED` is set.
    pub fn of(usual: u64) -> Numbers {
        let wanted = std::env::var("FLUGLOG_SEED").ok();
        Numbers(wanted.map_or(usual, |wanted| wanted.parse().unwrap()))
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }
}

/// A data directory with a year of flights, made once and copied, and the session of its pilot.
fn a_year(place: &Path) -> (PathBuf, String) {
    static MADE: OnceLock<(tempfile::TempDir, String)> = OnceLock::new();
    let (made, session) = MADE.get_or_init(|| {
        let made = temporary_directory();
        let done = run_with_input(["demo", "--data-dir", text(made.path())], b"");
        assert_eq!(done.code, 0, "{done:?}");
        let server = Server::start_in(made.path());
        let pilot = server.stranger();
        pilot.log_in("demo@example.org", "fluglog-demo").expect_status(202);
        let session = pilot.cookie("session").unwrap();
        assert!(server.stop().success());
        (made, session)
    });
    let directory = place.join("data");
    let copied = Command::new("cp").arg("-r").arg(made.path()).arg(&directory).status();
    assert!(copied.unwrap().success());
    (directory, session.clone())
}

pub fn logged_in(server: &Server, session: &str) -> Pilot {
    let pilot = server.stranger();
    pilot.plant_cookie("session", session);
    pilot
}

pub fn recover(directory: &Path, archive: &Path) -> Output {
    run(["recover", "--data-dir", text(directory), "--output", text(archive)])
}

/// The numbers of records and files that `recover` reports.
fn counted(done: &Output) -> (usize, usize) {
    let line = done
        .stdout
        .lines()
        .find(|line| line.contains("unbeschädigt"))
        .expect("a count");
    let mut numbers = line.split(' ').filter_map(|word| word.replace('.', "").parse().ok());
    (numbers.next().unwrap(), numbers.next().unwrap())
}

fn flip(bytes: &mut [u8], numbers: &mut Numbers) -> (usize, usize) {
    let (at, bit) = (numbers.below(bytes.len()), numbers.below(8));
    bytes[at] ^= 1 << bit;
    (at, bit)
}

#[test]
fn after_an_unclean_stop_and_a_wrong_bit_nothing_wrong_is_shown_and_the_rest_is_recovered_and_restored() {
    let place = temporary_directory();
    let (directory, session) = a_year(place.path());
    let server = Server::start_in(&directory);
    let pilot = logged_in(&server, &session);
    let questions = Questions::of(&pilot);
    let right = questions.right(&pilot);
    // The last commit may be taken back: it is of somebody else.
    let bert = server.pilot("Bert");
    let mut before = fs::read(directory.join(DATABASE)).unwrap();
    bert.item(BATTERY, "Letzter");
    drop(server); // kill -9
    let whole = fs::read(directory.join(DATABASE)).unwrap();
    before.resize(whole.len(), 0);
    let archive = place.path().join("rettung.tar");
    let recovered = |database: &[u8]| {
        fs::write(directory.join(DATABASE), database).unwrap();
        recover(&directory, &archive)
    };
    let (without_last, sound) = (recovered(&before), recovered(&whole));
    for done in [&without_last, &sound] {
        assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    }
    let (records, files) = counted(&sound);
    let (records_before, _) = counted(&without_last);
    let mut numbers = Numbers::of(7);
    let (mut refused, mut unopened) = (0, 0);
    for _ in 0..damages() {
        let mut flipped = whole.clone();
        let (at, bit) = flip(&mut flipped, &mut numbers);
        let what = format!("{bit} of {at}");
        let done = recovered(&flipped);
        let (found, sound_files) = counted(&done);
        assert!(found as f64 >= records as f64 * MIN_RECORDS, "{what}: {done:?}");
        assert!(
            done.code == 1 || done.code == 0 && [records, records_before].contains(&found) && sound_files == files,
            "{what}: {done:?}"
        );
        let status = run(["status", "--data-dir", text(&directory)]);
        fs::write(directory.join(DATABASE), &flipped).unwrap();
        if status.code == 78 {
            status.expect_refusal(78, &["beschädigt", "fluglog recover"]);
            unopened += 1;
            continue;
        }
        let server = Server::start_in(&directory);
        refused += shows_nothing_wrong(&questions.ask(&logged_in(&server, &session)), &right, &what);
        assert_eq!(server.stop().code(), Some(0), "{what}");
    }
    eprintln!(
        "{} wrong bits: {refused} answers refused, {unopened} not opened",
        damages()
    );
    let again = place.path().join("again");
    let restored = run(["restore", "--data-dir", text(&again), text(&archive)]);
    assert_eq!(restored.code, 0, "{restored:?}");
    let checked = run(["check", "--repair", "--data-dir", text(&again)]);
    assert_eq!(checked.code, 0, "{checked:?}");
}

#[test]
fn a_commit_of_which_a_page_never_reached_the_disk_is_left_out_and_the_one_before_is_recovered_whole() {
    let place = temporary_directory();
    let (directory, session) = a_year(place.path());
    let server = Server::start_in(&directory);
    let pilot = logged_in(&server, &session);
    pilot.item(BATTERY, "Gespeichert");
    let mut before = fs::read(directory.join(DATABASE)).unwrap();
    pilot.item(BATTERY, "Unterbrochen");
    let mut after = fs::read(directory.join(DATABASE)).unwrap();
    drop(server); // kill -9
    before.resize(after.len(), 0);
    // The power is cut before the sync of the commit has returned, which is noted in this sector.
    after[2048..2560].copy_from_slice(&before[2048..2560]);
    let pages = before.chunks(4096).zip(after.chunks(4096)).enumerate().skip(1);
    let changed: Vec<_> = pages.filter(|(_, (one, other))| one != other).collect();
    assert!(changed.len() > 3, "{}", changed.len());
    let archive = place.path().join("rettung.tar");
    let records = |database: &[u8], what: &str| {
        fs::write(directory.join(DATABASE), database).unwrap();
        let done = recover(&directory, &archive);
        assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{what}: {done:?}");
        counted(&done).0
    };
    let (last, whole) = (records(&after, "the last commit"), records(&before, "the one before"));
    assert!(last > whole);
    let mut left_out = 0;
    for (page, (lost, _)) in changed {
        let mut torn = after.clone();
        torn[page * 4096..][..4096].copy_from_slice(lost);
        let found = records(&torn, &format!("without page {page}"));
        // A page without records may be missing.
        assert!(found == whole || found == last, "without page {page}: {found}");
        left_out += usize::from(found == whole);
    }
    assert!(left_out > 0);
    let again = place.path().join("again");
    let restored = run(["restore", "--data-dir", text(&again), text(&archive)]);
    assert_eq!(restored.code, 0, "{restored:?}");
    let server = Server::start_in(&again);
    let pilot = server.stranger();
    pilot.log_in("demo@example.org", "fluglog-demo").expect_status(202);
    let batteries = pilot.equipments(BATTERY, false);
    assert!(batteries.iter().any(|battery| battery["name"] == "Gespeichert"));
}

#[test]
fn a_last_change_that_is_gone_after_an_unclean_stop_is_said_once() {
    let place = temporary_directory();
    let (directory, session) = a_year(place.path());
    let server = Server::start_in(&directory);
    let pilot = logged_in(&server, &session);
    pilot.item(BATTERY, "Gespeichert");
    let mut before = fs::read(directory.join(DATABASE)).unwrap();
    pilot.item(BATTERY, "Letzter");
    drop(server); // kill -9
    let after = fs::read(directory.join(DATABASE)).unwrap();
    before.resize(after.len(), 0);
    let check = || run(["check", "--data-dir", text(&directory)]);
    let status = || run(["status", "--data-dir", text(&directory)]);
    let says = |done: &Output| done.stdout.contains("die letzte Änderung") && done.stdout.contains("fehlt vielleicht");
    let archive = place.path().join("rettung.tar");
    let killed = recover(&directory, &archive);
    assert_eq!((killed.code, says(&killed)), (0, false), "without damage: {killed:?}");
    let whole = counted(&killed).0;
    let killed = check();
    assert_eq!((killed.code, says(&killed)), (0, false), "without damage: {killed:?}");

    let changed = before.chunks(4096).zip(after.chunks(4096)).enumerate();
    let changed: Vec<_> = changed
        .filter(|(_, (one, other))| one != other)
        .map(|(page, _)| page)
        .collect();
    let mut numbers = Numbers::of(47);
    let (mut kept, mut said) = (0, 0);
    for page in changed.into_iter().cycle().take(damages().max(12)) {
        let mut damaged = after.clone();
        match page {
            // Of the two commit slots, only that of the last commit is damaged.
            0 => damaged[if after[9] & 1 == 0 { 70 } else { 198 }..][..16].fill(0xa5),
            page => damage_a_page(&mut damaged, page, &mut numbers),
        }
        fs::write(directory.join(DATABASE), &damaged).unwrap();
        let what = format!("page {page}");
        let recovered = recover(&directory, &archive);
        // Where only an index is damaged, the last change is recovered.
        match says(&recovered) {
            true => assert_eq!(recovered.code, 1, "{what}: {recovered:?}"),
            false => assert_eq!(counted(&recovered).0, whole, "{what}: {recovered:?}"),
        }
        let server = Server::start_in(&directory);
        let batteries = logged_in(&server, &session).equipments(BATTERY, false);
        let is_there = batteries.iter().any(|battery| battery["name"] == "Letzter");
        let told = status();
        assert!(server.stop().success(), "{what}");
        let checked = check();
        match is_there {
            true => kept += 1,
            false => {
                assert!(says(&told), "{what}: {told:?}");
                assert_eq!((checked.code, says(&checked)), (1, true), "{what}: {checked:?}");
                let again = check();
                assert_eq!(
                    (again.code, says(&again), says(&status())),
                    (0, false, false),
                    "{what}: {again:?}"
                );
                said += 1;
            }
        }
    }
    eprintln!("the last change was kept {kept} times, and {said} times said to be gone");
    assert!(said > 0);
}

#[test]
fn what_is_lost_with_whole_pages_is_said_and_the_rest_can_be_served() {
    let place = temporary_directory();
    let (directory, _) = a_year(place.path());
    let whole = fs::read(directory.join(DATABASE)).unwrap();
    let archive = place.path().join("rettung.tar");
    let (records, _) = counted(&recover(&directory, &archive));
    let mut numbers = Numbers::of(11);
    for round in 0..damages() {
        let mut damaged = whole.clone();
        let page = numbers.below(whole.len() / 4096 - 1) + 1;
        match round % 3 {
            0 => damaged[page * 4096..][..4096].fill(0),
            1 => (0..4096).for_each(|at| damaged[page * 4096 + at] = u8::try_from(numbers.below(256)).unwrap()),
            _ => damaged.truncate(whole.len() - numbers.below(whole.len() / 8)),
        }
        fs::write(directory.join(DATABASE), damaged).unwrap();
        let done = recover(&directory, &archive);
        assert!([0, 1].contains(&done.code), "{page}: {done:?}");
        if !done.stdout.contains("unbeschädigt") {
            assert!(done.stderr.contains("Sicherung"), "{page}: {done:?}");
            continue;
        }
        let (found, _) = counted(&done);
        assert!(
            found >= records || done.code == 1,
            "{page}: {found} of {records}, {done:?}"
        );
        let verified = run(["backup", "verify", text(&archive)]);
        assert!(
            [0, 1].contains(&verified.code) && !verified.stderr.contains("beschädigt:"),
            "{verified:?}"
        );
    }
}

#[test]
fn a_server_that_can_not_open_its_data_names_the_damage_the_backup_and_the_command_that_helps() {
    let place = temporary_directory();
    let (directory, _) = a_year(place.path());
    let backup = place.path().join("sicherung.tar");
    let done = run(["backup", "--data-dir", text(&directory), "--output", text(&backup)]);
    assert_eq!(done.code, 0, "{done:?}");
    let mut damaged = fs::read(directory.join(DATABASE)).unwrap();
    // Without both commit slots, no table can be found.
    damaged[64..64 + 2 * 128].fill(0);
    fs::write(directory.join(DATABASE), damaged).unwrap();
    for command in ["serve", "check", "backup"] {
        let refused = run([command, "--data-dir", text(&directory)]);
        refused.expect_refusal(78, &["beschädigt", "fluglog recover", "sicherung.tar"]);
    }
}

/// Wrong bits at two places of a page.
pub fn damage_a_page(bytes: &mut [u8], page: usize, numbers: &mut Numbers) {
    let first = numbers.below(4096);
    let second = (first + 1 + numbers.below(4095)) % 4096;
    for at in [first, second] {
        bytes[page * 4096 + at] ^= 1 << numbers.below(8);
    }
}

#[test]
fn a_backup_of_data_that_can_not_be_read_ends_with_what_helps_and_leaves_the_good_one() {
    let place = temporary_directory();
    let (directory, _) = a_year(place.path());
    let folder = place.path().join("backups");
    fs::create_dir(&folder).unwrap();
    let backup = || {
        run([
            "backup",
            "--data-dir",
            text(&directory),
            "--output",
            text(&folder),
            "--keep",
            "1",
        ])
    };
    assert_eq!(backup().code, 0);
    let archives = || -> Vec<_> {
        let entries = fs::read_dir(&folder).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    };
    let good = archives().remove(0);
    let whole = fs::read(directory.join(DATABASE)).unwrap();
    // Backs up beside a server; returns the outcome and whether there is a new archive.
    let tried = |what: &str| {
        let server = Server::start_in(&directory);
        let done = backup();
        assert_eq!(done.code, 1, "{what}: {done:?}");
        for helps in ["fluglog check", "fluglog recover", "letzte gute Sicherung", text(&good)] {
            assert!(done.stderr.contains(helps), "{what}: {helps}: {done:?}");
        }
        assert_eq!(done.stderr.lines().count(), 1, "{done:?}");
        let status = run(["status", "--json", "--data-dir", text(&directory)]);
        let is_told = ["misslungen", "beschädigt"]
            .iter()
            .any(|word| status.stdout.contains(word));
        assert!(is_told, "{what}: {status:?}");
        assert!(server.stop().success());
        assert!(good.exists(), "{what}");
        let new: Vec<_> = archives().into_iter().filter(|archive| *archive != good).collect();
        new.iter().for_each(|archive| fs::remove_file(archive).unwrap());
        (done, !new.is_empty())
    };
    let mut numbers = Numbers::of(23);
    let mut broken_off = 0;
    // Which pages abort a backup depends on the ids of the records.
    for round in 0.. {
        if round >= damages() && broken_off > 0 {
            break;
        }
        assert!(round < damages() + 300, "no backup is broken off");
        let mut damaged = whole.clone();
        let page = 1 + numbers.below(whole.len() / 4096 - 1);
        damage_a_page(&mut damaged, page, &mut numbers);
        fs::write(directory.join(DATABASE), &damaged).unwrap();
        // Damage to a free page has no effect, and without some pages nothing can be opened.
        if run(["check", "--data-dir", text(&directory)]).code != 1 {
            continue;
        }
        // Closing the database may have rewritten the page.
        fs::write(directory.join(DATABASE), &damaged).unwrap();
        let (done, is_saved) = tried(&page.to_string());
        assert_eq!(is_saved, !done.stderr.contains("ist abgebrochen"), "{page}: {done:?}");
        broken_off += usize::from(!is_saved);
    }
    // A backup of what is readable beside a damaged file.
    fs::write(directory.join(DATABASE), &whole).unwrap();
    let blob = fs::read_dir(directory.join("blobs")).unwrap().next().unwrap().unwrap();
    fs::write(blob.path(), "damaged").unwrap();
    let (done, is_saved) = tried("a damaged file");
    assert!(is_saved && done.stderr.contains("alles, was lesbar ist"), "{done:?}");
    eprintln!("{broken_off} backups broken off");
}

#[test]
fn with_a_lost_page_pilots_go_on_adding() {
    let place = temporary_directory();
    let (directory, session) = a_year(place.path());
    let whole = fs::read(directory.join(DATABASE)).unwrap();
    let mut numbers = Numbers::of(31);
    let (mut tried, mut adding) = (0, 0);
    while tried < damages() {
        let mut damaged = whole.clone();
        damage_a_page(&mut damaged, 1 + numbers.below(whole.len() / 4096 - 1), &mut numbers);
        fs::write(directory.join(DATABASE), &damaged).unwrap();
        if run(["check", "--data-dir", text(&directory)]).code != 1 {
            continue;
        }
        fs::write(directory.join(DATABASE), &damaged).unwrap();
        let server = Server::start_in(&directory);
        let pilot = logged_in(&server, &session);
        let added = pilot.save_new_equipment(&json!({"type": BATTERY, "name": "Noch einer"}));
        tried += 1;
        adding += usize::from(added.status == 200);
        assert!(server.stop().success());
    }
    eprintln!("with {adding} of {tried} lost pages their pilot could add");
    // The lost page may be the one for the new record.
    assert!(adding * 4 >= tried * 3, "{adding} of {tried}");
}

#[test]
fn a_damaged_proof_costs_its_own_line_and_nothing_else() {
    const NUMBER: &[u8] = b"DE-RP-EINDEUTIG";
    let place = temporary_directory();
    let directory = place.path().join("data");
    let server = Server::start_in(&directory);
    let anna = server.pilot("Anna");
    let copter = anna.item(COPTER, "Falke");
    let flight = anna.fly(&copter, &[], &json!({"startTime": "14.06.2026 10:00"}));
    let job = json!({"title": "Propeller", "days": 10, "since": "01.01.2026"}).to_string();
    anna.post("SaveJob", &[("dpfId", &copter), ("job", &job)])
        .expect_status(200);
    let policy = json!({"kind": 4, "number": "DE-RP-EINDEUTIG", "until": "01.02.2026"});
    anna.proof("Police.pdf", b"%PDF", &policy);
    let whole = anna.flight(&flight);
    assert_eq!(whole["proofs"][0]["dpfId"], "");
    let session = anna.cookie("session").unwrap();
    assert!(server.stop().success());
    let file = directory.join(DATABASE);
    let mut database = fs::read(&file).unwrap();
    let places: Vec<_> = (0..database.len() - NUMBER.len())
        .filter(|at| &database[*at..][..NUMBER.len()] == NUMBER)
        .collect();
    assert!(!places.is_empty());
    for at in places {
        database[at] ^= 1;
    }
    fs::write(&file, &database).unwrap();

    let server = Server::start_in(&directory);
    let anna = logged_in(&server, &session);
    let mut damaged = anna.flight(&flight);
    assert_eq!(damaged["proofsDamaged"], true);
    damaged.as_object_mut().unwrap().remove("proofsDamaged");
    damaged["proofs"] = whole["proofs"].clone();
    assert_eq!(damaged, whole);
    let lines = anna.post("GetReminders", &[]).expect_status(200).json();
    let said: Vec<_> = lines.as_array().unwrap().iter().map(|line| &line["text"]).collect();
    assert_eq!(said[0], "Die Angaben sind beschädigt und nicht lesbar.");
    assert!(said[1].as_str().unwrap().starts_with("fällig seit "));
    assert_eq!(run(["check", "--data-dir", text(&directory)]).code, 1);
}

/// The pages of a file in pseudo-random order.
pub fn pages_of(file: &[u8], numbers: &mut Numbers) -> impl Iterator<Item = usize> {
    let pages = file.len() / 4096 - 1;
    let first = numbers.below(pages);
    // Steps of a prime number visit every page.
    (0..pages).map(move |at| 1 + (first + at * 7_919) % pages)
}

/// Fails unless the server is healthy. It may only report that it can't work if the page that names the accounts'
/// table is lost, so that nobody gets an answer.
pub fn expect_health(server: &Server, is_anybody_answered: bool, what: &str) {
    let health = server.stranger().get("/app/health").status;
    assert!(
        health == 200 || health == 500 && !is_anybody_answered,
        "{what}: {health}, somebody is answered: {is_anybody_answered}"
    );
}

/// Compares an operator's answers with the right ones; returns the number of refusals.
fn shows_nothing_wrong(answers: &[Option<Answer>], right: &[Answer], what: &str) -> usize {
    let refused = answers.iter().zip(right);
    refused
        .filter(|(answer, right)| !is_right(answer.as_ref(), right, what))
        .count()
}

/// Whether an answer is the right one. A long list whose later part is damaged is cut off, which counts as a refusal,
/// and so do a damaged session, and a flight that says that a proof is damaged.
pub fn is_right(answer: Option<&Answer>, right: &Answer, what: &str) -> bool {
    let Some(answer) = answer else {
        return false;
    };
    match answer.status {
        200 if answer.text().contains("\"proofsDamaged\":true") => return false,
        200 => assert!(answer.body == right.body, "{what}: {}", answer.text()),
        401 | 500 => return false,
        other => panic!("{what}: {other} {}", answer.text()),
    }
    true
}

#[test]
fn after_an_unclean_stop_with_a_lost_page_the_server_starts_shows_what_is_sound_and_takes_no_writes() {
    let place = temporary_directory();
    let (directory, session) = a_year(place.path());
    let server = Server::start_in(&directory);
    let pilot = logged_in(&server, &session);
    pilot.item(BATTERY, "Vor dem Stromausfall");
    let questions = Questions::of(&pilot);
    let right = questions.right(&pilot);
    drop(server); // kill -9
    let whole = fs::read(directory.join(DATABASE)).unwrap();
    let mut numbers = Numbers::of(41);
    let (mut read_only, mut writable, mut refused) = (0, 0, 0);
    let pages: Vec<_> = pages_of(&whole, &mut numbers).collect();
    for page in pages.into_iter().filter(|page| whole[page * 4096] != 0).take(damages()) {
        let mut damaged = whole.clone();
        damage_a_page(&mut damaged, page, &mut numbers);
        fs::write(directory.join(DATABASE), &damaged).unwrap();
        let server = Server::start_in(&directory);
        let pilot = logged_in(&server, &session);
        let what = format!("page {page}");
        let added = pilot.save_new_equipment(&json!({"type": BATTERY, "name": "Noch einer"}));
        match added.status {
            200 => writable += 1,
            503 => {
                assert!(
                    added.text().contains("Neues wird nicht mehr gespeichert"),
                    "{what}: {}",
                    added.text()
                );
                refused += shows_nothing_wrong(&questions.ask(&pilot), &right, &what);
                let status = run(["status", "--json", "--data-dir", text(&directory)]);
                assert!(status.stdout.contains("fluglog recover"), "{what}: {status:?}");
                read_only += 1;
            }
            // The session or its pilot is in the lost page.
            401 | 500 => assert!(refused_or_said(&directory), "{what}"),
            other => panic!("{what}: {other} {}", added.text()),
        }
        expect_health(&server, ![401, 500].contains(&added.status), &what);
        assert_eq!(server.stop().code(), Some(0), "{what}");
        if read_only > 0 && added.status == 503 {
            assert!(
                fs::read(directory.join(DATABASE)).unwrap().len() >= damaged.len(),
                "{what}"
            );
        }
    }
    eprintln!(
        "{read_only} only read ({refused} of {} answers each refused in all), {writable} written",
        right.len()
    );
    assert!(read_only > 0);
}

/// A data directory with a read-only database: a page of both commits is lost.
struct ReadOnlyData {
    directory: PathBuf,
    damaged: Vec<u8>,
    /// Sessions of a pilot and an operator.
    anna: String,
    otto: String,
    _place: tempfile::TempDir,
}

impl ReadOnlyData {
    fn new() -> ReadOnlyData {
        let place = temporary_directory();
        let directory = place.path().join("data");
        let server = Server::start_in(&directory);
        // The first account is always an operator.
        assert_eq!(add_user(&directory, OPERATOR, &["--operator"]).code, 0);
        let anna = server.pilot("Anna");
        anna.item(BATTERY, "Akku");
        let otto = server.stranger();
        otto.log_in(OPERATOR, PASSWORD).expect_status(202);
        let sessions = [&anna, &otto].map(|pilot| pilot.cookie("session").unwrap());
        anna.item(BATTERY, "Noch ein Akku mit Namen");
        drop(server); // kill -9
        let mut damaged = fs::read(directory.join(DATABASE)).unwrap();
        // The page belongs to both commits once another one has been made.
        for page in damaged.chunks_mut(4096).skip(1) {
            if page.windows(4).any(|part| part == b"Akku") {
                page[4..].fill(0xa5);
            }
        }
        fs::write(directory.join(DATABASE), &damaged).unwrap();
        let [anna, otto] = sessions;
        ReadOnlyData {
            directory,
            damaged,
            anna,
            otto,
            _place: place,
        }
    }
}

fn add_user(directory: &Path, email: &str, more: &[&str]) -> Output {
    let arguments = [
        "user",
        "add",
        "--email",
        email,
        "--nickname",
        "Neu",
        "--password-stdin",
        "--data-dir",
    ];
    let arguments = arguments
        .iter()
        .copied()
        .chain([text(directory)])
        .chain(more.iter().copied());
    run_with_input(arguments, format!("{PASSWORD}\n").as_bytes())
}

#[test]
fn operators_learn_on_every_page_by_status_and_by_mail_that_nothing_is_written() {
    let data = ReadOnlyData::new();
    let server = Server::start_in_with(&data.directory, &[("FLUGLOG_ADMIN_MAIL", OPERATOR)]);
    let problems = |session: &str| {
        let answer = logged_in(&server, session).post_empty("GetServerProblems");
        answer.expect_status(200).json()
    };
    let told = problems(&data.otto);
    let mut all = told.as_array().unwrap().iter();
    let urgent = all.find(|problem| problem["isUrgent"] == true);
    let urgent = urgent.unwrap_or_else(|| panic!("{told}"));
    let begins = |name: &str, begin: &str| urgent[name].as_str().unwrap().contains(begin);
    assert!(
        begins("sentence", "wird nur noch gelesen") && begins("command", "fluglog recover"),
        "{told}"
    );
    assert_eq!(problems(&data.anna), json!([]));
    let status = run(["status", "--data-dir", text(&data.directory)]);
    assert_eq!(status.code, 0, "{status:?}");
    assert!(status.stdout.contains("wird nur noch gelesen"), "{status:?}");
    let mail = server.nth_mail(OPERATOR, 1);
    assert!(mail.text.contains("fluglog recover"), "{}", mail.text);
}

#[test]
fn while_nothing_is_written_pilots_read_on_and_the_damaged_file_stays_as_it_is() {
    let data = ReadOnlyData::new();
    let server = Server::start_in(&data.directory);
    let anna = logged_in(&server, &data.anna);
    anna.post("GetDetailedUser", &[]).expect_status(200);
    let refused = anna.save_new_equipment(&json!({"type": BATTERY, "name": "Dritter"}));
    let said = refused.expect_status(503).text();
    assert!(said.contains("Neues wird nicht mehr gespeichert"), "{said}");
    // A read-only server keeps sessions only in memory; they end like any other.
    let otto = server.stranger();
    otto.log_in(OPERATOR, PASSWORD).expect_status(202);
    otto.post("GetDetailedUser", &[]).expect_status(200);
    let copied = logged_in(&server, &otto.cookie("session").unwrap());
    copied.post("GetDetailedUser", &[]).expect_status(200);
    otto.post_empty("Logout").expect_status(200);
    copied.post("GetDetailedUser", &[]).expect_status(401);
    server
        .stranger()
        .log_in(OPERATOR, "falsches Passwort")
        .expect_status(401);
    let ways_out = ["wird nur noch gelesen", "fluglog recover", "fluglog restore"];
    add_user(&data.directory, "neu@example.org", &[]).expect_refusal(1, &ways_out);
    assert_eq!(server.stop().code(), Some(0));
    let (left, damaged) = (fs::read(data.directory.join(DATABASE)).unwrap(), &data.damaged);
    // The first page contains Fluglog's notes after the header.
    assert!(
        left[..320] == damaged[..320] && left[4096..] == damaged[4096..],
        "the damaged file was changed"
    );
}

pub fn refused_or_said(directory: &Path) -> bool {
    let status = run(["status", "--data-dir", text(directory)]);
    status.stdout.contains("beschädigt") || status.stderr.contains("beschädigt")
}

fn number_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// The pages of redb's internal tables of free pages.
fn own_pages(file: &[u8]) -> Vec<usize> {
    let slot = if file[9] & 1 == 0 { 64 } else { 192 };
    let page_of = |number: u64| {
        let order = number >> 59;
        let page = 1 + (number & 0xf_ffff) * (1 << order);
        (order < 6 && page * 4096 < file.len() as u64).then(|| usize::try_from(page).unwrap())
    };
    let root = page_of(number_at(file, slot + 40)).unwrap();
    let leaf = &file[root * 4096..][..4096];
    assert_eq!(leaf[0], 1, "a few tables fit into one page");
    let count = usize::from(u16::from_le_bytes([leaf[2], leaf[3]]));
    let end = |at: usize| usize::try_from(u32::from_le_bytes(leaf[4 + at * 4..][..4].try_into().unwrap())).unwrap();
    let mut pages = vec![root];
    for at in 0..count {
        // A definition begins after the keys, or after the one before.
        let start = if at == 0 { end(count - 1) } else { end(count + at - 1) };
        if leaf[start + 9] != 0 {
            pages.extend(page_of(number_at(leaf, start + 10)));
        }
    }
    pages
}

#[test]
fn a_page_of_redb_s_own_that_is_lost_or_another_ends_no_command_with_english_and_no_server() {
    let place = temporary_directory();
    let (directory, session) = a_year(place.path());
    let whole = fs::read(directory.join(DATABASE)).unwrap();
    let pages = own_pages(&whole);
    assert!(pages.len() > 1, "{pages:?}");
    let archive = place.path().join("sicherung.tar");
    let mut numbers = Numbers::of(43);
    let mut read_only = 0;
    for (round, page) in pages.iter().cycle().take(damages().max(2 * pages.len())).enumerate() {
        let mut damaged = whole.clone();
        let other = (1 + numbers.below(whole.len() / 4096 - 1)) * 4096;
        match round / pages.len() % 2 {
            0 => damaged.copy_within(other..other + 4096, page * 4096),
            _ => damaged[page * 4096..][..4096].fill(0),
        }
        let what = format!("page {page}, in its place the one at {other}");
        for arguments in [
            &["check"][..],
            &["user", "list"],
            &["status"],
            &["backup", "--output", text(&archive)],
        ] {
            fs::write(directory.join(DATABASE), &damaged).unwrap();
            let done = run([arguments, &["--data-dir", text(&directory)]].concat());
            assert!([0, 1].contains(&done.code), "{what}: {arguments:?}: {done:?}");
            assert!(!done.stderr.contains("panicked"), "{what}: {arguments:?}: {done:?}");
        }
        fs::write(directory.join(DATABASE), &damaged).unwrap();
        let server = Server::start_in(&directory);
        let pilot = logged_in(&server, &session);
        for number in 0..3 {
            let name = format!("Akku {number}");
            let added = pilot.save_new_equipment(&json!({"type": BATTERY, "name": name}));
            match added.status {
                200 => {}
                503 => read_only += 1,
                other => panic!("{what}: {other} {}", added.text()),
            }
        }
        assert!(!pilot.equipments(BATTERY, false).is_empty(), "{what}");
        assert_eq!(server.stop().code(), Some(0), "{what}");
        assert!(
            recover(&directory, &place.path().join("rettung.tar")).code <= 1,
            "{what}"
        );
    }
    assert!(read_only > 0);
}

#[test]
fn records_of_a_lost_account_are_recovered_with_one_that_an_admin_gives_to_their_pilot() {
    let place = temporary_directory();
    let (directory, session) = a_year(place.path());
    let server = Server::start_in(&directory);
    let flights = logged_in(&server, &session).flights().len();
    assert!(server.stop().success());
    let mut damaged = fs::read(directory.join(DATABASE)).unwrap();
    let address: &[u8] = b"demo@example.org";
    for page in damaged.chunks_mut(4096).skip(1) {
        if page.windows(address.len()).any(|part| part == address) {
            page.fill(0);
        }
    }
    fs::write(directory.join(DATABASE), &damaged).unwrap();
    let archive = place.path().join("rettung.tar");
    let done = recover(&directory, &archive);
    assert_eq!(done.code, 1, "{done:?}");
    assert!(
        done.stdout
            .contains("fluglog user change konto-1@gerettet.invalid --email ADRESSE"),
        "{done:?}"
    );
    let again = place.path().join("again");
    let restored = run(["restore", "--data-dir", text(&again), text(&archive)]);
    assert_eq!(restored.code, 0, "{restored:?}");
    let repaired = run(["check", "--repair", "--data-dir", text(&again)]);
    assert_eq!(repaired.code, 0, "{repaired:?}");
    let user = |arguments: &[&str]| run([&["user"], arguments, &["--data-dir", text(&again)]].concat());
    // The digest of the address remains and leads to the account.
    let shown = user(&["show", "demo@example.org"]);
    assert!(shown.stdout.contains("konto-1@gerettet.invalid"), "{shown:?}");
    let given = user(&["change", "konto-1@gerettet.invalid", "--email", "demo@example.org"]);
    assert_eq!(given.code, 0, "{given:?}");
    let password = run_with_input(
        [
            "user",
            "set-password",
            "demo@example.org",
            "--password-stdin",
            "--data-dir",
            text(&again),
        ],
        b"neun-lange-Worte\n",
    );
    assert_eq!(password.code, 0, "{password:?}");
    let server = Server::start_in(&again);
    let pilot = server.stranger();
    pilot.log_in("demo@example.org", "neun-lange-Worte").expect_status(202);
    assert_eq!(pilot.flights().len(), flights);
    assert!(server.stop().success());
    let checked = run(["check", "--data-dir", text(&again)]);
    assert_eq!(checked.code, 0, "{checked:?}");
}

/// The 16 bytes of an id, as the keys of the database have them: the last one first.
fn key_of(id: &str) -> Vec<u8> {
    let digits: String = id.chars().filter(char::is_ascii_hexdigit).collect();
    let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
    (0..32).step_by(2).rev().map(byte).collect()
}

#[test]
fn of_a_shared_item_no_hours_of_a_deleted_account_are_lost_without_a_word() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    fs::create_dir(&directory).unwrap();
    let server = Server::start_in(&directory);
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let space = anna.make_space(CLUB, "Verein");
    anna.take_in(&space, MEMBER, &ben, true);
    let copter = anna.item_of_space(&space, COPTER, "Schulcopter");
    let flown = json!({"startTime": "01.03.2026 10:00", "flightTime": "60"});
    let flight = ben.fly(&copter, &[], &flown);
    assert_eq!(anna.equipment(&copter)["usageTime"], 1.0);
    assert!(server.stop().success());
    let deleted = run([
        "user",
        "delete",
        "ben@example.org",
        "--yes",
        "--data-dir",
        text(&directory),
    ]);
    assert_eq!(deleted.code, 0, "{deleted:?}");
    assert_eq!(run(["compact", "--data-dir", text(&directory)]).code, 0);
    let whole = fs::read(directory.join(DATABASE)).unwrap();
    let key = [key_of(&space), key_of(&copter), key_of(&flight)].concat();
    let pages = whole.chunks(4096).enumerate().skip(1);
    let of_use: Vec<_> = pages
        .filter(|(_, page)| page.windows(key.len()).any(|part| part == key))
        .map(|(number, _)| number)
        .collect();
    assert!(of_use.len() >= 2, "one with the use and one with its pilot: {of_use:?}");
    let mut lost = 0;
    for page in of_use {
        let mut damaged = whole.clone();
        damaged[page * 4096..][..4096].fill(0);
        fs::write(directory.join(DATABASE), &damaged).unwrap();
        let archive = place.path().join(format!("rettung-{page}.tar"));
        let done = recover(&directory, &archive);
        let again = place.path().join(format!("again-{page}"));
        let restored = run(["restore", "--data-dir", text(&again), text(&archive)]);
        assert_eq!(restored.code, 0, "{restored:?}");
        expect_clean(&again);
        let server = Server::start_in(&again);
        let anna = server.stranger();
        anna.log_in("anna@example.org", PASSWORD).expect_status(202);
        let hours = anna.equipment(&copter)["usageTime"].clone();
        assert!(server.stop().success());
        if hours != 1.0 {
            lost += 1;
            assert_eq!(done.code, 1, "page {page}: {done:?}");
            assert!(
                done.stdout.contains("ein Flug aus einem gelöschten Konto ist verloren"),
                "page {page}: {done:?}"
            );
        }
    }
    assert!(lost >= 1, "the page with the use is lost");
}

#[test]
fn a_directory_that_is_served_is_not_recovered() {
    let server = Server::start();
    let archive = server.directory().with_file_name("rettung.tar");
    let refused = recover(server.directory(), &archive);
    refused.expect_refusal(1, &["läuft ein Fluglog-Server"]);
    assert!(!archive.exists());
}

/// Everything that a pilot can look at, grouped by call.
pub struct Questions(Vec<(&'static str, Vec<(&'static str, String)>)>);

impl Questions {
    pub fn of(pilot: &Pilot) -> Questions {
        let mut all = vec![
            ("GetFlights", vec![]),
            ("GetStatistics", vec![]),
            ("GetFlightMonths", vec![]),
            ("GetReview", vec![]),
            ("GetUserDocuments", vec![]),
            ("GetDetailedUser", vec![]),
        ];
        for battery in pilot.equipments(BATTERY, false) {
            all.push(("GetChargings", vec![("battery", id_in(&battery))]));
        }
        for flight in pilot.flights().iter().step_by(7) {
            all.push(("GetFlight", vec![("dpfId", id_in(flight))]));
            all.push(("GetFlightLogs", vec![("dpfId", id_in(flight))]));
            all.push(("GetFlightTrack", vec![("dpfId", id_in(flight))]));
        }
        Questions(all)
    }

    /// The answers; `None` for one that the server cut off.
    pub fn ask(&self, pilot: &Pilot) -> Vec<Option<Answer>> {
        let mut answers = vec![pilot.ask("GET", "/app/api/GetAllEquipments").try_to_send()];
        answers.extend(self.0.iter().map(|(call, fields)| {
            let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
            let question = pilot.ask("POST", &format!("/app/api/{call}"));
            question.form(&fields).try_to_send()
        }));
        answers
    }

    /// The answers of a server with whole data.
    pub fn right(&self, pilot: &Pilot) -> Vec<Answer> {
        let answers = self.ask(pilot).into_iter().map(Option::unwrap);
        answers.collect()
    }
}

/// Damages a closed database again and again and compares what a server shows. Returns the numbers of right answers
/// and of errors.
fn show_nothing_wrong(
    count: usize,
    seed: u64,
    mut damage: impl FnMut(&mut [u8], &mut Numbers) -> String,
) -> (usize, usize) {
    let place = temporary_directory();
    let (directory, session) = a_year(place.path());
    let server = Server::start_in(&directory);
    let pilot = logged_in(&server, &session);
    let questions = Questions::of(&pilot);
    let right = questions.right(&pilot);
    assert!(right.iter().all(|answer| answer.status == 200));
    assert!(server.stop().success());
    let whole = fs::read(directory.join(DATABASE)).unwrap();
    let mut numbers = Numbers::of(seed);
    let (mut equal, mut refused, mut unopened) = (0, 0, 0);
    for _ in 0..count {
        let mut damaged = whole.clone();
        let what = damage(&mut damaged, &mut numbers);
        fs::write(directory.join(DATABASE), &damaged).unwrap();
        let checked = run(["check", "--data-dir", text(&directory)]);
        // Reading and closing the database may have rewritten the damaged page.
        fs::write(directory.join(DATABASE), &damaged).unwrap();
        if checked.code == 78 {
            checked.expect_refusal(78, &["beschädigt", "fluglog recover"]);
            unopened += 1;
            continue;
        }
        if checked.code == 1 {
            let archive = place.path().join("sicherung.tar");
            let saved = run(["backup", "--data-dir", text(&directory), "--output", text(&archive)]);
            assert_eq!(saved.code, 1, "{what}: {checked:?}, but {saved:?}");
            fs::write(directory.join(DATABASE), &damaged).unwrap();
        }
        let server = Server::start_in(&directory);
        let answers = questions.ask(&logged_in(&server, &session));
        let refused_now = shows_nothing_wrong(&answers, &right, &what);
        refused += refused_now;
        equal += answers.len() - refused_now;
        expect_health(&server, refused_now < answers.len(), &what);
        assert_eq!(server.stop().code(), Some(0), "{what}");
    }
    eprintln!("{count} damages: {equal} right answers, {refused} errors, {unopened} not opened, none wrong");
    (equal, refused)
}

#[test]
fn a_wrong_bit_in_the_database_shows_nothing_wrong_and_ends_no_server() {
    let (equal, refused) = show_nothing_wrong(damages(), 3, |bytes, numbers| {
        let (at, bit) = flip(bytes, numbers);
        format!("{bit} of {at}")
    });
    assert!(equal > refused, "{equal} {refused}");
}

#[test]
fn a_lost_sector_and_a_misplaced_page_of_the_database_show_nothing_wrong_and_end_no_server() {
    let mut round = 0;
    show_nothing_wrong(damages() / 3, 19, |bytes, numbers| {
        round += 1;
        // The header is left out: without it nothing can be opened.
        let pages = bytes.len() / 4096 - 1;
        let at = 4096 + numbers.below(pages * 8) * 512;
        if round % 2 == 0 {
            // Chooses pages in use: free pages are full of zeros.
            let mut in_use = || loop {
                let page = (1 + numbers.below(pages)) * 4096;
                if bytes[page] != 0 {
                    return page;
                }
            };
            let (from, to) = (in_use(), in_use());
            bytes.copy_within(from..from + 4096, to);
            return format!("the page at {from} in the place of the one at {to}");
        }
        for byte in &mut bytes[at..at + 512] {
            *byte = u8::try_from(numbers.below(256)).unwrap();
        }
        format!("the sector at {at}")
    });
}

#[test]
fn a_damaged_file_is_never_answered_as_right() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let server = Server::start_in(&directory);
    let pilot = server.pilot("Anna");
    let copter = pilot.item(crate::harness::calls::COPTER, "Brummer");
    let flight = pilot.fly(&copter, &[], &serde_json::json!({"flightTime": "7,5"}));
    let image = pilot
        .add_images(&flight, &[&crate::harness::pictures::jpeg(900, 600)])
        .remove(0);
    let small = pilot.document("klein.txt", &vec![7; 3000]);
    let large = pilot.document(
        "gross.bin",
        &(0..2_500_000u32).map(|at| at.to_le_bytes()[0]).collect::<Vec<_>>(),
    );
    let questions = [
        ("GetImage", "uuid", &image),
        ("GetImagePreview", "uuid", &image),
        ("DownloadDocument", "dpfId", &small),
        ("DownloadDocument", "dpfId", &large),
    ];
    let ask = |(call, field, id): (&str, &str, &String)| {
        let question = match call {
            "DownloadDocument" => pilot.ask("POST", &format!("/app/api/{call}")).form(&[(field, id)]),
            _ => pilot.ask("GET", &format!("/app/api/{call}?{field}={id}")),
        };
        question.try_to_send()
    };
    let right = questions.map(|question| ask(question).unwrap().expect_status(200));
    let blobs: Vec<_> = files::blobs(&directory)
        .iter()
        .map(|name| directory.join("blobs").join(name))
        .collect();
    assert_eq!(blobs.len(), 4);
    let mut numbers = Numbers::of(5);
    let mut cut = 0;
    for round in 0..damages() {
        let path = &blobs[round % blobs.len()];
        let whole = fs::read(path).unwrap();
        let mut damaged = whole.clone();
        match round % 5 {
            4 => {
                damaged.truncate(numbers.below(whole.len()));
                cut += 1;
            }
            _ => drop(flip(&mut damaged, &mut numbers)),
        }
        fs::write(path, damaged).unwrap();
        let mut refused = 0;
        for (question, right) in questions.into_iter().zip(&right) {
            match ask(question) {
                Some(answer) if answer.status == 200 => assert!(answer.body == right.body, "{question:?}"),
                Some(answer) => {
                    assert!(!answer.has_header("cache-control", "private, max-age=31536000, immutable"));
                    answer.expect_status(500);
                    refused += 1;
                }
                // The connection broke off.
                None => refused += 1,
            }
        }
        assert_eq!(refused, 1, "round {round}");
        fs::write(path, whole).unwrap();
    }
    eprintln!(
        "{} files with a wrong bit, {cut} cut ones, none answered as right",
        damages() - cut
    );
    let log = server.log();
    assert!(log.contains("damaged") || log.contains("not sent to its end"), "{log}");
    assert!(server.stop().success());
}
