//! Backup targets: real WebDAV and S3-compatible servers, folders and disks, encrypted and not. An archive gets its
//! name only when it is complete, and a failing target doesn't affect others.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use age::secrecy::ExposeSecret as _;

use crate::cli::backup::verify;
use crate::cli::check::fill;
use crate::cli::stores::{SECRET, Store, s3, webdav};
use crate::harness::certificates::Authority;
use crate::harness::process::{program, run};
use crate::harness::{Output, Running, Server, temporary_directory, text, wait};

const PASSPHRASE: &str = "passphrase = \"vier rote Propeller\"";
/// More than one part of an S3 upload.
const DOCUMENT_BYTES: usize = 9 * 1024 * 1024;

/// A data directory with some data, and the folder around it.
fn place() -> (tempfile::TempDir, PathBuf) {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let server = Server::start_in(&directory);
    let pilot = server.pilot("Anna");
    fill(&pilot);
    let document: Vec<u8> = (0..DOCUMENT_BYTES).map(|at| (at % 251) as u8).collect();
    pilot
        .upload(
            "UploadUserDocument",
            &[("description", "Karte")],
            &[("file", "karte.bin", &document)],
        )
        .expect_status(201);
    assert!(server.stop().success());
    fs::create_dir(place.path().join("local")).unwrap();
    (place, directory)
}

fn configure(directory: &Path, sections: &[String]) {
    fs::write(directory.join("fluglog.toml"), sections.join("\n")).unwrap();
}

fn backup(place: &Path) -> Output {
    let (data, local) = (place.join("data"), place.join("local"));
    run(["backup", "--data-dir", text(&data), "--output", text(&local)])
}

#[track_caller]
fn expect_done(done: &Output) {
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
}

fn status(directory: &Path) -> serde_json::Value {
    let done = run(["status", "--json", "--data-dir", text(directory)]);
    serde_json::from_str(&done.stdout).unwrap()
}

/// A server of each kind.
fn servers(place: &Path) -> [Store; 2] {
    let [dav, bucket] = ["dav", "s3"].map(|name| place.join(name));
    fs::create_dir_all(&dav).unwrap();
    [webdav(&dav), s3(&bucket)]
}

fn is_archive(name: &str) -> bool {
    name.starts_with("fluglog-20") && (name.ends_with(".tar") || name.ends_with(".tar.age"))
}

fn archives(store: &Store) -> Vec<String> {
    store.names().into_iter().filter(|name| is_archive(name)).collect()
}

#[test]
fn a_backup_goes_to_every_target_and_comes_back_from_there() {
    let (place, directory) = place();
    let [dav, bucket] = servers(place.path());
    let sections = [
        dav.section("nas", ""),
        bucket.section("fern", &format!("prefix = \"verein\"\n{PASSPHRASE}")),
    ];
    configure(&directory, &sections);
    let done = backup(place.path());
    expect_done(&done);
    assert!(
        done.stdout.contains("Auch bei nas: fluglog-20") && done.stdout.contains("Auch bei fern: "),
        "{done:?}"
    );
    let there = archives(&dav);
    assert_eq!(there.len(), 1, "{there:?}");
    let local = place.path().join("local").join(&there[0]);
    assert_eq!(fs::read(&local).unwrap(), fs::read(dav.folder.join(&there[0])).unwrap());
    let far = bucket.folder.join("verein").join(format!("{}.age", there[0]));
    assert!(fs::read(&far).unwrap().starts_with(b"age-encryption.org/v1\n"));

    let listed = run(["backup", "list", "--data-dir", text(&directory)]);
    expect_done(&listed);
    assert_eq!(listed.stdout.matches(&there[0]).count(), 2, "{listed:?}");
    for name in ["nas", "fern"] {
        expect_done(&run([
            "backup",
            "verify",
            "--data-dir",
            text(&directory),
            "--target",
            name,
        ]));
        let new = place.path().join(format!("aus-{name}"));
        fs::create_dir(&new).unwrap();
        configure(&new, &sections);
        let restored = run(["restore", "--data-dir", text(&new), "--target", name]);
        expect_done(&restored);
        assert!(restored.stdout.contains("ist wiederhergestellt"), "{restored:?}");
        expect_done(&run(["check", "--data-dir", text(&new)]));
    }
    let told = status(&directory);
    for target in told["backupTargets"].as_array().unwrap() {
        assert_eq!(target["failure"], serde_json::Value::Null, "{target}");
        assert_eq!(target["lastGood"]["time"], target["time"]);
    }
    assert!(!told["problems"].to_string().contains("Ziel"), "{told}");
}

