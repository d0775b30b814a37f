//! A repeated request has no second effect, whatever happened to the first: each call that changes a pilot's data,
//! with the same `requestId`.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;

use serde_json::{Value, json};
use uuid::Uuid;

use fluglog::calls;
use fluglog_accounts::call::Handler;

use crate::api::matrix::{self, Hers};
use crate::api::spaces::{club, invite, join, member};
use crate::harness::calls::{BATTERY, COPTER, GOGGLES, id_in};
use crate::harness::client::{FORM, RequestBuilder, encode};
use crate::harness::files::{MULTIPART, multipart};
use crate::harness::raw::{Connection, exchange};
use crate::harness::{PASSWORD, Pilot, Server, pictures, run_with_input, temporary_directory, text};

const OF_ANOTHER_CALL: &str = "Die Kennung dieser Anfrage gehört schon zu einer anderen.";
const TIME: &str = "01.03.2026 09:05";
const INSTANT: &str = "2026-03-01T09:00:00Z";

/// A changing call with a valid request.
#[derive(Clone)]
struct Change {
    call: &'static str,
    fields: Vec<(String, String)>,
    /// Field and content of each file, if the call takes files.
    files: Option<Vec<(String, Vec<u8>)>>,
    status: u16,
}

impl Change {
    fn form(call: &'static str, fields: &[(&str, &str)]) -> Change {
        let fields = fields
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        Change {
            call,
            fields,
            files: None,
            status: 200,
        }
    }

    fn upload(call: &'static str, fields: &[(&str, &str)], file: (&str, &[u8])) -> Change {
        Change {
            files: Some(vec![(file.0.to_owned(), file.1.to_vec())]),
            status: 201,
            ..Change::form(call, fields)
        }
    }

    /// The content type and the body.
    fn body(&self, request: &str) -> (&'static str, Vec<u8>) {
        let fields = self.fields.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let fields: Vec<_> = fields.chain([("requestId", request)]).collect();
        match &self.files {
            None => (FORM, encode(&fields).into_bytes()),
            Some(files) => {
                let files: Vec<_> = files
                    .iter()
                    .map(|(field, content)| (field.as_str(), "bild.jpg", content.as_slice()))
                    .collect();
                (MULTIPART, multipart(&fields, &files))
            }
        }
    }

    fn question<'p>(&self, pilot: &'p Pilot, request: &str) -> RequestBuilder<'p> {
        let (kind, body) = self.body(request);
        pilot.ask("POST", &format!("/app/api/{}", self.call)).body(kind, &body)
    }

    /// The call with an invalid value in each field, and a file that isn't a picture.
    fn garbled(&self) -> Change {
        let fields = self
            .fields
            .iter()
            .map(|(name, _)| (name.clone(), "\u{1}{".to_owned()))
            .collect();
        let files = self.files.as_ref();
        Change {
            fields,
            files: files.map(|files| {
                files
                    .iter()
                    .map(|(field, _)| (field.clone(), b"garbage".to_vec()))
                    .collect()
            }),
            ..*self
        }
    }
}

/// A pilot's objects before the changes.
struct Things {
    copter: String,
    spare: String,
    retired: String,
    battery: String,
    charged: String,
    charging: String,
    flight: String,
    doomed_flight: String,
    open: String,
    log: String,
    doomed_log: String,
    image: String,
    document: String,
    proof: Value,
    doomed_document: String,
    share: String,
    login: String,
    access_token: String,
    import: String,
    reading: String,
    together: [String; 3],
    jobs: [String; 4],
    spaces: Spaces,
}

/// Clubs of a pilot and of somebody else.
struct Spaces {
    /// Managed by both; the other one's membership, and an invitation.
    shared: String,
    other: String,
    invitation: String,
    /// Managed by the other one, with the pilot as a member.
    left: String,
    /// The pilot's alone.
    dissolved: String,
    /// An invitation to another club.
    token: String,
}

