//! Restoring a backup: everything is as it was, and a directory has all of it or nothing.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use serde_json::Value;

use fluglog::control::backups;
use fluglog_app::App;
use fluglog_config::Config;
use fluglog_store::Store;

use crate::cli::backup::{backup, verify};
use crate::cli::check::{expect_clean, fill, filled};
use crate::cli::init::contents;
use crate::harness::process::{program, run};
use crate::harness::{Output, PASSWORD, Pilot, Running, Server, temporary_directory, text, wait};

const ANNA: &str = "anna@example.org";

fn restore(archive: &Path, directory: &Path) -> Output {
    run(["restore", "--data-dir", text(directory), text(archive)])
}

#[test]
fn data_that_were_damaged_when_they_were_saved_are_restored_and_named() {
    let (place, directory) = filled();
    let damaged = crate::cli::check::blobs(&directory).remove(0);
    fs::write(&damaged, "Rost").unwrap();
    let archive = place.path().join("a.tar");
    assert_eq!(backup(&directory, &archive).code, 1);
    let again = place.path().join("again");
    let done = restore(&archive, &again);
    assert!(done.code == 1 && done.stderr.contains("schon beim Sichern"), "{done:?}");
    let name = damaged.file_name().unwrap().to_str().unwrap();
    assert!(
        done.stdout.contains("ist wiederhergestellt") && done.stdout.contains(name),
        "{done:?}"
    );
    Server::start_in(&again)
        .stranger()
        .log_in(ANNA, PASSWORD)
        .expect_status(202);
}

#[test]
fn the_archive_that_data_come_from_is_their_last_backup() {
    let (place, directory) = filled();
    let archive = place.path().join("a.tar");
    assert_eq!(backup(&directory, &archive).code, 0);
    let again = place.path().join("again");
    assert_eq!(restore(&archive, &again).code, 0);
    let status = |flags: &[&str]| run([&["status", "--data-dir", text(&again)], flags].concat()).stdout;
    let shown: Value = serde_json::from_str(&status(&["--json"])).unwrap();
    assert_eq!(shown["lastBackup"]["target"], text(&archive));
    assert_eq!(shown["lastBackup"]["bytes"], fs::metadata(&archive).unwrap().len());
    assert_eq!(shown["lastGoodBackup"]["target"], text(&archive));
    let text = status(&[]);
    assert!(!text.contains("noch keine Sicherung"), "{text}");
    assert!(text.contains("auf demselben Datenträger"), "{text}");
    // The folder that the archive lay in isn't one for backups.
    let config = Config {
        data_dir: again.clone(),
        ..Config::default()
    };
    let app = App::new(config, Store::open(&again, false).unwrap());
    assert_ne!(backups::folder(&app).ok().flatten().as_deref(), Some(place.path()));
}

#[test]
fn the_admin_s_own_legal_texts_come_back_unless_new_ones_are_prepared() {
    let (place, directory) = filled();
    let legal = directory.join("legal");
    fs::create_dir(&legal).unwrap();
    fs::write(legal.join("impressum.txt"), "# Verein Aßling").unwrap();
    fs::write(legal.join("dataprivacy.txt"), "# Unser Datenschutz").unwrap();
    fs::write(legal.join("entwurf.txt"), "noch nicht").unwrap();
    let archive = place.path().join("a.tar");
    assert_eq!(backup(&directory, &archive).code, 0);
    assert_eq!(verify(&archive).code, 0);
    let again = place.path().join("again");
    fs::create_dir_all(again.join("legal")).unwrap();
    fs::write(again.join("legal/dataprivacy.txt"), "# Neu").unwrap();
    assert_eq!(restore(&archive, &again).code, 0);
    let read = |name: &str| fs::read_to_string(again.join("legal").join(name)).ok();
    assert_eq!(read("impressum.txt").as_deref(), Some("# Verein Aßling"));
    assert_eq!(read("dataprivacy.txt").as_deref(), Some("# Neu"));
    assert_eq!(read("entwurf.txt"), None);

    let rescued = place.path().join("rettung.tar");
    let done = run(["recover", "--data-dir", text(&directory), "--output", text(&rescued)]);
    assert_eq!(done.code, 0, "{done:?}");
    let third = place.path().join("third");
    assert_eq!(restore(&rescued, &third).code, 0);
    assert_eq!(
        fs::read_to_string(third.join("legal/dataprivacy.txt")).unwrap(),
        "# Unser Datenschutz"
    );
}

