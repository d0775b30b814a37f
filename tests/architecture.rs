//! The rules of src/lib.rs that the compiler can't check: the order of modules within a crate, what the files of a topic
//! may use, and a few about texts. The order of the crates is in their `Cargo.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use proc_macro2::{TokenStream, TokenTree};

/// Crates and modules that a file of a topic mustn't use, by the file's name.
const UNKNOWN_TO: [(&str, &str); 3] = [
    (
        "model.rs",
        "warp fluglog_web fluglog_store fluglog_app super::table super::api",
    ),
    ("table.rs", "warp fluglog_web fluglog_app super::api"),
    ("api.rs", "fluglog_store super::table"),
];
/// Part of the store that every file may use.
const OPERATIONS: &str = "fluglog_store::operations::";
/// Files with pilots' data.
const OF_PILOTS: &str = "accounts/profile.rs documents/ equipment/ feedback/ flights/ logs/ packs/";

/// Holds in the crates whose first page says that it does.
#[test]
fn a_module_uses_only_modules_that_stand_above_it_in_its_crate() {
    let files = source_files();
    for (file, uses) in uses(&files) {
        let (folder, own) = module_of(file);
        let root = format!("{folder}lib.rs");
        let order = modules_of(&files[&root]);
        let place = |path: &[&str]| order.iter().position(|module| path.first() == Some(&module.as_str()));
        if own.is_empty() || !files[&root].contains("reading order") {
            continue;
        }
        for used in uses {
            let is_above = place(&module_of(used).1) <= place(&own);
            assert!(is_above, "{file} uses {used}, which stands below it in {root}");
        }
    }
}

#[test]
fn no_file_uses_a_file_that_uses_it() {
    let files = source_files();
    let mut uses = uses(&files);
    while let Some(leaf) = uses.iter().find(|(_, used)| used.is_empty()).map(|(file, _)| *file) {
        uses.remove(leaf);
        uses.values_mut().for_each(|used| used.retain(|file| *file != leaf));
    }
    assert!(uses.is_empty(), "with a circle: {uses:#?}");
}

#[test]
fn the_parts_of_a_topic_know_only_what_they_may() {
    for (file, source) in source_files() {
        for (_, unknown) in UNKNOWN_TO
            .iter()
            .filter(|(name, _)| file.ends_with(&format!("/{name}")) || file.contains(&name.replace(".rs", "/")))
        {
            for path in paths_in(&source).iter().map(|path| path.join("::") + "::") {
                let is_unknown = unknown.split(' ').any(|start| path.starts_with(&format!("{start}::")));
                assert!(!is_unknown || path.starts_with(OPERATIONS), "{file} uses {path}");
            }
        }
    }
}

/// `Operation::write` records the request in the transaction that changes the data.
#[test]
fn a_pilot_s_data_is_changed_through_an_operation_alone() {
    for (file, source) in source_files() {
        let is_of_pilots = OF_PILOTS.split(' ').any(|place| file.contains(place)) && !file.ends_with("tests.rs");
        let code = source.split("#[cfg(test)]").next().unwrap_or_default();
        let code: String = code.split_whitespace().collect();
        assert!(
            !is_of_pilots || !code.contains("store.write("),
            "{file} bypasses Operation::write"
        );
    }
}

#[test]
fn no_line_has_more_than_120_characters() {
    for (file, source) in source_files() {
        for (at, line) in source.lines().enumerate() {
            assert!(line.chars().count() <= 120, "{file}:{}", at + 1);
        }
    }
}

/// The text of every file in src, by its path.
pub fn source_files() -> BTreeMap<String, String> {
    let found = Command::new("find").args(["src", "-name", "*.rs"]).output().unwrap();
    let files = String::from_utf8(found.stdout).unwrap();
    let with_text = |file: &str| (file.to_owned(), fs::read_to_string(file).unwrap());
    files.lines().map(with_text).collect()
}

