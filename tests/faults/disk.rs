//! A disk that fails or is full, simulated by strace (one system call returns an error) and by a limit on the file
//! size.

use std::io::Write;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::faults::ledger::{Ledger, compare, expect_sound};
use crate::harness::answer::Answer;
use crate::harness::calls::{BATTERY, COPTER, id_in};
use crate::harness::client::FORM;
use crate::harness::process::{finish, run};
use crate::harness::raw::Connection;
use crate::harness::{Pilot, Server, program, temporary_directory, text, wait};

/// Runs the program with a limit on the size of each file, in blocks of 512 bytes; exceeding it is an error instead of
/// a signal.
const SMALL_FILES: &str = "trap '' XFSZ; ulimit -S -f 6000; exec \"$@\"";
const MORE_THAN_FITS_BYTES: usize = 3_200_000;

/// The path of strace, which is installed if it is missing.
pub fn strace() -> String {
    let found = Command::new("tests/need.sh")
        .args(["strace", "strace"])
        .output()
        .unwrap();
    assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
    String::from_utf8(found.stdout).unwrap().trim().to_owned()
}

/// Runs the server with a fault in its system calls, in the syntax of strace's `inject`.
fn serve_with(fault: &str, directory: &Path) -> Server {
    serve_watched(&[], fault, directory)
}

/// Like `serve_with`, with the environment that systemd gives a service.
fn serve_watched(environment: &[&str], fault: &str, directory: &Path) -> Server {
    let calls = fault.split(':').next().unwrap();
    let inject = format!("inject={fault}");
    serve_traced(environment, calls, Path::new("/dev/null"), &["-e", &inject], directory)
}

/// Runs the server while strace writes its calls of these names to a file. strace writes a call before it resumes the
/// program, so the file contains all calls made before an answer.
pub fn serve_traced(environment: &[&str], calls: &str, file: &Path, more: &[&str], directory: &Path) -> Server {
    let (strace, trace) = (strace(), format!("trace={calls}"));
    // With `-D`, strace runs as a separate process; the started process is the program itself, which can be stopped
    // and waited for.
    let as_a_daemon = [strace.as_str(), "-D", "-f", "-qq", "-o", text(file), "-e", &trace];
    let wrapper = [&["env"][..], environment, &as_a_daemon[..], more].concat();
    Server::start_through(&wrapper, directory)
}

/// Makes a data directory with the user Anna; returns her session cookie.
pub fn prepared(directory: &Path) -> String {
    let server = Server::start_in(directory);
    let session = server.pilot("Anna").cookie("session").unwrap();
    assert_eq!(server.stop().code(), Some(0));
    session
}

pub fn anna(server: &Server, session: &str) -> Pilot {
    let pilot = server.stranger();
    pilot.plant_cookie("session", session);
    pilot
}

/// Adds a battery with texts of the maximum length.
fn add_long(pilot: &Pilot, number: usize) -> Answer {
    let long = "ü".repeat(190);
    let name = format!("{long} {number}");
    pilot.save_new_equipment(
        &json!({"type": BATTERY, "name": name, "model": long, "manufacturer": long, "seller": long,
            "firmwareNumber": long}),
    )
}

/// Adds batteries until one is answered with this status.
fn add_until(status: u16, pilot: &Pilot, ledger: &mut Ledger) {
    for number in 0..100_000 {
        let added = add_long(pilot, number);
        if added.status == status {
            return;
        }
        ledger.note(&added.expect_status(200).json());
    }
    panic!("none is answered with {status}");
}

/// Adds batteries until one isn't confirmed, and expects an error then.
fn add_until_refused(pilot: &Pilot, ledger: &mut Ledger) {
    let mut number = 0;
    while ledger.add(pilot, &format!("Akku {number}")).is_some() {
        number += 1;
        assert!(number < 100_000, "the fault never came");
    }
    // The next answer is 503, unless the server has ended.
    let asked = pilot.ask("POST", "/app/api/CheckSession").try_to_send();
    assert!(asked.is_none_or(|answer| [200, 503].contains(&answer.status)));
}