/// Everything that a pilot sees, including the contents of all files.
fn seen_by(pilot: &Pilot) -> (Value, Vec<Vec<u8>>) {
    let everything = pilot.everything();
    let mut files = Vec::new();
    for flight in pilot.flights() {
        let flight = pilot.flight(flight["dpfId"].as_str().unwrap());
        for image in crate::harness::files::texts(&flight["images"]) {
            files.push(pilot.image(&image).expect_status(200).body);
            files.push(pilot.preview(&image).expect_status(200).body);
        }
        let logs = pilot
            .post("GetFlightLogs", &[("dpfId", flight["dpfId"].as_str().unwrap())])
            .json();
        for log in logs["logs"].as_array().unwrap() {
            if let Some(document) = log["documentObj"]["dpfId"].as_str() {
                files.push(pilot.download(document).expect_status(200).body);
            }
        }
    }
    for document in pilot.documents() {
        files.push(
            pilot
                .download(document["dpfId"].as_str().unwrap())
                .expect_status(200)
                .body,
        );
    }
    let photo = pilot.post_empty("GetDetailedUser").json()["photo"]
        .as_str()
        .unwrap()
        .to_owned();
    files.push(pilot.get(&photo).expect_status(200).body);
    (everything, files)
}

#[test]
fn a_restored_copy_answers_every_call_as_the_original_did() {
    let place = temporary_directory();
    let [directory, copy] = ["data", "copy"].map(|name| place.path().join(name));
    let archive = place.path().join("a.tar");
    let server = Server::start_in(&directory);
    let pilots = ["Anna", "Ben"].map(|name| server.pilot(name));
    pilots.iter().for_each(fill);
    let then = pilots.each_ref().map(seen_by);
    assert!(then[0].1.len() >= 7, "the pilots have files");
    assert_eq!(backup(&directory, &archive).code, 0);
    assert!(server.stop().success());

    let done = restore(&archive, &copy);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    expect_clean(&copy);
    assert_eq!(fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o700);
    let mut names: Vec<_> = fs::read_dir(&copy)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["blobs", "fluglog.redb", "fluglog.toml", "outbox"]);
    let server = Server::start_in(&copy);
    for (name, then) in ["Anna", "Ben"].iter().zip(&then) {
        let pilot = server.stranger();
        pilot
            .log_in(&format!("{name}@example.org"), PASSWORD)
            .expect_status(202);
        assert!(seen_by(&pilot) == *then, "{name} sees something else");
    }
}

#[test]
fn nothing_that_was_open_is_open_again() {
    let place = temporary_directory();
    let [directory, copy] = ["data", "copy"].map(|name| place.path().join(name));
    let archive = place.path().join("a.tar");
    let server = Server::start_in(&directory);
    server.add_user(ANNA, "Anna", PASSWORD);
    let pilot = server.stranger();
    pilot.log_in_and_stay(ANNA, PASSWORD).expect_status(202);
    let document = pilot.document("anleitung.pdf", b"%PDF");
    let share = pilot
        .post("ShareDocument", &[("dpfId", &document)])
        .expect_status(200)
        .json();
    let waiting = server.stranger();
    let number = waiting.ask_for_login(ANNA);
    let link = server.nth_mail(ANNA, 1).token();
    waiting.register("ben@example.org", "Ben").expect_status(200);
    let code = server.nth_mail("ben@example.org", 1).code();
    let given = |arguments: &[&str]| {
        let done = run([&["user"], arguments, &["--data-dir", text(&directory)]].concat());
        let link = done.stdout.lines().last().expect("a link");
        link.split_once('#').expect("a token").1.to_owned()
    };
    let (invitation, reset) = (given(&["invite"]), given(&["reset", ANNA]));
    assert_eq!(backup(&directory, &archive).code, 0);
    assert!(server.stop().success());

    let done = restore(&archive, &copy);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stdout.contains("Alle melden sich neu an."), "{done:?}");
    let server = Server::start_in(&copy);
    let carry = |from: &Pilot, names: &[&str]| {
        let browser = server.stranger();
        for name in names {
            browser.plant_cookie(name, &from.cookie(name).unwrap());
        }
        browser
    };
    carry(&pilot, &["session"]).check_session().expect_status(401);
    carry(&pilot, &["login"]).check_session().expect_status(401);
    server.stranger().confirm_login(&link, &number).expect_status(410);
    let waiting = carry(&waiting, &["loginRequest", "registration"]);
    waiting.check_login_token(ANNA).expect_status(410);
    waiting.verify(&code).expect_status(410);
    let shared = format!("/app/api/SharedDocument?token={}", share["token"].as_str().unwrap());
    server.stranger().get(&shared).expect_status(410);
    for (call, token) in [("GetInvitation", invitation), ("GetPasswordReset", reset)] {
        server.stranger().post(call, &[("token", &token)]).expect_status(410);
    }
    // The browser is no longer known: five wrong passwords by strangers lock it out.
    for _ in 0..5 {
        server.stranger().log_in(ANNA, "Rotorblatt-18").expect_status(401);
    }
    carry(&pilot, &["device"]).log_in(ANNA, PASSWORD).expect_status(429);
    assert!(server.stop().success());
    let server = Server::start_in(&copy);
    server.stranger().log_in(ANNA, PASSWORD).expect_status(202);
    expect_clean(&copy);
}

