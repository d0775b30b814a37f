//! The admin's page: who may call it, and that its tasks are those of the command line.

use std::path::Path;

use serde_json::{Value, json};

use super::matrix::{self, Call};
use crate::harness::calls::COPTER;
use crate::harness::client::{RequestBuilder, encode};
use crate::harness::mail::{Behaviour, Mail, MailServer, outbox};
use crate::harness::process::run;
use crate::harness::{PASSWORD, Pilot, Server, run_with_input, temporary_directory, text, wait};

const OTTO: &str = "otto@example.org";
const ANNA: &str = "anna@example.org";
const AGAIN: &str = "Bitte Passwort erneut eingeben.";
const GONE: &str = "Dieses Konto gibt es nicht mehr.";

/// An operator who is logged in but hasn't confirmed with the password.
fn operator(server: &Server, nickname: &str) -> Pilot {
    let email = format!("{nickname}@example.org");
    let add = ["user", "add", "--operator", "--email", &email, "--nickname", nickname];
    let more = ["--password-stdin", "--data-dir", text(server.directory())];
    let done = run_with_input([&add[..], &more].concat(), format!("{PASSWORD}\n").as_bytes());
    assert_eq!(done.code, 0, "{}", done.stderr);
    let operator = server.stranger();
    operator.log_in(&email, PASSWORD).expect_status(202);
    operator
}

fn confirm(operator: &Pilot) {
    let state = operator
        .post("ConfirmAdmin", &[("password", PASSWORD)])
        .expect_status(200)
        .json();
    assert!(state["confirmedSeconds"].as_u64().unwrap() > 14 * 60, "{state}");
}

/// An operator who has confirmed with the password.
fn admin(server: &Server) -> Pilot {
    let admin = operator(server, "otto");
    confirm(&admin);
    admin
}

fn shell(directory: &Path, arguments: &[&str]) -> String {
    let done = run([arguments, &["--data-dir", text(directory)]].concat());
    assert_eq!(done.code, 0, "{}", done.stderr);
    done.stdout
}

fn read(admin: &Pilot, call: &str) -> Value {
    admin.post_empty(call).expect_status(200).json()
}

fn account(admin: &Pilot, email: &str) -> Value {
    let accounts = read(admin, "GetAdminAccounts");
    let found = accounts
        .as_array()
        .unwrap()
        .iter()
        .find(|account| account["email"] == email);
    found.unwrap_or_else(|| panic!("{email} in {accounts}")).clone()
}

/// The calls of the page in the OpenAPI document, except the one that confirms with the password.
fn calls_for_admins(server: &Server) -> Vec<Call> {
    let calls: Vec<_> = matrix::calls(server)
        .into_iter()
        .filter(|call| call.role() == "admin")
        .collect();
    assert!(calls.len() >= 17, "only {} calls", calls.len());
    calls
}

/// A valid request about Anna.
fn question<'p>(pilot: &'p Pilot, call: &Call) -> RequestBuilder<'p> {
    let path = format!("/app/api/{}", call.name);
    let fields: &[(&str, &str)] = match call.name.as_str() {
        "ResetAccount" | "LogOutAccount" | "SendTestMail" => &[("email", ANNA)],
        "ChangeAccount" => &[("email", ANNA), ("disabled", "true")],
        "SaveQuota" => &[("email", ANNA), ("quota", "1 kB")],
        "DeleteAccount" => &[("email", ANNA), ("typed", ANNA)],
        "CheckBackup" => &[("name", "fluglog-20260101-000000.tar")],
        _ => &[],
    };
    match (call.method.as_str(), fields.is_empty()) {
        ("GET", _) => pilot.ask("GET", &format!("{path}?{}", encode(fields))),
        (method, true) => pilot.ask(method, &path),
        (method, false) => pilot.ask(method, &path).form(fields),
    }
}