#[test]
fn a_failed_sync_is_logged_and_ends_the_server_and_the_next_one_has_all_confirmed_changes() {
    // strace counts each thread's calls separately; the first ones of the main thread belong to the start.
    for when in [4, 11] {
        let place = temporary_directory();
        let session = prepared(place.path());
        let fault = format!("fdatasync:error=EIO:when={when}");
        let mut server = serve_with(&fault, place.path());
        let pilot = anna(&server, &session);
        let mut ledger = Ledger::default();
        add_until_refused(&pilot, &mut ledger);
        let code = server.wait_for_end().code();
        assert!(code.is_some_and(|code| code != 0), "{fault}: {code:?}");
        server.log_with("ERROR");
        drop(server);

        let server = Server::start_in(place.path());
        let pilot = anna(&server, &session);
        compare(&pilot, &[ledger]);
        pilot.item(BATTERY, "Und weiter");
        assert_eq!(server.stop().code(), Some(0));
        expect_sound(place.path());
    }
}

#[test]
fn what_init_makes_is_on_disk_before_the_database_has_its_name() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let log = place.path().join("calls");
    let calls = "trace=fsync,fdatasync,rename,renameat,renameat2,mkdir,mkdirat";
    let program = program();
    let done = Command::new(strace())
        .args([
            "-f",
            "-y",
            "-qq",
            "-o",
            text(&log),
            "-e",
            calls,
            text(Path::new(program.get_program())),
            "init",
            "--data-dir",
        ])
        .arg(&directory)
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
    let log = std::fs::read_to_string(log).unwrap();
    let find = |what: &dyn Fn(&str) -> bool| {
        log.lines()
            .position(what)
            .unwrap_or_else(|| panic!("missing in\n{log}"))
    };
    let last = |what: &dyn Fn(&str) -> bool| log.lines().count() - 1 - log.lines().rev().position(what).unwrap();
    let synced = |line: &str, name: &str| line.contains("sync(") && line.contains(&format!("{name}>"));
    let renamed = |line: &str, name: &str| line.contains("rename") && line.contains(&format!("{name}.part"));
    let configuration = find(&|line| renamed(line, "fluglog.toml"));
    assert!(find(&|line| synced(line, "fluglog.toml.part")) < configuration, "{log}");
    let database = find(&|line| renamed(line, "fluglog.redb"));
    let folders = last(&|line| line.contains("mkdir") && line.contains("outbox"));
    let is_directory = |line: &str| synced(line, text(&directory));
    let between = log
        .lines()
        .enumerate()
        .filter(|(_, line)| is_directory(line))
        .map(|(at, _)| at);
    let between: Vec<_> = between.collect();
    assert!(
        between
            .iter()
            .any(|at| *at > folders.max(configuration) && *at < database),
        "{log}"
    );
    assert!(between.iter().any(|at| *at > database), "{log}");
    let first_folder = find(&|line| line.contains("mkdir") && line.contains("blobs"));
    assert!(between.iter().any(|at| *at < first_folder), "{log}");
    let content = last(&|line| synced(line, "fluglog.redb.part"));
    assert!(content < database, "{log}");
}

#[test]
fn a_file_is_on_disk_under_its_name_before_the_record_that_names_it() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let session = prepared(&directory);
    let trace = place.path().join("trace");
    let server = serve_traced(
        &[],
        "fsync,fdatasync,rename,renameat,renameat2",
        &trace,
        &["-y"],
        &directory,
    );
    anna(&server, &session).document("a.txt", b"inhalt");
    let log = std::fs::read_to_string(trace).unwrap();
    let mut calls = log.lines();
    for [call, path] in [
        ["sync(", ".part>"],
        ["rename", ".part\""],
        ["sync(", "/blobs>"],
        ["sync(", "fluglog.redb>"],
    ] {
        assert!(
            calls.any(|line| line.contains(call) && line.contains(path)),
            "{call} {path} in\n{log}"
        );
    }
}

