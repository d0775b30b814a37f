//! Foreign files in the data directory and in the folder of the blobs: reported, and left unchanged by every command.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::cli::check::{blobs, check, filled, repair};
use crate::cli::init::init;
use crate::harness::files::MARK;
use crate::harness::process::run;
use crate::harness::{Output, PASSWORD, Server, temporary_directory, text, wait};

const ANNA: &str = "Anna@example.org";
const DATABASE: &str = "fluglog.redb";
const ORPHANS: [&str; 2] = [
    "0198c0de-0000-7000-8000-000000000001",
    "0198c0de-0000-7000-8000-000000000002.part",
];

/// Foreign files in the folder of the blobs.
const FILES: [&str; 10] = [
    ".versteckt",
    "0198C0DE-0000-7000-8000-00000000000A",
    "0198C0DE-0000-7000-8000-00000000000A.part",
    "0198c0de-0000-7000-8000-00000000000a.PART",
    "0198c0de-0000-7000-8000-00000000000a.jpg",
    "0198c0de-0000-7000-8000-00000000000a.part.part",
    "0198c0de00007000800000000000000b",
    "notiz.part",
    "{0198c0de-0000-7000-8000-00000000000a}",
    "Übersicht – 2026.xlsx",
];
/// Entries with names of blobs that aren't plain files: a folder with a file in it, links, a socket.
const FOLDER: &str = "0198c0de-0000-7000-8000-00000000000c";
const LINKS: [&str; 3] = [
    "0198c0de-0000-7000-8000-00000000000d",
    "0198c0de-0000-7000-8000-00000000000e.part",
    "zu-einem-ordner",
];
const SOCKET: &str = "0198c0de-0000-7000-8000-00000000000f";
/// Foreign files in the data directory itself, and foreign mails in the outbox.
const BESIDE: [&str; 6] = [
    "fluglog.redb.old",
    "fluglog-schema-01.redb",
    "fluglog-schema-1.redb.bak",
    "notizen.txt",
    "outbox/20260101-120000000-notiz.eml",
    "outbox/brief.eml",
];

/// The observable state of an entry: mode, time of change, and content or link target.
type Seen = (u32, SystemTime, Vec<u8>);

/// Writes a file that was last changed 40 days ago.
fn write_old(path: &Path, content: &str) {
    fs::write(path, content).unwrap();
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(40 * 24 * 60 * 60))
        .unwrap();
}

/// Puts foreign entries of every kind beside Fluglog's own; returns their paths.
fn put_foreign(directory: &Path) -> Vec<PathBuf> {
    let in_blobs = |name: &str| directory.join("blobs").join(name);
    for name in FILES {
        write_old(&in_blobs(name), name);
    }
    fs::create_dir(in_blobs(FOLDER)).unwrap();
    write_old(&in_blobs(FOLDER).join(ORPHANS[0]), "in einem Ordner");
    symlink(blobs(directory).remove(0), in_blobs(LINKS[0])).unwrap();
    symlink("notiz.part", in_blobs(LINKS[1])).unwrap();
    symlink(FOLDER, in_blobs(LINKS[2])).unwrap();
    drop(UnixListener::bind(in_blobs(SOCKET)).unwrap());
    for name in BESIDE {
        write_old(&directory.join(name), "To: anna@example.org\r\n\r\n");
    }
    let names = FILES.iter().chain(&LINKS).chain([&FOLDER, &SOCKET]);
    let mut places: Vec<_> = names.map(|name| in_blobs(name)).collect();
    places.push(in_blobs(FOLDER).join(ORPHANS[0]));
    places.extend(BESIDE.map(|name| directory.join(name)));
    places
}

fn seen(places: &[PathBuf]) -> BTreeMap<PathBuf, Seen> {
    let seen = |place: &PathBuf| {
        let found = place
            .symlink_metadata()
            .unwrap_or_else(|_| panic!("{} is gone", place.display()));
        let content = match found.is_file() {
            true => fs::read(place).unwrap(),
            false => fs::read_link(place).map_or(Vec::new(), |target| target.into_os_string().into_encoded_bytes()),
        };
        (place.clone(), (found.mode(), found.modified().unwrap(), content))
    };
    places.iter().map(seen).collect()
}

/// All paths below a folder, without the folder itself.
fn all_below(folder: &Path) -> Vec<PathBuf> {
    let mut places = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let place = entry.unwrap().path();
        if place.symlink_metadata().unwrap().is_dir() {
            places.extend(all_below(&place));
        }
        places.push(place);
    }
    places
}

