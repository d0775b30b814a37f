//! Backups: complete archives or none while the server works, and the errors of damaged archives.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use proptest::prelude::{Strategy, any};
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::cli::check::{blobs, fill, filled};
use crate::harness::calls::keys;
use crate::harness::files::MAX_BYTES;
use crate::harness::process::{finish, program, run};
use crate::harness::{Output, Running, Server, temporary_directory, text, wait};

pub fn backup(directory: &Path, output: &Path) -> Output {
    run(["backup", "--data-dir", text(directory), "--output", text(output)])
}

pub fn verify(archive: &Path) -> Output {
    run(["backup", "verify", text(archive)])
}

#[track_caller]
fn expect_done(done: &Output) {
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The only archive in a folder.
pub fn only_archive(folder: &Path) -> PathBuf {
    let names = names(folder);
    assert_eq!(names.len(), 1, "{names:?}");
    folder.join(&names[0])
}

#[test]
fn a_backup_goes_to_the_current_directory_under_the_name_of_the_time() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let server = Server::start_in(&directory);
    fill(&server.pilot("Anna"));
    let mut said = Vec::new();
    for folder in ["running", "stopped"] {
        let folder = place.path().join(folder);
        fs::create_dir(&folder).unwrap();
        if folder.ends_with("stopped") {
            server.ask_to_end();
            wait::until("the server ends", || {
                (!directory.join("fluglog.sock").exists()).then_some(())
            });
        }
        let mut command = program();
        command
            .current_dir(&folder)
            .args(["backup", "--data-dir", text(&directory)]);
        let done = finish(command, b"");
        expect_done(&done);
        let archive = only_archive(&folder);
        let name = archive.file_name().unwrap().to_str().unwrap();
        assert!(
            name.starts_with("fluglog-20") && name.ends_with(".tar") && name.len() == 27,
            "{name}"
        );
        assert_eq!(fs::metadata(&archive).unwrap().permissions().mode() & 0o777, 0o600);
        expect_done(&verify(&archive));
        // The second one is a little larger, as it contains the record of the first.
        said.push(done.stdout.replace(name, "NAME").split(" (").next().unwrap().to_owned());
    }
    assert_eq!(said, ["Gesichert: NAME"; 2]);
}

#[test]
fn the_status_says_when_the_last_backup_was_made_and_where_or_why_not() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let server = Server::start_in(&directory);
    server.pilot("Anna");
    let status = || status(&directory);
    assert_eq!(status()["lastBackup"], serde_json::Value::Null);
    let archive = place.path().join("a.tar");
    expect_done(&backup(&directory, &archive));
    let last = &status()["lastBackup"];
    assert_eq!(last["target"], text(&fs::canonicalize(&archive).unwrap()));
    assert_eq!(last["bytes"], fs::metadata(&archive).unwrap().len());
    crate::harness::clock::expect_now(last["time"].as_str().unwrap(), crate::harness::clock::in_berlin);

    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" backup --data-dir \"$1\" --output \"$2\"";
    let mut full = Command::new("bash");
    full.args(["-c", script]).arg(program().get_program());
    assert!(!full.arg(&directory).arg(&archive).output().unwrap().status.success());
    let status = status();
    let failure = status["lastBackup"]["failure"].as_str().unwrap();
    assert!(failure.contains("zu groß"), "{failure}");
    let problems = status["problems"].to_string();
    let again = format!(
        "fluglog backup --output {}",
        text(&fs::canonicalize(place.path()).unwrap())
    );
    assert!(problems.contains(&again) && problems.contains("zu groß"), "{problems}");
    let good = &status["lastGoodBackup"];
    assert_eq!(good["target"], text(&fs::canonicalize(&archive).unwrap()));
    assert!(problems.contains("Die letzte gute ist vom "), "{problems}");
    expect_done(&verify(&archive));
}