#[test]
fn each_call_of_the_page_is_refused_to_everybody_but_an_operator_with_a_fresh_password() {
    let server = Server::start();
    // The first account is an operator's.
    let locked = operator(&server, "locked");
    let (anna, stranger) = (server.pilot("anna"), server.stranger());
    confirm(&locked);
    shell(server.directory(), &["user", "disable", "locked@example.org"]);
    let registering = server.stranger();
    registering.register("carl@example.org", "Carl").expect_status(200);
    let (stale, fresh) = (operator(&server, "stale"), operator(&server, "demoted"));
    confirm(&fresh);
    read(&fresh, "GetAdminOverview");
    shell(
        server.directory(),
        &["user", "change", "demoted@example.org", "--no-operator"],
    );
    for call in calls_for_admins(&server) {
        for nobody in [&stranger, &locked, &registering] {
            question(nobody, &call).send().expect_not_logged_in();
        }
        question(&anna, &call).send().expect_no_access();
        question(&stale, &call).send().expect_refusal(403, AGAIN);
        question(&fresh, &call).send().expect_no_access();
    }
    let with_password = [("password", PASSWORD)];
    stranger.post("ConfirmAdmin", &with_password).expect_not_logged_in();
    anna.post("ConfirmAdmin", &with_password).expect_no_access();
    assert_eq!(
        read(&anna, "GetAdminState"),
        json!({"operator": false, "adminUi": true, "confirmedSeconds": 0, "proof": "password", "sendsMail": false})
    );
    assert_eq!(anna.check_session().status, 200, "nothing was done to Anna");
}

#[test]
fn the_password_counts_for_this_session_alone_and_wrong_ones_use_up_the_tries_of_a_login() {
    let server = Server::start();
    let admin = admin(&server);
    let elsewhere = server.stranger();
    elsewhere.log_in(OTTO, PASSWORD).expect_status(202);
    elsewhere.post_empty("GetAdminOverview").expect_refusal(403, AGAIN);
    for _ in 0..5 {
        let refused = elsewhere.post("ConfirmAdmin", &[("password", "Rotorblatt-18")]);
        refused.expect_refusal(400, "Das Passwort ist falsch.");
    }
    let right = elsewhere
        .post("ConfirmAdmin", &[("password", PASSWORD)])
        .expect_status(429);
    assert!(right.header("retry-after").is_some());
    read(&admin, "GetAdminOverview");
    admin.post_empty("LogOutFromEveryDevice").expect_status(200);
    admin.post_empty("GetAdminOverview").expect_not_logged_in();
}

/// A logged-in operator without a password, who logs in by mail.
fn operator_without_password(server: &Server) -> Pilot {
    let add = ["user", "add", "--operator", "--email", OTTO, "--nickname", "otto"];
    shell(server.directory(), &add);
    let operator = server.stranger();
    let number = operator.ask_for_login(OTTO);
    let token = server.nth_mail(OTTO, 1).token();
    server.stranger().confirm_login(&token, &number).expect_status(200);
    operator.check_login_token(OTTO).expect_status(202);
    operator
}

/// Requests a confirmation by mail; returns the number that the page shows.
fn ask_for_number(operator: &Pilot) -> String {
    let answer = operator.post_empty("MailAdminNumber").expect_status(200).json();
    answer["number"].as_str().unwrap().to_owned()
}

fn check_number(operator: &Pilot) -> Value {
    operator.post_empty("CheckAdminNumber").expect_status(200).json()
}

/// The mail whose link asks for the number.
fn mail_to_admin(server: &Server) -> Mail {
    wait::until("the mail", || {
        let mails = outbox(server.directory()).into_iter();
        mails.rev().find(|mail| mail.subject.contains("Verwaltung"))
    })
}

const CONFIRMATION_GONE: &str = "Diese Bestätigung ist abgelaufen. Bitte lassen Sie sich eine neue Mail senden.";

