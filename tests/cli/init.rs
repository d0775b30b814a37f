//! Creating a data directory.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::harness::{Output, Server, run_with_input, temporary_directory, text};

pub fn init(directory: &Path) -> Output {
    run_with_input(["init", "--data-dir", text(directory)], b"")
}

/// Every file below a directory with its content.
pub fn contents(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(directory).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            files.insert(format!("{}/", path.display()), Vec::new());
            files.extend(contents(&path));
        } else {
            files.insert(path.display().to_string(), std::fs::read(&path).unwrap_or_default());
        }
    }
    files
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

#[test]
fn a_pipe_in_place_of_the_directory_or_the_database_is_refused_at_once() {
    let place = temporary_directory();
    let make_pipe = |path: &Path| {
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.unwrap().success());
    };
    let pipe = place.path().join("pipe");
    make_pipe(&pipe);
    assert_ne!(init(&pipe).code, 0);
    let directory = place.path().join("data");
    assert_eq!(init(&directory).code, 0);
    std::fs::remove_file(directory.join("fluglog.redb")).unwrap();
    make_pipe(&directory.join("fluglog.redb"));
    for data in [&pipe, &directory] {
        for command in [
            &["serve", "--listen", "127.0.0.1:0"][..],
            &["status"],
            &["check"],
            &["recover", "--output", text(&place.path().join("recovered.tar"))],
            &["compact"],
            &["user", "list"],
            &["feedback", "list"],
        ] {
            let done = run_with_input([command, &["--data-dir", text(data)]].concat(), b"");
            assert_ne!(done.code, 0, "{command:?}: {done:?}");
        }
    }
}

#[test]
fn a_data_directory_is_made_for_its_owner_alone() {
    let place = temporary_directory();
    let directory = place.path().join("some/where/data");
    let done = init(&directory);
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(mode(&directory), 0o700);
    assert_eq!(mode(&directory.join("fluglog.redb")), 0o600);
    assert_eq!(mode(&directory.join("fluglog.toml")) & 0o077, 0);
    for part in ["blobs", "outbox"] {
        let path = directory.join(part);
        assert!(!path.exists() || mode(&path) == 0o700, "{part}");
    }
}

#[test]
fn a_first_start_that_a_power_cut_broke_off_is_finished_by_the_next_one() {
    for left in [
        &["fluglog.redb.part"][..],
        &["fluglog.redb.part", "blobs/"],
        &["fluglog.redb.part", "outbox/", "fluglog.toml.part"],
        &["blobs/", "outbox/", "fluglog.toml", "fluglog.redb.part"],
    ] {
        let place = temporary_directory();
        let directory = place.path().join("data");
        std::fs::create_dir(&directory).unwrap();
        for name in left {
            match name.strip_suffix('/') {
                Some(folder) => std::fs::create_dir(directory.join(folder)).unwrap(),
                None => std::fs::write(directory.join(name), "").unwrap(),
            }
        }
        let server = Server::start_in(&directory);
        server.pilot("Anna");
        assert!(server.stop().success(), "{left:?}");
        let rest = std::fs::read_dir(&directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        assert!(
            rest.into_iter().all(|name| !name.to_string_lossy().ends_with(".part")),
            "{left:?}"
        );
    }
}

#[test]
fn a_folder_with_files_but_no_database_is_nobodys_first_start() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    std::fs::create_dir_all(directory.join("blobs")).unwrap();
    std::fs::write(directory.join("blobs/0198c0de-0000-7000-8000-000000000001"), "Bild").unwrap();
    let before = contents(&directory);
    let refused = run_with_input(["serve", "--data-dir", text(&directory)], b"");
    assert_ne!(refused.code, 0, "{refused:?}");
    assert_eq!(contents(&directory), before);
}

#[test]
fn an_empty_directory_that_exists_is_taken_and_closed_to_others() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    std::fs::create_dir(&directory).unwrap();
    std::fs::set_permissions(&directory, PermissionsExt::from_mode(0o755)).unwrap();
    assert_eq!(init(&directory).code, 0);
    assert_eq!(mode(&directory), 0o700);
}