#[test]
fn a_stick_that_is_not_there_is_a_failed_backup_and_a_failed_check() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let server = Server::start_in(&directory);
    server.pilot("Anna");
    let stick = place.path().join("stick");
    let nightly = ["--output", text(&stick), "--keep", "14"];
    let make = || run([&["backup", "--data-dir", text(&directory)], &nightly[..]].concat());
    make().expect_refusal(1, &["stick gibt es nicht", "Steckt der Stick"]);
    let told = status(&directory);
    assert_eq!(told["lastBackup"]["target"], text(&stick));
    assert!(told["problems"].to_string().contains("gibt es nicht"), "{told}");
    let check = run(["backup", "verify", "--data-dir", text(&directory), text(&stick)]);
    check.expect_refusal(1, &["es gibt es nicht"]);
    let failure = &status(&directory)["lastBackupCheck"]["failure"];
    assert!(failure.as_str().unwrap().contains("stick"), "{failure}");

    fs::create_dir(&stick).unwrap();
    expect_done(&make());
    let told = status(&directory);
    assert_eq!(told["lastBackup"]["failure"], serde_json::Value::Null, "{told}");
}

#[test]
fn a_backup_that_needs_a_disk_of_its_own_goes_nowhere_else() {
    let (place, directory) = filled();
    let make = |target: &Path| {
        let arguments = ["backup", "--require-mount", "--data-dir", text(&directory)];
        run([&arguments[..], &["--output", text(target)]].concat())
    };
    let folder = place.path().join("stick");
    fs::create_dir(&folder).unwrap();
    for target in [folder.clone(), folder.join("fluglog.tar")] {
        make(&target).expect_refusal(1, &["kein eigener Datenträger", "Steckt der Stick"]);
        assert!(names(&folder).is_empty());
    }
    let failure = &status(&directory)["lastBackup"]["failure"];
    assert!(failure.as_str().unwrap().contains("eingehängt"), "{failure}");
    // A file system in memory is a separate one.
    let mounted = tempfile::tempdir_in("/dev/shm").unwrap();
    expect_done(&make(mounted.path()));
    only_archive(mounted.path());
}

#[test]
fn an_archive_is_a_plain_tar_with_a_manifest_that_people_can_read() {
    let (place, directory) = filled();
    let archive = place.path().join("a.tar");
    expect_done(&backup(&directory, &archive));
    let mut tar = tar::Archive::new(fs::File::open(&archive).unwrap());
    let mut manifest = serde_json::Value::Null;
    let mut names = Vec::new();
    for entry in tar.entries().unwrap() {
        let mut entry = entry.unwrap();
        names.push(entry.path().unwrap().display().to_string());
        if names.last().unwrap() == "manifest.json" {
            manifest = serde_json::from_reader(&mut entry).unwrap();
        }
    }
    assert_eq!(manifest["schema"], 4);
    assert_eq!(manifest["program"], env!("CARGO_PKG_VERSION"));
    assert_eq!(manifest["tables"]["users"]["rows"], 2);
    let listed = manifest["blobs"].as_array().unwrap();
    assert_eq!(listed.len(), blobs(&directory).len());
    for blob in listed {
        assert!(names.contains(&format!("blobs/{}", blob["id"].as_str().unwrap())));
        assert_eq!(blob["sha256"].as_str().unwrap().len(), 64);
    }
}

#[test]
fn with_a_dash_the_archive_goes_to_stdout_and_nothing_else() {
    let (place, directory) = filled();
    let mut command = program();
    command.args(["backup", "--data-dir", text(&directory), "--output", "-"]);
    let output = command.output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
    let archive = place.path().join("b.tar");
    fs::write(&archive, output.stdout).unwrap();
    expect_done(&verify(&archive));
}

#[test]
fn a_reader_that_stops_ends_the_backup_with_a_sentence() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let server = Server::start_in(&directory);
    server.pilot("Anna").document("groß.bin", &vec![1; 5_000_000]);
    let output = Command::new("bash")
        .args([
            "-c",
            "\"$0\" backup --data-dir \"$1\" --output - | head -c 1000 >/dev/null; exit ${PIPESTATUS[0]}",
        ])
        .arg(program().get_program())
        .arg(&directory)
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(
        stderr.contains("niemand liest weiter") && stderr.lines().count() == 1,
        "{stderr}"
    );
    server.stranger().get("/app/health").expect_status(200);

    // Without a server, the failure is one sentence as well.
    assert!(server.stop().success());
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = program();
    command.args(["backup", "--output", "-", "--data-dir", text(&directory)]);
    let output = command.stdout(full).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(
        stderr.contains("der Speicher ist voll") && stderr.lines().count() == 1,
        "{stderr}"
    );
}

