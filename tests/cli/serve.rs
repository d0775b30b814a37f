//! Starting the server: twice, in unusual folders, and its output.

use std::io::Read;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::cli::init::init;
use crate::harness::{
    Output, PASSWORD, Running, Server, add_user, program, run_with_input, temporary_directory, text, wait,
};

fn serve(directory: &Path) -> Output {
    run_with_input(["serve", "--listen", "127.0.0.1:0", "--data-dir", text(directory)], b"")
}

#[test]
fn a_missing_or_empty_directory_is_made_ready_first() {
    let place = temporary_directory();
    let missing = place.path().join("missing/data");
    let empty = place.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    for directory in [missing, empty] {
        let server = Server::start_in(&directory);
        server.stranger().get("/app/health").expect_status(200);
        assert!(directory.join("fluglog.redb").exists() && directory.join("fluglog.toml").exists());
        let mode = std::fs::metadata(&directory).unwrap().permissions().mode();
        assert_eq!(mode & 0o7777, 0o700);
        assert_eq!(server.stop().code(), Some(0));
    }
}

/// With huge pages of 2 MB, twenty pilots would need half a gigabyte, as each thread uses a little of many pages.
#[test]
fn the_server_takes_no_huge_pages() {
    let server = Server::start();
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.process_id())).unwrap();
    assert!(status.lines().any(|line| line == "THP_enabled:\t0"), "{status}");
}

#[test]
fn a_server_for_all_networks_prints_its_other_addresses_and_its_name() {
    let place = temporary_directory();
    let mut command = program();
    command
        .args(["serve", "--listen", "0.0.0.0:0", "--data-dir"])
        .arg(place.path());
    let mut running = Running::start(command);
    let first = running.first_line();
    let port = first.trim_end_matches("/app/").rsplit(':').next().unwrap().to_owned();
    running.terminate();
    assert_eq!(running.wait().code(), Some(0));
    let others = running.further_lines();
    let others: Vec<_> = others[0]
        .strip_prefix("Auch unter: ")
        .expect("others")
        .split(' ')
        .collect();
    let end = format!(":{port}/app/");
    assert!(
        others
            .iter()
            .all(|url| url.starts_with("http://") && url.ends_with(&end)),
        "{others:?}"
    );
    assert!(
        others.iter().any(|url| url.ends_with(&format!(".local{end}"))),
        "{others:?}"
    );
    assert!(!others.contains(&first.split(' ').next_back().unwrap()), "{others:?}");
}

#[test]
fn stdout_is_one_line_with_the_url_once_there_is_an_account() {
    let place = temporary_directory();
    assert_eq!(crate::cli::init::init(place.path()).code, 0);
    add_user(place.path(), "anna@example.org", "Anna", PASSWORD);
    let mut command = program();
    command
        .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
        .arg(place.path());
    let mut running = Running::start(command);
    let line = running.first_line();
    let url = line.split_whitespace().last().unwrap();
    assert!(url.starts_with("http://127.0.0.1:") && url.ends_with("/app/"), "{line}");
    running.terminate();
    assert_eq!(running.wait().code(), Some(0));
    assert_eq!(running.further_lines(), [""; 0]);
}

#[test]
fn the_server_listens_on_every_address_it_is_given() {
    let place = temporary_directory();
    let mut command = program();
    command
        .args([
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--listen",
            "127.0.0.2:0",
            "--data-dir",
        ])
        .arg(place.path());
    let running = Running::start(command);
    let line = running.first_line();
    assert!(line.contains("http://127.0.0.1:"), "{line}");
    // The line names at least one address; the log names all.
    let log = || format!("{line}\n{}", running.stderr());
    crate::harness::wait::until("the second address", || log().contains("127.0.0.2:").then_some(()));
    let text = log();
    let second = text.split("127.0.0.2:").nth(1).unwrap();
    let port: String = second.chars().take_while(char::is_ascii_digit).collect();
    crate::harness::Pilot::new(&format!("http://127.0.0.2:{port}"))
        .get("/app/health")
        .expect_status(200);
}

#[test]
fn a_second_server_on_the_same_directory_is_refused() {
    let server = Server::start();
    serve(server.directory()).expect_refusal(1, &[text(server.directory())]);
    server.stranger().get("/app/health").expect_status(200);
    server.add_user("anna@example.org", "Anna", crate::harness::PASSWORD);
}

#[test]
fn a_second_server_on_a_directory_whose_server_hangs_says_that_nobody_answers() {
    let server = Server::start();
    server.signal("STOP");
    serve(server.directory()).expect_refusal(69, &[text(server.directory())]);
    server.signal("CONT");
    serve(server.directory()).expect_refusal(1, &[text(server.directory())]);
}