#[test]
fn a_disk_that_hangs_is_no_sign_of_life_for_systemd() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let session = prepared(&directory);
    let path = place.path().join("notify");
    let systemd = UnixDatagram::bind(&path).unwrap();
    systemd.set_nonblocking(true).unwrap();
    let signs_of_life = || {
        let mut message = [0; 256];
        std::iter::from_fn(|| systemd.recv(&mut message).ok().map(|length| message[..length].to_vec()))
            .filter(|message| message == b"WATCHDOG=1")
            .count()
    };
    let socket = format!("NOTIFY_SOCKET={}", text(&path));
    let environment = [socket.as_str(), "WATCHDOG_USEC=100000"];
    let server = serve_watched(&environment, "fdatasync:delay_enter=2000000", &directory);
    wait::until("a sign of life", || (signs_of_life() > 0).then_some(()));
    // This write takes two seconds, the time of forty watchdog messages.
    signs_of_life();
    anna(&server, &session).item(BATTERY, "Akku");
    assert!(signs_of_life() < 10);
    wait::until("a sign of life", || (signs_of_life() > 0).then_some(()));
}

#[test]
fn a_file_that_gets_no_name_is_refused_and_nothing_of_it_is_left() {
    let place = temporary_directory();
    let session = prepared(place.path());
    let server = serve_with("rename,renameat,renameat2:error=EIO:when=1", place.path());
    let pilot = anna(&server, &session);
    let upload = || pilot.upload("UploadUserDocument", &[], &[("file", "a.txt", b"inhalt")]);
    let refused = upload().expect_status(503);
    assert!(!refused.text().contains("error"), "{}", refused.text());
    assert!(pilot.documents().is_empty());
    assert_eq!(server.blobs(), [""; 0]);
    // The first call of each thread fails; sooner or later a thread gets the work that has had its fault.
    let taken = (0..100).find(|_| upload().status == 201);
    assert!(taken.is_some(), "no upload is taken any more");
    assert_eq!(pilot.documents().len(), 1);
    assert_eq!(server.stop().code(), Some(0));
}

#[test]
fn an_orphan_that_a_repair_can_t_remove_is_not_said_to_be_removed() {
    let place = temporary_directory();
    prepared(place.path());
    let orphan = "0198c0de-0000-7000-8000-000000000001";
    std::fs::write(place.path().join("blobs").join(orphan), "Rest").unwrap();
    let repair = |wrapper: &[&str]| {
        let program = program();
        let command = [wrapper, &[text(Path::new(program.get_program()))]].concat();
        let mut asked = Command::new(command[0]);
        asked
            .args(&command[1..])
            .args(["check", "--repair", "--data-dir", text(place.path())]);
        finish(asked, b"")
    };
    let done = repair(&[
        &strace(),
        "-f",
        "-qq",
        "-o",
        "/dev/null",
        "-e",
        "inject=unlinkat:error=EACCES",
    ]);
    assert!(done.code == 1 && !done.stdout.contains("Entfernt"), "{done:?}");
    assert!(done.stdout.contains(&format!("Verwaist: blobs/{orphan}:")), "{done:?}");
    let done = repair(&["env"]);
    assert!(
        done.code == 0 && done.stdout.contains(&format!("Entfernt: blobs/{orphan}:")),
        "{done:?}"
    );
}

/// A ZIP with one file in it.
fn zipped(name: &str, content: &[u8]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive
        .start_file(name, zip::write::SimpleFileOptions::default())
        .unwrap();
    archive.write_all(content).unwrap();
    archive.finish().unwrap().into_inner()
}

