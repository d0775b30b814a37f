//! Commands run by root in the data directory of a service: all files keep the service's user as owner.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};

use crate::cli::init::init;
use crate::harness::process::{finish, program};
use crate::harness::{Output, PASSWORD, Server, add_user, run_with_input, temporary_directory, text};

/// The user and group `nobody`.
const SERVICE: u32 = 65534;

/// A data directory as the package makes it. `None` unless the tests run as root.
fn directory_of_a_service() -> Option<(tempfile::TempDir, PathBuf)> {
    let place = temporary_directory();
    if place.path().metadata().unwrap().uid() != 0 {
        return None;
    }
    fs::set_permissions(place.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let directory = place.path().join("data");
    fs::create_dir(&directory).unwrap();
    fs::set_permissions(&directory, PermissionsExt::from_mode(0o700)).unwrap();
    chown(&directory, Some(SERVICE), Some(SERVICE)).unwrap();
    Some((place, directory))
}

/// Everything in a directory that doesn't belong to the service's user.
fn others(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap().map(Result::unwrap) {
        let file = entry.metadata().unwrap();
        if (file.uid(), file.gid()) != (SERVICE, SERVICE) {
            found.push(entry.path());
        }
        if file.is_dir() {
            found.extend(others(&entry.path()));
        }
    }
    found
}

#[test]
fn files_of_root_s_commands_without_a_server_are_the_service_s() {
    let Some((_place, directory)) = directory_of_a_service() else {
        return;
    };
    assert_eq!(init(&directory).code, 0);
    add_user(&directory, "anna@example.org", "Anna", PASSWORD);
    let done = run_with_input(
        ["mail", "test", "anna@example.org", "--data-dir", text(&directory)],
        b"",
    );
    // Without a mail server, the mail becomes a file.
    assert_eq!(done.code, 1, "{done:?}");
    assert!(fs::read_dir(directory.join("outbox")).unwrap().count() == 1);
    assert_eq!(others(&directory), Vec::<PathBuf>::new());
}

#[test]
fn root_can_back_up_and_export_into_a_folder_of_its_own() {
    let Some((place, directory)) = directory_of_a_service() else {
        return;
    };
    assert_eq!(init(&directory).code, 0);
    add_user(&directory, "anna@example.org", "Anna", PASSWORD);
    let (backup, export) = (place.path().join("all.tar"), place.path().join("anna.zip"));
    for arguments in [
        &["backup", "--output", text(&backup)][..],
        &["export", "--user", "anna@example.org", "--output", text(&export)],
    ] {
        let done = run_with_input([arguments, &["--data-dir", text(&directory)]].concat(), b"");
        assert_eq!(done.code, 0, "{done:?}");
    }
    assert!(backup.exists() && export.exists());
    assert_eq!(others(&directory), Vec::<PathBuf>::new());
}

#[test]
fn a_backup_that_root_puts_where_the_service_puts_its_own_is_the_service_s() {
    let Some((place, directory)) = directory_of_a_service() else {
        return;
    };
    assert_eq!(init(&directory).code, 0);
    let folder = place.path().join("backups");
    fs::create_dir(&folder).unwrap();
    let owner_of_the_archive = || {
        let done = run_with_input(
            ["backup", "--output", text(&folder), "--data-dir", text(&directory)],
            b"",
        );
        assert_eq!(done.code, 0, "{done:?}");
        let archive = fs::read_dir(&folder).unwrap().next().unwrap().unwrap();
        let (owner, mode) = (archive.metadata().unwrap().uid(), archive.metadata().unwrap().mode());
        fs::remove_file(archive.path()).unwrap();
        (owner, mode & 0o777)
    };
    assert_eq!(owner_of_the_archive(), (0, 0o600));
    chown(&folder, Some(SERVICE), Some(SERVICE)).unwrap();
    assert_eq!(owner_of_the_archive(), (SERVICE, 0o600));
}

#[test]
fn demo_data_that_root_makes_are_the_service_s() {
    let Some((_place, directory)) = directory_of_a_service() else {
        return;
    };
    let done = run_with_input(["demo", "--data-dir", text(&directory)], b"");
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(others(&directory), Vec::<PathBuf>::new());
}

#[test]
fn a_server_that_root_starts_runs_as_the_service_and_answers_root() {
    let Some((_place, directory)) = directory_of_a_service() else {
        return;
    };
    let server = Server::start_in(&directory);
    let status = fs::read_to_string(format!("/proc/{}/status", server.process_id())).unwrap();
    for line in [
        "Uid:\t65534\t65534\t65534\t65534",
        "Gid:\t65534\t65534\t65534\t65534",
        "Groups:\t65534 ",
    ] {
        assert!(status.lines().any(|shown| shown == line), "{line:?} in\n{status}");
    }
    let anna = server.pilot("anna");
    anna.document("a.txt", b"a");
    assert_eq!(others(&directory), Vec::<PathBuf>::new());
    assert!(server.stop().success());
}

#[test]
fn what_the_service_wrote_into_its_settings_opens_no_file_of_root_s() {
    let Some((place, directory)) = directory_of_a_service() else {
        return;
    };
    assert_eq!(init(&directory).code, 0);
    let secret = place.path().join("secret");
    fs::write(&secret, "geheim").unwrap();
    fs::set_permissions(&secret, PermissionsExt::from_mode(0o600)).unwrap();
    let settings = format!(
        "smtp.host = \"127.0.0.1\"\nsmtp.user = \"fluglog@example.org\"\nsmtp.password_file = \"{}\"\n",
        text(&secret)
    );
    fs::write(directory.join("fluglog.toml"), settings).unwrap();
    let list = || run_with_input(["user", "list", "--data-dir", text(&directory)], b"");
    list().expect_refusal(78, &["keine Leserechte", text(&secret)]);
    chown(&secret, Some(SERVICE), Some(SERVICE)).unwrap();
    assert_eq!(list().code, 0, "{:?}", list());
}

/// Runs the program as the service's user.
fn as_the_service(arguments: &[&str]) -> Output {
    let mut command = program();
    command.args(arguments).uid(SERVICE).gid(SERVICE);
    finish(command, b"")
}

#[test]
fn a_directory_that_root_restored_for_a_service_is_named_with_its_owner_and_no_certificate_is_blamed() {
    let Some((place, directory)) = directory_of_a_service() else {
        return;
    };
    assert_eq!(init(&directory).code, 0);
    let (archive, again) = (place.path().join("a.tar"), place.path().join("again"));
    for command in [&["https", "on"][..], &["backup", "--output", text(&archive)]] {
        let done = run_with_input([command, &["--data-dir", text(&directory)]].concat(), b"");
        assert_eq!(done.code, 0, "{done:?}");
    }
    let restored = run_with_input(["restore", text(&archive), "--data-dir", text(&again)], b"");
    assert_eq!(restored.code, 0, "{restored:?}");
    fs::create_dir(again.join("tls")).unwrap();
    let settings = place.path().join("settings.toml");
    fs::write(&settings, format!("data_dir = \"{}\"\n", text(&again))).unwrap();
    let way_out = format!("sudo chown --recursive 65534: {}", text(&again));
    let refused = as_the_service(&["serve", "--listen", "127.0.0.1:0", "--config", text(&settings)]);
    refused.expect_refusal(78, &[&way_out]);
    assert!(!refused.stderr.contains("https off"), "{refused:?}");
}

#[test]
fn config_check_refuses_a_secret_that_only_root_can_read() {
    let Some((place, directory)) = directory_of_a_service() else {
        return;
    };
    assert_eq!(init(&directory).code, 0);
    let (settings, secret) = (place.path().join("settings.toml"), place.path().join("secret"));
    fs::write(&secret, "geheim").unwrap();
    fs::set_permissions(&secret, PermissionsExt::from_mode(0o600)).unwrap();
    let text_of_settings = format!(
        "data_dir = \"{}\"\nsmtp.host = \"127.0.0.1\"\nsmtp.user = \"fluglog@example.org\"\n\
         smtp.password_file = \"{}\"\n",
        text(&directory),
        text(&secret)
    );
    fs::write(&settings, text_of_settings).unwrap();
    let check = || run_with_input(["config", "check", "--config", text(&settings)], b"");
    let refused = check();
    refused.expect_refusal(
        78,
        &["keine Leserechte für den Benutzer mit der Nummer 65534", text(&secret)],
    );
    assert!(!refused.stderr.contains("sudo"), "{refused:?}");
    chown(&secret, None, Some(SERVICE)).unwrap();
    fs::set_permissions(&secret, PermissionsExt::from_mode(0o640)).unwrap();
    assert_eq!(check().code, 0, "{:?}", check());
}

#[test]
fn a_backup_of_root_s_does_not_end_the_alarm_of_a_service_that_may_not_write() {
    let Some((place, directory)) = directory_of_a_service() else {
        return;
    };
    assert_eq!(init(&directory).code, 0);
    let (own, disk) = (place.path().join("own"), place.path().join("disk"));
    for folder in [&own, &disk] {
        fs::create_dir(folder).unwrap();
    }
    chown(&own, Some(SERVICE), Some(SERVICE)).unwrap();
    add_user(&directory, "anna@example.org", "Anna", PASSWORD);
    let target = format!("[backup.targets.disk]\nkind = \"folder\"\npath = \"{}\"\n", text(&disk));
    fs::write(directory.join("fluglog.toml"), target).unwrap();
    let arguments = ["backup", "--data-dir", text(&directory), "--output", text(&own)];
    let told = || {
        let status = run_with_input(["status", "--json", "--data-dir", text(&directory)], b"");
        let status: serde_json::Value = serde_json::from_str(&status.stdout).unwrap();
        status["problems"].to_string().contains("dafür fehlen die Rechte")
    };
    assert_eq!(as_the_service(&arguments).code, 1);
    assert!(told());
    assert_eq!(run_with_input(arguments, b"").code, 0);
    assert!(told(), "the next night fails");
    chown(&disk, Some(SERVICE), Some(SERVICE)).unwrap();
    assert_eq!(as_the_service(&arguments).code, 0);
    assert!(!told());
}
