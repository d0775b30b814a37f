//! Finds a newer version of the Debian package that apt knows of. It is read from the files of dpkg and apt, because
//! the service may run no other program (`NoExecPaths=` in `systemd/fluglog.service`). Asks no server, and ignores
//! apt's preferences.

use std::cmp::Ordering;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

const NAME: &str = "fluglog";
/// dpkg's list of installed packages, and how much of it is read.
const STATUS: &str = "var/lib/dpkg/status";
const MAX_STATUS_BYTES: u64 = 32 * 1024 * 1024;
/// Folder in which `apt update` stores the repositories' package lists.
const LISTS: &str = "var/lib/apt/lists";
/// Fluglog's own repository has a few kilobytes; larger lists, of whole distributions, are skipped.
const MAX_LIST_BYTES: u64 = 4 * 1024 * 1024;
const MAX_LISTS: usize = 1000;

/// The paragraph of a package in such a file.
#[derive(Debug, Default, PartialEq, Eq)]
struct Paragraph {
    name: String,
    /// Only of an installed package: desired action, error flag, and state.
    status: String,
    version: String,
    architecture: String,
}

/// Returns the version of Fluglog to which an upgrade of this system's packages would lead; `None` if there is none,
/// the package is on hold, or Fluglog wasn't installed as a package. `root` is the root of the system's files.
#[must_use]
pub fn available_upgrade(root: &Path) -> Option<String> {
    let installed = paragraphs(&root.join(STATUS), MAX_STATUS_BYTES)
        .into_iter()
        .find(|package| package.status == "install ok installed")?;
    let offered = |file: fs::DirEntry| {
        let is_list = file.file_name().to_string_lossy().ends_with("_Packages");
        let is_small = fs::metadata(file.path()).is_ok_and(|about| about.len() <= MAX_LIST_BYTES);
        (is_list && is_small).then(|| paragraphs(&file.path(), MAX_LIST_BYTES))
    };
    let newest = fs::read_dir(root.join(LISTS))
        .ok()?
        .take(MAX_LISTS)
        .filter_map(|file| offered(file.ok()?))
        .flatten()
        .filter(|package| [&installed.architecture, "all"].contains(&package.architecture.as_str()))
        .map(|package| package.version)
        .max_by(|one, other| compare(one, other))?;
    compare(&newest, &installed.version)
        .is_gt()
        .then(|| shown(&newest, &installed.version))
}

fn paragraphs(file: &Path, most_bytes: u64) -> Vec<Paragraph> {
    let read = |file: File| of_fluglog(BufReader::new(file.take(most_bytes)));
    File::open(file).map(read).unwrap_or_default()
}

/// Parses the paragraphs of Fluglog (deb822(5)). An empty line ends a paragraph.
fn of_fluglog(text: impl BufRead) -> Vec<Paragraph> {
    let (mut found, mut now) = (Vec::new(), Paragraph::default());
    let ended = [Ok(String::new())];
    for line in text.lines().chain(ended).map_while(Result::ok) {
        match line.split_once(": ") {
            Some(("Package", name)) => now.name = name.to_owned(),
            Some(("Status", status)) => now.status = status.to_owned(),
            Some(("Version", version)) => now.version = version.to_owned(),
            Some(("Architecture", architecture)) => now.architecture = architecture.to_owned(),
            _ if line.is_empty() => {
                let ended = std::mem::take(&mut now);
                found.extend((ended.name == NAME).then_some(ended));
            }
            _ => {}
        }
    }
    found
}

/// Formats a version for people: without the Debian revision, unless only that is new.
fn shown(newer: &str, installed: &str) -> String {
    let upstream = |version: &str| {
        version
            .rsplit_once('-')
            .map_or(version, |(upstream, _)| upstream)
            .to_owned()
    };
    match upstream(newer) {
        same if same == upstream(installed) => newer.to_owned(),
        other => other,
    }
}

/// Compares versions by the rules of deb-version(7).
fn compare(one: &str, other: &str) -> Ordering {
    let epoch = |version: &str| version.split_once(':').map_or((0, version.to_owned()), of_epoch);
    let revision = |version: &str| {
        let split = version.rsplit_once('-').unwrap_or((version, ""));
        (split.0.to_owned(), split.1.to_owned())
    };
    let ((epoch_one, one), (epoch_other, other)) = (epoch(one), epoch(other));
    let ((one, revision_one), (other, revision_other)) = (revision(&one), revision(&other));
    epoch_one
        .cmp(&epoch_other)
        .then_with(|| compare_parts(one.as_bytes(), other.as_bytes()))
        .then_with(|| compare_parts(revision_one.as_bytes(), revision_other.as_bytes()))
}

fn of_epoch((epoch, rest): (&str, &str)) -> (u32, String) {
    (epoch.parse().unwrap_or_default(), rest.to_owned())
}