#[test]
fn a_directory_with_anything_in_it_is_left_as_it_is() {
    let (place, directory) = filled();
    let archive = place.path().join("a.tar");
    assert_eq!(backup(&directory, &archive).code, 0);
    let other = place.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("notizen.txt"), "mein").unwrap();
    let [nearly, blobs] = ["nearly", "nearly/blobs"].map(|name| place.path().join(name));
    fs::create_dir_all(&blobs).unwrap();
    for taken in [&directory, &other, &nearly] {
        let before = contents(taken);
        restore(&archive, taken).expect_refusal(1, &[text(taken), "nichts geändert"]);
        assert!(contents(taken) == before);
    }
    let server = Server::start_in(&directory);
    restore(&archive, &directory).expect_refusal(1, &[text(&directory)]);
    server.stranger().get("/app/health").expect_status(200);
}

#[test]
fn replaced_data_lie_in_a_folder_of_their_own_and_the_keys_of_https_stay() {
    let (place, directory) = filled();
    let archive = place.path().join("a.tar");
    assert_eq!(backup(&directory, &archive).code, 0);
    assert_eq!(run(["https", "on", "--data-dir", text(&directory)]).code, 0);
    let server = Server::start_in(&directory);
    let replace = || run(["restore", "--replace", "--data-dir", text(&directory), text(&archive)]);
    replace().expect_refusal(1, &["läuft ein Fluglog-Server"]);
    server.pilot("Carl");
    assert!(server.stop().success());
    let key = || fs::read(directory.join("tls/authority.pem")).unwrap();
    let (before, key_before) = (contents(&directory), key());

    let broken = place.path().join("broken.tar");
    fs::write(&broken, &fs::read(&archive).unwrap()[..40_000]).unwrap();
    run(["restore", "--replace", "--data-dir", text(&directory), text(&broken)]).expect_refusal(1, &["broken.tar"]);
    assert!(contents(&directory) == before);
    restore(&archive, &directory).expect_refusal(1, &["nichts geändert", "--replace"]);

    // The second time, what the first one has restored is replaced.
    let users = || run(["user", "list", "--data-dir", text(&directory)]).stdout;
    for expected in 1..=2 {
        assert_eq!(users().contains("Carl"), expected == 1);
        let done = replace();
        assert_eq!(done.code, 0, "{done:?}");
        assert!(!users().contains("Carl") && users().contains("Anna"));
        assert!(key() == key_before);
        let names = fs::read_dir(&directory).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        assert_eq!(names.filter(|name| name.starts_with("replaced-")).count(), expected);
    }
    expect_clean(&directory);

    // The data that were set aside are a data directory.
    let folders = fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path());
    let aside = folders.filter(|path| text(path).contains("/replaced-"));
    let first = aside.min().unwrap();
    expect_clean(&first);
    assert!(
        run(["user", "list", "--data-dir", text(&first)])
            .stdout
            .contains("Carl")
    );
}

#[test]
fn a_restore_that_replaces_leaves_what_is_not_fluglog_s_and_pictures_on_another_disk_where_they_are() {
    let (place, directory) = filled();
    let archive = place.path().join("a.tar");
    assert_eq!(backup(&directory, &archive).code, 0);
    let disk = place.path().join("disk");
    fs::rename(directory.join("blobs"), &disk).unwrap();
    fs::create_dir(directory.join("eingang")).unwrap();
    fs::write(directory.join("eingang/flug.srt"), "noch nicht geholt").unwrap();
    let replace = || run(["restore", "--replace", "--data-dir", text(&directory), text(&archive)]);

    symlink("../disk", directory.join("blobs")).unwrap();
    let before = contents(&directory);
    replace().expect_refusal(1, &["ein Link mit relativem Ziel", "nichts geändert"]);
    assert!(contents(&directory) == before);

    fs::remove_file(directory.join("blobs")).unwrap();
    symlink(&disk, directory.join("blobs")).unwrap();
    let (before, own) = (contents(&disk), contents(&directory.join("eingang")));
    let done = replace();
    assert!(done.code == 0 && done.stdout.contains(text(&disk)), "{done:?}");
    assert!(contents(&disk) == before && contents(&directory.join("eingang")) == own);
    assert!(directory.join("blobs").symlink_metadata().unwrap().is_dir());
    assert_eq!(directory.join("blobs").read_dir().unwrap().count(), before.len());
}