/// Data with the folder of the blobs in its usual place, or on another disk behind a link.
fn data(behind_a_link: bool) -> (tempfile::TempDir, PathBuf) {
    let (place, directory) = filled();
    if behind_a_link {
        let disk = place.path().join("disk");
        fs::create_dir(&disk).unwrap();
        fs::rename(directory.join("blobs"), disk.join("fluglog-blobs")).unwrap();
        symlink(disk.join("fluglog-blobs"), directory.join("blobs")).unwrap();
    }
    (place, directory)
}

fn put_orphans(directory: &Path) {
    for name in ORPHANS {
        write_old(&directory.join("blobs").join(name), "Rest");
    }
}

fn expect_no_orphans(directory: &Path) {
    assert_eq!(
        ORPHANS.map(|name| directory.join("blobs").join(name).exists()),
        [false; 2]
    );
}

#[test]
fn a_check_names_what_isn_t_fluglog_s_and_a_repair_leaves_it() {
    for behind_a_link in [false, true] {
        let (_place, directory) = data(behind_a_link);
        let foreign = put_foreign(&directory);
        let before = seen(&foreign);
        put_orphans(&directory);
        let files = blobs(&directory);
        let running = Server::start_in(&directory);
        // The start removes files left half-written by a crash.
        assert!(!directory.join("blobs").join(ORPHANS[1]).exists());
        let asked = check(&directory);
        assert!(running.stop().success());
        for done in [asked, check(&directory), repair(&directory)] {
            assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
            let named: Vec<_> = done
                .stdout
                .lines()
                .filter_map(|line| line.strip_prefix("Fremd: "))
                .collect();
            let of_blobs = FILES.iter().chain(&LINKS).chain([&FOLDER, &SOCKET]);
            let mut expected: Vec<_> = of_blobs.map(|name| format!("blobs/{name}")).collect();
            expected.extend(
                BESIDE
                    .iter()
                    .filter(|name| !name.contains('/'))
                    .map(ToString::to_string),
            );
            expected.sort();
            let expected: Vec<_> = expected
                .iter()
                .map(|place| format!("{place}: gehört nicht zu Fluglog, bleibt liegen"))
                .collect();
            assert_eq!(named, expected);
            assert_eq!(seen(&foreign), before);
        }
        expect_no_orphans(&directory);
        assert_eq!(blobs(&directory).len(), files.len() - ORPHANS.len());
        assert!(repair(&directory).stdout.contains("alles in Ordnung"));

        let done = run(["check", "--json", "--data-dir", text(&directory)]);
        let found: Value = serde_json::from_str(&done.stdout).expect("JSON");
        assert_eq!(
            found["foreign"].as_array().unwrap().len(),
            FILES.len() + LINKS.len() + 2 + 4
        );
    }
}

#[test]
fn what_isn_t_fluglog_s_outlives_every_command() {
    for behind_a_link in [false, true] {
        let (place, directory) = data(behind_a_link);
        let foreign = put_foreign(&directory);
        let before = seen(&foreign);
        let archive = place.path().join("a.tar");
        let rescued = place.path().join("rettung.tar");
        let again = place.path().join("again");
        let of = |arguments: &[&str], directory: &Path| {
            let done = run([arguments, &["--data-dir", text(directory)]].concat());
            assert_eq!(done.code, 0, "{arguments:?}: {done:?}");
            assert_eq!(seen(&foreign), before, "{arguments:?}");
        };
        of(&["backup", "--output", text(&archive)], &directory);
        of(&["compact"], &directory);
        of(&["recover", "--output", text(&rescued)], &directory);
        for archive in [&archive, &rescued] {
            of(&["restore", text(archive)], &again);
            fs::remove_dir_all(&again).unwrap();
        }
        of(&["user", "delete", "--yes", ANNA], &directory);
        let server = Server::start_in(&directory);
        let ben = server.stranger();
        ben.log_in("ben@example.org", PASSWORD).expect_status(202);
        for document in ben.documents() {
            ben.post("DeleteUserDocument", &[("dpfId", document["dpfId"].as_str().unwrap())])
                .expect_status(200);
        }
        ben.ask_for_login("ben@example.org");
        assert!(server.stop().success());
        of(&["check", "--repair"], &directory);
    }
}