#[test]
fn an_import_that_the_disk_has_no_room_for_is_refused_and_stays_as_it_was() {
    let place = temporary_directory();
    let session = prepared(place.path());
    let server = Server::start_through(&["sh", "-c", SMALL_FILES, "sh"], place.path());
    let pilot = anna(&server, &session);
    let copter = pilot.item(COPTER, "Ganztag");
    let mut log = b"Date,Time,RxBt(V),Curr(A),Thr\n".to_vec();
    for second in 0.. {
        if log.len() > MORE_THAN_FITS_BYTES {
            break;
        }
        let (hour, minute) = (second / 3600 % 24, second / 60 % 60);
        let row = format!(
            "2026-05-09,{hour:02}:{minute:02}:{:02}.000,16.1,12.0,{second}\n",
            second % 60
        );
        log.extend_from_slice(row.as_bytes());
    }
    let upload = |name: &str, content: &[u8]| pilot.upload("UploadImport", &[], &[("files", name, content)]);
    let imports = || pilot.post_empty("GetImports").expect_status(200).json();
    let refused = upload("Ganztag.csv", &log).expect_status(503);
    assert!(refused.text().contains("Speicherplatz"), "{}", refused.text());
    assert_eq!((server.blobs().len(), imports()), (0, json!([])));

    // There is room for the archive, but not for its content.
    let found = upload("Ganztag.zip", &zipped("Ganztag.csv", &log))
        .expect_status(201)
        .json();
    let id = id_in(&found);
    let accept = |keep: bool| {
        let choices = json!([{"key": "0-0", "action": "create", "copter": copter, "keepFile": keep}]);
        pilot.post("AcceptImport", &[("dpfId", &id), ("choices", &choices.to_string())])
    };
    let before = (server.blobs(), imports());
    let refused = accept(true).expect_status(503);
    assert!(refused.text().contains("Speicherplatz"), "{}", refused.text());
    assert_eq!((pilot.flights().len(), (server.blobs(), imports())), (0, before));
    accept(false).expect_status(200);
    assert_eq!((pilot.flights().len(), server.blobs().len()), (1, 0));
    assert_eq!(server.stop().code(), Some(0));
}

#[test]
fn writes_to_a_full_disk_are_refused_and_reading_goes_on() {
    let place = temporary_directory();
    let session = prepared(place.path());
    let wrapper = ["sh", "-c", SMALL_FILES, "sh"];
    let server = Server::start_through(&wrapper, place.path());
    let pilot = anna(&server, &session);
    let large = vec![b'x'; MORE_THAN_FITS_BYTES];
    let refused = pilot.upload("UploadUserDocument", &[], &[("file", "a.bin", &large)]);
    assert!(refused.expect_status(503).text().contains("Speicherplatz"));
    assert!(pilot.documents().is_empty());
    assert_eq!(server.blobs(), [""; 0]);

    // Finally the database has no room either: nothing can be added, but everything else goes on.
    let document = pilot
        .upload("UploadUserDocument", &[], &[("file", "b.txt", b"inhalt")])
        .expect_status(201);
    let mut ledger = Ledger::default();
    add_until(503, &pilot, &mut ledger);
    for number in 0..5 {
        let refused = add_long(&pilot, number);
        if refused.status == 503 {
            assert!(refused.text().contains("Speicherplatz"), "{}", refused.text());
        } else {
            // Space freed by a deletion or a change has room for a few more.
            ledger.note(&refused.expect_status(200).json());
        }
        pilot.check_session().expect_status(200);
    }
    let gone = [("dpfId", id_in(&document.json()))];
    pilot
        .post(
            "DeleteUserDocument",
            &gone.each_ref().map(|(name, id)| (*name, id.as_str())),
        )
        .expect_status(200);
    server.log_with("the disk is full");
    expect_no_damage(&server);

    // Once there is room again, the server continues without a restart.
    server.lift_file_limit();
    for number in 0..20 {
        ledger.add(&pilot, &format!("Und weiter {number}")).expect("room");
    }
    assert_eq!(server.stop().code(), Some(0));
    let server = Server::start_in(place.path());
    compare(&anna(&server, &session), std::slice::from_ref(&ledger));
    drop(server);
    expect_sound(place.path());

    // The server also starts on a full disk.
    let still_full = Server::start_through(&wrapper, place.path());
    compare(&anna(&still_full, &session), &[ledger]);
}

/// Fails unless a full disk is reported as such, not as damage.
fn expect_no_damage(server: &Server) {
    let log = server.log();
    assert!(!log.contains("damaged") && !log.contains("can't be read"), "{log}");
    let status = run(["status", "--data-dir", text(server.directory())]);
    assert!(!status.stdout.contains("beschädigt"), "{status:?}");
}

