//! Every command line of the READMEs and of the documents beside them runs unchanged. Commands of an installed package
//! (`sudo …`) and of a container (`docker …`) run in `make test-package` and `make test-image`, on a machine and with
//! an image of their own; all others run here, including those in `bash` blocks, which move data: as the current user,
//! with other folders, without the service.

use std::path::Path;
use std::process::Command;

use crate::harness::certificates::Authority;
use crate::harness::process::{Output, finish, run};
use crate::harness::{Running, program, temporary_directory, text};

const BINARY: &str = "target/release/fluglog";

/// The documents for users, in an order in which their lines can run.
const ENGLISH: [&str; 8] = [
    "README.md",
    "packaging/docs/server.md",
    "packaging/docs/install.md",
    "packaging/docs/backup.md",
    "packaging/docs/trouble.md",
    "packaging/docs/files.md",
    "packaging/docs/old-logbook.md",
    "packaging/docs/security.md",
];
const GERMAN: [&str; 8] = [
    "README.de.md",
    "packaging/docs/de/server.md",
    "packaging/docs/de/install.md",
    "packaging/docs/de/backup.md",
    "packaging/docs/de/trouble.md",
    "packaging/docs/de/files.md",
    "packaging/docs/de/old-logbook.md",
    "packaging/docs/de/security.md",
];

/// Has no German version.
const HTTPS: &str = "packaging/https/README.md";

fn read(document: &str) -> String {
    std::fs::read_to_string(repository().join(document)).unwrap_or_else(|error| panic!("{document}: {error}"))
}