fn spaces(pilot: &Pilot) -> Spaces {
    let [shared, dissolved] = [club(pilot), club(pilot)];
    let token = invite(pilot, &shared, &[("role", "4")]);
    let other = pilot.another_tab();
    other.forget_cookie("session");
    let email = format!("{}@example.org", fresh());
    let account = [
        ("token", token.as_str()),
        ("email", &email),
        ("nickname", "other"),
        ("password", PASSWORD),
    ];
    other.post("RegisterByInvitation", &account).expect_status(201);
    let left = club(&other);
    join(&other, &left, pilot, 2);
    let invitation = pilot.post("SaveInvitation", &[("space", &shared)]).expect_status(201);
    Spaces {
        other: member(pilot, &shared, "other"),
        invitation: id_in(&invitation.json()),
        token: invite(&other, &club(&other), &[]),
        shared,
        left,
        dissolved,
    }
}

fn space_changes(things: &Things) -> Vec<Change> {
    let Spaces {
        left, dissolved, token, ..
    } = &things.spaces;
    vec![
        Change::form("LeaveSpace", &[("space", left)]),
        Change::form("DissolveSpace", &[("space", dissolved)]),
        Change::form("AcceptSpaceInvitation", &[("token", token)]),
    ]
}

fn things(pilot: &Pilot) -> Things {
    let [copter, spare, retired] = ["Falke", "Ersatz", "Wrack"].map(|name| pilot.item(COPTER, name));
    pilot.deactivate(&retired, "verloren").expect_status(200);
    let [battery, charged] = ["Akku 1", "Akku 2"].map(|name| pilot.item(BATTERY, name));
    let begun = [("chargeStartTime", TIME), ("fromVoltage", "14,8")];
    let charging = id_in(&pilot.save_charging(&charged, &begun).expect_status(200).json());
    let fly = |start: &str| pilot.fly(&copter, &[], &json!({"startTime": start, "flightTime": 5}));
    let (flight, doomed_flight) = (fly("02.03.2026 10:00"), fly("03.03.2026 10:00"));
    let log = |info| {
        let fields = [("dpfId", copter.as_str()), ("info", info), ("time", TIME)];
        let file: [(&str, &str, &[u8]); 1] = [("file", "a.txt", b"a")];
        id_in(
            &pilot
                .upload("SaveEquipmentLog", &fields, &file)
                .expect_status(201)
                .json(),
        )
    };
    let (log, doomed_log) = (log("Propeller"), log("Irrtum"));
    let [document, doomed_document] = ["Nachweis.pdf", "Alt.pdf"].map(|name| pilot.document(name, b"b"));
    let proof = pilot.proof("A2.jpg", &pictures::jpeg(20, 10), &json!({"kind": 1}));
    let share = pilot.post("ShareDocument", &[("dpfId", &document)]);
    let share = share.expect_status(200).json()["token"].as_str().unwrap().to_owned();
    Things {
        image: pilot.add_images(&flight, &[&pictures::jpeg(20, 10)]).remove(0),
        open: pilot.take_off(&copter),
        login: pilot.log_in_elsewhere(),
        access_token: pilot.access_token_id(),
        import: id_in(
            &pilot
                .upload("UploadImport", &[], &[("files", "Heft.csv", matrix::TABLE)])
                .expect_status(201)
                .json(),
        ),
        jobs: matrix::jobs_of(pilot, &copter),
        spaces: spaces(pilot),
        reading: pilot.reading(&battery, &[("voltage", "15,2"), ("time", TIME)]),
        together: matrix::packs_together(pilot),
        copter,
        spare,
        retired,
        battery,
        charged,
        charging,
        flight,
        doomed_flight,
        log,
        doomed_log,
        document,
        doomed_document,
        proof,
        share,
    }
}

/// Every call that changes a pilot's data, in an order in which each succeeds.
fn changes(things: &Things) -> Vec<Change> {
    let [.., said] = &things.together;
    let mut changes = [
        // Undoing is possible for a minute.
        vec![Change::form("Undo", &[("undo", said)])],
        equipment_changes(things),
        flight_changes(things),
        file_changes(things),
        space_changes(things),
    ]
    .concat();
    changes.extend(sensible_changes(things, &changes));
    changes
}

