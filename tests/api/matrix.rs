//! Every call, asked by everybody with every method. The server's own list of calls is looked at for one thing only: a call
//! without a row here fails the test.

use serde_json::json;

use crate::harness::calls::{COPTER, keys};
use crate::harness::{PASSWORD, Pilot, Server};

/// One call with the fields that make sense to Anna, and what the three get who send them.
struct Call {
    name: &'static str,
    method: &'static str,
    fields: Vec<(&'static str, String)>,
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
}

/// The calls in an order in which each succeeds for Anna.
fn calls(hers: &Hers) -> Vec<Call> {
    let id = |id: &str| vec![("dpfId", id.to_owned())];
    let form = |name, value: serde_json::Value| vec![(name, value.to_string())];
    let call = |name, fields, statuses: [u16; 3]| Call {
        name,
        method: "POST",
        fields,
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
        call("DeleteFlight", id(&hers.finished), [401, 403, 200]),
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
        call("Login", login, [202, 202, 202]),
        call("Logout", vec![], [200, 200, 200]),
    ]
}

fn anna_s_things(anna: &Pilot) -> Hers {
    let (copter, retired) = (anna.item(COPTER, "Falke"), anna.item(COPTER, "Wrack"));
    anna.deactivate(&retired, "verloren").expect_status(200);
    let finished = anna.fly(&copter, &[], &json!({"flightTime": 5}));
    let open = anna.take_off(&copter);
    Hers {
        copter,
        retired,
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
    let question = pilot.ask(call.method, &format!("/app/api/{}", call.name));
    let question = if fields.is_empty() {
        question
    } else {
        question.form(&fields)
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
    let nobody_s = ["copter", "retired", "finished", "open"].map(str::to_owned);
    let [copter, retired, finished, open] = nobody_s;
    let hers = Hers {
        copter,
        retired,
        finished,
        open,
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
    assert_eq!(keys(&before), ["active", "flights", "retired", "session", "user"]);
}
