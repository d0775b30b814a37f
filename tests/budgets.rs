//! Each task of the server and each answer of a foreign server has a row in the tables of budgets (`src/base/limits/`).

use fluglog_base::limits::answers::Answer;
use fluglog_base::limits::tasks::Task;

use crate::architecture::source_files;

/// Code that starts a task of the server ([`Task`]) or reads an answer of a foreign server ([`Answer`]), and the files
/// that may contain it. In any other file it would have no row in the tables of budgets.
const WITH_A_ROW: [(&str, &str); 7] = [
    // Beside tasks, each connection of a browser and of a command, which have limits of their own.
    (
        "tokio::spawn(",
        "src/app/tasks.rs src/control/socket.rs src/web/accept.rs",
    ),
    ("time::interval", "src/app/tasks.rs src/control/socket.rs"),
    ("Agent::config_builder", "src/targets/http.rs"),
    (".body_mut()", "src/targets/http.rs"),
    (".into_body()", "src/targets/http.rs"),
    ("TcpStream::connect", "src/mail/smtp.rs"),
    ("Decryptor::new", "src/targets/encryption.rs"),
];

#[test]
fn no_task_runs_and_no_answer_of_a_foreign_server_is_read_without_a_budget() {
    let files = source_files();
    let code = |source: &str| source.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
    for (file, source) in files.iter().filter(|(file, _)| !file.ends_with("tests.rs")) {
        for (what, places) in WITH_A_ROW {
            let may = places.split(' ').any(|place| place == file);
            assert!(may || !code(source).contains(what), "{file}: {what}");
        }
    }
    let others = files.iter().filter(|(file, _)| !file.starts_with("src/base/limits/"));
    let all: String = others.map(|(_, source)| code(source)).collect();
    let all: String = all.split_whitespace().collect();
    let uses = |row: &str| all.matches(row).count();
    for task in Task::ALL {
        let started = uses(&format!("tasks::start(Task::{task:?},"));
        assert_eq!(started, 1, "{task:?} is started once");
    }
    for answer in Answer::ALL {
        assert!(uses(&format!("Answer::{answer:?}")) > 0, "{answer:?} is read nowhere");
    }
}
