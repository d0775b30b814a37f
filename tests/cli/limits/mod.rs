//! The table of limits in the documents has the numbers of the code. It is generated from `table.txt` between two
//! comments; a test that finds it outdated rewrites it and fails once.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use regex_lite::{Captures, Regex};

const BEGIN: &str =
    "<!-- limits: written from tests/cli/limits/table.txt by `cargo test --test integration limits` -->\n";
const END: &str = "<!-- the end of the limits -->\n";

/// A document, the headings of its columns, and the lines of each row in its language.
struct Language {
    file: &'static str,
    heads: &'static str,
    first_line: usize,
    thousands: &'static str,
}

const LANGUAGES: [Language; 2] = [
    Language {
        file: "packaging/docs/security.md",
        heads: "| Limit | Value | Against |",
        first_line: 0,
        thousands: ",",
    },
    Language {
        file: "packaging/docs/de/security.md",
        heads: "| Grenze | Wert | Gegen |",
        first_line: 3,
        thousands: ".",
    },
];

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn source(file: &str) -> String {
    let path = repository().join("src").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn first<'t>(pattern: &str, text: &'t str) -> Option<&'t str> {
    let found = Regex::new(pattern).unwrap().captures(text)?;
    Some(found.get(1)?.as_str())
}

/// The value of a constant in a file, or of its field (`NAME.field`), or the start of a range (`NAME.start`).
fn constant(file: &str, name: &str) -> u64 {
    let (name, field) = name.split_once('.').unwrap_or((name, ""));
    let text = source(file);
    let expression = first(&format!(r"(?s)const {name}: [^;]*? = (.*?);\n"), &text)
        .unwrap_or_else(|| panic!("src/{file} has no constant {name}"));
    let expression = match field {
        "" => expression,
        "start" => expression.split("..").next().unwrap(),
        field => first(&format!(r"\b{field}: ([^,]*),"), expression)
            .unwrap_or_else(|| panic!("{name} in src/{file} has no field {field}")),
    };
    evaluated(file, expression)
}

/// Evaluates a product of numbers, constants of the same file and durations in the unit that they are written in.
fn evaluated(file: &str, expression: &str) -> u64 {
    let factor = |factor: &str| {
        let factor = factor
            .trim()
            .trim_start_matches("Duration::from_secs(")
            .trim_start_matches("Duration::from_millis(")
            .trim_end_matches(')');
        let digits = factor.replace('_', "");
        let whole = digits.strip_suffix(".0").unwrap_or(&digits);
        whole.parse().unwrap_or_else(|_| constant(file, factor))
    };
    expression.split('*').map(factor).product()
}

/// The default of a setting, as written by `fluglog init`.
fn setting(name: &str) -> String {
    let keys = source("config/keys.rs");
    let pattern = format!(r##"name: "{name}",\s*default: (?:r#")?"([^"]*)""##);
    first(&pattern, &keys)
        .unwrap_or_else(|| panic!("no setting {name}"))
        .to_owned()
}

/// The value of a placeholder.
fn value(placeholder: &str, thousands: &str) -> String {
    let words: Vec<_> = placeholder.split(' ').collect();
    let (number, unit) = match words[..] {
        [name] => return setting(name),
        [file, name] => (constant(file, name), ""),
        [file, name, unit] => (constant(file, name), unit),
        _ => panic!("{placeholder}"),
    };
    let divisor = match unit {
        "" => 1,
        "KiB" => 1024,
        "MB" | "MiB" => 1024 * 1024,
        "min" => 60,
        "h" => 60 * 60,
        "days" => 24 * 60 * 60,
        "million" => 1_000_000,
        _ => panic!("{placeholder}: there is no unit {unit}"),
    };
    assert_eq!(number % divisor, 0, "{placeholder}: {number} isn't whole in {unit}");
    grouped(number / divisor, thousands)
}

fn grouped(number: u64, thousands: &str) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{}{thousands}{:03}", grouped(number / 1000, thousands), number % 1000),
    }
}

fn table(language: &Language) -> String {
    let template = std::fs::read_to_string(repository().join("tests/cli/limits/table.txt")).unwrap();
    let placeholder = Regex::new(r"\{([^}]*)\}").unwrap();
    let mut table = format!("\n{}\n|---|---|---|\n", language.heads);
    for row in template.split("\n\n").skip(1) {
        let lines: Vec<_> = row.lines().collect();
        assert_eq!(lines.len(), 6, "{row}");
        for cell in &lines[language.first_line..][..3] {
            let filled = placeholder.replace_all(cell, |found: &Captures| value(&found[1], language.thousands));
            write!(table, "| {filled} ").unwrap();
        }
        table.push_str("|\n");
    }
    table.push('\n');
    table
}

#[test]
fn the_limits_in_the_readmes_are_those_of_the_code() {
    let mut stale = Vec::new();
    for language in &LANGUAGES {
        let path = repository().join(Path::new(language.file));
        let text = std::fs::read_to_string(&path).unwrap();
        let (before, rest) = text.split_once(BEGIN).expect("the beginning of the limits");
        let (_, after) = rest.split_once(END).expect("the end of the limits");
        let now = format!("{before}{BEGIN}{}{END}{after}", table(language));
        if now != text {
            std::fs::write(&path, now).unwrap();
            stale.push(language.file);
        }
    }
    assert!(
        stale.is_empty(),
        "the limits in {stale:?} were out of date and have been written anew: look at them and commit them"
    );
}

#[test]
fn a_limit_is_read_as_it_is_written() {
    assert_eq!(constant("app/lib.rs", "BLOCKING_THREADS"), 64);
    assert_eq!(constant("config/load.rs", "MAX_MISSPELT"), 2);
    assert_eq!(evaluated("app/lib.rs", "24 * 60 * 60"), 86_400);
    assert_eq!(evaluated("app/lib.rs", "Duration::from_secs(15 * 60)"), 900);
    assert_eq!(evaluated("app/lib.rs", "1_000.0"), 1000);
    assert_eq!(evaluated("store/record.rs", "16 * MAX_BYTES"), 16 * 1024 * 1024);
    assert_eq!(grouped(1_234_567, "."), "1.234.567");
    assert_eq!(setting("time_zone"), "Europe/Berlin");
}