/// The changing calls that aren't in `named`, each with a valid request.
fn sensible_changes(things: &Things, named: &[Change]) -> Vec<Change> {
    let [second, set, said] = things.together.clone();
    let hers = Hers {
        sticker: String::new(),
        jobs: things.jobs.clone(),
        space: things.spaces.shared.clone(),
        member: things.spaces.other.clone(),
        invitation: things.spaces.invitation.clone(),
        second,
        set,
        said,
        copter: things.copter.clone(),
        battery: things.battery.clone(),
        retired: things.retired.clone(),
        finished: things.flight.clone(),
        open: things.open.clone(),
        document: things.document.clone(),
        proof: id_in(&things.proof),
        page: String::new(),
        token: things.share.clone(),
        log: things.log.clone(),
        image: things.image.clone(),
        photo: String::new(),
        login: things.login.clone(),
        access_token: things.access_token.clone(),
        import: things.import.clone(),
        reading: things.reading.clone(),
    };
    let changing = calls::all().filter(|call| match call.handler {
        Handler::Change { .. } | Handler::Upload { .. } => named.iter().all(|change| change.call != call.name),
        _ => false,
    });
    changing
        .map(|call| {
            let sent = matrix::sent(call.name, &hers);
            Change {
                call: call.name,
                fields: sent.fields,
                files: matches!(call.handler, Handler::Upload { .. }).then_some(sent.files),
                status: call.status(),
            }
        })
        .collect()
}

fn equipment_changes(things: &Things) -> Vec<Change> {
    let edited = json!({"dpfId": things.copter, "type": COPTER, "name": "Falke", "model": "X1"}).to_string();
    let begun = [
        ("battery", things.battery.as_str()),
        ("chargeStartTime", TIME),
        ("fromVoltage", "14,8"),
    ];
    let finished = [
        ("battery", things.charged.as_str()),
        ("dpfId", &things.charging),
        ("chargeEndTime", "01.03.2026 10:05"),
        ("toVoltage", "16,8"),
        ("charged", "1100"),
    ];
    vec![
        Change::form("SaveEditEquipment", &[("equipment", &edited)]),
        Change::form("DeactivateEquipment", &[("dpfId", &things.spare), ("info", "verkauft")]),
        Change::form("SaveCharging", &begun),
        Change::form("SaveCharging", &finished),
    ]
}

fn flight_changes(things: &Things) -> Vec<Change> {
    let config = json!({"copter": things.copter, "equipments": [things.battery], "payloads": []}).to_string();
    let finished = json!({"dpfId": things.open, "startTime": "04.03.2026 10:00", "flightTime": 7, "notes": "windig"});
    let edited = json!({"dpfId": things.flight, "distance": "1,5"}).to_string();
    let added = json!({"startTime": "05.03.2026 10:00", "flightTime": 9, "batteryEndVoltage": 14.2}).to_string();
    let log = [
        ("dpfId", things.flight.as_str()),
        ("info", "Landung hart"),
        ("time", TIME),
    ];
    let edited_log = [
        ("dpfId", things.log.as_str()),
        ("info", "Propeller neu"),
        ("time", TIME),
    ];
    vec![
        Change::form(
            "SaveFlight",
            &[("flight", &finished.to_string()), ("endFlight", "true")],
        ),
        Change::form("SaveFlight", &[("flight", &edited), ("endFlight", "false")]),
        Change::form("CreateFlight", &[("config", &config)]),
        Change {
            status: 201,
            ..Change::form("AddFlight", &[("config", &config), ("flight", &added)])
        },
        Change::form("DeleteFlight", &[("dpfId", &things.doomed_flight)]),
        Change::upload("SaveFlightLog", &log, ("file", b"Foto")),
        Change::upload(
            "SaveEquipmentLog",
            &[("dpfId", &things.copter), log[1], log[2]],
            ("file", b"Rechnung"),
        ),
        Change {
            status: 200,
            ..Change::upload("EditLog", &edited_log, ("file", b"Beleg"))
        },
        Change::form("DeleteLog", &[("dpfId", &things.doomed_log)]),
    ]
}

