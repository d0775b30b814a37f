//! Every call, asked by everybody with every method. The server's own list of calls is looked at for one thing only: a call
//! without a row here fails the test.

use serde_json::json;

use crate::harness::calls::{COPTER, id_in, keys};
use crate::harness::client::encode;
use crate::harness::{PASSWORD, Pilot, Server, pictures};

/// One call with the fields that make sense to Anna, and what the three get who send them.
struct Call {
    name: &'static str,
    method: &'static str,
    fields: Vec<(&'static str, String)>,
    /// The field of a file, and its content. Such a call is sent as multipart.
    files: Option<Vec<(&'static str, Vec<u8>)>>,
    anonymous: u16,
    /// Ben sends Anna's ids.
    ben: u16,
    anna: u16,
}

/// What belongs to Anna.
struct Hers {
    copter: String,
    retired: String,
    finished: String,
    open: String,
    document: String,
    token: String,
    log: String,
    image: String,
    photo: String,
}

/// The calls in an order in which each succeeds for Anna.
fn calls(hers: &Hers) -> Vec<Call> {
    let id = |id: &str| vec![("dpfId", id.to_owned())];
    let form = |name, value: serde_json::Value| vec![(name, value.to_string())];
    let call = |name, fields, statuses: [u16; 3]| Call {
        name,
        method: "POST",
        fields,
        files: None,
        anonymous: statuses[0],
        ben: statuses[1],
        anna: statuses[2],
    };
    let login = vec![
        ("email", "anna@example.org".to_owned()),
        ("password", PASSWORD.to_owned()),
    ];
    let edit = json!({"dpfId": hers.copter, "type": COPTER, "name": "Milan"});
    let retire = [id(&hers.copter), vec![("info", "verkauft".to_owned())]].concat();
    let finish = [
        form("flight", json!({"dpfId": hers.open})),
        vec![("endFlight", "true".to_owned())],
    ]
    .concat();
    let list = vec![("type", "0".to_owned()), ("deactivated", "false".to_owned())];
    vec![
        call("CheckSession", vec![], [401, 200, 200]),
        call("GetDetailedUser", vec![], [401, 200, 200]),
        call("GetStatistics", vec![], [401, 200, 200]),
        Call {
            method: "GET",
            ..call("GetAllEquipments", vec![], [401, 200, 200])
        },
        call("GetEquipments", list, [401, 200, 200]),
        call("GetFlights", vec![], [401, 204, 200]),
        call("GetEquipment", id(&hers.copter), [401, 403, 200]),
        call("GetFlight", id(&hers.open), [401, 403, 200]),
        call("SaveEditEquipment", form("equipment", edit), [401, 403, 200]),
        call("ActivateEquipment", id(&hers.retired), [401, 403, 200]),
        call("SaveFlight", finish, [401, 403, 200]),
        call(
            "CreateFlight",
            form("config", json!({"copter": hers.copter, "equipments": []})),
            [401, 403, 200],
        ),
        call(
            "DeactivateEquipment",
            [id(&hers.retired), retire[1..].to_vec()].concat(),
            [401, 403, 200],
        ),
        call(
            "SaveNewEquipment",
            form("equipment", json!({"type": COPTER, "name": "Falke"})),
            [401, 200, 200],
        ),
    ]
    .into_iter()
    .chain(calls_with_files(hers))
    .chain([
        call("DeleteFlight", id(&hers.finished), [401, 403, 200]),
        call("Login", login, [202, 202, 202]),
        call("Logout", vec![], [200, 200, 200]),
    ])
    .collect()
}

fn calls_with_files(hers: &Hers) -> Vec<Call> {
    let call = |name, fields: &[(&'static str, &str)], statuses: [u16; 3]| Call {
        name,
        method: "POST",
        fields: fields
            .iter()
            .map(|(name, value)| (*name, (*value).to_owned()))
            .collect(),
        files: None,
        anonymous: statuses[0],
        ben: statuses[1],
        anna: statuses[2],
    };
    let get = |name, fields: &[(&'static str, &str)], statuses| Call {
        method: "GET",
        ..call(name, fields, statuses)
    };
    let upload = |name, fields: &[(&'static str, &str)], file: Option<(&'static str, &[u8])>, statuses| Call {
        files: Some(file.iter().map(|(field, content)| (*field, content.to_vec())).collect()),
        ..call(name, fields, statuses)
    };
    let picture = pictures::jpeg(20, 10);
    let log = [("info", "b"), ("time", "01.03.2026 09:05")];
    let log_of = |id| [("dpfId", id), log[0], log[1]];
    let (document, image, token) = (hers.document.as_str(), hers.image.as_str(), hers.token.as_str());
    let flight = hers.finished.as_str();
    vec![
        get("GetPhoto", &[("uuid", &hers.photo)], [401, 403, 200]),
        upload(
            "SaveProfile",
            &[("firstname", "a")],
            Some(("photo", &picture)),
            [401, 201, 201],
        ),
        get("SharedDocument", &[("token", token)], [200, 200, 200]),
        call("StopShareDocument", &[("token", token)], [401, 403, 200]),
        call("GetUserDocuments", &[], [401, 200, 200]),
        call("DownloadDocument", &[("dpfId", document)], [401, 403, 200]),
        call("ShareDocument", &[("dpfId", document)], [401, 403, 200]),
        call(
            "EditUserDocument",
            &[("dpfId", document), ("description", "b")],
            [401, 403, 200],
        ),
        call("DeleteUserDocument", &[("dpfId", document)], [401, 403, 200]),
        upload("UploadUserDocument", &[], Some(("file", b"b")), [401, 201, 201]),
        call("GetEquipmentLogs", &[("dpfId", &hers.copter)], [401, 403, 200]),
        call("GetFlightLogs", &[("dpfId", flight)], [401, 403, 200]),
        upload("SaveEquipmentLog", &log_of(&hers.copter), None, [401, 403, 201]),
        upload("SaveFlightLog", &log_of(flight), Some(("file", b"b")), [401, 403, 201]),
        upload("EditLog", &log_of(&hers.log), None, [401, 403, 200]),
        call("DeleteLog", &[("dpfId", &hers.log)], [401, 403, 200]),
        get("GetImage", &[("uuid", image)], [401, 403, 200]),
        get("GetImagePreview", &[("uuid", image)], [401, 403, 200]),
        upload(
            "UploadImageForFlight",
            &[("flight", flight)],
            Some(("files", &picture)),
            [401, 403, 201],
        ),
        call("DeleteImage", &[("uuid", image), ("flight", flight)], [401, 403, 200]),
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
    let image = anna.add_images(&finished, &[&pictures::jpeg(20, 10)]).remove(0);
    let photo = pictures::jpeg(20, 10);
    let user = anna
        .upload("SaveProfile", &[], &[("photo", "a.jpg", &photo)])
        .expect_status(201)
        .json();
    let photo = user["photo"].as_str().unwrap().split('=').nth(1).unwrap().to_owned();
    Hers {
        copter,
        retired,
        finished,
        open,
        document,
        token: share["token"].as_str().unwrap().to_owned(),
        log: id_in(&log),
        image,
        photo,
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
    let nobody_s = || "x".to_owned();
    let hers = Hers {
        copter: nobody_s(),
        retired: nobody_s(),
        finished: nobody_s(),
        open: nobody_s(),
        document: nobody_s(),
        token: nobody_s(),
        log: nobody_s(),
        image: nobody_s(),
        photo: nobody_s(),
    };
    let mut rows: Vec<_> = calls(&hers)
        .iter()
        .map(|call| (call.name, call.method.to_owned()))
        .collect();
    let mut served: Vec<_> = fluglog::server::CALLS
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
        if call.name != "Login" {
            ask(&tab, &call, call.ben, "Ben");
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
        ["active", "documents", "flights", "retired", "session", "user"]
    );
}
