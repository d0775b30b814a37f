//! The architecture of src/lib.rs, checked by reading the source: dependencies, and names that only one place may use.
//!
//! A scan of the text is enough, because every path to another module starts with `crate::`. Test code in src follows
//! the same rules. It checks paths, not meaning: the name of an import doesn't matter.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

/// Names for one place only: the start of a path, the files that may use it, the reason.
const ONE_PLACE: [(&str, &str, &str); 6] = [
    ("redb", "store/", "only the store knows the database"),
    ("redb_file", "store/", "only the store knows the database"),
    (
        "bincode",
        "store/record.rs",
        "only record.rs knows how a record is encoded",
    ),
    ("lettre", "mail/", "only mail knows how mails are sent"),
    ("std::env", "config/", "only the configuration reads the environment"),
    (
        "fluglog",
        "main.rs",
        "the library calls itself crate, so that this test sees it",
    ),
];

/// The dependencies that a file of a topic mustn't have, by its name.
const UNKNOWN_TO: [(&str, &[&str]); 3] = [
    (
        "model.rs",
        &[
            "warp",
            "crate::web",
            "crate::store",
            "crate::app",
            "super::table",
            "super::api",
        ],
    ),
    ("table.rs", &["warp", "crate::web", "crate::app", "super::api"]),
    ("api.rs", &["crate::store", "super::table"]),
];

#[test]
fn every_module_uses_only_what_stands_above_it() {
    let order = module_list();
    let mut all = Vec::new();
    for file in source_files() {
        let source = fs::read_to_string(Path::new("src").join(&file)).unwrap();
        all.extend(breaches(&order, &file, &source));
    }
    assert!(all.is_empty(), "\n{}\n", all.join("\n"));
}

#[test]
fn a_pilot_s_data_is_changed_through_an_operation_alone() {
    let all: Vec<_> = source_files()
        .iter()
        .flat_map(|file| {
            let source = fs::read_to_string(Path::new("src").join(file)).unwrap();
            back_doors(file, &source)
        })
        .collect();
    assert!(all.is_empty(), "\n{}\n", all.join("\n"));
    for (file, source, is_breach) in [
        ("flights/mod.rs", "fn f() { app\n.store\n.write(|_| Ok(())) }", true),
        ("accounts/profile.rs", "fn f() { store.write(work) }", true),
        ("logs/api.rs", "let operation = Operation::unrecorded(viewer);", true),
        ("control/users.rs", "let operation = Operation::of_call(viewer);", true),
        (
            "flights/mod.rs",
            "fn f() { operation.write(&app.store, |writer| ()) }",
            false,
        ),
        (
            "flights/table.rs",
            "#[cfg(test)]\nmod tests { fn f() { store.write(work) } }",
            false,
        ),
        ("accounts/mod.rs", "fn f() { app.store.write(work) }", false),
        ("server.rs", "let operation = Operation::of_call(viewer);", false),
    ] {
        assert_eq!(!back_doors(file, source).is_empty(), is_breach, "{file}: {source}");
    }
}

#[test]
fn the_list_has_every_file_of_src() {
    let order = module_list();
    for file in source_files() {
        let module = module_of(&file);
        assert!(
            order.contains(&module) || ["lib", "main"].contains(&module.as_str()),
            "src/{file} is in no module of src/lib.rs"
        );
    }
}