/// Compares non-digits and numbers in turns. A tilde sorts before everything, even the end.
fn compare_parts(mut one: &[u8], mut other: &[u8]) -> Ordering {
    let weight = |byte: Option<&u8>| match byte {
        Some(b'~') => -1,
        Some(byte) if byte.is_ascii_alphabetic() => i32::from(*byte),
        Some(byte) if !byte.is_ascii_digit() => i32::from(*byte) + 256,
        _ => 0,
    };
    while !one.is_empty() || !other.is_empty() {
        let (words, rest) = (word(one), word(other));
        let length = words.0.len().max(rest.0.len());
        let by_words = (0..length)
            .map(|at| weight(words.0.get(at)).cmp(&weight(rest.0.get(at))))
            .find(|order| order.is_ne());
        let by_number = words.1.len().cmp(&rest.1.len()).then_with(|| words.1.cmp(rest.1));
        match by_words.unwrap_or(by_number) {
            Ordering::Equal => (one, other) = (words.2, rest.2),
            order => return order,
        }
    }
    Ordering::Equal
}

/// Splits off the leading non-digits and the number after them, without leading zeros; returns them and the rest.
fn word(text: &[u8]) -> (&[u8], &[u8], &[u8]) {
    let end = text.iter().position(u8::is_ascii_digit).unwrap_or(text.len());
    let (start, text) = text.split_at(end);
    let end = text
        .iter()
        .position(|byte| !byte.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    let zeros = number.iter().take_while(|digit| **digit == b'0').count();
    (start, &number[zeros..], rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paragraph(name: &str, status: &str, version: &str, architecture: &str) -> String {
        format!(
            "Package: {name}\n{status}Architecture: {architecture}\nVersion: {version}\nDescription: Flugbuch\n .\n\n"
        )
    }

    fn system(status: &str, installed: &str, offered: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("var/lib/dpkg")).unwrap();
        fs::create_dir_all(root.path().join(LISTS)).unwrap();
        let others = paragraph("adduser", "Status: install ok installed\n", "3.134", "all");
        let own = paragraph(NAME, &format!("Status: {status}\n"), installed, "arm64");
        fs::write(root.path().join(STATUS), others + own.trim_end()).unwrap();
        let offered: String = offered
            .iter()
            .map(|(version, of)| paragraph(NAME, "", version, of))
            .collect();
        let more = paragraph("fluglog-data", "", "9.0", "all");
        fs::write(
            root.path().join(LISTS).join("fluglog.example.org_._Packages"),
            offered + &more,
        )
        .unwrap();
        fs::write(
            root.path().join(LISTS).join("fluglog.example.org_._Release"),
            paragraph(NAME, "", "8.0", "all"),
        )
        .unwrap();
        root
    }

    #[test]
    fn the_newest_version_waits_that_apt_has_for_this_machine() {
        let newer_than =
            |status, installed, offered: &[_]| available_upgrade(system(status, installed, offered).path());
        let installed = "install ok installed";
        let offered = [
            ("1.5.10-1", "arm64"),
            ("1.5.9-1", "arm64"),
            ("1.6.0-1", "amd64"),
            ("1.5.11~rc1-1", "armhf"),
        ];
        assert_eq!(newer_than(installed, "1.5.9-1", &offered).as_deref(), Some("1.5.10"));
        assert_eq!(newer_than(installed, "1.5.10-1", &offered), None);
        assert_eq!(newer_than(installed, "1.7.0-1", &offered), None);
        assert_eq!(newer_than(installed, "1.5.0-1", &[]), None);
        assert_eq!(
            newer_than(installed, "1.5.0-1", &[("1.5.0-2", "all")]).as_deref(),
            Some("1.5.0-2")
        );
        for not_upgraded in ["hold ok installed", "deinstall ok config-files"] {
            assert_eq!(newer_than(not_upgraded, "1.5.9-1", &offered), None, "{not_upgraded}");
        }
        assert_eq!(available_upgrade(tempfile::tempdir().unwrap().path()), None);
    }

    #[test]
    fn a_list_of_a_whole_distribution_is_passed_over() {
        let root = system("install ok installed", "1.5.0-1", &[("1.5.1-1", "arm64")]);
        let list = root.path().join(LISTS).join("fluglog.example.org_._Packages");
        File::options()
            .append(true)
            .open(list)
            .unwrap()
            .set_len(MAX_LIST_BYTES + 1)
            .unwrap();
        assert_eq!(available_upgrade(root.path()), None);
    }

    #[test]
    fn versions_are_ordered_as_dpkg_orders_them() {
        let ascending = [
            "1.5.0~rc1-1",
            "1.5.0-1",
            "1.5.0-2",
            "1.5.0+fix-1",
            "1.5.2-1",
            "1.5.10-1",
            "1.10-1",
            "1:0.1",
        ];
        for (at, one) in ascending.iter().enumerate() {
            for (other_at, other) in ascending.iter().enumerate() {
                assert_eq!(compare(one, other), at.cmp(&other_at), "{one} {other}");
            }
        }
        assert_eq!(compare("1.05-1", "1.5-1"), Ordering::Equal);
        assert_eq!(compare("1.5", "1.5-0"), Ordering::Equal);
    }
}
