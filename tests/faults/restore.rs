//! A restore that replaces data: cut at each of its steps, and on a disk that fails. What was there stays or comes back.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::faults::disk::strace;
use crate::faults::ledger::expect_sound;
use crate::harness::process::{finish, run};
use crate::harness::{Output, PASSWORD, Server, program, temporary_directory, text};

const MAX_STEPS: usize = 100;
const RENAMES: &str = "rename,renameat,renameat2";

/// An archive, and a data directory in which Carl has come since. A copy is restored into.
struct Place {
    _place: tempfile::TempDir,
    directory: PathBuf,
    archive: PathBuf,
    copy: PathBuf,
}

impl Place {
    fn new() -> Place {
        let place = temporary_directory();
        let (directory, archive) = (place.path().join("data"), place.path().join("a.tar"));
        let server = Server::start_in(&directory);
        server.pilot("Anna").document("anleitung.txt", b"Anleitung");
        let done = run(["backup", "--data-dir", text(&directory), "--output", text(&archive)]);
        assert_eq!(done.code, 0, "{done:?}");
        server.add_user("carl@example.org", "Carl", PASSWORD);
        assert!(server.stop().success());
        Place {
            copy: place.path().join("copy"),
            _place: place,
            directory,
            archive,
        }
    }

    /// Restores into a new copy, with a fault in the system calls in the syntax of strace's `inject`.
    fn restore_with(&self, fault: &str) -> Output {
        if self.copy.exists() {
            fs::remove_dir_all(&self.copy).unwrap();
        }
        copy(&self.directory, &self.copy);
        let mut traced = Command::new(strace());
        traced
            .args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("inject={fault}")])
            .arg(program().get_program())
            .args(["restore", "--replace", "--data-dir", text(&self.copy)])
            .arg(&self.archive);
        finish(traced, b"")
    }

    /// Whether the copy has every file of the original, and no other one.
    fn is_unchanged(&self) -> bool {
        let compared = Command::new("diff")
            .args(["--recursive", text(&self.directory), text(&self.copy)])
            .output();
        compared.unwrap().status.success()
    }
}

fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").args(["-a", text(from), text(to)]).status();
    assert!(copied.unwrap().success());
}

fn restore(directory: &Path, archive: &Path) -> Output {
    run(["restore", "--replace", "--data-dir", text(directory), text(archive)])
}

/// Returns whether Carl is a user; `None` if the directory has no database.
fn has_carl(directory: &Path) -> Option<bool> {
    let listed = run(["user", "list", "--data-dir", text(directory)]);
    if listed.code == 0 {
        assert!(listed.stdout.contains("Anna"), "{listed:?}");
        return Some(listed.stdout.contains("Carl"));
    }
    listed.expect_refusal(78, &["fluglog restore --replace", "noch da"]);
    None
}

/// Fails unless a directory has the restored data, and exactly one folder of replaced ones has Carl and is whole.
fn expect_replaced(directory: &Path, what: &str) {
    assert_eq!(has_carl(directory), Some(false), "{what}");
    expect_sound(directory);
    assert!(!directory.join("restore.part").exists(), "{what}");
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let folders = entries.filter(|path| text(path).contains("/replaced-"));
    let of_carl: Vec<_> = folders.filter(|folder| has_carl(folder) == Some(true)).collect();
    assert_eq!(of_carl.len(), 1, "{what}");
    expect_sound(&of_carl[0]);
}

#[test]
fn after_a_cut_at_any_step_the_data_are_the_old_or_the_new_ones_or_the_next_restore_has_both() {
    let place = Place::new();
    let broken = place.copy.with_file_name("broken.tar");
    fs::write(&broken, &fs::read(&place.archive).unwrap()[..3_000]).unwrap();
    let mut seen = Vec::new();
    for step in 1..MAX_STEPS {
        let what = format!("{RENAMES}:signal=KILL:when={step}");
        if place.restore_with(&what).code == 0 {
            break;
        }
        let found = has_carl(&place.copy);
        seen.push(found);
        match found {
            Some(_) => expect_sound(&place.copy),
            None => {
                restore(&place.copy, &broken).expect_refusal(1, &["broken.tar"]);
                assert!(place.is_unchanged(), "{what}");
            }
        }
        if found != Some(false) {
            let done = restore(&place.copy, &place.archive);
            assert_eq!(done.code, 0, "{what}: {done:?}");
        }
        expect_replaced(&place.copy, &what);
    }
    for kind in [Some(true), None, Some(false)] {
        assert!(seen.contains(&kind), "{seen:?}");
    }
}

#[test]
fn a_disk_that_fails_at_any_step_leaves_the_old_data_in_their_place() {
    let place = Place::new();
    for calls in [RENAMES, "fsync,fdatasync", "syncfs", "mkdir"] {
        let mut failed = 0;
        for step in 1..MAX_STEPS {
            let what = format!("{calls}:error=EIO:when={step}");
            let done = place.restore_with(&what);
            if done.code == 0 {
                expect_replaced(&place.copy, &what);
                break;
            }
            assert!(place.is_unchanged(), "{what}: {done:?}");
            failed += 1;
        }
        assert!(failed > 0, "{calls}");
    }
}