#[test]
fn no_line_has_more_than_120_characters() {
    let wide: Vec<_> = source_files()
        .into_iter()
        .flat_map(|file| {
            let source = fs::read_to_string(Path::new("src").join(&file)).unwrap();
            let is_wide = |(_, line): &(usize, &str)| line.chars().count() > 120;
            let places = source.lines().enumerate().filter(is_wide);
            places.map(|(at, _)| format!("{file}:{}", at + 1)).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(wide, [""; 0]);
}

#[test]
fn the_rules_find_violations() {
    let order = [
        "base",
        "text",
        "config",
        "store",
        "web",
        "accounts",
        "equipment",
        "flights",
        "calls",
        "server",
    ]
    .map(str::to_owned);
    let broken = [
        (
            "store/mod.rs",
            "use crate::flights::model::Flight;",
            "flights stands below store",
        ),
        (
            "equipment/mod.rs",
            "fn f() { crate::flights::get() }",
            "flights stands below equipment",
        ),
        ("text.rs", "use crate::{\n    config,\n};", "config stands below text"),
        (
            "web/mod.rs",
            "#[cfg(test)]\nmod tests { use crate::{text, accounts::{guard as g}}; }",
            "accounts stands below web",
        ),
        ("flights/mod.rs", "use crate::billing::Invoice;", "billing is no module"),
        ("flights/mod.rs", "use crate::equipment::table;", "equipment::table"),
        (
            "flights/mod.rs",
            "use crate::equipment::{model::Kind, api::{get}};",
            "equipment::api",
        ),
        (
            "flights/mod.rs",
            "use crate::equipment;\nfn f() { equipment::table::find() }",
            "equipment::table",
        ),
        ("calls.rs", "use crate::accounts::table::all;", "accounts::table"),
        ("server.rs", "use crate::accounts::api::login;", "accounts::api"),
        ("cli/mod.rs", "use redb::Database;", "redb"),
        ("accounts/mod.rs", "use lettre::Message;", "lettre"),
        ("store/mod.rs", "let x = bincode::serde::encode();", "bincode"),
        ("web/accept.rs", "use std::{env, fs};", "std::env"),
        ("base/log.rs", "if std::env::var_os(\"X\").is_some() {}", "std::env"),
        ("flights/mod.rs", "use fluglog::server;", "fluglog"),
        ("flights/model.rs", "use warp::http::StatusCode;", "warp"),
        ("equipment/table.rs", "use crate::web::reply::Reply;", "crate::web"),
        ("equipment/model.rs", "use crate::store::Snapshot;", "crate::store"),
        ("flights/api.rs", "use super::table;", "super::table"),
        ("flights/model.rs", "use super::super::store;", "super::super"),
        ("config.rs", "use super::flights;", "super leads out of config"),
        ("main.rs", "use fluglog::flights;", "main.rs uses only fluglog::cli"),
    ];
    for (file, source, expected) in broken {
        let found = breaches(&order, file, source);
        assert!(
            found.len() == 1 && found[0].contains(expected),
            "{file}: {source}\nfound {found:?} instead of {expected:?}"
        );
    }
}

#[test]
fn allowed_uses_are_no_violations() {
    let order = [
        "base",
        "text",
        "config",
        "store",
        "web",
        "accounts",
        "equipment",
        "flights",
        "calls",
        "server",
    ]
    .map(str::to_owned);
    let allowed = [
        (
            "flights/mod.rs",
            "use crate::equipment::{self, model::Kind};\nuse crate::text;",
        ),
        (
            "flights/mod.rs",
            "// crate::server\n/* redb /* nested */ warp */ /// [`crate::server`]\n",
        ),
        (
            "flights/model.rs",
            "const X: &str = \"crate::server, redb::x \\\" warp::y\"; fn f<'a>(x: &'a str) {}",
        ),
        (
            "flights/model.rs",
            "const X: &str = r#\"use \"crate::server\";\"#; const C: char = '\"'; use crate::text;",
        ),
        ("flights/api.rs", "use super::model::Flight; fn f() { super::get() }"),
        (
            "calls.rs",
            "use crate::{accounts, flights};\nfn f() { flights::api::get(accounts::api::login) }",
        ),
        ("store/mod.rs", "use redb::Database; mod tests { use super::*; }"),
        ("store/record.rs", "use bincode::config;"),
        (
            "config/mod.rs",
            "use std::env; mod tests { use crate::config::Config; }",
        ),
        ("config/mod.rs", "const VERSION: &str = env!(\"CARGO_PKG_VERSION\");"),
        ("main.rs", "fn main() { fluglog::cli::run() }"),
    ];
    for (file, source) in allowed {
        let found = breaches(&order, file, source);
        assert!(found.is_empty(), "{file}: {source}\n{found:?}");
    }
}

#[test]
fn no_file_uses_one_that_uses_it() {
    let files = source_files();
    let sources: Vec<_> = files
        .iter()
        .map(|file| (file.as_str(), fs::read_to_string(Path::new("src").join(file)).unwrap()))
        .collect();
    let found: Vec<_> = circles(&sources).into_iter().map(|circle| circle.join(" → ")).collect();
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn a_circle_of_files_is_found() {
    let circle_of = |sources: &[(&'static str, &str)]| {
        let sources: Vec<_> = sources
            .iter()
            .map(|(file, source)| (*file, (*source).to_owned()))
            .collect();
        circles(&sources)
    };
    let model = ("flights/model.rs", "pub struct Flight;");
    // Declaring a module isn't a use; neither is a visibility.
    assert!(
        circle_of(&[
            ("flights/mod.rs", "pub mod model; mod table; use table::find;"),
            (
                "flights/table.rs",
                "use super::model::Flight; pub(super) fn find() -> Flight {}"
            ),
            model,
        ])
        .is_empty()
    );
    for (parent, child) in [
        (
            "mod table; use table::find; pub struct Flight;",
            "use super::Flight; fn find() {}",
        ),
        (
            "mod table; fn f() { table::find() } pub struct Flight;",
            "use super::*; fn find() {}",
        ),
        (
            "mod table; use self::table::{find};",
            "fn find() -> crate::flights::Flight {}",
        ),
    ] {
        let found = circle_of(&[("flights/mod.rs", parent), ("flights/table.rs", child), model]);
        assert_eq!(found.len(), 1, "{parent} {child}");
        assert!(found[0].contains(&"flights/table.rs".to_owned()), "{found:?}");
    }
    let found = circle_of(&[
        ("web/mod.rs", "pub mod a; pub mod b; pub mod c;"),
        ("web/a.rs", "use super::b::B;"),
        ("web/b.rs", "mod tests { use super::super::c::C; }"),
        ("web/c.rs", "use crate::web::{a::A};"),
    ]);
    assert_eq!(
        found,
        [["web/a.rs", "web/b.rs", "web/c.rs", "web/a.rs"].map(str::to_owned)]
    );
}

/// One circle for each file that is in any, the shortest, and each only once.
fn circles(sources: &[(&str, String)]) -> Vec<Vec<String>> {
    let modules: BTreeMap<_, _> = sources.iter().map(|(file, _)| (module_path(file), *file)).collect();
    let uses: BTreeMap<_, _> = sources
        .iter()
        .map(|(file, source)| (*file, used_files(file, source, &modules)))
        .collect();
    let mut circles = Vec::new();
    let mut known = BTreeSet::new();
    for file in uses.keys() {
        if let Some(circle) = way_back(file, &uses) {
            let mut members: Vec<_> = circle[1..].to_vec();
            members.sort_unstable();
            if known.insert(members) {
                circles.push(circle.into_iter().map(str::to_owned).collect());
            }
        }
    }
    circles
}

/// The shortest path from a file through its dependencies back to itself.
fn way_back<'f>(start: &'f str, uses: &BTreeMap<&'f str, BTreeSet<&'f str>>) -> Option<Vec<&'f str>> {
    let mut ways = VecDeque::from([vec![start]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        for next in &uses[way.last()?] {
            if seen.insert(*next) {
                let longer = [&way[..], &[next]].concat();
                if *next == start {
                    return Some(longer);
                }
                ways.push_back(longer);
            }
        }
    }
    None
}

/// The path of the module that a file defines.
fn module_path(file: &str) -> Vec<&str> {
    let mut path: Vec<_> = file.trim_end_matches(".rs").split('/').collect();
    if ["mod", "lib", "main"].contains(&path[path.len() - 1]) {
        path.pop();
    }
    path
}

/// The files that define the names of a source.
fn used_files<'f>(file: &str, source: &str, modules: &BTreeMap<Vec<&str>, &'f str>) -> BTreeSet<&'f str> {
    let own = module_path(file);
    let mut used = BTreeSet::new();
    for Named { name, inside, .. } in paths_in(&code_of(source)) {
        let segments: Vec<_> = name.split("::").collect();
        // A visibility, or a name without a path.
        if segments.len() < 2 {
            continue;
        }
        let ups = segments.iter().take_while(|segment| **segment == "super").count();
        let (mut path, rest) = match segments[0] {
            "crate" => (Vec::new(), &segments[1..]),
            "self" => (own.clone(), &segments[1..]),
            // In an inline module the first one leads to its own file.
            "super" => {
                let up = ups.saturating_sub(inside).min(own.len());
                (own[..own.len() - up].to_vec(), &segments[ups..])
            }
            _ => (own.clone(), &segments[..]),
        };
        let is_child = |path: &[&str], next: &str| modules.contains_key(&[path, &[next]].concat());
        let is_path = ["crate", "self", "super"].contains(&segments[0]) || is_child(&path, segments[0]);
        if !is_path {
            continue;
        }
        for segment in rest {
            if !is_child(&path, segment) {
                break;
            }
            path.push(segment);
        }
        if let Some(target) = modules.get(&path).filter(|target| **target != file) {
            used.insert(*target);
        }
    }
    used
}

/// The modules of src/lib.rs, in its order.
fn module_list() -> Vec<String> {
    let library = code_of(&fs::read_to_string("src/lib.rs").unwrap());
    let modules: Vec<_> = library
        .lines()
        .filter_map(|line| line.trim().strip_prefix("pub mod ")?.strip_suffix(';'))
        .map(str::to_owned)
        .collect();
    assert!(modules.len() > 8, "src/lib.rs lists its modules as `pub mod name;`");
    modules
}

/// All Rust files under src, relative to it.
fn source_files() -> Vec<String> {
    fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                // The compiler keeps the order of a crate of its own.
                if !path.join("Cargo.toml").exists() {
                    collect(&path, files);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    let mut files = Vec::new();
    collect(Path::new("src"), &mut files);
    let mut files: Vec<_> = files
        .iter()
        .map(|file| file.strip_prefix("src").unwrap().to_str().unwrap().to_owned())
        .collect();
    files.sort();
    files
}

/// The module of lib.rs that a file belongs to.
fn module_of(file: &str) -> String {
    let first = file.split('/').next().unwrap_or_default();
    first.strip_suffix(".rs").unwrap_or(first).to_owned()
}

/// Every rule that a file breaks, as a line for its author.
fn breaches(order: &[String], file: &str, source: &str) -> Vec<String> {
    let own = module_of(file);
    let paths = paths_in(&code_of(source));
    let mut found = Vec::new();
    for Named { line, name, inside } in &paths {
        let mut breach = |why: &str| found.push(format!("src/{file}:{line}: {name}: {why}"));
        let segments: Vec<_> = name.split("::").collect();
        if segments[0] == "crate" && segments.len() > 1 {
            let target = segments.get(1).copied().unwrap_or_default();
            let place = |module: &str| order.iter().position(|listed| listed == module);
            match (place(target), place(&own)) {
                (None, _) => breach(&format!("{target} is no module of src/lib.rs")),
                (Some(target_at), Some(own_at)) if target_at > own_at => {
                    breach(&format!("{target} stands below {own} in src/lib.rs"));
                }
                _ => {}
            }
        }
        let inner = segments.iter().position(|segment| ["table", "api"].contains(segment));
        if let Some(at) = inner.filter(|at| *at > 0) {
            let (topic, part) = (segments[at - 1], segments[at]);
            let is_other = order.iter().any(|module| module == topic) && topic != own;
            if is_other && !(part == "api" && own == "calls") {
                breach(&format!("{topic}::{part} is nobody's but its own topic's"));
            }
        }
        for (start, place, why) in ONE_PLACE {
            if starts_with(name, start) && !file.starts_with(place) {
                breach(why);
            }
        }
        let kind = file.rsplit('/').next().unwrap_or_default();
        for (_, unknown) in UNKNOWN_TO.iter().filter(|(of, _)| *of == kind && file.contains('/')) {
            if unknown.iter().any(|start| starts_with(name, start)) {
                breach(&format!("a {kind} doesn't know it"));
            }
        }
        if name.starts_with("super::super") {
            breach("write crate:: instead, so that this test sees where it leads");
        }
        let is_top = !file.contains('/') || file == format!("{own}/mod.rs");
        if segments[0] == "super" && is_top && *inside == 0 {
            breach(&format!("super leads out of {own}; write crate:: instead"));
        }
        if file == "main.rs" && segments[0] == "fluglog" && segments.get(1) != Some(&"cli") {
            breach("main.rs uses only fluglog::cli");
        }
    }
    found
}

/// Tables with pilots' data, which only an operation may change.
const OF_PILOTS: [&str; 7] = [
    "accounts/profile.rs",
    "documents/",
    "equipment/",
    "feedback/",
    "flights/",
    "logs/",
    "statistics/",
];
/// The places that make an operation: for a call, for files of the admin's, and for the demo.
const MAKES_OPERATIONS: [&str; 4] = [
    "accounts/operation.rs",
    "control/imports.rs",
    "demo/pilot.rs",
    "server.rs",
];

/// Ways to bypass the operation that the server makes for a call.
fn back_doors(file: &str, source: &str) -> Vec<String> {
    if file.ends_with("tests.rs") {
        return Vec::new();
    }
    let code: String = code_of(source.split("#[cfg(test)]").next().unwrap_or_default())
        .split_whitespace()
        .collect();
    let is_in = |places: &[&str]| places.iter().any(|place| file.starts_with(place));
    let mut found = Vec::new();
    if is_in(&OF_PILOTS) && code.contains("store.write(") {
        found.push(format!("src/{file}: a pilot's data is written by Operation::write"));
    }
    if !is_in(&MAKES_OPERATIONS)
        && ["Operation::of_call", "Operation::unrecorded"]
            .iter()
            .any(|way| code.contains(way))
    {
        found.push(format!(
            "src/{file}: only the server, imports of the admin's and the demo make an operation"
        ));
    }
    found
}

/// Whether a path is `start` or leads into it.
fn starts_with(path: &str, start: &str) -> bool {
    path.strip_prefix(start)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// A path in the source.
struct Named {
    line: usize,
    name: String,
    /// The number of inline modules around it.
    inside: usize,
}

/// All paths of a source without comments and string literals; an import with braces as one path each.
fn paths_in(code: &str) -> Vec<Named> {
    let tokens = tokens_of(code);
    let mut paths = Vec::new();
    // For every open brace, whether it is that of a module.
    let mut braces = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let is_module = at >= 2 && tokens[at - 2].text == "mod";
        match tokens[at].text.as_str() {
            "{" => braces.push(is_module),
            "}" => {
                braces.pop();
            }
            _ => {}
        }
        let inside = braces.iter().filter(|is_module| **is_module).count();
        if tokens[at].is_name() {
            let mut names = Vec::new();
            let line = tokens[at].line;
            at = read_path(&tokens, at, "", &mut names);
            paths.extend(names.into_iter().map(|name| Named { line, name, inside }));
        } else {
            at += 1;
        }
    }
    paths
}

/// Reads the path, or the tree of paths, that begins at a name; returns where it ends.
fn read_path(tokens: &[Token], mut at: usize, before: &str, names: &mut Vec<String>) -> usize {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let mut name = format!("{before}{}", text(at));
    at += 1;
    while text(at) == "::" {
        match text(at + 1) {
            "{" => {
                let group = format!("{name}::");
                at += 2;
                while !["}", ""].contains(&text(at)) {
                    at = match text(at) {
                        "as" => at + 2,
                        _ if tokens[at].is_name() => read_path(tokens, at, &group, names),
                        _ => at + 1,
                    };
                }
                return at + 1;
            }
            next if next == "*" || tokens.get(at + 1).is_some_and(Token::is_name) => {
                name = format!("{name}::{next}");
                at += 2;
            }
            _ => break,
        }
    }
    names.push(name);
    at
}

struct Token {
    line: usize,
    text: String,
}

impl Token {
    fn is_name(&self) -> bool {
        self.text
            .starts_with(|first: char| first.is_alphabetic() || first == '_')
    }
}

/// Names, `::`, and everything else character by character.
fn tokens_of(code: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    for (line, text) in (1..).zip(code.lines()) {
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let is_part = |character: char| character.is_alphanumeric() || character == '_';
            let length = if is_part(first) {
                rest.find(|character| !is_part(character)).unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            let (token, after) = rest.split_at(length);
            if !first.is_whitespace() {
                let text = token.to_owned();
                tokens.push(Token { line, text });
            }
            rest = after;
        }
    }
    tokens
}

/// A source with its comments and string literals blanked out; the lines stay.
fn code_of(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let in_word = code.ends_with(|last: char| last.is_alphanumeric() || last == '_');
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => comment_length(rest),
            '"' => text_length(rest),
            'r' if !in_word || code.ends_with(['b', 'c']) => raw_text_length(rest),
            '\'' => character_length(rest),
            _ => 0,
        };
        if length == 0 {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            let (left_out, after) = rest.split_at(length);
            code.push(' ');
            code.extend(left_out.chars().filter(|character| *character == '\n'));
            rest = after;
        }
    }
    code
}