fn file_changes(things: &Things) -> Vec<Change> {
    vec![
        Change::form("DeleteImage", &[("uuid", &things.image), ("flight", &things.flight)]),
        Change::upload("UploadUserDocument", &[("description", "Ausweis")], ("file", b"e-ID")),
        Change::form("DeleteUserDocument", &[("dpfId", &things.doomed_document)]),
    ]
}

fn fresh() -> String {
    Uuid::now_v7().to_string()
}

/// All data of a pilot on the server, including logs.
fn state(pilot: &Pilot) -> Value {
    let mut state = pilot.everything();
    let mut logs = BTreeMap::new();
    for flight in state["flights"].as_array().unwrap() {
        let answer = pilot.post("GetFlightLogs", &[("dpfId", &id_in(flight))]);
        logs.insert(id_in(flight), answer.expect_status(200).json());
    }
    for copter in pilot.equipments(COPTER, false) {
        let answer = pilot.post("GetEquipmentLogs", &[("dpfId", &id_in(&copter))]);
        logs.insert(id_in(&copter), answer.expect_status(200).json());
    }
    state["logs"] = Value::Array(logs.into_values().collect());
    state
}

/// A state without the differences between two pilots who made the same changes: names, ids and times.
fn impersonal(state: Value) -> Value {
    const PERSONAL: [&str; 9] = [
        "sticker",
        "account",
        "email",
        "nickname",
        "photo",
        "images",
        "createTime",
        "uploadTime",
        "deactivateTime",
    ];
    match state {
        Value::Object(members) => members
            .into_iter()
            .map(|(name, value)| match PERSONAL.contains(&name.as_str()) {
                true => (name, json!(value.as_array().map(Vec::len))),
                false => (name, impersonal(value)),
            })
            .collect(),
        Value::Array(values) => {
            let mut values: Vec<_> = values.into_iter().map(impersonal).collect();
            values.sort_by_key(Value::to_string);
            Value::Array(values)
        }
        Value::String(text) if Uuid::parse_str(&text).is_ok() => json!("id"),
        // The open flight was started during the test.
        Value::String(text) if text.len() == INSTANT.len() && text.ends_with('Z') && !text.starts_with("2026-03") => {
            json!("instant")
        }
        Value::String(text) if !text.ends_with(".03.2026 10:00") && text.len() == TIME.len() => json!("time"),
        other => other,
    }
}

/// Number of feedback messages from a pilot.
fn feedbacks(directory: &Path, nickname: &str) -> usize {
    let done = run_with_input(["feedback", "list", "--json", "--data-dir", text(directory)], b"");
    let list: Value = serde_json::from_str(&done.stdout).unwrap();
    let list = list.as_array().unwrap();
    list.iter().filter(|feedback| feedback["nickname"] == nickname).count()
}

#[track_caller]
fn expect_clean(directory: &Path) {
    let done = run_with_input(["check", "--data-dir", text(directory)], b"");
    assert_eq!(done.code, 0, "{done:?}");
}

/// The data of a pilot who made each change once, without a `requestId`.
fn state_after_each_once(server: &Server) -> Value {
    let pilot = server.pilot("once");
    for change in changes(&things(&pilot)) {
        // An empty field counts as absent.
        change.question(&pilot, "").send().expect_status(change.status);
    }
    impersonal(state(&pilot))
}