/// The folder of a file's crate, and the path of its module in that crate.
fn module_of(file: &str) -> (&str, Vec<&str>) {
    let folder = match file.trim_start_matches("src/").split_once('/') {
        Some((name, _)) if Path::new("src").join(name).join("Cargo.toml").exists() => &file[..name.len() + 5],
        _ => "src/",
    };
    let inner = file[folder.len()..].trim_end_matches(".rs");
    let path = inner.trim_end_matches("/mod").split('/').filter(|name| *name != "lib");
    (folder, path.collect())
}

/// The names of the modules that a file declares, in its order.
fn modules_of(source: &str) -> Vec<String> {
    let declared = source
        .lines()
        .filter_map(|line| line.split_once("mod ")?.1.strip_suffix(';'));
    declared.map(str::to_owned).collect()
}

/// The files of its own crate that each file names in a path.
fn uses<'f>(files: &'f BTreeMap<String, String>) -> BTreeMap<&'f str, BTreeSet<&'f str>> {
    let modules: BTreeMap<_, _> = files.keys().map(|file| (module_of(file), file.as_str())).collect();
    let used_by = |(file, source): (&'f str, &String)| {
        let (folder, own) = module_of(file);
        let mut used = BTreeSet::new();
        for path in paths_in(source) {
            let mut target = own.clone();
            let mut rest = path.iter().map(String::as_str).peekable();
            match rest.peek() {
                Some(&"crate") => target.clear(),
                Some(&("self" | "super")) => {}
                Some(child) if modules.contains_key(&(folder, [&own[..], &[*child]].concat())) => {}
                _ => continue,
            }
            for name in rest {
                match name {
                    "crate" | "self" => {}
                    "super" => drop(target.pop()),
                    name => target.push(name),
                }
            }
            while !modules.contains_key(&(folder, target.clone())) && target.pop().is_some() {}
            used.extend(modules.get(&(folder, target)).filter(|used| **used != file));
        }
        (file, used)
    };
    files
        .iter()
        .map(|(file, source)| used_by((file.as_str(), source)))
        .collect()
}

/// Every path of more than one name, seen from the file's own module; each name of a `use` with braces by itself.
fn paths_in(source: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    collect(source.parse().unwrap(), &[], 0, &mut paths);
    paths.retain(|path| path.len() > 1);
    paths
}

/// `before` is the path in front of the braces around `tokens`, `depth` the number of modules within the file around them.
fn collect(tokens: TokenStream, before: &[String], depth: usize, paths: &mut Vec<Vec<String>>) {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let is_sign = |at: usize, sign| matches!(tokens.get(at), Some(TokenTree::Punct(found)) if found.as_char() == sign);
    let mut at = 0;
    while at < tokens.len() {
        let mut path = before.to_vec();
        if tokens[at].to_string() == "as" || is_sign(at, '$') {
            at += 2;
        }
        while let Some(TokenTree::Ident(name)) = tokens.get(at) {
            let is_own = name == "super" && path.iter().filter(|name| *name == "self").count() < depth;
            path.push(if is_own { "self".to_owned() } else { name.to_string() });
            at += 1;
            if !(is_sign(at, ':') && is_sign(at + 1, ':')) {
                break;
            }
            at += 2;
            if is_sign(at, '*') {
                path.push("*".to_owned());
            }
        }
        let is_after_path = path.len() > before.len();
        match tokens.get(at) {
            Some(TokenTree::Group(group)) if is_after_path && is_sign(at - 1, ':') => {
                collect(group.stream(), &path, depth, paths);
                at += 1;
            }
            _ if is_after_path => paths.push(path),
            Some(TokenTree::Group(group)) => {
                let is_module = at > 1 && tokens[at - 2].to_string() == "mod";
                collect(group.stream(), &[], depth + usize::from(is_module), paths);
                at += 1;
            }
            _ => at += 1,
        }
    }
}