#[test]
fn only_an_earlier_archive_is_replaced() {
    let (place, directory) = filled();
    let target = place.path().join("sicherung.tar");
    expect_done(&backup(&directory, &target));
    let first = fs::read(&target).unwrap();
    add_user(&directory);
    expect_done(&backup(&directory, &target));
    assert!(fs::read(&target).unwrap() != first, "the newer one is there");
    expect_done(&verify(&target));

    let other = place.path().join("steuer.ods");
    for content in ["", "Zahlen"] {
        fs::write(&other, content).unwrap();
        backup(&directory, &other).expect_refusal(1, &[text(&other)]);
        assert_eq!(fs::read_to_string(&other).unwrap(), content);
    }
    backup(&directory, Path::new("/dev/null")).expect_refusal(1, &["/dev/null"]);
    let missing = place.path().join("missing/a.tar");
    backup(&directory, &missing).expect_refusal(1, &[text(&missing)]);
    assert_eq!(names(place.path()), ["data", "sicherung.tar", "steuer.ods"]);
}

fn add_user(directory: &Path) {
    crate::harness::add_user(directory, "neu@example.org", "Neu", crate::harness::PASSWORD);
}

#[test]
fn keep_deletes_the_oldest_archives_of_this_pattern_and_nothing_else() {
    let (place, directory) = filled();
    let folder = place.path().join("backups");
    fs::create_dir(&folder).unwrap();
    let others = ["fluglog-alt.tar", "fluglog-20200101-000000.tar.gz", "notizen.txt"];
    for name in others
        .iter()
        .chain(&["fluglog-20200101-000000.tar", "fluglog-20200102-000000.tar"])
    {
        fs::write(folder.join(name), "").unwrap();
    }
    fs::create_dir(folder.join("fluglog-20300101-000000.tar")).unwrap();
    let keep = |number: &str| {
        run([
            "backup",
            "--data-dir",
            text(&directory),
            "--output",
            text(&folder),
            "--keep",
            number,
        ])
    };
    expect_done(&keep("2"));
    let left = names(&folder);
    assert_eq!(left.len(), others.len() + 3, "{left:?}");
    assert!(left.contains(&"fluglog-20200102-000000.tar".to_owned()));
    assert!(others.iter().all(|name| left.contains(&(*name).to_owned())), "{left:?}");
    expect_done(&keep("1"));
    assert_eq!(names(&folder).len(), others.len() + 2);

    assert_eq!(keep("0").code, 2);
    assert_eq!(keep("viele").code, 2);
    let file = place.path().join("ohne-muster.tar");
    for output in ["-", text(&file)] {
        let done = run([
            "backup",
            "--data-dir",
            text(&directory),
            "--output",
            output,
            "--keep",
            "2",
        ]);
        done.expect_refusal(2, &["--keep"]);
    }
    assert!(!file.exists());
}

#[test]
fn archives_that_are_made_while_pilots_write_and_delete_are_whole() {
    let place = temporary_directory();
    let server = Server::start();
    let stop = AtomicBool::new(false);
    let pilots = ["Anna", "Ben"].map(|name| server.pilot(name));
    pilots.iter().for_each(fill);
    std::thread::scope(|scope| {
        for pilot in &pilots {
            scope.spawn(|| {
                let content = vec![7; 100_000];
                let mut before = pilot.document("erst.bin", &content);
                while !stop.load(Ordering::Relaxed) {
                    let next = pilot.document("dann.bin", &content);
                    pilot
                        .post("DeleteUserDocument", &[("dpfId", &before)])
                        .expect_status(200);
                    before = next;
                }
            });
        }
        let made: Vec<_> = (0..6).map(|_| backup(server.directory(), place.path())).collect();
        stop.store(true, Ordering::Relaxed);
        made.iter().for_each(expect_done);
    });
    let archives = names(place.path());
    assert_eq!(
        archives.len(),
        6,
        "backups of one second have names of their own: {archives:?}"
    );
    for archive in archives {
        expect_done(&verify(&place.path().join(archive)));
    }
    let documents: usize = pilots.iter().map(|pilot| pilot.documents().len()).sum();
    assert_eq!(
        (documents, server.blobs().len()),
        (4, 2 * 7 + 2),
        "what was deleted meanwhile is gone afterwards"
    );
}