#[test]
fn no_call_that_changes_something_is_forgotten_here() {
    let server = Server::start();
    let mut tested: Vec<_> = changes(&things(&server.pilot("anna")))
        .iter()
        .map(|change| change.call)
        .collect();
    tested.sort_unstable();
    tested.dedup();
    let (mut once, mut each_time, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for call in calls::all() {
        match call.handler {
            Handler::Change { .. } | Handler::Upload { .. } => once.push(call.name),
            Handler::EachTime(_) => each_time.push(call.name),
            // Without an `Operation`, these can't change a pilot's data.
            Handler::Record(_) | Handler::Pilot(_) | Handler::Evaluation(_) => {
                assert!(call.name.starts_with("Get") || call.name == "DownloadDocument")
            }
            // These don't change pilots' data: locking an account twice has no further effect, and a second link is a
            // new one.
            Handler::Operator(_) | Handler::Admin(_) => {}
            Handler::Anyone(_) | Handler::AtOnce(..) | Handler::Waiting(_) => others.push(call.name),
        }
    }
    for names in [&mut once, &mut each_time, &mut others] {
        names.sort_unstable();
    }
    assert_eq!(tested, once);
    assert_eq!(
        each_time,
        [
            "ChangeEmail",
            "ConfirmEmail",
            "CreateAccessToken",
            "LogOutFromEveryDevice",
            "SaveInvitation",
            "SavePassword",
            "ShareDocument"
        ]
    );
    // These begin or end sessions, use a link once, or show data to the holder of a token.
    assert_eq!(
        others,
        [
            "AcceptInvitation",
            "CheckLoginToken",
            "CheckSession",
            "CheckSetupLink",
            "ConfirmLogin",
            "CreateFirstAccount",
            "DenyLogin",
            "DownloadSharedDocument",
            "GetInvitation",
            "GetLoginRequest",
            "GetNewAddress",
            "GetPasswordReset",
            "GetSetupState",
            "GetSharedDocument",
            "GetSpaceInvitation",
            "Login",
            "Logout",
            "RegisterByInvitation",
            "RegistrationAndVerification",
            "ResetPassword",
            "SharedDocument",
            "Verification"
        ]
    );
}

#[test]
fn a_request_sent_again_is_answered_as_before_and_has_no_second_effect() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let mut done: Vec<(Change, String)> = Vec::new();
    for change in changes(&things(&anna)) {
        let request = fresh();
        let first = change.question(&anna, &request).send().expect_status(change.status);
        let expect_first = |again: RequestBuilder<'_>| {
            let answer = again.send().expect_status(change.status);
            assert_eq!(answer.text(), first.text(), "{}", change.call);
            let kinds = [&answer, &first].map(|answer| answer.header("content-type"));
            assert_eq!(kinds[0], kinds[1], "{}", change.call);
        };
        expect_first(change.question(&anna, &request));
        expect_first(change.question(&anna, &request.to_uppercase()));
        expect_first(change.garbled().question(&anna, &request));
        if let Some((other, earlier)) = done.last()
            && change.call != other.call
        {
            let mistaken = change.question(&anna, earlier).send();
            mistaken.expect_refusal(409, OF_ANOTHER_CALL);
        }
        done.push((change, request));
    }
    let after = (state(&anna), server.blobs());
    for (change, request) in &done {
        let again = change.question(&anna, request).send();
        again.expect_status(change.status);
    }
    assert_eq!((state(&anna), server.blobs()), after);
    assert_eq!(impersonal(after.0), state_after_each_once(&server));
    assert_eq!(feedbacks(server.directory(), "anna"), 1);
    expect_clean(server.directory());
}

#[test]
fn a_request_sent_sixteen_times_at_once_has_one_effect() {
    let server = Server::start();
    let anna = server.pilot("anna");
    for change in changes(&things(&anna)) {
        let request = fresh();
        let tabs: Vec<_> = (0..16).map(|_| anna.another_tab()).collect();
        let answers: Vec<_> = std::thread::scope(|scope| {
            let (change, request) = (&change, &request);
            let ask = |tab| scope.spawn(move || change.question(tab, request).send());
            let asked: Vec<_> = tabs.iter().map(ask).collect();
            asked.into_iter().map(|asked| asked.join().unwrap()).collect()
        });
        let first = answers[0].text();
        for answer in answers {
            assert_eq!(answer.expect_status(change.status).text(), first, "{}", change.call);
        }
    }
    assert_eq!(impersonal(state(&anna)), state_after_each_once(&server));
    assert_eq!(feedbacks(server.directory(), "anna"), 1);
    expect_clean(server.directory());
}