/// The path of libfaketime's library, for preloading; its package is installed if missing.
fn faketime_library() -> String {
    let found = Command::new("tests/need.sh")
        .args(["faketime", "faketime"])
        .output()
        .unwrap();
    assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
    let shown = Command::new("faketime")
        .args(["-m", "-f", "+0", "printenv", "LD_PRELOAD"])
        .output();
    String::from_utf8(shown.unwrap().stdout).unwrap().trim().to_owned()
}

#[test]
fn a_server_removes_its_own_orphans_after_a_day_and_nothing_else() {
    for behind_a_link in [false, true] {
        let (_place, directory) = data(behind_a_link);
        let foreign = put_foreign(&directory);
        let before = seen(&foreign);
        let files = blobs(&directory);
        put_orphans(&directory);
        // An hour per second: a server looks for orphans an hour after its start.
        let preload = format!("LD_PRELOAD={}", faketime_library());
        let server = Server::start_through(&["env", &preload, "FAKETIME=+0 x3600"], &directory);
        wait::until("the server has looked for orphans", || {
            server
                .log()
                .contains("files that no record names were removed")
                .then_some(())
        });
        drop(server);
        expect_no_orphans(&directory);
        assert_eq!((blobs(&directory), seen(&foreign)), (files, before));
    }
}

/// A foreign folder that a link turns into the folder of the blobs.
fn folder_of_others(place: &Path, names: &[&str]) -> PathBuf {
    let folder = place.join("fremd");
    fs::create_dir(&folder).unwrap();
    for name in names {
        write_old(&folder.join(name), name);
    }
    folder
}

#[track_caller]
fn expect_refusal(done: &Output, directory: &Path, name: &str) {
    let sentence = format!("{} ist kein Ordner von Fluglog", directory.join("blobs").display());
    done.expect_refusal(78, &[&sentence, MARK, name, "Es wurde nichts geändert"]);
}

#[test]
fn a_folder_of_others_is_refused_by_every_command() {
    let (place, directory) = filled();
    let archive = place.path().join("a.tar");
    let done = run(["backup", "--output", text(&archive), "--data-dir", text(&directory)]);
    assert_eq!(done.code, 0, "{done:?}");
    let folder = folder_of_others(place.path(), &["a.txt", ORPHANS[0], ORPHANS[1]]);
    fs::create_dir(folder.join("ordner")).unwrap();
    fs::rename(directory.join("blobs"), place.path().join("blobs")).unwrap();
    symlink(&folder, directory.join("blobs")).unwrap();
    let everything = || {
        [
            all_below(&folder),
            all_below(&directory),
            vec![folder.clone(), directory.clone()],
        ]
        .concat()
    };
    let before = seen(&everything());
    let [new, zip] = ["new.tar", "anna.zip"].map(|name| place.path().join(name));
    for command in [
        &["serve", "--listen", "127.0.0.1:0"][..],
        &["init"],
        &["demo"],
        &["status"],
        &["check"],
        &["check", "--repair"],
        &["compact"],
        &["backup", "--output", text(&new)],
        &["recover", "--output", text(&new)],
        &["restore", text(&archive)],
        &["export", "--user", ANNA, "--output", text(&zip)],
        &["import", "--user", ANNA, "tests/fixtures/flights/zwei.gpx"],
        &["user", "list"],
        &["user", "delete", "--yes", ANNA],
        &["mail", "outbox"],
        &["feedback", "list"],
        &["https", "on"],
        &["https", "off"],
        &["config", "check"],
    ] {
        let done = run([command, &["--data-dir", text(&directory)]].concat());
        expect_refusal(&done, &directory, "a.txt");
        assert_eq!(seen(&everything()), before, "{command:?}");
    }
    assert!(!new.exists() && !zip.exists());
}

#[test]
fn files_of_others_with_names_of_blobs_are_refused_behind_a_link() {
    let (place, directory) = filled();
    let folder = folder_of_others(place.path(), &[ORPHANS[0]]);
    fs::rename(directory.join("blobs"), place.path().join("blobs")).unwrap();
    symlink(&folder, directory.join("blobs")).unwrap();
    let before = seen(&all_below(&folder));
    for command in [
        &["serve", "--listen", "127.0.0.1:0"][..],
        &["check", "--repair"],
        &["user", "list"],
    ] {
        let done = run([command, &["--data-dir", text(&directory)]].concat());
        expect_refusal(&done, &directory, ORPHANS[0]);
        assert_eq!(seen(&all_below(&folder)), before, "{command:?}");
    }
}