#[test]
fn an_operator_without_a_password_confirms_with_the_number_of_a_mail_in_this_session_and_once() {
    let server = Server::start();
    let otto = operator_without_password(&server);
    let state = read(&otto, "GetAdminState");
    assert_eq!((&state["proof"], &state["sendsMail"]), (&json!("mail"), &json!(false)));
    otto.post("ConfirmAdmin", &[("password", PASSWORD)]).expect_status(409);
    otto.post_empty("CheckAdminNumber")
        .expect_refusal(410, CONFIRMATION_GONE);

    let number = ask_for_number(&otto);
    let mail = mail_to_admin(&server);
    assert!(mail.to == OTTO && mail.text.contains("angemeldet"), "{}", mail.text);
    let asked = server.stranger().post("GetLoginRequest", &[("token", &mail.token())]);
    assert_eq!(asked.expect_status(200).json()["admin"], true);
    assert_eq!(check_number(&otto)["confirmedSeconds"], 0);
    otto.post_empty("GetAdminOverview").expect_refusal(403, AGAIN);
    server
        .stranger()
        .confirm_login(&mail.token(), &number)
        .expect_status(200);

    // The number opens no session, and confirms nothing for the operator's other sessions.
    otto.check_login_token(OTTO).expect_status(410);
    let request = otto.cookie("loginRequest").unwrap();
    let state = check_number(&otto);
    assert!(state["confirmedSeconds"].as_u64().unwrap() > 14 * 60, "{state}");
    read(&otto, "GetAdminOverview");
    otto.plant_cookie("loginRequest", &request);
    otto.post_empty("CheckAdminNumber")
        .expect_refusal(410, CONFIRMATION_GONE);
    server.log_with("access used: admin has typed the number of a mail; account none; user ");
}

#[test]
fn a_number_confirms_no_other_session_and_dies_with_three_wrong_ones() {
    let server = Server::start();
    let otto = operator(&server, "otto");
    let new = "Ein anderes 7";
    otto.save_password(new, new).expect_status(200);
    let elsewhere = server.stranger();
    elsewhere.log_in(OTTO, new).expect_status(202);
    let number = ask_for_number(&otto);
    let token = mail_to_admin(&server).token();
    elsewhere.plant_cookie("loginRequest", &otto.cookie("loginRequest").unwrap());
    let refused = || {
        elsewhere
            .post_empty("CheckAdminNumber")
            .expect_refusal(410, CONFIRMATION_GONE);
    };
    refused();
    for _ in 0..3 {
        server.stranger().confirm_login(&token, "xx").expect_status(400);
    }
    server.stranger().confirm_login(&token, &number).expect_status(410);
    refused();
    otto.post_empty("CheckAdminNumber")
        .expect_refusal(410, CONFIRMATION_GONE);
    otto.post_empty("GetAdminOverview").expect_refusal(403, AGAIN);
}

/// The password is set by somebody who only has the session.
#[test]
fn a_password_or_an_address_that_a_session_has_set_by_itself_confirms_nothing_until_the_owner_was_there() {
    let server = Server::start();
    let otto = operator(&server, "otto");
    let new = "Ein anderes 7";
    let by_new = || otto.post("ConfirmAdmin", &[("password", new)]);
    let proof = || read(&otto, "GetAdminState")["proof"].clone();
    otto.save_password(new, new).expect_status(200);
    assert_eq!(proof(), "mail");
    assert!(by_new().expect_status(409).text().contains("Zahl aus einer Mail"));
    otto.post_empty("Logout").expect_status(200);
    otto.log_in(OTTO, new).expect_status(202);
    by_new().expect_status(409);

    // After a change of address, the number would go to whoever made the change.
    let address = "neu@example.org";
    let move_to = |address: &str| {
        otto.post("ChangeEmail", &[("email", address)]).expect_status(200);
        let token = server.nth_mail(address, 1).token();
        otto.post("ConfirmEmail", &[("token", &token)]).expect_status(200);
    };
    move_to(address);
    assert_eq!(proof(), "shell");
    otto.post_empty("MailAdminNumber").expect_status(409);
    by_new().expect_status(409);
    let set = [
        "user",
        "set-password",
        address,
        "--password-stdin",
        "--data-dir",
        text(server.directory()),
    ];
    assert_eq!(run_with_input(set, format!("{PASSWORD}\n").as_bytes()).code, 0);
    otto.log_in(address, PASSWORD).expect_status(202);
    assert_eq!(proof(), "password");
    confirm(&otto);

    // After confirmation, both may be changed.
    otto.save_password(new, new).expect_status(200);
    by_new().expect_status(200);
    move_to("noch@example.org");
    assert_eq!(proof(), "password");
    shell(server.directory(), &["check"]);
}