#[test]
fn the_last_picture_that_fits_may_come_sixteen_times_at_once() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let flight = anna.fly(&anna.item(COPTER, "Falke"), &[], &json!({}));
    let picture = pictures::jpeg(30, 20);
    anna.add_images(&flight, &[&picture[..]; 4]);
    let fifth = Change::upload("UploadImageForFlight", &[("flight", &flight)], ("files", &picture));
    let request = fresh();
    let tabs: Vec<_> = (0..16).map(|_| anna.another_tab()).collect();
    std::thread::scope(|scope| {
        for tab in &tabs {
            scope.spawn(|| fifth.question(tab, &request).send().expect_status(201));
        }
    });
    assert_eq!(anna.flight(&flight)["images"].as_array().unwrap().len(), 5);
    fifth.question(&anna, &fresh()).send().expect_status(400);
    expect_clean(server.directory());
}

#[test]
fn a_request_whose_connection_was_cut_at_any_stage_has_one_effect() {
    let server = Server::start();
    let expected = state_after_each_once(&server);
    type Cut = fn(head: usize, whole: usize) -> usize;
    let stages: [(&str, Cut); 4] = [
        ("head", |head, _| head),
        ("half", |head, whole| usize::midpoint(head, whole)),
        ("last", |_, whole| whole - 1),
        ("whole", |_, whole| whole),
    ];
    for (stage, cut) in stages {
        let pilot = server.pilot(stage);
        for change in changes(&things(&pilot)) {
            let request = fresh();
            let (kind, body) = change.body(&request);
            let head = format!(
                "POST /app/api/{} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nContent-Type: {kind}\r\n\
                 Content-Length: {}\r\n\r\n",
                change.call,
                server.address(),
                pilot.cookie_header(),
                body.len()
            );
            let whole = [head.as_bytes(), &body].concat();
            let mut connection = Connection::open(server.address());
            connection.send(&whole[..cut(head.len(), whole.len())]);
            drop(connection);
            let answer = change.question(&pilot, &request).send();
            assert_eq!(
                answer.status,
                change.status,
                "{stage} of {}: {}",
                change.call,
                answer.text()
            );
        }
        assert_eq!(impersonal(state(&pilot)), expected, "{stage}");
        assert_eq!(feedbacks(server.directory(), stage), 1, "{stage}");
    }
    expect_clean(server.directory());
}

/// As when a phone loses its network in the middle of a request or an answer.
#[test]
fn a_request_or_its_answer_cut_at_any_byte_and_sent_again_has_one_effect() {
    let server = Server::start();
    let pilot = server.pilot("anna");
    let item = |number: usize| json!({"type": GOGGLES, "name": format!("Brille {number:04}")}).to_string();
    let request = |number: usize| {
        let id = fresh();
        let body = encode(&[("equipment", item(number).as_str()), ("requestId", &id)]);
        let head = format!(
            "POST /app/api/SaveNewEquipment HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nContent-Type: {FORM}\r\n\
             Content-Length: {}\r\n\r\n",
            server.address(),
            pilot.cookie_header(),
            body.len()
        );
        head + &body
    };
    let whole = |request: &str| {
        let answer = exchange(server.address(), request).expect("an answer");
        assert_eq!(answer.status, 200, "{}", answer.text());
    };
    let mut made = 0;
    for cut in 0..request(0).len() {
        let request = request(made);
        Connection::open(server.address()).send(&request[..cut]);
        whole(&request);
        made += 1;
    }
    let answered = |request: &str, most: usize| {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut read = vec![0; most];
        stream.read_exact(&mut read).is_ok()
    };
    for cut in 0..usize::MAX {
        let request = request(made);
        // The server closes the connection after its answer.
        let closing = request.replacen("Host:", "Connection: close\r\nHost:", 1);
        let is_cut = answered(&closing, cut);
        whole(&request);
        made += 1;
        if !is_cut {
            break;
        }
    }
    let names: Vec<_> = pilot
        .equipments(GOGGLES, false)
        .iter()
        .map(|item| item["name"].clone())
        .collect();
    let expected: Vec<_> = (0..made).map(|number| json!(format!("Brille {number:04}"))).collect();
    assert_eq!(names, expected);
}

