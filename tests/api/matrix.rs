//! Every call, asked by everybody with every method. The server's own list of calls is looked at for one thing only: a call
//! without a row here fails the test.

use serde_json::json;

use crate::harness::calls::{BATTERY, COPTER, id_in, keys};
use crate::harness::client::encode;
use crate::harness::{PASSWORD, Pilot, Server, pictures};

/// One call with the fields that make sense to Anna, and what the three get who send them.
struct Call {
    name: &'static str,
    method: &'static str,
    fields: Fields,
    /// Sent as multipart: the field of each file, and its content.
    files: Option<Vec<(&'static str, Vec<u8>)>>,
    anonymous: u16,
    /// Ben sends Anna's ids.
    ben: u16,
    anna: u16,
}

/// What belongs to Anna.
#[derive(Default)]
struct Hers {
    copter: String,
    battery: String,
    retired: String,
    finished: String,
    open: String,
    document: String,
    token: String,
    log: String,
    image: String,
    photo: String,
}

type Fields = Vec<(&'static str, String)>;

/// A call by POST; `statuses` are those of a stranger, of Ben and of Anna.
fn call(name: &'static str, fields: Fields, statuses: [u16; 3]) -> Call {
    let [anonymous, ben, anna] = statuses;
    Call {
        name,
        method: "POST",
        fields,
        files: None,
        anonymous,
        ben,
        anna,
    }
}

fn get(name: &'static str, fields: Fields, statuses: [u16; 3]) -> Call {
    let call = call(name, fields, statuses);
    Call { method: "GET", ..call }
}

fn upload(name: &'static str, fields: Fields, file: Option<(&'static str, &[u8])>, statuses: [u16; 3]) -> Call {
    let files = file.iter().map(|(field, content)| (*field, content.to_vec())).collect();
    let call = call(name, fields, statuses);
    Call {
        files: Some(files),
        ..call
    }
}

fn id(id: &str) -> Fields {
    vec![("dpfId", id.to_owned())]
}

fn form(name: &'static str, value: &serde_json::Value) -> Fields {
    vec![(name, value.to_string())]
}

fn texts(fields: &[(&'static str, &str)]) -> Fields {
    fields
        .iter()
        .map(|(name, value)| (*name, (*value).to_owned()))
        .collect()
}

/// The calls in an order in which each succeeds for Anna.
fn calls(hers: &Hers) -> Vec<Call> {
    let mut calls = reading_calls(hers);
    calls.extend(file_calls(hers));
    calls.extend(log_and_image_calls(hers));
    calls.extend(writing_calls(hers));
    calls.extend(account_calls());
    calls
}

fn account_calls() -> Vec<Call> {
    let email = ("email", "anna@example.org");
    let unknown = ("token", "unknown");
    let repeated = [("password", PASSWORD), ("repeatPassword", PASSWORD)];
    vec![
        call("GetLoginRequest", texts(&[unknown]), [410, 410, 410]),
        call("ConfirmLogin", texts(&[unknown, ("number", "11")]), [410, 410, 410]),
        call("CheckLoginToken", texts(&[email]), [204, 204, 204]),
        call(
            "RegistrationAndVerification",
            texts(&[email, ("nickname", "Anna")]),
            [409, 409, 409],
        ),
        call("Verification", texts(&[("code", "123456")]), [410, 410, 410]),
        call(
            "SendFeedback",
            texts(&[("message", "Gut"), ("rate", "9")]),
            [401, 201, 201],
        ),
        call("SavePassword", texts(&repeated), [401, 200, 200]),
        call("LogOutFromEveryDevice", vec![], [401, 200, 200]),
        call("Login", texts(&[email, ("password", PASSWORD)]), [202, 202, 202]),
        call("Logout", vec![], [200, 200, 200]),
    ]
}

fn reading_calls(hers: &Hers) -> Vec<Call> {
    let list = texts(&[("type", "0"), ("deactivated", "false")]);
    vec![
        call("CheckSession", vec![], [401, 200, 200]),
        call("GetDetailedUser", vec![], [401, 200, 200]),
        call("GetStatistics", vec![], [401, 200, 200]),
        call("GetFlightMonths", vec![], [401, 200, 200]),
        get("GetAllEquipments", vec![], [401, 200, 200]),
        call("GetEquipments", list, [401, 200, 200]),
        call("GetEquipment", id(&hers.copter), [401, 403, 200]),
        call("GetChargings", texts(&[("battery", &hers.battery)]), [401, 403, 200]),
        call("GetFlights", vec![], [401, 204, 200]),
        call("GetFlight", id(&hers.open), [401, 403, 200]),
    ]
}

fn file_calls(hers: &Hers) -> Vec<Call> {
    let document = || id(&hers.document);
    let describe = [document(), texts(&[("description", "b")])].concat();
    let token = || texts(&[("token", &hers.token)]);
    let photo = pictures::jpeg(20, 10);
    let name = texts(&[("firstname", "a")]);
    vec![
        get("GetPhoto", texts(&[("uuid", &hers.photo)]), [401, 403, 200]),
        get("SharedDocument", token(), [200, 200, 200]),
        call("StopShareDocument", token(), [401, 403, 200]),
        call("GetUserDocuments", vec![], [401, 200, 200]),
        call("DownloadDocument", document(), [401, 403, 200]),
        call("ShareDocument", document(), [401, 403, 200]),
        call("EditUserDocument", describe, [401, 403, 200]),
        call("DeleteUserDocument", document(), [401, 403, 200]),
        upload("UploadUserDocument", vec![], Some(("file", b"b")), [401, 201, 201]),
        upload("SaveProfile", name, Some(("photo", &photo)), [401, 201, 201]),
    ]
}

fn log_and_image_calls(hers: &Hers) -> Vec<Call> {
    let entries = texts(&[("info", "b"), ("time", "01.03.2026 09:05")]);
    let log_of = |subject: &str| [id(subject), entries.clone()].concat();
    let image = || texts(&[("uuid", &hers.image)]);
    let flight = || texts(&[("flight", &hers.finished)]);
    let picture = pictures::jpeg(20, 10);
    vec![
        call("GetEquipmentLogs", id(&hers.copter), [401, 403, 200]),
        call("GetFlightLogs", id(&hers.finished), [401, 403, 200]),
        upload("SaveEquipmentLog", log_of(&hers.copter), None, [401, 403, 201]),
        upload(
            "SaveFlightLog",
            log_of(&hers.finished),
            Some(("file", b"b")),
            [401, 403, 201],
        ),
        upload("EditLog", log_of(&hers.log), None, [401, 403, 200]),
        call("DeleteLog", id(&hers.log), [401, 403, 200]),
        get("GetImage", image(), [401, 403, 200]),
        get("GetImagePreview", image(), [401, 403, 200]),
        upload(
            "UploadImageForFlight",
            flight(),
            Some(("files", &picture)),
            [401, 403, 201],
        ),
        call("DeleteImage", [image(), flight()].concat(), [401, 403, 200]),
    ]
}

fn writing_calls(hers: &Hers) -> Vec<Call> {
    let new = form("equipment", &json!({"type": COPTER, "name": "Falke"}));
    let edit = form(
        "equipment",
        &json!({"dpfId": hers.copter, "type": COPTER, "name": "Milan"}),
    );
    let retire = texts(&[("dpfId", &hers.retired), ("info", "verkauft")]);
    let start = [
        ("battery", hers.battery.as_str()),
        ("chargeStartTime", "10.05.2026 18:00"),
        ("fromVoltage", "14,8"),
    ];
    let finish = [
        form("flight", &json!({"dpfId": hers.open})),
        texts(&[("endFlight", "true")]),
    ]
    .concat();
    let config = || form("config", &json!({"copter": hers.copter, "equipments": []}));
    let flown = [config(), form("flight", &json!({"startTime": "01.03.2026 09:05"}))].concat();
    vec![
        call("SaveNewEquipment", new, [401, 200, 200]),
        call("SaveEditEquipment", edit, [401, 403, 200]),
        call("ActivateEquipment", id(&hers.retired), [401, 403, 200]),
        call("DeactivateEquipment", retire, [401, 403, 200]),
        call("SaveCharging", texts(&start), [401, 403, 200]),
        call("SaveFlight", finish, [401, 403, 200]),
        call("CreateFlight", config(), [401, 403, 200]),
        call("AddFlight", flown, [401, 403, 201]),
        call("DeleteFlight", id(&hers.finished), [401, 403, 200]),
    ]
}

fn anna_s_things(anna: &Pilot) -> Hers {
    let (copter, retired) = (anna.item(COPTER, "Falke"), anna.item(COPTER, "Wrack"));
    anna.deactivate(&retired, "verloren").expect_status(200);
    let finished = anna.fly(&copter, &[], &json!({"flightTime": 5}));
    let open = anna.take_off(&copter);
    let document = anna.document("a.txt", b"geheim");
    let share = anna
        .post("ShareDocument", &[("dpfId", &document)])
        .expect_status(200)
        .json();
    let log = [
        ("dpfId", finished.as_str()),
        ("info", "geheim"),
        ("time", "01.03.2026 09:05"),
    ];
    let log = anna.upload("SaveFlightLog", &log, &[]).expect_status(201).json();
    let picture = pictures::jpeg(20, 10);
    let user = anna
        .upload("SaveProfile", &[], &[("photo", "a.jpg", &picture)])
        .expect_status(201)
        .json();
    let photo = user["photo"].as_str().unwrap().split('=').nth(1).unwrap().to_owned();
    Hers {
        battery: anna.item(BATTERY, "Akku"),
        copter,
        retired,
        document,
        token: share["token"].as_str().unwrap().to_owned(),
        log: id_in(&log),
        image: anna.add_images(&finished, &[&picture]).remove(0),
        photo,
        finished,
        open,
    }
}

#[track_caller]
fn ask(pilot: &Pilot, call: &Call, status: u16, who: &str) {
    let fields: Vec<_> = call
        .fields
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let path = format!("/app/api/{}", call.name);
    let question = match &call.files {
        Some(files) => {
            let files: Vec<_> = files
                .iter()
                .map(|(field, content)| (*field, "a.jpg", content.as_slice()))
                .collect();
            pilot.upload_question(call.name, &fields, &files)
        }
        None if call.method == "GET" => pilot.ask("GET", &format!("{path}?{}", encode(&fields))),
        None if fields.is_empty() => pilot.ask(call.method, &path),
        None => pilot.ask(call.method, &path).form(&fields),
    };
    let answer = question.send();
    assert_eq!(answer.status, status, "{} for {who}: {}", call.name, answer.text());
    match status {
        401 => drop(answer.expect_not_logged_in()),
        403 => drop(answer.expect_no_access()),
        _ => {}
    }
}

#[test]
fn every_call_of_the_server_has_its_row() {
    let mut rows: Vec<_> = calls(&Hers::default())
        .iter()
        .map(|call| (call.name, call.method.to_owned()))
        .collect();
    let mut served: Vec<_> = fluglog::calls::CALLS
        .iter()
        .map(|call| (call.name, call.method.as_str().to_owned()))
        .collect();
    rows.sort();
    served.sort();
    assert_eq!(rows, served);
}

#[test]
fn every_call_answers_everybody_as_it_must() {
    let server = Server::start();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let hers = anna_s_things(&anna);
    let before = anna.everything();
    for call in calls(&hers) {
        // A browser for each call: Login and Logout must not change who asks the next one.
        ask(&server.stranger(), &call, call.anonymous, "a stranger");
        let tab = if call.name == "Logout" {
            server.stranger()
        } else {
            ben.another_tab()
        };
        match call.name {
            "Login" => {}
            // It ends all logins but that of the browser that asks.
            "SavePassword" => ask(&ben, &call, call.ben, "Ben"),
            _ => ask(&tab, &call, call.ben, "Ben"),
        }
    }
    assert_eq!(anna.everything(), before, "strangers and Ben changed what is Anna's");
    for call in calls(&hers) {
        ask(&anna, &call, call.anna, "Anna");
    }
}

#[test]
fn no_call_takes_another_method() {
    let server = Server::start();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let hers = anna_s_things(&anna);
    let before = anna.everything();
    let stranger = server.stranger();
    for call in calls(&hers) {
        for method in ["GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] {
            if method == call.method {
                continue;
            }
            for (who, pilot) in [("a stranger", &stranger), ("Anna", &anna), ("Ben", &ben)] {
                let answer = pilot.ask(method, &format!("/app/api/{}", call.name)).send();
                assert_eq!(
                    answer.status,
                    405,
                    "{method} {} for {who}: {}",
                    call.name,
                    answer.text()
                );
                assert_eq!(answer.header("allow"), Some(call.method), "{method} {}", call.name);
            }
        }
    }
    assert_eq!(anna.everything(), before);
}

#[test]
fn a_put_with_the_right_fields_is_still_no_post() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let copter = anna.item(COPTER, "Falke");
    let before = anna.everything();
    let fields = [("dpfId", copter.as_str()), ("info", "verloren")];
    for method in ["PUT", "PATCH", "DELETE"] {
        let question = anna.ask(method, "/app/api/DeactivateEquipment");
        if method == "DELETE" {
            question.send().expect_status(405);
        } else {
            question.form(&fields).send().expect_status(405);
        }
    }
    assert_eq!(anna.everything(), before);
}

#[test]
fn what_reads_changes_nothing() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let hers = anna_s_things(&anna);
    let before = anna.everything();
    let database = || std::fs::read(server.directory().join("fluglog.redb")).unwrap();
    let bytes = database();
    for path in [
        "/",
        "/app/",
        "/app/health",
        "/app/legal/impressum.txt",
        "/app/api/GetAllEquipments",
        "/app/assets/x",
    ] {
        anna.get(path);
    }
    for call in calls(&hers).iter().filter(|call| call.name.starts_with("Get")) {
        ask(&anna, call, call.anna, "Anna");
    }
    assert!(bytes == database(), "the database file changed");
    assert_eq!(anna.everything(), before);
    assert_eq!(
        keys(&before),
        [
            "active",
            "chargings",
            "documents",
            "flights",
            "retired",
            "session",
            "statistics",
            "user"
        ]
    );
}