#[test]
fn the_number_of_a_mail_proves_a_password_that_a_session_has_set() {
    let server = Server::start();
    let otto = operator(&server, "otto");
    let new = "Ein anderes 7";
    otto.save_password(new, new).expect_status(200);
    let number = ask_for_number(&otto);
    let token = mail_to_admin(&server).token();
    server.stranger().confirm_login(&token, &number).expect_status(200);
    check_number(&otto);
    read(&otto, "GetAdminOverview");
    let elsewhere = server.stranger();
    elsewhere.log_in(OTTO, new).expect_status(202);
    elsewhere.post("ConfirmAdmin", &[("password", new)]).expect_status(200);
}

#[test]
fn without_admin_ui_there_is_no_call_of_the_page() {
    let server = Server::start_with(&[("FLUGLOG_ADMIN_UI", "false")]);
    let otto = operator(&server, "otto");
    assert_eq!(
        read(&otto, "GetAdminState"),
        json!({"operator": true, "adminUi": false, "confirmedSeconds": 0, "proof": "password", "sendsMail": false})
    );
    otto.post("ConfirmAdmin", &[("password", PASSWORD)]).expect_status(404);
    for call in ["MailAdminNumber", "CheckAdminNumber"] {
        otto.post_empty(call).expect_status(404);
    }
    for call in calls_for_admins(&server) {
        question(&otto, &call).send().expect_status(404);
    }
}

#[test]
fn an_account_is_invited_locked_made_an_operator_logged_out_and_deleted_as_at_the_shell() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let copter = anna.item(COPTER, "Falke");
    anna.fly(&copter, &[], &json!({"location": "Geheimwiese"}));
    let admin = admin(&server);
    let shown = account(&admin, ANNA);
    assert_eq!(
        (&shown["nickname"], &shown["disabled"], &shown["own"]),
        (&json!("anna"), &json!(false), &json!(false))
    );
    assert!(shown["usedBytes"].as_u64().unwrap() > 0 && account(&admin, OTTO)["own"] == true);

    let link = admin
        .post("InviteAccount", &[("nickname", "Ben"), ("days", "3")])
        .expect_status(201)
        .json();
    let (_, token) = link["url"].as_str().unwrap().split_once("/app/invitation#").unwrap();
    let invited = server
        .stranger()
        .post("GetInvitation", &[("token", token)])
        .expect_status(200)
        .json();
    assert_eq!(invited["nickname"], "Ben");
    admin.post("InviteAccount", &[("days", "31")]).expect_status(400);

    admin
        .post("ChangeAccount", &[("email", ANNA), ("disabled", "true")])
        .expect_status(200);
    anna.post_empty("GetStatistics").expect_not_logged_in();
    admin
        .post("ResetAccount", &[("email", ANNA)])
        .expect_refusal(409, "Dieser Benutzer ist gesperrt.");
    admin
        .post("ChangeAccount", &[("email", ANNA), ("disabled", "false")])
        .expect_status(200);
    anna.log_in(ANNA, PASSWORD).expect_status(202);
    admin.post("LogOutAccount", &[("email", ANNA)]).expect_status(200);
    anna.post_empty("GetStatistics").expect_not_logged_in();
    admin
        .post("ChangeAccount", &[("email", ANNA), ("operator", "true")])
        .expect_status(200);
    assert_eq!(account(&admin, ANNA)["operator"], true);

    let link = admin.post("ResetAccount", &[("email", ANNA)]).expect_status(201).json();
    let (_, token) = link["url"].as_str().unwrap().split_once("/app/passwordReset#").unwrap();
    server
        .stranger()
        .post("GetPasswordReset", &[("token", token)])
        .expect_status(200);
    let by_mail = admin
        .post("ResetAccount", &[("email", ANNA), ("byMail", "true")])
        .expect_status(409);
    assert!(by_mail.text().contains("kein Mailserver"));

    let wrong = [("email", ANNA), ("typed", "ben@example.org")];
    admin.post("DeleteAccount", &wrong).expect_status(400);
    account(&admin, ANNA);
    let right = [("email", ANNA), ("typed", "Anna@Example.org")];
    admin.post("DeleteAccount", &right).expect_status(200);
    admin.post("DeleteAccount", &right).expect_refusal(409, GONE);
    shell(server.directory(), &["check"]);

    expect_deeds_in_the_log(&admin);
    server.log_with("access used: admin deleted an account; account ");
}