#[test]
fn a_server_that_starts_anew_and_one_that_is_restored_know_what_was_done() {
    let place = temporary_directory();
    let [directory, copy, archive] = ["data", "copy", "a.tar"].map(|name| place.path().join(name));
    let server = Server::start_in(&directory);
    let anna = server.pilot("anna");
    let account = anna.check_session().json()["account"].clone();
    let done: Vec<_> = changes(&things(&anna))
        .into_iter()
        .map(|change| (change, fresh()))
        .collect();
    let send_all = |pilot: &Pilot| -> Vec<_> {
        let ask = |(change, request): &(Change, String)| {
            let answer = change.question(pilot, request).send();
            answer.expect_status(change.status).text()
        };
        done.iter().map(ask).collect()
    };
    send_all(&anna);
    let objects = send_all(&anna);
    let before = state(&anna);
    assert!(server.stop().success());
    let backup = run_with_input(
        ["backup", "--data-dir", text(&directory), "--output", text(&archive)],
        b"",
    );
    assert_eq!(backup.code, 0, "{backup:?}");
    let restored = run_with_input(["restore", "--data-dir", text(&copy), text(&archive)], b"");
    assert_eq!(restored.code, 0, "{restored:?}");
    for directory in [&directory, &copy] {
        let server = Server::start_in(directory);
        let anna = server.stranger();
        anna.log_in("anna@example.org", crate::harness::PASSWORD)
            .expect_status(202);
        assert_eq!(anna.check_session().json()["account"], account);
        assert_eq!(send_all(&anna), objects);
        assert_eq!(state(&anna), before);
        assert_eq!(feedbacks(directory, "anna"), 1);
        expect_clean(directory);
    }
}

#[test]
fn the_same_id_of_another_pilot_is_another_request() {
    let server = Server::start();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let (hers, his) = (changes(&things(&anna)), changes(&things(&ben)));
    let expected = state_after_each_once(&server);
    for (hers, his) in hers.iter().zip(&his) {
        let request = fresh();
        hers.question(&anna, &request).send().expect_status(hers.status);
        his.question(&ben, &request).send().expect_status(his.status);
    }
    for pilot in [anna, ben] {
        assert_eq!(impersonal(state(&pilot)), expected);
    }
}

#[test]
fn a_refused_request_may_be_corrected_under_the_same_id() {
    let server = Server::start();
    let anna = server.pilot("anna");
    for change in changes(&things(&anna)) {
        let request = fresh();
        // All others need at least one of their fields.
        if !["SaveProfile", "UploadUserDocument", "UploadImport", "MendVoltages"].contains(&change.call) {
            let nothing = Change {
                fields: Vec::new(),
                files: change.files.clone(),
                ..change
            };
            let refused = nothing.question(&anna, &request).send();
            assert!(
                [400, 403].contains(&refused.status),
                "{}: {}",
                change.call,
                refused.status
            );
        }
        let refused = change.garbled().question(&anna, &request).send();
        assert!(
            [400, 403, 410, 415].contains(&refused.status),
            "{}: {}",
            change.call,
            refused.status
        );
        change.question(&anna, &request).send().expect_status(change.status);
        change.question(&anna, &request).send().expect_status(change.status);
    }
    assert_eq!(impersonal(state(&anna)), state_after_each_once(&server));
    expect_clean(server.directory());
}