#[test]
fn a_commit_that_finds_the_disk_full_is_refused_and_the_same_server_takes_the_next() {
    for (call, when) in [("fdatasync", 4), ("fdatasync", 11), ("pwrite64", 40), ("ftruncate", 1)] {
        let place = temporary_directory();
        let session = prepared(place.path());
        let fault = format!("{call}:error=ENOSPC:when={when}");
        let server = serve_with(&fault, place.path());
        let pilot = anna(&server, &session);
        let mut ledger = Ledger::default();
        let mut refused = 0;
        for number in 0..60 {
            if ledger.add(&pilot, &format!("Akku {number}")).is_none() {
                refused += 1;
                pilot.check_session().expect_status(200);
            }
        }
        assert!(refused <= 1, "{fault}: {refused} were refused");
        expect_no_damage(&server);
        assert_eq!(server.stop().code(), Some(0), "{fault}");
        let server = Server::start_in(place.path());
        compare(&anna(&server, &session), &[ledger]);
        drop(server);
        expect_sound(place.path());
    }
}

#[test]
fn a_disk_that_stays_full_is_called_full_and_once_it_has_room_nothing_is_said_to_be_damaged() {
    for when in ["38..60", "41..60", "33+3"] {
        let place = temporary_directory();
        let session = prepared(place.path());
        let fault = format!("pwrite64:error=ENOSPC:when={when}");
        let mut server = serve_with(&fault, place.path());
        let mut ledger = Ledger::default();
        add_until_refused(&anna(&server, &session), &mut ledger);
        assert!(server.wait_for_end().code().is_some_and(|code| code != 0), "{fault}");
        let log = server.log_with("the disk is full");
        assert!(!log.contains("damaged") && !log.contains("can't be read"), "{log}");
        drop(server);

        let server = Server::start_in(place.path());
        compare(&anna(&server, &session), &[ledger]);
        expect_no_damage(&server);
        assert_eq!(server.stop().code(), Some(0), "{fault}");
        expect_sound(place.path());
    }
}

#[test]
fn who_reads_does_not_wait_for_those_who_save_on_a_slow_disk() {
    let place = temporary_directory();
    let session = prepared(place.path());
    let server = serve_with("fdatasync,fsync:delay_enter=500000", place.path());
    let pilot = anna(&server, &session);
    let battery = pilot.item(BATTERY, "Akku");
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let end = End(&is_over);
        for saver in 0..100 {
            let (tab, is_over) = (pilot.another_tab(), &is_over);
            scope.spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    // Requests from one address may be refused for a while.
                    let equipment = json!({"type": BATTERY, "name": format!("{saver}")}).to_string();
                    let question = tab.ask("POST", "/app/api/SaveNewEquipment");
                    question.form(&[("equipment", &equipment)]).try_to_send();
                }
            });
        }
        // From another device: the savers wait for the places of theirs.
        let mut reader = Connection::open_from("127.0.0.2", server.address());
        let mut ask = |call: &str, body: &str| {
            reader.send(format!(
                "POST /app/api/{call} HTTP/1.1\r\nHost: {}\r\nCookie: session={session}\r\n\
                 Content-Type: {FORM}\r\nContent-Length: {}\r\n\r\n{body}",
                server.address(),
                body.len()
            ));
            let answer = reader.answer().expect("an answer");
            answer.expect_status(200).json()
        };
        wait::until("everybody saves", || {
            let batteries = ask("GetEquipments", &format!("type={BATTERY}&deactivated=false"));
            (batteries.as_array().unwrap().len() > 100).then_some(())
        });
        let slowest = (0..20)
            .map(|_| {
                let begun = Instant::now();
                ask("GetEquipment", &format!("dpfId={battery}"));
                begun.elapsed()
            })
            .max();
        drop(end);
        assert!(slowest < Some(Duration::from_secs(1)), "{slowest:?}");
    });
}

/// Signals the end of the scope, also after a failure.
pub struct End<'a>(pub &'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