/// Part of the test above.
fn expect_deeds_in_the_log(admin: &Pilot) {
    let lines = read(admin, "GetAdminLog");
    let deeds: Vec<_> = lines
        .as_array()
        .unwrap()
        .iter()
        .filter(|line| line["kind"] == "deed")
        .collect();
    let told = |text: &str| deeds.iter().any(|deed| deed["text"] == text && deed["by"] == OTTO);
    for text in [
        "has shown the password",
        "invited somebody",
        "locked an account",
        "unlocked an account",
        "ended every login of an account",
        "made an operator",
        "made a link to a new password",
        "deleted an account",
    ] {
        assert!(told(text), "{text} in {lines}");
    }
    assert!(!lines.to_string().contains("Geheimwiese"));
}

#[test]
fn an_account_has_a_limit_of_room_of_its_own_and_beyond_it_nothing_is_deleted_and_nothing_added() {
    let server = Server::start_with(&[("FLUGLOG_QUOTA_PER_PILOT", "1 MB")]);
    let admin = admin(&server);
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let adds = |pilot: &Pilot, status: u16| {
        let file = [("file", "a.bin", &[b'x'; 700_000][..])];
        let answer = pilot.upload("UploadUserDocument", &[], &file).expect_status(status);
        assert!(
            status == 201
                || answer
                    .text()
                    .starts_with("Ihr Speicherplatz auf diesem Server ist aufgebraucht.")
        );
    };
    let set = |quota: &str| admin.post("SaveQuota", &[("email", ANNA), ("quota", quota)]);
    let shown = || {
        let anna = account(&admin, ANNA);
        (anna["quotaBytes"].clone(), anna["ownQuota"].clone())
    };
    adds(&anna, 201);
    adds(&anna, 413);
    assert_eq!(shown(), (json!(1_048_576), json!(false)));

    set("3 MB").expect_status(200);
    assert_eq!(shown(), (json!(3_145_728), json!(true)));
    adds(&anna, 201);
    set("100 kB").expect_status(200);
    assert_eq!(anna.documents().len(), 2, "nothing is deleted");
    adds(&anna, 413);
    let item = json!({"type": COPTER, "name": "Falke"}).to_string();
    anna.post("SaveNewEquipment", &[("equipment", &item)])
        .expect_status(413);
    set("0").expect_status(200);
    assert_eq!(shown(), (Value::Null, json!(true)));
    assert_eq!(anna.post_empty("GetStorageUsage").json()["quota"], Value::Null);
    adds(&anna, 201);

    set("").expect_status(200);
    assert_eq!(shown(), (json!(1_048_576), json!(false)));
    adds(&anna, 413);
    adds(&ben, 201);
    set("viel").expect_status(400);
    admin
        .post("SaveQuota", &[("email", "niemand@example.org"), ("quota", "1 GB")])
        .expect_refusal(409, GONE);
    server.log_with("access used: admin changed the room of an account; account ");
    shell(server.directory(), &["check"]);
}

#[test]
fn the_last_operator_stays_one() {
    let server = Server::start();
    let admin = admin(&server);
    let last = "Das ist der letzte Betreiber. Bitte machen Sie zuerst jemand anderen zum Betreiber.";
    for (call, fields) in [
        ("ChangeAccount", [("email", OTTO), ("disabled", "true")]),
        ("ChangeAccount", [("email", OTTO), ("operator", "false")]),
        ("DeleteAccount", [("email", OTTO), ("typed", OTTO)]),
    ] {
        admin.post(call, &fields).expect_refusal(409, last);
    }
    operator(&server, "erika");
    admin
        .post("ChangeAccount", &[("email", OTTO), ("operator", "false")])
        .expect_status(200);
    admin.post_empty("GetAdminOverview").expect_no_access();
}