#[test]
fn the_admin_s_own_files_stay() {
    let (place, directory) = filled();
    let archive = place.path().join("a.tar");
    assert_eq!(backup(&directory, &archive).code, 0);
    let fresh = place.path().join("fresh");
    fs::create_dir(&fresh).unwrap();
    fs::write(fresh.join("fluglog.toml"), "time_zone = \"UTC\"\n").unwrap();
    let done = restore(&archive, &fresh);
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(
        fs::read_to_string(fresh.join("fluglog.toml")).unwrap(),
        "time_zone = \"UTC\"\n"
    );
    expect_clean(&fresh);
}

#[test]
fn an_archive_that_isn_t_whole_leaves_no_directory() {
    let (place, directory) = filled();
    let archive = place.path().join("a.tar");
    assert_eq!(backup(&directory, &archive).code, 0);
    let whole = fs::read(&archive).unwrap();
    let target = place.path().join("target");
    for at in [0, 600, whole.len() / 3, whole.len() / 2, whole.len() - 3000] {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        fs::write(&archive, &damaged).unwrap();
        restore(&archive, &target).expect_refusal(1, &[text(&archive)]);
        fs::write(&archive, &whole[..at]).unwrap();
        restore(&archive, &target).expect_refusal(1, &[text(&archive)]);
        assert!(!target.exists());
    }
    restore(&place.path().join("missing.tar"), &target).expect_refusal(1, &["missing.tar"]);
    assert!(!target.exists());

    // An empty directory that existed before is unchanged.
    fs::create_dir(&target).unwrap();
    fs::set_permissions(&target, PermissionsExt::from_mode(0o755)).unwrap();
    fs::write(&archive, &whole[..whole.len() / 2]).unwrap();
    restore(&archive, &target).expect_refusal(1, &[text(&archive)]);
    assert_eq!(fs::read_dir(&target).unwrap().count(), 0);
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o755);
}

#[test]
fn an_archive_of_a_newer_version_is_refused_with_both_versions() {
    let (place, directory) = filled();
    let archive = place.path().join("a.tar");
    assert_eq!(backup(&directory, &archive).code, 0);
    let mut newer = fs::read(&archive).unwrap();
    let head = String::from_utf8(newer[512..1024].to_vec()).unwrap();
    let head = head
        .replace("\"schema\":4", "\"schema\":7")
        .replace(env!("CARGO_PKG_VERSION"), "9.1.0");
    newer[512..1024].copy_from_slice(head.as_bytes());
    fs::write(&archive, newer).unwrap();
    let target = place.path().join("target");
    let named = [
        "Fluglog 9.1.0",
        "Schema 7",
        concat!("Version ", env!("CARGO_PKG_VERSION")),
        "Schema 4",
    ];
    restore(&archive, &target).expect_refusal(78, &named);
    verify(&archive).expect_refusal(78, &named);
    assert!(!target.exists());
}