#[test]
fn the_example_configuration_is_all_comment_and_valid() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    assert_eq!(init(&directory).code, 0);
    let file = directory.join("fluglog.toml");
    let example = std::fs::read_to_string(&file).unwrap();
    assert!(
        example.contains("time_zone") && example.contains("Europe/Berlin"),
        "{example}"
    );
    assert!(
        example
            .lines()
            .all(|line| line.is_empty() || line.starts_with('#') || line.starts_with('[')),
        "{example}"
    );

    // Uncommenting its settings changes nothing.
    let uncommented: String = example
        .lines()
        .map(|line| {
            line.strip_prefix('#')
                .filter(|rest| !rest.starts_with(' '))
                .unwrap_or(line)
        })
        .flat_map(|line| [line, "\n"])
        .collect();
    std::fs::write(&file, uncommented).unwrap();
    let done = run_with_input(["user", "list", "--data-dir", text(&directory)], b"");
    assert_eq!(done.code, 0, "{done:?}");
}

#[test]
fn with_another_configuration_file_in_force_no_second_one_is_written() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let other = place.path().join("other.toml");
    std::fs::write(&other, "time_zone = \"UTC\"\n").unwrap();
    let done = run_with_input(["init", "--data-dir", text(&directory), "--config", text(&other)], b"");
    assert_eq!(done.code, 0, "{done:?}");
    assert!(directory.join("fluglog.redb").exists() && !directory.join("fluglog.toml").exists());
}

#[test]
fn an_init_that_was_killed_is_done_again() {
    for again in ["init", "serve"] {
        let place = temporary_directory();
        let directory = place.path();
        for folder in ["blobs", "outbox"] {
            std::fs::create_dir(directory.join(folder)).unwrap();
        }
        // The unfinished database, under its temporary name.
        std::fs::write(directory.join("fluglog.redb.part"), vec![0; 10_000]).unwrap();
        run_with_input(["user", "list", "--data-dir", text(directory)], b"").expect_refusal(78, &["fluglog init"]);
        match again {
            "init" => assert_eq!(init(directory).code, 0),
            _ => assert!(Server::start_in(directory).stop().success()),
        }
        assert!(!directory.join("fluglog.redb.part").exists());
        let done = run_with_input(["user", "list", "--data-dir", text(directory)], b"");
        assert_eq!(done.code, 0, "{done:?}");
    }
}

#[test]
fn of_several_inits_at_once_one_makes_it_and_the_others_are_refused() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let done: Vec<_> = std::thread::scope(|scope| {
        let begun: Vec<_> = (0..4).map(|_| scope.spawn(|| init(&directory))).collect();
        begun.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let (made, refused): (Vec<_>, Vec<_>) = done.iter().partition(|done| done.code == 0);
    assert_eq!(made.len(), 1, "{done:?}");
    for done in refused {
        done.expect_refusal(1, &[text(&directory)]);
    }
}

#[test]
fn a_database_that_was_lost_is_not_made_anew_by_a_server() {
    let place = temporary_directory();
    assert_eq!(init(place.path()).code, 0);
    std::fs::remove_file(place.path().join("fluglog.redb")).unwrap();
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--data-dir", text(place.path())];
    run_with_input(arguments, b"").expect_refusal(78, &[text(place.path())]);
    assert!(!place.path().join("fluglog.redb").exists());
}

#[test]
fn a_directory_that_holds_a_database_is_left_as_it_is() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    assert_eq!(init(&directory).code, 0);
    std::fs::write(directory.join("fluglog.toml"), "time_zone = \"UTC\"\n").unwrap();
    let before = contents(&directory);
    init(&directory).expect_refusal(1, &[text(&directory)]);
    assert!(contents(&directory) == before, "a refused init changed something");
}

#[test]
fn a_new_data_directory_has_no_users() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    assert_eq!(init(&directory).code, 0);
    let done = run_with_input(["user", "list", "--json", "--data-dir", text(&directory)], b"");
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&done.stdout).unwrap(),
        serde_json::json!([])
    );
}

#[test]
fn a_pipe_in_place_of_the_data_directory_or_the_database_keeps_no_command_waiting() {
    let place = temporary_directory();
    let [pipe, directory] = ["pipe", "data"].map(|name| place.path().join(name));
    let made = run_with_input(["init", "--data-dir", text(&directory)], b"");
    assert_eq!(made.code, 0, "{made:?}");
    let database = directory.join("fluglog.redb");
    fs::remove_file(&database).unwrap();
    for path in [&pipe, &database] {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    }
    let archive = place.path().join("rettung.tar");
    for data_dir in [&pipe, &directory] {
        for command in [
            &["status"][..],
            &["check"],
            &["user", "list"],
            &["compact"],
            &["serve"],
            &["backup", "--output", text(&archive)],
            &["recover", "--output", text(&archive)],
        ] {
            let done = run_with_input([command, &["--data-dir", text(data_dir)]].concat(), b"");
            assert!([1, 78].contains(&done.code), "{command:?}: {done:?}");
        }
    }
}
