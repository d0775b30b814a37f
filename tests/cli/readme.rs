//! Every command line of the READMEs runs unchanged. `make test-package` and `make test-image` run those of an
//! installed package (`sudo …`) and of a container (`docker …`), on a machine and with an image of their own; all
//! others run here.

use std::path::Path;
use std::process::Command;

use crate::harness::process::finish;
use crate::harness::{Running, program, temporary_directory};

const BINARY: &str = "target/release/fluglog";

/// Every line of the `sh` blocks of a document, in their order.
fn command_lines(document: &str) -> Vec<String> {
    let text = std::fs::read_to_string(repository().join(document)).unwrap();
    let mut lines = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line {
            "```sh" => inside = true,
            "```" => inside = false,
            command if inside => lines.push(command.to_owned()),
            _ => {}
        }
    }
    assert!(!lines.is_empty(), "{document} has no command lines");
    lines
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder with the program where `make build` puts it.
fn built_copy() -> tempfile::TempDir {
    let work = temporary_directory();
    let binary = work.path().join(BINARY);
    std::fs::create_dir_all(binary.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_fluglog"), binary).unwrap();
    work
}

/// The line in a shell that is replaced by the program.
fn shell(line: &str, work: &Path) -> Command {
    let mut command = program();
    let shielded: Vec<_> = command.get_envs().map(|(name, _)| name.to_owned()).collect();
    command = Command::new("sh");
    for name in shielded {
        command.env_remove(name);
    }
    command.args(["-c", &format!("exec {line}")]).current_dir(work);
    command
}

fn is_target_of_the_makefile(name: &str) -> bool {
    let makefile = std::fs::read_to_string(repository().join("Makefile")).unwrap();
    makefile.lines().any(|line| line.starts_with(&format!("{name}:")))
}

#[test]
fn both_readmes_have_the_same_command_lines() {
    assert_eq!(command_lines("README.md"), command_lines("README.de.md"));
}

#[test]
fn every_command_line_of_the_readmes_runs_as_it_stands_there() {
    let work = built_copy();
    for line in command_lines("README.md") {
        let mut words = line.split(' ');
        match words.next().unwrap() {
            // On a machine and in an image of their own.
            "sudo" | "docker" => {}
            "make" => assert!(words.all(is_target_of_the_makefile), "{line}"),
            BINARY if words.next() == Some("serve") => {
                let mut command = shell(&line, work.path());
                command.env("FLUGLOG_LISTEN", "127.0.0.1:0");
                let mut server = Running::start(command);
                assert!(server.first_line().contains("http://127.0.0.1:"), "{line}");
                server.terminate();
                assert!(server.wait().success(), "{line}: {}", server.stderr());
            }
            BINARY => {
                let done = finish(shell(&line, work.path()), b"rotorblatt-17\n");
                assert_eq!(done.code, 0, "{line}: {done:?}");
            }
            _ => panic!("no test runs this line: {line}"),
        }
    }
}

#[test]
fn every_make_target_that_the_readmes_name_exists() {
    for document in ["README.md", "README.de.md"] {
        let text = std::fs::read_to_string(repository().join(document)).unwrap();
        for (position, _) in text.match_indices("`make ") {
            let rest = &text[position + "`make ".len()..];
            let name = &rest[..rest.find('`').unwrap()];
            assert!(is_target_of_the_makefile(name), "{document}: make {name}");
        }
    }
}