#[test]
fn a_backup_that_is_killed_leaves_a_whole_archive_or_none_and_the_next_one_tidies_up() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let folder = place.path().join("backups");
    fs::create_dir(&folder).unwrap();
    let server = Server::start_in(&directory);
    let pilot = server.pilot("Anna");
    for _ in 0..4 {
        pilot.document("groß.bin", &vec![1; 4_000_000]);
    }
    for at_bytes in [0, 1, 300_000, 3_000_000, 9_000_000, 15_000_000] {
        let mut command = program();
        command.args(["backup", "--data-dir", text(&directory), "--output", text(&folder)]);
        let running = Running::start(command);
        wait::until("so much is written", || {
            let written = names(&folder).into_iter().find(|name| name.ends_with(".part"));
            let bytes = written.and_then(|name| fs::metadata(folder.join(name)).ok());
            // The backup may have finished before the kill.
            let done = names(&folder).iter().any(|name| name.ends_with(".tar"));
            (done || bytes.is_some_and(|file| file.len() >= at_bytes)).then_some(())
        });
        drop(running);
        for name in names(&folder).into_iter().filter(|name| name.ends_with(".tar")) {
            expect_done(&verify(&folder.join(&name)));
            fs::remove_file(folder.join(name)).unwrap();
        }
    }
    expect_done(&backup(&directory, &folder));
    expect_done(&verify(&only_archive(&folder)));
    // The server has aborted the unread archives: files can be removed again.
    let document = pilot.documents()[0]["dpfId"].as_str().unwrap().to_owned();
    pilot
        .post("DeleteUserDocument", &[("dpfId", &document)])
        .expect_status(200);
    wait::until("the file is gone", || (server.blobs().len() == 3).then_some(()));
}

#[test]
fn a_full_target_is_an_error_and_nothing_stays_there() {
    let (place, directory) = filled();
    let folder = place.path().join("backups");
    fs::create_dir(&folder).unwrap();
    let limited = |ignored: &str| {
        let script = format!("{ignored} ulimit -f 8; exec \"$0\" backup --data-dir \"$1\" --output \"$2\"");
        let mut command = Command::new("bash");
        command.args(["-c", &script]).arg(program().get_program());
        command.arg(&directory).arg(&folder);
        command.output().unwrap()
    };
    let server = Server::start_in(&directory);
    let output = limited("trap '' XFSZ;");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(
        stderr.contains(text(&folder)) && stderr.lines().count() == 1,
        "{stderr}"
    );
    assert_eq!(names(&folder), Vec::<String>::new());
    // When it is killed it can't clean up; the next backup does.
    assert!(!limited("").status.success());
    assert!(names(&folder).iter().all(|name| name.ends_with(".part")));
    expect_done(&backup(server.directory(), &folder));
    only_archive(&folder);
}

#[test]
fn data_that_are_damaged_are_saved_as_far_as_they_go_and_cost_no_older_archive() {
    let (place, directory) = filled();
    let folder = place.path().join("backups");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("fluglog-20200101-000000.tar"), "").unwrap();
    let files = blobs(&directory);
    fs::remove_file(&files[0]).unwrap();
    fs::write(&files[1], "anders").unwrap();
    let done = run([
        "backup",
        "--data-dir",
        text(&directory),
        "--output",
        text(&folder),
        "--keep",
        "1",
    ]);
    assert_eq!(done.code, 1, "{done:?}");
    assert!(
        done.stdout.contains("Gesichert: ") && done.stderr.contains("2 Schäden"),
        "{done:?}"
    );
    let archives = names(&folder);
    assert_eq!(archives.len(), 2, "{archives:?}");
    let done = verify(&folder.join(&archives[1]));
    assert_eq!(done.code, 1, "{done:?}");
    for file in &files[..2] {
        assert!(
            done.stdout.contains(file.file_name().unwrap().to_str().unwrap()),
            "{done:?}"
        );
    }
}