#[test]
fn where_a_disk_isn_t_mounted_no_folder_is_taken() {
    let (place, directory) = data(true);
    let disk = fs::read_link(directory.join("blobs")).unwrap();
    for without_mark in [false, true] {
        if without_mark {
            fs::remove_file(disk.join(MARK)).unwrap();
        }
        // The mount point without its disk.
        fs::rename(&disk, place.path().join("unplugged")).unwrap();
        fs::create_dir(&disk).unwrap();
        for command in [
            &["serve", "--listen", "127.0.0.1:0"][..],
            &["check", "--repair"],
            &["user", "list"],
        ] {
            let done = run([command, &["--data-dir", text(&directory)]].concat());
            let blobs = directory.join("blobs");
            done.expect_refusal(74, &[text(&blobs), "14 Dateien", "Ist der Datenträger eingehängt?"]);
            assert_eq!(fs::read_dir(&disk).unwrap().count(), 0);
        }
        fs::remove_dir(&disk).unwrap();
        fs::rename(place.path().join("unplugged"), &disk).unwrap();
        assert_eq!(check(&directory).code, 0);
    }
}

#[test]
fn a_folder_that_is_replaced_while_the_server_runs_is_not_touched() {
    let (place, directory) = filled();
    let server = Server::start_in(&directory);
    let folder = folder_of_others(place.path(), &["a.txt", ORPHANS[0]]);
    fs::rename(directory.join("blobs"), place.path().join("blobs")).unwrap();
    symlink(&folder, directory.join("blobs")).unwrap();
    let before = seen(&all_below(&folder));
    let anna = server.stranger();
    anna.log_in(ANNA, PASSWORD).expect_status(202);
    anna.upload("UploadUserDocument", &[], &[("file", "a.txt", b"neu")])
        .expect_status(503);
    expect_refusal(&repair(&directory), &directory, "a.txt");
    assert_eq!(seen(&all_below(&folder)), before);

    // The right folder is found again without a restart.
    fs::remove_file(directory.join("blobs")).unwrap();
    fs::rename(place.path().join("blobs"), directory.join("blobs")).unwrap();
    anna.document("a.txt", b"neu");
    assert_eq!(check(&directory).code, 0);
}