#[test]
fn a_server_waits_for_a_command_that_has_the_database_for_a_moment() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    server.pilot("Anna").document("groß.bin", &vec![1; 3_000_000]);
    assert!(server.stop().success());
    // On a busy machine the backup may take more than a moment.
    wait::until("a backup that ends within a moment", || {
        let mut command = program();
        command.args(["backup", "--output", "-", "--data-dir", text(place.path())]);
        let mut backup = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
        // The pipe is soon full, and the backup holds the database until the pipe is read.
        let mut archive = backup.stdout.take().unwrap();
        archive.read_exact(&mut [0]).unwrap();
        let mut command = program();
        command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir", text(place.path())]);
        let begun = Instant::now();
        let running = Running::start(command);
        std::io::copy(&mut archive, &mut std::io::sink()).unwrap();
        assert!(backup.wait().unwrap().success());
        if begun.elapsed() > Duration::from_secs(3) {
            return None;
        }
        assert!(running.first_line().contains("http://"));
        Some(())
    });
}

#[test]
fn an_address_that_is_taken_is_named() {
    let first = Server::start();
    let place = temporary_directory();
    let address = first.address().to_string();
    let done = run_with_input(["serve", "--listen", &address, "--data-dir", text(place.path())], b"");
    done.expect_refusal(1, &[&address]);
}

#[test]
fn after_a_kill_the_next_server_starts_and_answers_commands() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    server.add_user("anna@example.org", "Anna", crate::harness::PASSWORD);
    drop(server); // kill -9: the socket stays behind.
    let listed = run_with_input(["user", "list", "--data-dir", text(place.path())], b"");
    assert_eq!(listed.code, 0, "{listed:?}");
    let server = Server::start_in(place.path());
    server
        .stranger()
        .log_in("anna@example.org", crate::harness::PASSWORD)
        .expect_status(202);
    server.add_user("ben@example.org", "Ben", crate::harness::PASSWORD);
}

#[test]
fn the_data_directory_holds_nothing_unexpected_and_nothing_lies_outside_it() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let server = Server::start_in(&directory);
    server.pilot("Anna");
    for entry in std::fs::read_dir(&directory).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        let known = ["fluglog.redb", "blobs", "outbox", "fluglog.toml"].contains(&name.as_str());
        assert!(known || entry.file_type().unwrap().is_socket(), "{name}");
    }
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 1);
}

/// Sets the last use of a database's first session to `seconds` later, as under a clock that is ahead. Written in the
/// format of 1.3.0, whose checksums only cover the record.
fn use_later(directory: &Path, seconds: i64) {
    type Session = (u128, u32, i64, i64, String, Option<u128>);
    let database = redb::Database::open(directory.join("fluglog.redb")).unwrap();
    let writing = database.begin_write().unwrap();
    {
        let sessions = redb::TableDefinition::<(u128, u128), &[u8]>::new("sessions");
        let mut table = writing.open_table(sessions).unwrap();
        let (key, stored) = table
            .pop_first()
            .unwrap()
            .map(|(key, row)| (key.value(), row.value().to_vec()))
            .unwrap();
        let (version, encoded) = stored[..stored.len() - 4].split_first().unwrap();
        let layout = bincode::config::standard();
        let (mut session, _): (Session, _) = bincode::serde::decode_from_slice(encoded, layout).unwrap();
        session.2 += seconds;
        let mut changed = vec![version & 0x7f];
        changed.extend(bincode::serde::encode_to_vec(&session, layout).unwrap());
        changed.extend(crc32fast::hash(&changed).to_le_bytes());
        table.insert(key, &changed[..]).unwrap();
    }
    writing.commit().unwrap();
}

#[test]
fn a_clock_that_is_set_back_between_two_starts_brings_no_session_back() {
    let place = temporary_directory();
    let first = Server::start_in(place.path());
    let browsers = ["anna", "ben"].map(|name| first.pilot(name).cookie("session").unwrap());
    assert!(first.stop().success());
    use_later(place.path(), 400 * 24 * 60 * 60);
    let second = Server::start_in(place.path());
    let mut statuses = browsers.map(|session| {
        let browser = second.stranger();
        browser.plant_cookie("session", &session);
        browser.check_session().status
    });
    statuses.sort_unstable();
    // The other session was idle for 400 days.
    assert_eq!(statuses, [200, 401]);
    second
        .stranger()
        .log_in("anna@example.org", PASSWORD)
        .expect_status(202);
}