#[test]
fn a_target_that_encrypts_gives_a_plain_archive_only_to_who_names_it() {
    let (place, directory) = place();
    for (name, store) in ["nas", "fern"].into_iter().zip(servers(place.path())) {
        configure(&directory, &[store.section(name, PASSPHRASE)]);
        expect_done(&backup(place.path()));
        let ours = archives(&store).remove(0);
        let verify = |more: &[&str]| {
            let usual = ["backup", "verify", "--data-dir", text(&directory), "--target", name];
            run([&usual[..], more].concat())
        };
        // Somebody with access to the store lays archives beside, newer than ours.
        let local = place.path().join("local").join(ours.trim_end_matches(".age"));
        let (plain, feigned) = ("fluglog-20991231-000000.tar", "fluglog-20991231-000001.tar.age");
        fs::copy(&local, store.folder.join(plain)).unwrap();
        let verified = verify(&[]);
        expect_done(&verified);
        assert!(verified.stdout.contains(&ours), "{verified:?}");
        let listed = run(["backup", "list", "--data-dir", text(&directory)]);
        let mark = |line: &&str| line.contains("nicht verschlüsselt");
        let marked: Vec<_> = listed.stdout.lines().filter(mark).collect();
        assert!(marked.len() == 1 && marked[0].contains(plain), "{listed:?}");

        fs::copy(&local, store.folder.join(feigned)).unwrap();
        verify(&[]).expect_refusal(1, &["keine", "nicht von Fluglog"]);
        for gone in [feigned, ours.as_str()] {
            fs::remove_file(store.folder.join(gone)).unwrap();
        }
        verify(&[]).expect_refusal(1, &["keine verschlüsselte Sicherung", plain, "--archive"]);
        expect_done(&verify(&["--archive", plain]));
    }
}

/// A store that answers every request with a page of an empty list and the token of the next page.
fn store_without_last_page(token: fn(usize) -> usize) -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let mut pages = 0;
        for connection in listener.incoming() {
            let mut connection = BufReader::new(connection.unwrap());
            let mut line = String::new();
            while connection.read_line(&mut line).is_ok_and(|length| length > 0) {
                if line == "\r\n" {
                    pages += 1;
                    let list = format!(
                        "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Name>b</Name>\
                         <KeyCount>0</KeyCount><MaxKeys>1000</MaxKeys>\
                         <IsTruncated>true</IsTruncated><NextContinuationToken>{}</NextContinuationToken>\
                         </ListBucketResult>",
                        token(pages)
                    );
                    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", list.len());
                    connection.get_mut().write_all((head + &list).as_bytes()).unwrap();
                }
                line.clear();
            }
        }
    });
    address
}

#[test]
fn a_list_that_always_has_a_page_more_is_read_to_an_end() {
    let (_place, directory) = place();
    let tokens: [fn(usize) -> usize; 2] = [|_| 7, |page| page];
    for token in tokens {
        let address = store_without_last_page(token);
        let section = format!(
            "[backup.targets.fern]\nkind = \"s3\"\nendpoint = \"http://{address}\"\nbucket = \"b\"\n\
             access_key = \"a\"\nsecret_key = \"b\"\n"
        );
        configure(&directory, &[section]);
        let listed = run(["backup", "list", "--data-dir", text(&directory)]);
        assert_eq!(listed.code, 1, "{listed:?}");
        assert!(listed.stdout.contains("hört nicht auf"), "{listed:?}");
    }
}

#[test]
fn a_target_keeps_its_own_number_of_archives_and_every_other_file() {
    let (place, directory) = place();
    let stores = servers(place.path());
    let names = ["nas", "fern"];
    configure(&directory, &[0, 1].map(|at| stores[at].section(names[at], "keep = 2")));
    expect_done(&backup(place.path()));
    for store in &stores {
        for other in ["urlaub.jpg", "fluglog-20250101-000000.tar.gz"] {
            fs::write(store.folder.join(other), "mine").unwrap();
        }
        for old in ["fluglog-20250101-000000.tar", "fluglog-20250102-000000.tar.age"] {
            fs::write(store.folder.join(old), "old").unwrap();
        }
        fs::write(store.folder.join("fluglog-20250101-000000.tar.unfinished"), "left").unwrap();
    }
    expect_done(&backup(place.path()));
    for store in &stores {
        let left = archives(store);
        assert_eq!(left.len(), 2, "{left:?}");
        assert!(left.iter().all(|name| name.starts_with("fluglog-2026")), "{left:?}");
        let names = store.names();
        assert!(names.contains(&"urlaub.jpg".to_owned()), "{names:?}");
        assert!(
            names.contains(&"fluglog-20250101-000000.tar.gz".to_owned()),
            "{names:?}"
        );
        assert!(!names.iter().any(|name| name.ends_with(".unfinished")), "{names:?}");
    }
}