#[test]
fn a_file_with_the_name_of_the_socket_stays() {
    let place = temporary_directory();
    assert_eq!(init(place.path()).code, 0);
    let file = place.path().join("fluglog.sock");
    fs::write(&file, "mein").unwrap();
    let done = run(["serve", "--listen", "127.0.0.1:0", "--data-dir", text(place.path())]);
    done.expect_refusal(78, &[text(&file), "etwas anderes hat den Namen"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "mein");
}

#[test]
fn two_data_directories_share_no_folder() {
    let (place, directory) = data(true);
    // As copied by `cp -a`: the link keeps its target.
    let copy = place.path().join("copy");
    fs::create_dir_all(copy.join("outbox")).unwrap();
    fs::copy(directory.join(DATABASE), copy.join(DATABASE)).unwrap();
    symlink(fs::read_link(directory.join("blobs")).unwrap(), copy.join("blobs")).unwrap();
    let files = blobs(&directory);
    let server = Server::start_in(&directory);
    for command in [
        &["serve", "--listen", "127.0.0.1:0"][..],
        &["user", "delete", "--yes", ANNA],
    ] {
        let done = run([command, &["--data-dir", text(&copy)]].concat());
        done.expect_refusal(
            69,
            &[text(&copy.join("blobs")), "von einem anderen Datenverzeichnis benutzt"],
        );
    }
    assert_eq!(blobs(&directory), files);
    assert_eq!(check(&directory).code, 0);
    assert!(server.stop().success());
    assert_eq!(check(&copy).code, 0);
}

#[test]
fn the_folder_of_an_earlier_version_gets_its_mark_when_all_in_it_is_fluglog_s() {
    for behind_a_link in [false, true] {
        let (_place, directory) = data(behind_a_link);
        let mark = directory.join("blobs").join(MARK);
        let note = directory.join("blobs/notiz.txt");
        fs::remove_file(&mark).unwrap();
        write_old(&note, "mein");
        expect_refusal(&check(&directory), &directory, "notiz.txt");
        fs::remove_file(&note).unwrap();
        assert!(!mark.exists());
        assert!(Server::start_in(&directory).stop().success());
        assert!(mark.exists());
        // With the marker, foreign files may be there.
        write_old(&note, "mein");
        assert_eq!(check(&directory).code, 0);
    }
}

#[test]
fn a_new_database_takes_no_folder_with_files() {
    for (name, marked) in [("notiz.txt", false), (ORPHANS[0], false), (ORPHANS[0], true)] {
        let place = temporary_directory();
        let directory = place.path().join("data");
        let folder = directory.join("blobs");
        fs::create_dir_all(&folder).unwrap();
        write_old(&folder.join(name), "vom letzten Mal");
        if marked {
            fs::write(folder.join(MARK), "").unwrap();
        }
        let before = seen(&all_below(&directory));
        let done = init(&directory);
        let code = if marked || name == ORPHANS[0] { 1 } else { 78 };
        done.expect_refusal(code, &[text(&folder), name, "nichts geändert"]);
        assert_eq!(seen(&all_below(&directory)), before);
    }
}

#[test]
fn a_directory_with_files_of_others_keeps_its_mode() {
    let place = temporary_directory();
    let directory = place.path().join("shared");
    fs::create_dir(&directory).unwrap();
    fs::set_permissions(&directory, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    write_old(&directory.join("notiz.txt"), "mein");
    assert_eq!(init(&directory).code, 0);
    assert_eq!(directory.metadata().unwrap().mode() & 0o777, 0o755);
    for (part, mode) in [
        ("blobs", 0o700),
        ("outbox", 0o700),
        (DATABASE, 0o600),
        ("fluglog.toml", 0o600),
    ] {
        assert_eq!(directory.join(part).metadata().unwrap().mode() & 0o777, mode, "{part}");
    }
}

#[test]
fn what_lies_in_the_rest_of_a_restore_and_isn_t_its_own_stays() {
    let (place, source) = filled();
    let archive = place.path().join("a.tar");
    let done = run(["backup", "--output", text(&archive), "--data-dir", text(&source)]);
    assert_eq!(done.code, 0, "{done:?}");
    let part = "restore.part";
    for (folders, files) in [
        (&[part][..], &["restore.part/notiz.txt"][..]),
        (&["restore.part/blobs"], &["restore.part/blobs/notiz.txt"]),
        (&[part, "blobs"], &["blobs/notiz.txt", "blobs/.fluglog-blobs"]),
        (&[part, "blobs"], &["blobs/0198c0de-0000-7000-8000-000000000001"]),
        (&["restore.part/fluglog.redb"], &["restore.part/fluglog.redb/notiz.txt"]),
        (&["notizen"], &["restore.part"]),
    ] {
        let directory = place.path().join("target");
        for folder in folders {
            fs::create_dir_all(directory.join(folder)).unwrap();
        }
        for file in files {
            write_old(&directory.join(file), "mein");
        }
        let before = seen(&all_below(&directory));
        let done = run(["restore", text(&archive), "--data-dir", text(&directory)]);
        assert!(
            [1, 78].contains(&done.code) && !done.stderr.contains("panicked"),
            "{files:?}: {done:?}"
        );
        assert_eq!(seen(&all_below(&directory)), before, "{files:?}");
        fs::remove_dir_all(&directory).unwrap();
    }

    // A link to a foreign folder in place of a restore's working folder, and of the folder of the blobs.
    let folder = folder_of_others(place.path(), &[ORPHANS[0], DATABASE]);
    for name in [part, "blobs"] {
        let directory = place.path().join("target");
        fs::create_dir_all(&directory).unwrap();
        symlink(&folder, directory.join(name)).unwrap();
        if name == "blobs" {
            fs::create_dir(directory.join(part)).unwrap();
        }
        let before = seen(&[all_below(&directory), all_below(&folder)].concat());
        let done = run(["restore", text(&archive), "--data-dir", text(&directory)]);
        assert!([1, 78].contains(&done.code), "{name}: {done:?}");
        assert_eq!(
            seen(&[all_below(&directory), all_below(&folder)].concat()),
            before,
            "{name}"
        );
        fs::remove_dir_all(&directory).unwrap();
    }

    // Only the leftovers of a restore are removed.
    let directory = place.path().join("target");
    fs::create_dir_all(directory.join("restore.part/blobs")).unwrap();
    fs::write(directory.join("restore.part/fluglog.redb"), "halb").unwrap();
    fs::write(directory.join("restore.part/blobs").join(ORPHANS[0]), "halb").unwrap();
    let done = run(["restore", text(&archive), "--data-dir", text(&directory)]);
    assert_eq!((done.code, directory.join(part).exists()), (0, false), "{done:?}");
    assert_eq!(check(&directory).stdout.lines().count(), 1);
}