#[test]
fn a_backup_is_made_where_the_last_one_went_and_checked_there() {
    let server = Server::start();
    let admin = admin(&server);
    let none = admin.post_empty("MakeBackup").expect_status(409);
    assert!(none.text().contains("fluglog backup"), "{}", none.text());
    let folder = server.directory().parent().unwrap().join("backups");
    std::fs::create_dir(&folder).unwrap();
    shell(server.directory(), &["backup", "--output", text(&folder)]);
    let settled = || {
        wait::until("the work on the archive is over", || {
            let backups = read(&admin, "GetBackups");
            (backups["busy"] == false).then_some(backups)
        })
    };
    admin.post_empty("MakeBackup").expect_status(200);
    let backups = settled();
    assert_eq!(backups["outcome"]["isGood"], true, "{backups}");
    assert_eq!(backups["folder"], text(&folder.canonicalize().unwrap()));
    let archives = backups["archives"].as_array().unwrap();
    assert_eq!(archives.len(), 2, "{backups}");

    let newest = archives[0]["name"].as_str().unwrap();
    admin.post("CheckBackup", &[("name", newest)]).expect_status(200);
    let checked = settled();
    assert_eq!(
        (&checked["outcome"]["isGood"], &checked["lastCheckFailure"]),
        (&json!(true), &json!("")),
        "{checked}"
    );
    let path = folder.join(newest);
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    admin.post("CheckBackup", &[("name", newest)]).expect_status(200);
    let checked = settled();
    assert_eq!(checked["outcome"]["isGood"], false, "{checked}");
    assert!(
        checked["lastCheckFailure"].as_str().unwrap().contains(newest),
        "{checked}"
    );
    let problems = read(&admin, "GetAdminOverview")["problems"].clone();
    assert_eq!(problems[0]["helps"], "backups", "{problems}");
    admin
        .post("CheckBackup", &[("name", "../data/fluglog.redb")])
        .expect_status(200);
    assert_eq!(
        settled()["outcome"]["sentence"],
        "Diese Sicherung liegt dort nicht mehr."
    );
    let left: Vec<_> = std::fs::read_dir(server.directory())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert!(
        left.iter().all(|name| !text(Path::new(name)).starts_with('.')),
        "{left:?}"
    );
}

#[test]
fn a_backup_that_is_made_in_the_browser_goes_to_the_targets_and_each_says_how_that_went() {
    let place = temporary_directory();
    let [folder, disk] = ["backups", "platte"].map(|name| place.path().join(name));
    for folder in [&folder, &disk] {
        std::fs::create_dir(folder).unwrap();
    }
    let server = Server::start_configured(&format!(
        "[backup.targets.platte]\nkind = \"folder\"\npath = \"{}\"\npassphrase = \"vier rote Propeller\"\nkeep = 2\n\
         [backup.targets.stick]\nkind = \"disk\"\nlabel = \"FLUGLOG STICK\"\n",
        text(&disk)
    ));
    let admin = admin(&server);
    shell(server.directory(), &["backup", "--output", text(&folder)]);
    let targets = |backups: &Value| backups["targets"].as_array().unwrap().clone();
    let before = targets(&read(&admin, "GetBackups"));
    // The command ran without the targets' settings.
    assert_eq!(
        (&before[0]["last"], &before[1]["lastFailure"]),
        (&json!(""), &json!(""))
    );
    admin.post_empty("MakeBackup").expect_status(200);
    let backups = wait::until("the backup is made", || {
        let backups = read(&admin, "GetBackups");
        (backups["busy"] == false).then_some(backups)
    });
    let missing = "Der Datenträger FLUGLOG STICK ist nicht eingehängt. Steckt er?";
    let outcome = backups["outcome"]["sentence"].as_str().unwrap();
    assert_eq!(backups["outcome"]["isGood"], false, "{backups}");
    assert!(
        outcome.contains("auch bei platte. Nicht bei stick: Der Datenträger"),
        "{outcome}"
    );
    assert_eq!(backups["lastBackupFailure"], "", "the backup itself is made");
    let after = targets(&backups);
    assert_eq!(
        (&after[0]["lastFailure"], &after[0]["keep"], &after[0]["encrypted"]),
        (&json!(""), &json!(2), &json!(true))
    );
    assert_eq!(
        (&after[1]["lastFailure"], &after[1]["lastGood"]),
        (&json!(missing), &json!(""))
    );
    let sent = std::fs::read_dir(&disk).unwrap().next().unwrap().unwrap();
    assert_eq!(after[0]["lastGoodBytes"], sent.metadata().unwrap().len());
    let problems = read(&admin, "GetAdminOverview")["problems"].clone();
    let of_target = problems
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["sentence"].to_string().contains("„stick“"));
    assert_eq!(of_target.unwrap()["helps"], "backups", "{problems}");
    let settings = read(&admin, "GetAdminSettings").to_string();
    assert!(
        settings.contains("platte, stick") && !settings.contains("Propeller"),
        "{settings}"
    );
}