#[test]
fn of_an_object_that_was_deleted_since_nothing_is_shown() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let its = things(&anna);
    let changes = changes(&its);
    let of_flight = [
        "SaveFlight",
        "SaveFlightLog",
        "UploadImageForFlight",
        "DeleteImage",
        "CreateFlight",
        "AddFlight",
    ];
    let of_document = [
        "UploadUserDocument",
        "EditUserDocument",
        "AddProof",
        "SaveProof",
        "SaveProofPages",
    ];
    let of_log = ["SaveEquipmentLog", "EditLog"];
    let done: Vec<_> = changes
        .iter()
        .filter(|change| [&of_flight[..], &of_document, &of_log].concat().contains(&change.call))
        .map(|change| {
            let request = fresh();
            let answer = change.question(&anna, &request).send();
            (change, request, answer.expect_status(change.status).text())
        })
        .collect();
    for flight in anna.flights() {
        anna.delete_flight(&id_in(&flight)).expect_status(200);
    }
    for document in anna.documents() {
        let id = id_in(&document);
        anna.post("DeleteUserDocument", &[("dpfId", &id)]).expect_status(200);
    }
    let logs = anna.post("GetEquipmentLogs", &[("dpfId", &its.copter)]).json();
    for log in logs["logs"].as_array().unwrap() {
        anna.post("DeleteLog", &[("dpfId", &id_in(log))]).expect_status(200);
    }
    let before = state(&anna);
    for (change, request, text) in done {
        assert!(!text.is_empty(), "{}", change.call);
        let again = change.question(&anna, &request).send().expect_status(change.status);
        assert_eq!(again.text(), "", "{}", change.call);
    }
    assert_eq!(state(&anna), before);
}

#[test]
fn a_request_sent_again_shows_the_object_as_it_is_now() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let request = fresh();
    let form = |name: &str| json!({"type": COPTER, "name": name}).to_string();
    let new = |name: &str| {
        let fields = [("equipment", form(name)), ("requestId", request.clone())];
        let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
        anna.post("SaveNewEquipment", &fields).expect_status(200).json()
    };
    let id = id_in(&new("Falke"));
    anna.save_edit_equipment(&json!({"dpfId": id, "type": COPTER, "name": "Milan"}))
        .expect_status(200);
    let again = new("Falke");
    assert_eq!((id_in(&again), &again["name"]), (id, &json!("Milan")));
    assert_eq!(anna.equipments(COPTER, false).len(), 1);
}

#[test]
fn two_batteries_that_are_alike_are_two() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let battery = json!({"type": BATTERY, "name": "R-Line 1300"}).to_string();
    for request in [fresh(), fresh(), String::new(), String::new()] {
        anna.post("SaveNewEquipment", &[("equipment", &battery), ("requestId", &request)])
            .expect_status(200);
    }
    assert_eq!(anna.equipments(BATTERY, false).len(), 4);
}

#[test]
fn an_id_that_is_none_is_refused_before_anything_is_done() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let id = fresh();
    let wrong = [
        "1".to_owned(),
        id.replace('-', ""),
        format!("{{{id}}}"),
        format!("urn:uuid:{id}"),
        format!("{id} "),
        id.replace('-', "_"),
        id.replacen(|letter: char| letter.is_ascii_digit(), "g", 1),
    ];
    let its = things(&anna);
    let before = (state(&anna), server.blobs());
    for change in changes(&its) {
        for wrong in &wrong {
            let refused = change.question(&anna, wrong).send().expect_status(400);
            assert_eq!(refused.header("x-field"), Some("requestId"), "{}: {wrong}", change.call);
        }
    }
    assert_eq!((state(&anna), server.blobs()), before);
}

#[test]
fn without_a_login_requests_stay_secret() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let request = fresh();
    let change = Change::upload("UploadUserDocument", &[], ("file", b"a"));
    change.question(&anna, &request).send().expect_status(201);
    for request in [request.as_str(), "1"] {
        change
            .question(&server.stranger(), request)
            .send()
            .expect_not_logged_in();
    }
}

#[test]
fn a_repeated_share_makes_another_link() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let document = anna.document("a.pdf", b"a");
    let request = fresh();
    let share = || {
        let fields = [("dpfId", document.as_str()), ("requestId", &request)];
        anna.post("ShareDocument", &fields).expect_status(200).json()["token"].clone()
    };
    assert_ne!(share(), share());
}