/// The lines of each code block of a kind, in all documents.
fn blocks(documents: &[&str], kind: &str) -> Vec<Vec<String>> {
    let text: String = documents.iter().map(|document| read(document)).collect();
    let mut blocks = Vec::<Vec<String>>::new();
    let mut inside = false;
    for line in text.lines() {
        match line.strip_prefix("```") {
            Some(opened) if opened == kind => {
                inside = true;
                blocks.push(Vec::new());
            }
            Some(_) => inside = false,
            None if inside => blocks.last_mut().unwrap().push(line.to_owned()),
            None => {}
        }
    }
    assert!(!blocks.is_empty(), "no {kind} lines in {documents:?}");
    blocks
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

/// Runs a line in a shell, with the tested program as `fluglog`.
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
fn the_table_of_tests_names_files_that_exist() {
    let readme = read("tests/README.md");
    let quoted = readme.split('`').skip(1).step_by(2);
    let is_file = |name: &&str| !name.contains(' ') && [".rs", ".ts", ".mts"].iter().any(|end| name.ends_with(end));
    let names: Vec<_> = quoted.filter(is_file).collect();
    assert!(names.len() > 50);
    for name in names {
        assert!(
            repository().join("tests").join(name).is_file(),
            "tests/README.md names {name}"
        );
    }
}

#[test]
fn no_line_writes_a_backup_of_the_package_through_the_shell_whose_files_everybody_can_read() {
    for kind in ["sh", "bash", "shell", "console"] {
        for line in blocks(&ENGLISH, kind).concat() {
            assert!(!(line.starts_with("sudo ") && line.contains('>')), "{line}");
        }
    }
}

#[test]
fn both_languages_have_the_same_command_lines() {
    for kind in ["sh", "bash", "shell", "console"] {
        assert_eq!(blocks(&ENGLISH, kind), blocks(&GERMAN, kind));
    }
}

#[test]
fn every_command_line_of_the_documents_runs_as_it_stands_there() {
    let work = built_copy();
    for line in blocks(&ENGLISH, "sh").concat() {
        let mut words = line.split(' ');
        match words.next().unwrap() {
            // Tested on a machine and in an image of their own.
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
fn every_make_target_that_the_documents_name_exists() {
    for document in ENGLISH.iter().chain(&GERMAN).chain(&["CONTRIBUTING.md"]) {
        let text = read(document);
        for (position, _) in text.match_indices("`make ") {
            let rest = &text[position + "`make ".len()..];
            let name = rest.split(['`', ' ']).next().unwrap();
            assert!(is_target_of_the_makefile(name), "{document}: make {name}");
        }
    }
}

/// What the sentences of these documents show as a command of the program, with or without `sudo`.
fn commands_in_sentences(documents: &[&str]) -> Vec<String> {
    let text: String = documents.iter().map(|document| read(document)).collect();
    let spans = text.split('`').skip(1).step_by(2);
    let commands = spans.map(|span| span.split_whitespace().collect::<Vec<_>>().join(" "));
    // The commands of a pipe are parts of a command.
    commands.filter(|command| !command.contains('|')).collect()
}

/// Asks a command line for its help, which is given only if its words are known to the program.
fn help_of(line: &str) -> Output {
    let own = line.trim_start_matches("sudo ").trim_start_matches("fluglog ");
    let mut words: Vec<_> = own.split(' ').collect();
    match words.last() {
        // In place of the value that a sentence leaves open.
        Some(&"…") if words.len() > 1 && words[words.len() - 2].starts_with("--") => words.push("pilot@example.org"),
        _ => {}
    }
    words.retain(|word| *word != "…");
    words.push("--help");
    run(words)
}

#[test]
fn the_program_knows_each_of_its_commands_that_the_documents_show() {
    let documents = [&ENGLISH[..], &GERMAN, &[HTTPS]].concat();
    let mut lines = commands_in_sentences(&documents);
    for kind in ["sh", "bash", "shell", "console", "text"] {
        lines.extend(blocks(&documents, kind).concat());
    }
    lines.retain(|line| line.trim_start_matches("sudo ").starts_with("fluglog "));
    assert!(lines.len() > 60, "{lines:?}");
    for line in lines {
        let done = help_of(&line);
        assert_eq!(done.code, 0, "{line}: {done:?}");
    }
}

#[test]
fn the_settings_that_the_documents_show_are_accepted() {
    let place = temporary_directory();
    let secrets = place.path().join("secrets");
    std::fs::create_dir(&secrets).unwrap();
    let files = Authority::new().pair().write(&secrets);
    std::fs::rename(files.certificate, secrets.join("fullchain.pem")).unwrap();
    std::fs::rename(files.key, secrets.join("privkey.pem")).unwrap();
    for name in ["cloud.password", "store.secret", "store.passphrase"] {
        std::fs::write(secrets.join(name), "vier rote Propeller\n").unwrap();
    }
    let documents = [&ENGLISH[..], &[HTTPS]].concat();
    let mut settings: Vec<_> = blocks(&documents, "toml")
        .iter()
        .map(|lines| lines.join("\n"))
        .collect();
    let of_proxies = read("packaging/https/fluglog.toml");
    // "The lines below the others", those of every proxy.
    for lines in settings.iter_mut().filter(|lines| lines.starts_with("[auth]")) {
        *lines = format!("{of_proxies}\n{lines}");
    }
    settings.push(of_proxies);
    for lines in settings {
        let file = place.path().join("fluglog.toml");
        let here = lines.replace("/etc/fluglog/", &format!("{}/", secrets.display()));
        std::fs::write(&file, here).unwrap();
        let done = run(["config", "check", "--config", text(&file)]);
        assert_eq!(done.code, 0, "{lines}\n{done:?}");
    }
}

/// A simulated machine that only has the folders named in the lines, and no service.
struct Machine {
    folder: tempfile::TempDir,
}

impl Machine {
    fn new() -> Machine {
        let machine = Machine {
            folder: temporary_directory(),
        };
        for folder in ["var/lib/fluglog", "mnt/disk", "bin"] {
            std::fs::create_dir_all(machine.path(folder)).unwrap();
        }
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_fluglog"), machine.path("bin/fluglog")).unwrap();
        machine
    }

    fn path(&self, path: &str) -> std::path::PathBuf {
        self.folder.path().join(path)
    }

    fn run(&self, lines: &[String]) {
        for line in lines {
            self.run_one(line);
        }
    }

    fn run_one(&self, line: &str) -> Option<Output> {
        self.try_to_run(line)
            .inspect(|done| assert_eq!(done.code, 0, "{line}: {done:?}"))
    }

    fn said(&self, line: &str) -> String {
        self.run_one(line).expect("a line that runs").stdout
    }

    fn serve(&self) -> Running {
        let mut command = program();
        command
            .arg("serve")
            .env("FLUGLOG_DATA_DIR", self.path("var/lib/fluglog"))
            .env("FLUGLOG_LISTEN", "127.0.0.1:0");
        let server = Running::start(command);
        assert!(server.first_line().contains("http://127.0.0.1:"));
        server
    }

    fn end(&self, mut server: Running) {
        server.terminate();
        assert!(server.wait().success(), "{}", server.stderr());
    }

    /// Runs a line; `None` for the service and its package, which this machine lacks.
    fn try_to_run(&self, line: &str) -> Option<Output> {
        let own = line.strip_prefix("sudo ").unwrap_or_else(|| panic!("{line}"));
        if own.starts_with("systemctl ") || own.starts_with("apt ") {
            return None;
        }
        let here = self.folder.path().display();
        let own = own
            .replace(" /var/", &format!(" {here}/var/"))
            .replace(" /mnt/", &format!(" {here}/mnt/"));
        let mut command = shell(&own, self.folder.path());
        command
            .env("FLUGLOG_DATA_DIR", self.path("var/lib/fluglog"))
            .env("PATH", format!("{}:/usr/bin:/bin", self.path("bin").display()));
        Some(finish(command, b""))
    }

    fn fluglog(&self, arguments: &[&str]) -> String {
        let mut command = program();
        command
            .args(arguments)
            .env("FLUGLOG_DATA_DIR", self.path("var/lib/fluglog"));
        let done = finish(command, b"");
        assert_eq!(done.code, 0, "{arguments:?}: {done:?}");
        done.stdout
    }
}

/// The blocks of lines that move data, in order.
fn moving() -> [Vec<String>; 7] {
    blocks(&ENGLISH, "bash").try_into().unwrap()
}

#[test]
fn the_four_steps_lead_from_a_card_that_fails_to_a_server_on_a_new_one() {
    let [.., save, restore, look] = moving();
    let [old, new] = [Machine::new(), Machine::new()];
    std::fs::remove_dir(old.path("var/lib/fluglog")).unwrap();
    old.fluglog(&["demo"]);
    let database = old.path("var/lib/fluglog/fluglog.redb");
    let mut damaged = std::fs::read(&database).unwrap();
    let address: &[u8] = b"demo@example.org";
    for page in damaged.chunks_mut(4096).skip(1) {
        if page.windows(address.len()).any(|part| part == address) {
            page.fill(0xa5);
        }
    }
    // The state after a power cut.
    damaged[9] = damaged[9] & 1 | 2;
    std::fs::write(&database, &damaged).unwrap();

    let server = old.serve();
    let status = old.said("sudo fluglog status");
    for part in [
        "Die Datenbank ist beschädigt und wird nur noch gelesen",
        "fluglog recover --data-dir",
    ] {
        assert!(status.contains(part), "{status}");
    }
    old.end(server);
    assert!(std::fs::read(&database).unwrap() == damaged, "the server changed it");

    // The loss is reported.
    let saved: Vec<_> = save.iter().filter_map(|line| old.try_to_run(line)).collect();
    assert_eq!((saved.len(), saved[0].code), (1, 1), "{saved:?}");
    assert!(saved[0].stdout.contains("konto-1@gerettet.invalid"), "{saved:?}");
    std::fs::copy(old.path("mnt/disk/rescue.tar"), new.path("mnt/disk/rescue.tar")).unwrap();

    new.fluglog(&["init"]);
    new.run(&restore);
    new.run(&look);
    let user = |arguments: &str| new.said(&format!("sudo fluglog user {arguments}"));
    assert!(user("list").contains("konto-1@gerettet.invalid"));
    let shown = user("show demo@example.org");
    assert!(shown.contains("konto-1@gerettet.invalid"), "{shown}");
    user("change konto-1@gerettet.invalid --email demo@example.org");
    assert!(user("reset demo@example.org").contains("/app/passwordReset#"));
    let server = new.serve();
    assert!(new.said("sudo fluglog status").contains("läuft seit"));
    new.end(server);
    new.run(&look);
}

#[test]
fn the_lines_that_move_data_and_go_back_do_what_is_said() {
    let [back, from, to, disk, ..] = moving();

    let fixture = repository().join("tests/fixtures/1.3.0");
    let upgraded = Machine::new();
    let database = upgraded.path("var/lib/fluglog/fluglog.redb");
    let before = std::fs::read(fixture.join("fluglog.redb")).unwrap();
    std::fs::write(&database, &before).unwrap();
    let mut copy = Command::new("cp");
    copy.arg("-r")
        .args([fixture.join("blobs"), upgraded.path("var/lib/fluglog")]);
    assert!(copy.status().unwrap().success());
    std::fs::create_dir(upgraded.path("var/lib/fluglog/outbox")).unwrap();
    upgraded.fluglog(&["check"]);
    assert!(
        std::fs::read(&database).unwrap() != before,
        "the new version has brought it on"
    );
    let kept = std::fs::read(upgraded.path("var/lib/fluglog/fluglog-schema-1.redb")).unwrap();
    upgraded.run(&back);
    assert!(std::fs::read(&database).unwrap() == kept);
    upgraded.fluglog(&["check"]);

    let [old, new] = [Machine::new(), Machine::new()];
    std::fs::remove_dir(old.path("var/lib/fluglog")).unwrap();
    old.fluglog(&["demo"]);
    new.fluglog(&["init"]);
    let users = old.fluglog(&["user", "list", "--json"]);
    old.run(&from);
    std::fs::copy(old.path("fluglog.tar"), new.path("fluglog.tar")).unwrap();
    new.fluglog(&["https", "on"]);
    let key = || std::fs::read(new.path("var/lib/fluglog/tls/authority.pem")).unwrap();
    let before = key();
    for _again in 0..2 {
        new.run(&to);
        assert_eq!(new.fluglog(&["user", "list", "--json"]), users);
        assert!(key() == before, "every device would have to trust anew");
    }

    new.run(&disk);
    assert!(new.path("mnt/disk/fluglog-blobs").read_dir().unwrap().count() > 20);
    new.fluglog(&["check"]);
    new.fluglog(&["backup", "--output", new.path("again.tar").to_str().unwrap()]);
}

/// The text of all files of a kind below a folder.
fn all_text(folder: &Path, kind: &str) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            text += &all_text(&path, kind);
        } else if path.extension().is_some_and(|found| found == kind) {
            text += &std::fs::read_to_string(&path).unwrap();
        }
    }
    text
}

#[test]
fn every_sentence_that_the_documents_explain_is_one_that_the_program_says() {
    let said = all_text(&repository().join("src"), "rs") + &all_text(&repository().join("ui/src"), "ts");
    for document in ["packaging/docs/trouble.md", "packaging/docs/de/trouble.md"] {
        let text = read(document);
        let sentences: Vec<_> = text
            .lines()
            .filter_map(|line| line.strip_prefix("| „")?.split_once('“'))
            .map(|(sentence, _)| sentence)
            .collect();
        assert_eq!(sentences.len(), 18, "{document}");
        for part in sentences.iter().flat_map(|sentence| sentence.split('…')) {
            assert!(said.contains(part.trim()), "{document}: {part}");
        }
    }
}

/// The anchors of a document's headings, as links name them.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let kept = line.trim_start_matches('#').trim().to_lowercase();
            let kept = kept
                .chars()
                .filter(|letter| letter.is_alphanumeric() || " -".contains(*letter));
            kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
        })
        .collect()
}

#[test]
fn every_link_of_the_documents_leads_somewhere() {
    let link = regex_lite::Regex::new(r"\]\(([^)#]*)(?:#([^)]*))?\)").unwrap();
    for document in ENGLISH.iter().chain(&GERMAN).chain(&["CONTRIBUTING.md"]) {
        let text = read(document);
        for found in link.captures_iter(&text) {
            let (file, anchor) = (&found[1], found.get(2).map(|anchor| anchor.as_str()));
            // The releases are hosted beside the sources.
            if file.contains("://") || file.starts_with("../../releases") {
                continue;
            }
            let beside = Path::new(document).parent().unwrap().join(file);
            let target = if file.is_empty() { Path::new(document) } else { &beside };
            assert!(repository().join(target).exists(), "{document}: {file}");
            if let Some(anchor) = anchor {
                let there = anchors(&read(target.to_str().unwrap()));
                assert!(
                    there.iter().any(|heading| heading == anchor),
                    "{document}: {file}#{anchor}"
                );
            }
        }
    }
}

#[test]
fn the_readme_is_read_to_its_end() {
    let words = read("README.md").split_whitespace().count();
    assert!(
        words <= 1200,
        "{words} words: what not everybody needs stands in packaging/docs"
    );
}