/// Comments nest.
fn comment_length(source: &str) -> usize {
    let mut open = 0;
    let mut at = 0;
    while at < source.len() {
        if source[at..].starts_with("/*") {
            open += 1;
            at += 2;
        } else if source[at..].starts_with("*/") {
            open -= 1;
            at += 2;
            if open == 0 {
                return at;
            }
        } else {
            at += source[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    source.len()
}

fn text_length(source: &str) -> usize {
    let mut escaped = false;
    for (at, character) in source.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    source.len()
}

/// `r"…"`, `r#"…"#`, …; 0 when it is another word with r.
fn raw_text_length(source: &str) -> usize {
    let hashes = source[1..].chars().take_while(|character| *character == '#').count();
    if !source[1 + hashes..].starts_with('"') {
        return 0;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    let body = 2 + hashes;
    source[body..]
        .find(&end)
        .map_or(source.len(), |at| body + at + end.len())
}

/// `'x'`, `'\n'`, `'\u{1b}'`; 0 when it is a lifetime.
fn character_length(source: &str) -> usize {
    let mut characters = source.char_indices().skip(1);
    match characters.next() {
        Some((_, '\\')) => {
            characters.next();
            characters
                .find(|(_, character)| *character == '\'')
                .map_or(source.len(), |(at, _)| at + 1)
        }
        _ => match characters.next() {
            Some((at, '\'')) => at + 1,
            _ => 0,
        },
    }
}

/// Existing databases hold the bytes of every record: none may change its shape unnoticed.
#[test]
fn every_table_has_a_record_and_every_record_a_test_of_its_bytes() {
    let read = |file: &str| fs::read_to_string(Path::new("src").join(file)).unwrap();
    let source: String = source_files().iter().map(|file| read(file)).collect();
    // Records of tests have other names.
    let records: Vec<_> = source
        .split("impl Record for ")
        .filter_map(|rest| rest.split_once(' '))
        .map(|(name, _)| name)
        .filter(|name| name.ends_with("Record"))
        .collect();
    assert_eq!(records.len(), read("store/schema.rs").matches(": Table<").count());
    for record in records {
        let test = format!("assert_stored_as::<{record}>(");
        assert!(source.contains(&test), "no test says {test}");
    }
}

/// Every file that tests/README.md names exists.
#[test]
fn the_table_of_tests_names_files_that_exist() {
    let readme = fs::read_to_string("tests/README.md").unwrap();
    let mut names = readme
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|name| !name.contains(' ') && [".rs", ".ts", ".mts"].iter().any(|end| name.ends_with(end)))
        .peekable();
    assert!(names.peek().is_some());
    for name in names {
        assert!(Path::new("tests").join(name).is_file(), "tests/README.md names {name}");
    }
}