#[test]
fn an_archive_of_damaged_data_takes_the_place_of_no_earlier_one() {
    let (place, directory) = filled();
    let folder = place.path().join("backups");
    fs::create_dir(&folder).unwrap();
    let target = folder.join("sicherung.tar");
    expect_done(&backup(&directory, &target));
    let good = fs::read(&target).unwrap();
    fs::remove_file(&blobs(&directory)[0]).unwrap();
    let done = backup(&directory, &target);
    assert_eq!(done.code, 1, "{done:?}");
    for helps in [
        text(&target),
        "letzte gute Sicherung",
        "fluglog check",
        "fluglog recover",
    ] {
        assert!(done.stderr.contains(helps), "{helps}: {done:?}");
    }
    assert!(fs::read(&target).unwrap() == good, "the good archive is still there");
    let beside = names(&folder).into_iter().find(|name| name != "sicherung.tar").unwrap();
    assert!(
        done.stdout
            .contains(&format!("Gesichert: {}", text(&folder.join(&beside)))),
        "{done:?}"
    );
    assert_eq!(verify(&folder.join(beside)).code, 1);
}

fn status(directory: &Path) -> serde_json::Value {
    let done = run(["status", "--json", "--data-dir", text(directory)]);
    serde_json::from_str(&done.stdout).unwrap()
}

#[test]
fn the_newest_archive_of_a_folder_is_checked_and_the_status_says_how_that_went() {
    let (place, directory) = filled();
    let folder = place.path().join("backups");
    fs::create_dir(&folder).unwrap();
    let check = || run(["backup", "verify", "--data-dir", text(&directory), text(&folder)]);
    check().expect_refusal(1, &[text(&folder), "keine Sicherung"]);
    assert!(
        status(&directory)["problems"]
            .to_string()
            .contains("fluglog backup verify")
    );

    fs::write(folder.join("fluglog-20200101-000000.tar"), "alt").unwrap();
    fs::write(folder.join("fluglog-99990101-000000.zip"), "etwas anderes").unwrap();
    expect_done(&backup(&directory, &folder));
    let done = check();
    expect_done(&done);
    assert!(
        done.stdout.contains("fluglog-20") && done.stdout.contains("ist vollständig"),
        "{done:?}"
    );
    let told = status(&directory);
    assert_eq!(told["lastBackupCheck"]["failure"], serde_json::Value::Null, "{told}");
    assert_eq!(
        told["lastBackupCheck"]["folder"],
        text(&fs::canonicalize(&folder).unwrap())
    );
    assert_eq!(told["problems"], serde_json::json!([]), "{told}");

    // A newer archive that is damaged.
    let newest = folder.join("fluglog-20990101-000000.tar");
    let mut bytes = fs::read(folder.join(&names(&folder)[1])).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&newest, bytes).unwrap();
    let server = Server::start_in(&directory);
    check().expect_refusal(1, &[text(&newest)]);
    let told = status(&directory);
    let failure = told["lastBackupCheck"]["failure"].as_str().unwrap();
    assert!(failure.contains("fluglog-20990101"), "{told}");
    assert!(
        told["problems"][0]["sentence"]
            .as_str()
            .unwrap()
            .contains("Prüfung der neuesten Sicherung")
    );
    let for_people = run(["status", "--data-dir", text(&directory)]).stdout;
    assert!(for_people.contains("fluglog backup verify /"), "{for_people}");
    assert!(server.stop().success());
    fs::remove_file(newest).unwrap();
    expect_done(&check());
    assert_eq!(status(&directory)["problems"], serde_json::json!([]));
}

#[test]
fn a_container_s_backup_stays_and_makes_the_first_one_at_once() {
    let (place, directory) = filled();
    let folder = place.path().join("backups");
    fs::create_dir(&folder).unwrap();
    let command = |output: &Path| {
        let mut command = program();
        command.args(["backup", "--nightly", "--keep", "2", "--data-dir", text(&directory)]);
        command.args(["--output", text(output)]);
        command
    };
    let running = Running::start(command(&folder));
    let made = wait::until("the first backup", || {
        names(&folder).into_iter().find(|name| name.ends_with(".tar"))
    });
    expect_done(&verify(&folder.join(made)));
    drop(running);
    for output in [place.path().join("a.tar").as_path(), Path::new("-")] {
        assert_eq!(finish(command(output), b"").code, 2);
    }
    assert_eq!(run(["backup", "--nightly"]).code, 2);
}