#[test]
fn a_backup_is_downloaded_whole_while_pilots_save() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let image = vec![7; 3_000_000];
    anna.document("a.bin", &image);
    let admin = admin(&server);
    assert_eq!(read(&admin, "GetBackups")["lastDownload"], "");
    let archive = std::thread::scope(|scope| {
        let saving = scope.spawn(|| {
            for number in 0..20 {
                anna.item(COPTER, &format!("Falke {number}"));
            }
        });
        let answer = admin.get("/app/api/DownloadBackup").expect_status(200);
        saving.join().unwrap();
        assert!(answer.header("content-disposition").unwrap().contains("fluglog-"));
        answer.body
    });
    let file = server.directory().parent().unwrap().join("geladen.tar");
    std::fs::write(&file, &archive).unwrap();
    let verified = run(["backup", "verify", text(&file)]);
    assert_eq!(verified.code, 0, "{}", verified.stderr);
    assert_ne!(read(&admin, "GetBackups")["lastDownload"], "");
    server.log_with("access used: admin has downloaded a backup; account none; user ");
}

#[test]
fn what_is_read_names_no_flight_no_secret_and_no_text_of_a_mail() {
    let server = Server::start_with(&[("FLUGLOG_SMTP__PASSWORD", "geheim"), ("FLUGLOG_REGISTRATION", "closed")]);
    let anna = server.pilot("anna");
    anna.fly(&anna.item(COPTER, "Falke"), &[], &json!({"location": "Geheimwiese"}));
    anna.post("SendFeedback", &[("message", "Sehr schön"), ("rate", "9")])
        .expect_status(201);
    server.stranger().ask_for_login(ANNA);
    let token = server.nth_mail(ANNA, 1).token();
    server.stranger().log_in(ANNA, "Rotorblatt-18").expect_status(401);
    let admin = admin(&server);
    let settings = read(&admin, "GetAdminSettings");
    let of = |name: &str| {
        settings
            .as_array()
            .unwrap()
            .iter()
            .find(|one| one["name"] == name)
            .unwrap()
            .clone()
    };
    let registration = json!({
        "name": "registration", "value": "closed", "source": "Umgebung FLUGLOG_REGISTRATION", "isDefault": false
    });
    assert_eq!(of("registration"), registration);
    assert_eq!(
        (&of("smtp.password")["value"], &of("time_zone")["source"]),
        (&json!("…"), &json!("Vorgabe"))
    );
    let feedback = read(&admin, "GetAdminFeedback");
    assert_eq!(
        (&feedback[0]["message"], &feedback[0]["email"]),
        (&json!("Sehr schön"), &json!(ANNA))
    );
    let mails = read(&admin, "GetOutbox");
    assert_eq!((&mails["server"], &mails["kept"][0]["to"]), (&json!(""), &json!(ANNA)));
    let log = read(&admin, "GetAdminLog");
    let refused = log
        .as_array()
        .unwrap()
        .iter()
        .find(|line| line["kind"] == "refusal")
        .unwrap();
    assert_eq!(
        (&refused["text"], &refused["by"]),
        (&json!("wrong password"), &json!(ANNA))
    );
    let outcome = admin.post("SendTestMail", &[("email", OTTO)]).expect_status(200).json();
    assert_eq!(outcome["isGood"], false, "there is no mail server: {outcome}");
    let overview = read(&admin, "GetAdminOverview");
    assert_eq!(overview["users"], 2, "{overview}");
    for shown in [&settings, &mails, &log, &overview, &read(&admin, "GetAdminAccounts")] {
        let shown = shown.to_string();
        for secret in ["geheim", "Geheimwiese", "Falke", &token] {
            assert!(!shown.contains(secret), "{secret} in {shown}");
        }
    }
}