#[test]
fn a_backup_that_is_killed_in_the_middle_leaves_no_archive_at_the_target_and_the_next_one_does() {
    let (place, directory) = place();
    for (name, store) in ["nas", "fern"].into_iter().zip(servers(place.path())) {
        configure(&directory, &[store.section(name, "")]);
        store.faults.stalls_after.store(1024 * 1024, Ordering::SeqCst);
        let mut command = program();
        let local = place.path().join("local");
        command.args(["backup", "--data-dir", text(&directory), "--output", text(&local)]);
        let running = Running::start(command);
        wait::until("the server has had a part", || {
            store.faults.is_stalled.load(Ordering::SeqCst).then_some(())
        });
        running.signal("KILL");
        drop(running);
        assert_eq!(archives(&store), Vec::<String>::new());
        store.faults.stalls_after.store(0, Ordering::SeqCst);
        expect_done(&backup(place.path()));
        assert_eq!(archives(&store).len(), 1);
        expect_done(&run([
            "backup",
            "verify",
            "--data-dir",
            text(&directory),
            "--target",
            name,
        ]));
    }
}

#[test]
fn a_full_server_says_so_and_has_nothing_of_the_archive() {
    let (place, directory) = place();
    for (name, store) in ["nas", "fern"].into_iter().zip(servers(place.path())) {
        configure(&directory, &[store.section(name, "")]);
        store.faults.room.store(4 * 1024 * 1024, Ordering::SeqCst);
        let done = backup(place.path());
        assert_eq!(done.code, 1, "{done:?}");
        let sentence = format!("Ziel „{name}“: Dort ist kein Platz mehr.");
        assert!(
            done.stdout.contains("Gesichert: ") && done.stderr.contains(&sentence),
            "{done:?}"
        );
        assert_eq!(store.names(), Vec::<String>::new());
    }
}

#[test]
fn a_wrong_password_and_a_wrong_clock_have_errors_of_their_own() {
    let (place, directory) = place();
    let [dav, bucket] = servers(place.path());
    let wrong = |section: String| section.replace(SECRET, "falsch");
    configure(
        &directory,
        &[wrong(dav.section("nas", "")), wrong(bucket.section("fern", ""))],
    );
    let done = backup(place.path());
    assert_eq!(done.code, 1);
    for name in ["nas", "fern"] {
        let sentence = format!("Ziel „{name}“: Benutzername oder Passwort stimmt nicht.");
        assert!(done.stderr.contains(&sentence), "{done:?}");
    }
    configure(&directory, &[bucket.section("fern", "")]);
    bucket.faults.is_clock_ahead.store(true, Ordering::SeqCst);
    let done = backup(place.path());
    assert!(
        done.code == 1 && done.stderr.contains("Die Uhr dieses Geräts geht anders"),
        "{done:?}"
    );
    assert!(archives(&bucket).is_empty() && archives(&dav).is_empty());
}