#[test]
fn a_backup_on_the_disk_of_the_data_is_said_and_one_elsewhere_is_not() {
    let (place, directory) = filled();
    let elsewhere = tempfile::tempdir_in("/dev/shm").unwrap();
    let word = "demselben Datenträger wie die Daten";
    let for_people = || run(["status", "--data-dir", text(&directory)]).stdout;
    for (folder, is_said) in [(place.path(), true), (elsewhere.path(), false)] {
        let done = backup(&directory, &folder.join("a.tar"));
        expect_done(&done);
        assert_eq!(done.stdout.contains(word), is_said, "{done:?}");
        assert_eq!(status(&directory)["lastBackup"]["onSameDisk"], is_said);
        assert_eq!(for_people().contains(word), is_said);
        let server = Server::start_in(&directory);
        server.log_with("listening on");
        if is_said {
            server.log_with(word);
        }
        server.ask_to_end();
        let mut server = server;
        assert!(server.wait_for_end().success());
        assert_eq!(server.log().matches(word).count(), usize::from(is_said));
    }
}

#[test]
fn programs_get_what_is_in_an_archive() {
    let (place, directory) = filled();
    let archive = place.path().join("a.tar");
    expect_done(&backup(&directory, &archive));
    let done = run(["backup", "verify", "--json", text(&archive)]);
    expect_done(&done);
    let contents: serde_json::Value = serde_json::from_str(&done.stdout).expect("JSON");
    assert_eq!(
        keys(&contents),
        ["created", "damage", "entries", "fileBytes", "files", "orphans"]
    );
    assert_eq!(contents["files"], blobs(&directory).len());
    let created = contents["created"].as_str().unwrap();
    let for_people = verify(&archive).stdout;
    assert!(
        for_people.contains(&format!("Sicherung vom {created} ")),
        "{for_people}"
    );
    fs::write(&archive, "PK").unwrap();
    let done = run(["backup", "verify", "--json", text(&archive)]);
    assert_eq!((done.code, done.stdout.as_str()), (1, ""), "{done:?}");
}

#[test]
fn every_flipped_bit_and_every_cut_of_an_archive_is_found() {
    let (place, directory) = filled();
    let archive = place.path().join("a.tar");
    expect_done(&backup(&directory, &archive));
    let whole = fs::read(&archive).unwrap();
    let mut runner = TestRunner::deterministic();
    let damages = (0..whole.len(), any::<u8>(), 0..3u8);
    for _ in 0..90 {
        let (at, noise, kind) = damages.new_tree(&mut runner).unwrap().current();
        let mut damaged = whole.clone();
        match kind {
            0 => damaged[at] ^= 1 << (noise % 8),
            1 => damaged.truncate(at),
            _ => damaged.insert(at, noise),
        }
        fs::write(&archive, damaged).unwrap();
        let done = verify(&archive);
        assert!([1, 78].contains(&done.code), "{kind} at {at}: {done:?}");
        done.expect_refusal(done.code, &[text(&archive)]);
    }
}

#[test]
fn another_file_than_an_archive_is_named_as_such() {
    let place = temporary_directory();
    let file = place.path().join("foto.tar");
    for content in [&b""[..], b"Foto", &[0; 5000], &[0xff; 5000]] {
        fs::write(&file, content).unwrap();
        verify(&file).expect_refusal(1, &[text(&file), "keine Sicherung von Fluglog"]);
    }
    verify(place.path()).expect_refusal(1, &[text(place.path())]);
    verify(&place.path().join("missing.tar")).expect_refusal(1, &["missing.tar"]);
}

#[test]
fn memory_doesn_t_grow_with_the_files() {
    let place = temporary_directory();
    let server = Server::start();
    let pilot = server.pilot("Anna");
    let content = vec![1; MAX_BYTES];
    for _ in 0..3 {
        pilot.document("groß.bin", &content);
    }
    let before = server.most_memory_bytes();
    expect_done(&backup(server.directory(), place.path()));
    let grown = server.most_memory_bytes() - before;
    assert!(grown < 32 * 1024 * 1024, "the server took {grown} bytes for 150 MB");
    // 64 MB of address space beyond the program's own need wouldn't hold the files.
    let archive = only_archive(place.path());
    let output = Command::new("bash")
        .args(["-c", "ulimit -d 131072; exec \"$0\" backup verify \"$1\""])
        .arg(program().get_program())
        .arg(&archive)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