#[test]
fn a_link_to_a_new_password_goes_by_mail_and_a_failed_mail_is_sent_again_on_request() {
    let mail_server = MailServer::start(Behaviour::Busy);
    let settings = mail_server.settings();
    let mut settings: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    settings.retain(|(name, _)| *name != "FLUGLOG_SMTP__RETRY_SECONDS");
    settings.push(("FLUGLOG_SMTP__RETRY_SECONDS", "3000"));
    let server = Server::start_with(&settings);
    server.add_user(ANNA, "Anna", PASSWORD);
    let admin = admin(&server);
    admin
        .post("ResetAccount", &[("email", ANNA), ("byMail", "true")])
        .expect_status(201);
    let waiting = wait::until("a try that failed", || {
        let waiting = read(&admin, "GetOutbox")["waiting"].clone();
        (waiting[0]["attempts"] == 1).then_some(waiting)
    });
    assert!(waiting[0]["to"] == ANNA && waiting[0]["failure"] != "", "{waiting}");
    mail_server.set_behaviour(Behaviour::Takes);
    admin.post_empty("ResendMails").expect_status(200);
    let mail = mail_server.wait_for(1).pop().unwrap();
    assert!(
        mail.to == ANNA && mail.link().contains("/app/passwordReset#"),
        "{}",
        mail.text
    );
    let opened = server.stranger().post("GetPasswordReset", &[("token", &mail.token())]);
    assert_eq!(opened.expect_status(200).json()["email"], ANNA);
}

#[test]
fn overview_and_shell_show_a_newer_version_that_apt_has() {
    let system = temporary_directory();
    let (dpkg, apt) = (
        system.path().join("var/lib/dpkg"),
        system.path().join("var/lib/apt/lists"),
    );
    for folder in [&dpkg, &apt] {
        std::fs::create_dir_all(folder).unwrap();
    }
    let package =
        |version: &str, more: &str| format!("Package: fluglog\n{more}Architecture: all\nVersion: {version}\n\n");
    std::fs::write(
        dpkg.join("status"),
        package("1.5.0-1", "Status: install ok installed\n"),
    )
    .unwrap();
    let server = Server::start_with(&[("DPKG_ROOT", text(system.path()))]);
    let admin = admin(&server);
    let overview = read(&admin, "GetAdminOverview");
    assert_eq!(
        (&overview["version"], &overview["newerVersion"]),
        (&json!(env!("CARGO_PKG_VERSION")), &json!(""))
    );
    let is_release = option_env!("SOURCE_DATE_EPOCH").is_some();
    assert_eq!(overview["released"] != "", is_release, "{overview}");
    let told = "Version 99.1.0 liegt bereit: sudo apt upgrade";
    assert!(!shell(server.directory(), &["status"]).contains("liegt bereit"));

    std::fs::write(apt.join("fluglog.example.org_._Packages"), package("99.1.0-1", "")).unwrap();
    assert_eq!(read(&admin, "GetAdminOverview")["newerVersion"], "99.1.0");
    let shown = shell(server.directory(), &["status"]);
    assert!(shown.contains(told), "{shown}");
    let shown: Value = serde_json::from_str(&shell(server.directory(), &["status", "--json"])).unwrap();
    assert_eq!(shown["newerVersion"], "99.1.0", "{shown}");
}