#[test]
fn a_failing_target_is_reported_and_the_others_get_the_archive() {
    let (place, directory) = place();
    let [dav, _] = servers(place.path());
    let missing = "[backup.targets.a-stick]\nkind = \"disk\"\nlabel = \"FLUGLOG STICK\"\n".to_owned();
    let gone = "[backup.targets.b-weg]\nkind = \"webdav\"\nurl = \"http://127.0.0.1:1/dav\"\n".to_owned();
    configure(&directory, &[missing.clone(), gone, dav.section("nas", "")]);
    let done = backup(place.path());
    assert_eq!(done.code, 1);
    assert!(
        done.stderr
            .contains("Der Datenträger FLUGLOG STICK ist nicht eingehängt."),
        "{done:?}"
    );
    assert!(done.stderr.contains("127.0.0.1 ist nicht zu erreichen."), "{done:?}");
    assert_eq!(archives(&dav).len(), 1);
    let told = status(&directory);
    assert_eq!(told["lastBackup"]["failure"], serde_json::Value::Null);
    let problems = told["problems"].to_string();
    assert!(
        problems.contains("kam nicht zum Ziel „a-stick“. Der Datenträger FLUGLOG STICK"),
        "{problems}"
    );
    let local = fs::canonicalize(place.path().join("local")).unwrap();
    assert!(
        problems.contains(&format!("fluglog backup --output {}", text(&local))),
        "{problems}"
    );
    let shown = run(["status", "--data-dir", text(&directory)]).stdout;
    assert!(
        shown.contains("Ziel a-stick") && shown.contains("misslungen: Der Datenträger"),
        "{shown}"
    );

    // The folder where backups are made has a retention rule of its own.
    let own = format!(
        "[backup.targets.hier]\nkind = \"folder\"\npath = \"{}\"\nkeep = 1\n",
        text(&local)
    );
    configure(&directory, &[own]);
    let done = backup(place.path());
    assert!(
        done.code == 1 && done.stderr.contains("liegt die Sicherung schon"),
        "{done:?}"
    );
    assert_eq!(fs::read_dir(&local).unwrap().count(), 2);

    // The disk is present: a folder in memory stands for it.
    let stick = tempfile::tempdir_in("/dev/shm").unwrap();
    let there = format!(
        "[backup.targets.a-stick]\nkind = \"folder\"\npath = \"{}\"\nrequire_mount = true\n",
        text(stick.path())
    );
    configure(&directory, &[there]);
    expect_done(&backup(place.path()));
    let names: Vec<_> = fs::read_dir(stick.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(names.len(), 1, "{names:?}");
    expect_done(&verify(&names[0]));
    let told = status(&directory);
    assert!(!told["problems"].to_string().contains("a-stick"), "{told}");
}

#[test]
fn the_last_folder_of_a_target_is_made_and_no_other_one() {
    let (place, directory) = place();
    let share = tempfile::tempdir_in("/dev/shm").unwrap();
    let section = |name: &str, path: &Path, more: &str| {
        format!(
            "[backup.targets.{name}]\nkind = \"folder\"\npath = \"{}\"\n{more}",
            text(path)
        )
    };
    let (fritz, here) = (share.path().join("fluglog"), place.path().join("hier"));
    configure(
        &directory,
        &[
            section("fritz", &fritz, "require_mount = true\n"),
            section("hier", &here, ""),
        ],
    );
    let list = || run(["backup", "list", "--data-dir", text(&directory)]);
    expect_done(&list());
    expect_done(&backup(place.path()));
    for folder in [&fritz, &here] {
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
        assert_eq!(fs::metadata(folder).unwrap().permissions().mode() & 0o777, 0o700);
    }
    let unplugged = place.path().join("stick/fluglog");
    configure(&directory, &[section("stick", &unplugged, "")]);
    assert!(list().stdout.contains("gibt es nicht. Ist der Datenträger eingehängt?"));
    configure(
        &directory,
        &[section("stick", &place.path().join("neu"), "require_mount = true\n")],
    );
    assert!(list().stdout.contains("kein eigener Datenträger"));
    assert!(!place.path().join("stick").exists() && !place.path().join("neu").exists());
}

#[test]
fn an_archive_for_a_public_key_is_opened_by_its_secret_key_alone() {
    let (place, directory) = place();
    let folder = place.path().join("platte");
    fs::create_dir(&folder).unwrap();
    let identity = age::x25519::Identity::generate();
    let section = format!(
        "[backup.targets.platte]\nkind = \"folder\"\npath = \"{}\"\nrecipients = [\"{}\"]\n",
        text(&folder),
        identity.to_public()
    );
    configure(&directory, &[section]);
    expect_done(&backup(place.path()));
    let from_target = |more: &[&str]| {
        let arguments = ["backup", "verify", "--data-dir", text(&directory), "--target", "platte"];
        run([&arguments[..], more].concat())
    };
    from_target(&[]).expect_refusal(1, &["verschlüsselt", "--identity"]);
    let key = place.path().join("key.txt");
    fs::write(&key, identity.to_string().expose_secret()).unwrap();
    expect_done(&from_target(&["--identity", text(&key)]));
    from_target(&["--archive", "fluglog-20250101-000000.tar", "--identity", text(&key)])
        .expect_refusal(1, &["fluglog-20250101-000000.tar liegt dort nicht", "fluglog-2026"]);

    // The archive as a file, copied by hand.
    let archive = fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    expect_done(&run(["backup", "verify", text(&archive), "--identity", text(&key)]));
    let mut bytes = fs::read(&archive).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&archive, bytes).unwrap();
    from_target(&["--identity", text(&key)]).expect_refusal(1, &["beschädigt"]);
}

#[test]
fn a_server_with_an_untrusted_certificate_has_another_error_than_one_without_webdav() {
    let (place, directory) = place();
    let authority = Authority::new();
    let files = authority.pair().write(place.path());
    let elsewhere = place.path().join("anderswo");
    let other = Server::start_over_https_in(&elsewhere, &files, &[]);
    let trusted = place.path().join("authority.pem");
    fs::write(&trusted, authority.pem()).unwrap();
    let section = format!(
        "[backup.targets.nas]\nkind = \"webdav\"\nurl = \"https://{}/dav\"\n",
        other.address()
    );
    let list = || run(["backup", "list", "--json", "--data-dir", text(&directory)]);
    configure(&directory, std::slice::from_ref(&section));
    let done = list();
    assert!(
        done.stdout
            .contains("Dem Zertifikat von 127.0.0.1 ist nicht zu trauen."),
        "{done:?}"
    );
    configure(&directory, &[format!("{section}ca_file = \"{}\"\n", text(&trusted))]);
    let done = list();
    assert_eq!(done.code, 1, "{done:?}");
    assert!(
        !done.stdout.contains("Zertifikat") && done.stdout.contains("antwortet mit Fehler 405"),
        "{done:?}"
    );
}
