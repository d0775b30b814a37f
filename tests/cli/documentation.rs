//! The program's own documentation: completions and the manual page, without any data.

use std::process::Command;

use crate::harness::process::{finish, run};
use crate::harness::{program, temporary_directory};

fn said(arguments: &[&str]) -> String {
    let done = run(arguments);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{arguments:?}");
    done.stdout
}

/// Every command as its words, with its own options, from `--help`.
fn commands() -> Vec<(Vec<String>, Vec<String>)> {
    fn below(path: &[String], found: &mut Vec<(Vec<String>, Vec<String>)>) {
        let arguments: Vec<_> = path.iter().map(String::as_str).chain(["--help"]).collect();
        let help = said(&arguments);
        let listed = help
            .split("Befehle:\n")
            .nth(1)
            .map(|rest| rest.split("\n\n").next().unwrap());
        let names = listed.into_iter().flat_map(str::lines);
        let names: Vec<_> = names
            .filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')))
            .filter_map(|line| line.split_whitespace().next())
            .collect();
        // Both `backup` and `backup verify` are commands.
        if names.is_empty() || help.contains(&format!("fluglog {} [OPTIONEN]\n", path.join(" "))) {
            let own = help.split("Beispiele:").next().unwrap();
            let words = own.split(|character: char| character.is_whitespace() || character == ',');
            let options = words.filter(|word| word.starts_with("--")).map(str::to_owned);
            found.push((path.to_vec(), options.collect()));
        }
        for name in names {
            below(&[path, &[name.to_owned()]].concat(), found);
        }
    }
    let mut found = Vec::new();
    below(&[], &mut found);
    assert!(found.len() > 25, "{found:?}");
    assert!(
        found
            .iter()
            .any(|(path, options)| path == &["backup"] && options.contains(&"--keep".to_owned()))
    );
    found
}

/// The manual page without roff markup.
fn manual() -> String {
    said(&["man"])
        .replace("\\-", "-")
        .replace("\\fB", "")
        .replace("\\fI", "")
        .replace("\\fR", "")
}

#[test]
fn the_manual_page_has_every_command_with_every_option() {
    let manual = manual();
    for (path, options) in commands() {
        let title = format!(".SS \"fluglog {}", path.join(" "));
        let section = manual
            .split(&title)
            .nth(1)
            .unwrap_or_else(|| panic!("no {title} in\n{manual}"));
        let section = section.split("\n.SS").next().unwrap().split("\n.SH").next().unwrap();
        let general = manual.split(".SH BEFEHLE").next().unwrap();
        for option in options {
            assert!(
                section.contains(&option) || general.contains(&option),
                "{path:?} {option}"
            );
        }
    }
}

#[test]
fn the_manual_page_says_how_the_program_ends_and_what_can_be_set() {
    let manual = manual();
    for part in [
        "RÜCKGABEWERTE",
        "DATEIEN",
        "UMGEBUNGSVARIABLEN",
        "BEISPIELE",
        "KONFIGURATION",
    ] {
        assert!(manual.contains(&format!(".SH {part}\n")), "{part}\n{manual}");
    }
    for part in [
        "69",
        "74",
        "78",
        "/etc/fluglog/fluglog.toml",
        "FLUGLOG_SMTP__HOST",
        "smtp.password_file",
    ] {
        assert!(manual.contains(part), "{part}");
    }
    for english in ["OPTIONS", "Usage", "possible values", "default:"] {
        assert!(!manual.contains(english), "{english}");
    }
}

#[test]
fn help_names_the_defaults_that_hold_here_and_shows_examples() {
    let place = temporary_directory();
    let file = place.path().join("fluglog.toml");
    std::fs::write(&file, "data_dir = \"/srv/flugbuch\"\nlisten = [\"127.0.0.1:8123\"]\n").unwrap();
    let help = |arguments: &[&str], config: &str| {
        let mut command = program();
        command.args(arguments).env("FLUGLOG_CONFIG", config);
        let done = finish(command, b"");
        assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
        done.stdout
    };
    let here = file.to_str().unwrap();
    let general = help(&["--help"], here);
    for part in [
        "[Vorgabe: /srv/flugbuch]",
        &format!("[Vorgabe: {here}]"),
        "fluglog user add",
    ] {
        assert!(general.contains(part), "{part}\n{general}");
    }
    assert!(help(&["serve", "--help"], here).contains("[Vorgabe: 127.0.0.1:8123]"));
    let backup = help(&["backup", "-h"], here);
    assert!(
        backup.contains("Beispiele:\n  sudo fluglog backup --output /media/stick --keep 14\n"),
        "{backup}"
    );
    // Help works even if the settings are unreadable.
    assert!(help(&["--help"], "/nowhere/fluglog.toml").contains("[Vorgabe: ./data]"));
}

#[test]
fn the_manual_and_completions_need_no_data_and_make_none() {
    let place = temporary_directory();
    for arguments in [&["man"][..], &["completions", "zsh"]] {
        let mut command = program();
        command.args(arguments).current_dir(place.path());
        command
            .env("FLUGLOG_CONFIG", "/nowhere/fluglog.toml")
            .env("FLUGLOG_LISTEN", "unsinn");
        let done = finish(command, b"");
        assert!(done.code == 0 && done.stdout.len() > 1000, "{done:?}");
    }
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
}

#[test]
fn an_answer_that_can_t_be_written_is_a_failure() {
    for arguments in [&["man"][..], &["completions", "zsh"], &["--help"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let done = program().args(arguments).stdout(full).output().unwrap();
        let stderr = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(1), "{stderr}");
        assert!(
            stderr.contains("der Speicher ist voll") && stderr.lines().count() == 1,
            "{stderr}"
        );
    }
}

#[test]
fn every_shell_gets_completions_and_an_unknown_one_a_refusal() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = said(&["completions", shell]);
        for word in ["set-password", "data-dir", "outbox"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    run(["completions", "tcsh"]).expect_refusal(2, &["tcsh"]);
    run(["completions"]).expect_refusal(2, &["SHELL"]);
}

#[test]
fn bash_completes_commands_and_options() {
    let place = temporary_directory();
    let file = place.path().join("fluglog");
    std::fs::write(&file, said(&["completions", "bash"])).unwrap();
    for (words, expected) in [
        ("fluglog us", "user"),
        ("fluglog user del", "delete"),
        ("fluglog user delete --y", "--yes"),
    ] {
        let last = words.split(' ').next_back().unwrap();
        let script = format!(
            "source '{}'; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _fluglog fluglog '{last}' x; \
             echo \"${{COMPREPLY[@]}}\"",
            file.display()
        );
        let output = Command::new("bash").args(["-c", &script]).output().unwrap();
        assert_eq!(
            String::from_utf8_lossy(&output.stdout).trim(),
            expected,
            "{words}: {output:?}"
        );
    }
}
