//! The commented file that `init` writes.

use super::*;

#[test]
fn the_example_changes_nothing_as_it_is_written() {
    let machine = Machine::new().write("data/fluglog.toml", &commented_example());
    let expected = Config {
        data_dir: machine.path("data"),
        config_file: Some(machine.path("data/fluglog.toml")),
        ..Config::default()
    };
    assert_eq!(machine.load().unwrap(), expected);
}

#[test]
fn the_example_holds_every_key_with_its_default() {
    let settings: String = commented_example()
        .lines()
        .filter_map(|line| line.strip_prefix('#'))
        .filter(|line| !line.is_empty() && !line.starts_with(' '))
        .map(|line| format!("{line}\n"))
        .collect();
    let machine = Machine::new().write("data/fluglog.toml", &settings);
    let expected = Config {
        config_file: Some(machine.path("data/fluglog.toml")),
        ..Config::default()
    };
    assert_eq!(machine.load().unwrap(), expected);
    assert_eq!(settings.lines().count(), KEYS.len());
    for (line, key) in settings.lines().zip(KEYS) {
        assert_eq!(line, format!("{} = {}", key.name, key.default));
        assert!(!key.help.is_empty());
        assert!(commented_example().contains(&format!("# Umgebungsvariable: {}\n", key.variable())));
    }
}

#[test]
fn any_single_line_of_the_example_works_without_its_mark() {
    for key in KEYS {
        let line = format!("{} = {}\n", key.name, key.default);
        let text = commented_example().replace(&format!("#{line}"), &line);
        assert_ne!(text, commented_example());
        assert!(
            Machine::new().write("data/fluglog.toml", &text).load().is_ok(),
            "{line}"
        );
    }
}

#[test]
fn lines_of_the_example_fit_a_screen() {
    for line in commented_example().lines() {
        assert!(line.chars().count() <= 110, "{line}");
    }
}