#[test]
fn the_socket_is_for_the_owner_alone() {
    let server = Server::start();
    let sockets: Vec<_> = std::fs::read_dir(server.directory())
        .unwrap()
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().unwrap().is_socket())
        .collect();
    assert_eq!(sockets.len(), 1);
    assert_eq!(sockets[0].metadata().unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_data_directory_that_is_a_file_is_refused() {
    let place = temporary_directory();
    let file = place.path().join("data");
    std::fs::write(&file, "no directory").unwrap();
    for done in [
        serve(&file),
        init(&file),
        run_with_input(["user", "list", "--data-dir", text(&file)], b""),
    ] {
        done.expect_refusal(78, &[text(&file)]);
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "no directory");
}

#[test]
fn a_database_that_is_none_is_refused_and_kept() {
    let place = temporary_directory();
    assert_eq!(init(place.path()).code, 0);
    let database = place.path().join("fluglog.redb");
    for content in [b"this is no database".to_vec(), vec![0; 65_536]] {
        std::fs::write(&database, &content).unwrap();
        let done = serve(place.path());
        done.expect_refusal(78, &[text(&database)]);
        assert!(std::fs::read(&database).unwrap() == content, "the file was changed");
    }
}

#[test]
fn a_part_of_the_data_directory_that_can_t_be_used_is_named() {
    let place = temporary_directory();
    assert_eq!(init(place.path()).code, 0);
    let blobs = place.path().join("blobs");
    std::fs::remove_dir_all(&blobs).unwrap();
    std::fs::write(&blobs, "a file in its place").unwrap();
    serve(place.path()).expect_refusal(78, &[text(&blobs)]);
}

#[test]
fn a_part_of_the_data_directory_that_is_missing_is_named_and_not_made_anew() {
    for part in ["blobs", "outbox"] {
        let place = temporary_directory();
        assert_eq!(init(place.path()).code, 0);
        let missing = place.path().join(part);
        std::fs::remove_dir_all(&missing).unwrap();
        let users = run_with_input(["user", "list", "--data-dir", text(place.path())], b"");
        for done in [serve(place.path()), users] {
            done.expect_refusal(78, &[text(&missing)]);
        }
        assert!(!missing.exists());
    }
}

/// Only tests something for other users than root, who may write anywhere.
#[test]
fn a_directory_that_can_t_be_written_is_refused() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    std::fs::create_dir(&directory).unwrap();
    std::fs::set_permissions(&directory, PermissionsExt::from_mode(0o500)).unwrap();
    if std::fs::write(directory.join("probe"), "").is_err() {
        serve(&directory).expect_refusal(78, &[text(&directory)]);
    }
    let made = place.path().join("made");
    assert_eq!(init(&made).code, 0);
    for part in ["blobs", "outbox"].map(|part| made.join(part)) {
        std::fs::set_permissions(&part, PermissionsExt::from_mode(0o500)).unwrap();
        if std::fs::write(part.join("probe"), "").is_err() {
            serve(&made).expect_refusal(78, &[text(&part)]);
        }
        std::fs::set_permissions(&part, PermissionsExt::from_mode(0o700)).unwrap();
        let _ = std::fs::remove_file(part.join("probe"));
    }
    // Nobody can create a directory here.
    serve(Path::new("/proc/fluglog/data")).expect_refusal(78, &["/proc/fluglog"]);
}

#[test]
fn wrong_usage_exits_with_2() {
    for arguments in [
        &[][..],
        &["fly"],
        &["serve", "--unknown"],
        &["serve", "--listen", "nonsense"],
        &["serve", "--listen", "127.0.0.1"],
        &["serve", "--listen", "127.0.0.1:99999"],
        &["user"],
        &["user", "add"],
        &["user", "add", "--email", "anna@example.org"],
        &[
            "user",
            "add",
            "--email",
            "a@example.org",
            "--nickname",
            "A",
            "--password",
            "on-the-command-line",
        ],
        &["init", "--data-dir"],
        &["init", "extra"],
    ] {
        let done = run_with_input(arguments, b"");
        assert_eq!(done.code, 2, "{arguments:?}: {done:?}");
        assert!(
            !done.stderr.is_empty() && done.stdout.is_empty(),
            "{arguments:?}: {done:?}"
        );
    }
}

#[test]
fn help_and_version_go_to_stdout() {
    let version = run_with_input(["--version"], b"");
    assert_eq!(
        (version.code, version.stdout.trim()),
        (0, concat!("fluglog ", env!("CARGO_PKG_VERSION")))
    );
    let licenses = run_with_input(["--licenses"], b"");
    assert_eq!(licenses.code, 0, "{licenses:?}");
    for part in ["redb 4.", "react 19.", "musl libc", "Copyright"] {
        assert!(licenses.stdout.contains(part), "{part}");
    }
    for arguments in [&["--help"][..], &["serve", "--help"], &["user", "add", "--help"]] {
        let help = run_with_input(arguments, b"");
        assert_eq!(help.code, 0, "{arguments:?}");
        assert!(
            help.stdout.contains("--data-dir") || arguments.len() == 1,
            "{}",
            help.stdout
        );
    }
}