#[test]
fn other_entries_of_a_tar_are_refused() {
    let (place, directory) = filled();
    let archive = place.path().join("a.tar");
    assert_eq!(backup(&directory, &archive).code, 0);
    let whole = fs::read(&archive).unwrap();
    let (head, rest) = whole.split_at(1024);
    let outside = place.path().join("outside");
    for (name, kind, bytes) in [
        ("../outside", tar::EntryType::Regular, 4),
        ("blobs/../../outside", tar::EntryType::Regular, 4),
        ("blobs/0198c0de-0000-7000-8000-000000000001", tar::EntryType::Symlink, 0),
        ("blobs/0198c0de-0000-7000-8000-000000000001", tar::EntryType::Regular, 4),
        ("tables/users/000001", tar::EntryType::Regular, u64::MAX / 2),
        ("tables/passwd/000001", tar::EntryType::Regular, 4),
        ("fluglog.json", tar::EntryType::Regular, 4),
    ] {
        let mut header = tar::Header::from_byte_slice(&head[..512]).clone();
        let field = &mut header.as_old_mut().name;
        field.fill(0);
        field[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(kind);
        header.set_size(bytes);
        if kind == tar::EntryType::Symlink {
            header.set_link_name(&outside).unwrap();
        }
        header.set_cksum();
        let mut hostile = head.to_vec();
        hostile.extend_from_slice(header.as_bytes());
        if bytes == 4 {
            hostile.extend_from_slice(&[b'x'; 4]);
            hostile.extend_from_slice(&[0; 508]);
        }
        hostile.extend_from_slice(rest);
        let file = place.path().join("hostile.tar");
        fs::write(&file, hostile).unwrap();
        let target = place.path().join("target");
        restore(&file, &target).expect_refusal(1, &[text(&file)]);
        assert!(!target.exists() && !outside.exists(), "{name}");
    }
}

#[test]
fn a_restore_that_was_killed_is_no_database_and_is_done_again() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let archive = place.path().join("a.tar");
    let server = Server::start_in(&directory);
    let pilot = server.pilot("Anna");
    for _ in 0..5 {
        pilot.document("groß.bin", &vec![1; 8_000_000]);
    }
    assert!(server.stop().success());
    assert_eq!(backup(&directory, &archive).code, 0);
    let target = place.path().join("target");
    let blobs = target.join("restore.part/blobs");
    let mut killed = 0;
    for files in [0, 1, 4] {
        let mut command = program();
        command.args(["restore", "--data-dir", text(&target), text(&archive)]);
        let running = Running::start(command);
        wait::until("so much is restored", || {
            let there = fs::read_dir(&blobs).map_or(0, Iterator::count);
            let done = target.join("fluglog.redb").exists();
            (done || blobs.exists() && there >= files).then_some(())
        });
        drop(running);
        if target.join("fluglog.redb").exists() {
            // The restore had finished before the kill, and so is complete.
            expect_clean(&target);
            fs::remove_dir_all(&target).unwrap();
            continue;
        }
        killed += 1;
        for command in [&["user", "list"][..], &["init"], &["serve", "--listen", "127.0.0.1:0"]] {
            let done = run([command, &["--data-dir", text(&target)]].concat());
            done.expect_refusal(78, &[text(&target), "fluglog restore"]);
        }
    }
    assert!(killed > 0, "no restore was killed in the middle");
    let done = restore(&archive, &target);
    assert_eq!(done.code, 0, "{done:?}");
    expect_clean(&target);
    assert!(!target.join("restore.part").exists());
}

#[test]
fn of_several_restores_at_once_one_is_done_and_the_others_are_refused() {
    let (place, directory) = filled();
    let archive = place.path().join("a.tar");
    assert_eq!(backup(&directory, &archive).code, 0);
    let target = place.path().join("target");
    let done: Vec<_> = std::thread::scope(|scope| {
        let begun: Vec<_> = (0..3).map(|_| scope.spawn(|| restore(&archive, &target))).collect();
        begun.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(done.iter().filter(|done| done.code == 0).count(), 1, "{done:?}");
    for done in done.iter().filter(|done| done.code != 0) {
        done.expect_refusal(1, &[text(&target)]);
    }
    expect_clean(&target);
}

#[test]
fn the_leftovers_of_a_restore_killed_at_its_very_end_are_removed() {
    let (_place, directory) = filled();
    let left = directory.join("restore.part");
    fs::create_dir(&left).unwrap();
    expect_clean(&directory);
    assert!(!left.exists());
    fs::create_dir(&left).unwrap();
    assert!(Server::start_in(&directory).stop().success());
    assert!(!left.exists());
}

#[test]
fn a_target_that_fills_up_is_an_error_and_is_left_empty() {
    let (place, directory) = filled();
    let archive = place.path().join("a.tar");
    assert_eq!(backup(&directory, &archive).code, 0);
    let target: PathBuf = place.path().join("target");
    let output = std::process::Command::new("bash")
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 16; exec \"$0\" restore --data-dir \"$1\" \"$2\"",
        ])
        .arg(program().get_program())
        .args([&target, &archive])
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(
        stderr
            .lines()
            .any(|line| line.starts_with("fluglog: ") && line.contains(text(&target))),
        "{stderr}"
    );
    assert!(!stderr.contains("panicked"), "{stderr}");
    assert!(!target.exists());
}
