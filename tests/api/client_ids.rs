//! Flights with an id, and a start, chosen by the client: started once, finished once, and added afterwards.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::harness::answer::Answer;
use crate::harness::calls::{BATTERY, COPTER, id_in};
use crate::harness::{Pilot, Server, clock, pictures};

const IN_FUTURE: &str = "Die Startzeit liegt in der Zukunft.";
const TOO_OLD: &str = "Die Startzeit liegt mehr als 30 Tage zurück.";
const TAKEN: &str = "Diese Kennung gehört schon zu einem anderen Flug oder Equipment.";
const NO_START: &str = "Bitte geben Sie die Startzeit ein.";
const FLOWN: &str = "05.03.2026 10:00";

fn fresh() -> String {
    Uuid::now_v7().to_string()
}

fn config(copter: &str, equipments: &[&str]) -> Value {
    json!({"copter": copter, "equipments": equipments, "payloads": [{"name": "GPS-Finder", "weight": 9.5}]})
}

#[track_caller]
fn create(pilot: &Pilot, id: &str, config: &Value, more: &[(&str, &str)]) -> Answer {
    let fields = [("dpfId", id), ("config", &config.to_string())];
    pilot.post("CreateFlight", &[&fields, more].concat())
}

#[track_caller]
fn add(pilot: &Pilot, id: &str, config: &Value, flight: &Value) -> Answer {
    let fields = [
        ("dpfId", id),
        ("config", &config.to_string()),
        ("flight", &flight.to_string()),
    ];
    pilot.post("AddFlight", &fields)
}

/// The time in Berlin `minutes` from now, `dd.MM.yyyy HH:mm`.
fn in_minutes(minutes: i64) -> String {
    clock::in_berlin(clock::seconds_since_1970() + minutes * 60)
}

#[test]
fn a_flight_is_created_once_under_its_id() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let [copter, other] = ["Falke", "Milan"].map(|name| anna.item(COPTER, name));
    let [one, two] = ["Akku 1", "Akku 2"].map(|name| anna.item(BATTERY, name));
    let (id, chosen) = (fresh(), config(&copter, &[&one, &two]));
    assert_eq!(create(&anna, &id, &chosen, &[]).expect_status(200).text(), id);
    assert_eq!(anna.open_flight(), id.as_str());
    let created = anna.flight(&id);

    // The repetition isn't validated again: the open flight, an item or the start may be invalid by now.
    for more in [&[][..], &[("startTime", "nie")], &[("startTime", "01.01.2000 10:00")]] {
        assert_eq!(create(&anna, &id, &chosen, more).expect_status(200).text(), id);
    }
    let upper = id.to_uppercase();
    assert_eq!(create(&anna, &upper, &chosen, &[]).expect_status(200).text(), id);
    let turned = config(&copter, &[&two, &one]);
    assert_eq!(create(&anna, &id, &turned, &[]).expect_status(200).text(), id);
    for different in [
        config(&other, &[&one, &two]),
        config(&copter, &[&one]),
        json!({"copter": copter, "equipments": [one, two]}),
    ] {
        create(&anna, &id, &different, &[]).expect_refusal(409, TAKEN);
    }
    assert_eq!((anna.flights().len(), anna.flight(&id)), (1, created));

    anna.finish_flight(&json!({"dpfId": id, "startTime": FLOWN}))
        .expect_status(200);
    anna.deactivate(&one, "gebläht").expect_status(200);
    let finished = anna.flight(&id);
    assert_eq!(create(&anna, &id, &chosen, &[]).expect_status(200).text(), id);
    assert_eq!((anna.open_flight(), anna.flight(&id)), (Value::Null, finished));
}

#[test]
fn what_is_known_at_the_start_is_entered_with_the_creation_and_never_again() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let (id, chosen) = (fresh(), config(&anna.item(COPTER, "Falke"), &[]));
    let known = json!({
        "location": "Elbe", "startLatitude": 53.5, "startLongitude": 9.9, "batteryStartVoltage": "25,2",
        "flightMode": 2,
        "weatherConditions": "sonnig", "purpose": "Training", "startTime": "01.01.2000 10:00"
    });
    for wrong in [
        json!({"startLatitude": 91}),
        json!({"batteryStartVoltage": -1}),
        json!([]),
    ] {
        create(&anna, &id, &chosen, &[("flight", &wrong.to_string())]).expect_status(400);
    }
    assert!(anna.open_flight().is_null());
    let sent = known.to_string();
    create(&anna, &id, &chosen, &[("flight", &sent)]).expect_status(200);
    let created = anna.flight(&id);
    assert_eq!(created["open"], json!(true));
    assert!(created["startTime"] != known["startTime"], "it starts now");
    for (field, value) in [
        ("location", json!("Elbe")),
        ("startLatitude", json!(53.5)),
        ("startLongitude", json!(9.9)),
        ("batteryStartVoltage", json!(25.2)),
        ("flightMode", json!("2")),
        ("weatherConditions", json!("sonnig")),
        ("purpose", json!("Training")),
    ] {
        assert_eq!(created[field], value, "{field}");
    }

    // Repetitions change nothing, whatever their fields.
    anna.save_flight(&json!({"dpfId": id, "location": "Deich"}))
        .expect_status(200);
    for flight in [sent.as_str(), "{}", r#"{"startLatitude": 91}"#] {
        create(&anna, &id, &chosen, &[("flight", flight)]).expect_status(200);
    }
    assert_eq!(anna.flight(&id)["location"], json!("Deich"));
}

#[test]
fn sixteen_times_at_once_one_flight_is_created_and_one_is_added() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let chosen = config(&anna.item(COPTER, "Falke"), &[]);
    let at_once = |ask: &(dyn Fn(&Pilot) -> Answer + Sync)| {
        let tabs: Vec<_> = (0..16).map(|_| anna.another_tab()).collect();
        let answers: Vec<_> = std::thread::scope(|scope| {
            let asked: Vec<_> = tabs.iter().map(|tab| scope.spawn(|| ask(tab))).collect();
            asked.into_iter().map(|asked| asked.join().unwrap()).collect()
        });
        let mut statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
        statuses.sort_unstable();
        assert!(answers.iter().all(|answer| answer.text() == answers[0].text()));
        statuses
    };
    let [created, added] = [fresh(), fresh()];
    assert_eq!(at_once(&|tab| create(tab, &created, &chosen, &[])), [200; 16]);
    let flight = json!({"startTime": FLOWN, "flightTime": 5});
    let statuses = at_once(&|tab| add(tab, &added, &chosen, &flight));
    assert_eq!((statuses[..15].to_vec(), statuses[15]), (vec![200; 15], 201));
    assert_eq!(anna.flights().len(), 2);
}

#[test]
fn a_flight_that_is_over_is_added_in_one_call() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let copter = anna.item_with(&json!({"type": COPTER, "name": "Falke", "weight": 600}));
    let battery = anna.item(BATTERY, "Akku");
    let open = anna.take_off(&copter);
    let flight = json!({
        "startTime": FLOWN, "flightTime": 7.5, "location": "Elbe", "batteryStartVoltage": 16.8,
        "batteryEndVoltage": 14.2, "consumedCapacity": 900, "flightMode": "2", "notes": "windig"
    });
    let (id, chosen) = (fresh(), config(&copter, &[&battery]));
    let added = add(&anna, &id, &chosen, &flight).expect_status(201).json();
    assert_eq!(added, anna.flight(&id));
    for (field, value) in [
        ("dpfId", json!(id)),
        ("open", json!(false)),
        ("startTime", json!(FLOWN)),
        ("flightTime", json!(7.5)),
        ("location", json!("Elbe")),
        ("flightMode", json!("2")),
        ("notes", json!("windig")),
        ("weight", json!(609.5)),
    ] {
        assert_eq!(added[field], value, "{field}");
    }
    assert_eq!(anna.open_flight(), open.as_str(), "the open flight isn't looked at");
    let item = anna.equipment(&battery);
    assert_eq!(
        (&item["lastFlight"], &item["endVoltage"]),
        (&json!(FLOWN), &json!(14.2))
    );
    assert_eq!(
        anna.chargings(&battery).len(),
        1,
        "a finished flight took something out"
    );

    // Only the id is compared, not the other fields.
    for garbage in [json!({}), json!({"startTime": "nie", "flightTime": -1})] {
        assert_eq!(add(&anna, &id, &chosen, &garbage).expect_status(200).json(), added);
    }
    let no_flight = [("dpfId", id.as_str()), ("config", &chosen.to_string())];
    assert_eq!(anna.post("AddFlight", &no_flight).expect_status(200).json(), added);
    add(&anna, &id, &config(&copter, &[]), &flight).expect_refusal(409, TAKEN);
    assert_eq!(create(&anna, &id, &chosen, &[]).expect_status(200).text(), id);

    // Without an id, each request adds another flight.
    let config = chosen.to_string();
    let fields = [("config", config.as_str()), ("flight", &flight.to_string())];
    let others = [(); 2].map(|()| id_in(&anna.post("AddFlight", &fields).expect_status(201).json()));
    assert!(others[0] != others[1] && !others.contains(&id));
    assert_eq!(anna.flights().len(), 4);
}

#[test]
fn adding_the_flight_that_is_still_open_finishes_it() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let copter = anna.item(COPTER, "Falke");
    let (id, chosen) = (fresh(), config(&copter, &[]));
    create(&anna, &id, &chosen, &[]).expect_status(200);
    anna.save_flight(&json!({"dpfId": id, "location": "Elbe", "notes": "ruhig"}))
        .expect_status(200);
    add(&anna, &id, &chosen, &json!({"flightTime": 5})).expect_refusal(400, NO_START);
    add(&anna, &id, &chosen, &json!({"startTime": in_minutes(9)})).expect_refusal(400, IN_FUTURE);
    add(
        &anna,
        &id,
        &config(&anna.item(COPTER, "Milan"), &[]),
        &json!({"startTime": FLOWN}),
    )
    .expect_refusal(409, TAKEN);
    assert_eq!(anna.open_flight(), id.as_str());

    let flight = json!({"startTime": FLOWN, "flightTime": 5, "notes": "windig"});
    let finished = add(&anna, &id, &chosen, &flight).expect_status(200).json();
    assert_eq!(finished, anna.flight(&id));
    for (field, value) in [
        ("open", json!(false)),
        ("startTime", json!(FLOWN)),
        ("flightTime", json!(5.0)),
        ("location", json!("Elbe")),
        ("notes", json!("windig")),
    ] {
        assert_eq!(finished[field], value, "{field}");
    }
    assert!(anna.open_flight().is_null());
    assert_eq!(add(&anna, &id, &chosen, &flight).expect_status(200).json(), finished);
    assert_eq!(anna.flights().len(), 1);
    anna.deactivate(&copter, "it is in no open flight").expect_status(200);
}

#[test]
fn a_request_that_found_its_flight_is_answered_with_the_same_status_again() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let chosen = config(&anna.item(COPTER, "Falke"), &[]).to_string();
    let flight = json!({"startTime": FLOWN}).to_string();
    let (id, [first, second]) = (fresh(), [fresh(), fresh()]);
    let ask = |request: &str| {
        let fields = [
            ("dpfId", id.as_str()),
            ("config", &chosen),
            ("flight", &flight),
            ("requestId", request),
        ];
        anna.post("AddFlight", &fields)
    };
    for (request, status) in [(&first, 201), (&second, 200), (&first, 201), (&second, 200)] {
        ask(request).expect_status(status);
    }
    anna.delete_flight(&id).expect_status(200);
    for (request, status) in [(&first, 201), (&second, 200)] {
        assert_eq!(ask(request).expect_status(status).text(), "");
    }
    ask(&fresh()).expect_no_access();
}

#[test]
fn the_id_of_a_deleted_flight_stays_taken() {
    let server = Server::start();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let flight = json!({"startTime": FLOWN});
    let chosen = config(&anna.item(COPTER, "Falke"), &[]);
    let [created, added] = [fresh(), fresh()];
    create(&anna, &created, &chosen, &[]).expect_status(200);
    add(&anna, &added, &chosen, &flight).expect_status(201);
    for id in [&created, &added] {
        anna.delete_flight(id).expect_status(200);
        for _ in 0..2 {
            create(&anna, id, &chosen, &[]).expect_no_access();
            add(&anna, id, &chosen, &flight).expect_no_access();
        }
    }
    assert!(anna.flights().is_empty() && anna.open_flight().is_null());
    // The id is only taken for her.
    let his = config(&ben.item(COPTER, "Milan"), &[]);
    add(&ben, &added, &his, &flight).expect_status(201);
}

#[test]
fn two_pilots_may_use_the_same_id() {
    let server = Server::start();
    let id = fresh();
    let pilots = ["anna", "ben"].map(|name| server.pilot(name));
    for (pilot, minutes) in pilots.iter().zip([5, 9]) {
        let battery = pilot.item(BATTERY, "Akku");
        let chosen = config(&pilot.item(COPTER, "Falke"), &[&battery]);
        let flight = json!({"startTime": FLOWN, "flightTime": minutes, "batteryEndVoltage": 14.2});
        add(pilot, &id, &chosen, &flight).expect_status(201);
        let log = [("dpfId", id.as_str()), ("info", "Log"), ("time", FLOWN)];
        pilot.upload("SaveFlightLog", &log, &[]).expect_status(201);
        pilot.add_images(&id, &[&crate::harness::pictures::jpeg(20, 10)]);
        assert_eq!(pilot.chargings(&battery).len(), 1);
    }
    let [anna, ben] = &pilots;
    let hers = anna.everything();
    let images = ben.flight(&id)["images"].clone();
    ben.delete_flight(&id).expect_status(200);
    assert_eq!(anna.everything(), hers);
    assert_eq!(
        (anna.flight(&id)["flightTime"].clone(), images.as_array().unwrap().len()),
        (json!(5.0), 1)
    );
    let logs = anna.post("GetFlightLogs", &[("dpfId", &id)]).expect_status(200).json();
    assert_eq!(logs["logs"].as_array().unwrap().len(), 1);
    ben.get_flight(&id).expect_no_access();
}

#[test]
fn an_id_is_a_uuid_of_version_4_or_7() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let chosen = config(&anna.item(COPTER, "Falke"), &[]);
    let flight = json!({"startTime": FLOWN});
    for wrong in [
        "1",
        "0198b6f011117000800000000000000a",
        "0198b6f0-1111-1000-8000-00000000000a",
        "0198b6f0-1111-7000-c000-00000000000a",
        "00000000-0000-0000-0000-000000000000",
        "{0198b6f0-1111-7000-8000-00000000000a}",
    ] {
        for answer in [create(&anna, wrong, &chosen, &[]), add(&anna, wrong, &chosen, &flight)] {
            assert_eq!(
                (answer.status, answer.header("x-field")),
                (400, Some("dpfId")),
                "{wrong}"
            );
        }
    }
    let version_4 = "0198b6f0-1111-4000-a000-00000000000a";
    add(&anna, version_4, &chosen, &flight).expect_status(201);
    assert_eq!(anna.flights().len(), 1);
}

#[test]
fn the_id_of_an_item_can_t_be_that_of_a_flight() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let copter = anna.item(COPTER, "Falke");
    let chosen = config(&copter, &[]);
    create(&anna, &copter, &chosen, &[]).expect_refusal(409, TAKEN);
    add(&anna, &copter, &chosen, &json!({"startTime": FLOWN})).expect_refusal(409, TAKEN);
    assert!(anna.flights().is_empty());
}

#[test]
fn a_flight_that_is_created_may_have_begun_within_thirty_days() {
    const DAY: i64 = 24 * 60;
    let server = Server::start();
    let anna = server.pilot("anna");
    let chosen = config(&anna.item(COPTER, "Falke"), &[]);
    for (minutes, sentence) in [
        (7, IN_FUTURE),
        (DAY, IN_FUTURE),
        (-31 * DAY, TOO_OLD),
        (-400 * DAY, TOO_OLD),
    ] {
        let refused = create(&anna, &fresh(), &chosen, &[("startTime", &in_minutes(minutes))]);
        let refused = refused.expect_refusal(400, sentence);
        assert_eq!(refused.header("x-field"), Some("startTime"));
    }
    let refused = create(&anna, &fresh(), &chosen, &[("startTime", "31.02.2026 10:00")]).expect_status(400);
    assert_eq!(refused.header("x-field"), Some("startTime"));
    assert!(anna.flights().is_empty() && anna.open_flight().is_null());
    for minutes in [4, -1, -29 * DAY] {
        let (id, start) = (fresh(), in_minutes(minutes));
        create(&anna, &id, &chosen, &[("startTime", &start)]).expect_status(200);
        let flight = anna.flight(&id);
        assert_eq!((&flight["startTime"], &flight["open"]), (&json!(start), &json!(true)));
        anna.delete_flight(&id).expect_status(200);
    }
    let now = anna.create_flight(&chosen).expect_status(200).text();
    clock::expect_now(anna.flight(&now)["startTime"].as_str().unwrap(), clock::in_berlin);
}

#[test]
fn a_flight_that_is_over_has_begun_whenever_it_likes_but_not_in_the_future() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let chosen = config(&anna.item(COPTER, "Falke"), &[]);
    let mut added = Vec::new();
    for start in [
        "01.01.1900 00:00".to_owned(),
        "24.12.2001 18:00".to_owned(),
        in_minutes(4),
    ] {
        let answer = add(&anna, &fresh(), &chosen, &json!({"startTime": start}));
        assert_eq!(answer.expect_status(201).json()["startTime"], start.as_str());
        added.insert(0, start);
    }
    let flights = anna.flights();
    let starts: Vec<_> = flights.iter().map(|row| row["startTime"].as_str().unwrap()).collect();
    assert_eq!(starts, added);
    for (flight, sentence) in [
        (json!({"startTime": in_minutes(7)}), IN_FUTURE),
        (json!({"startTime": "31.12.2099 23:59"}), IN_FUTURE),
        (json!({"startTime": ""}), NO_START),
        (json!({"flightTime": 5}), NO_START),
    ] {
        let refused = add(&anna, &fresh(), &chosen, &flight).expect_refusal(400, sentence);
        assert_eq!(refused.header("x-field"), Some("startTime"));
    }
    for (field, wrong) in [("flightTime", json!(-1)), ("startTime", json!("31.12.1899 23:59"))] {
        let mut flight = json!({"startTime": FLOWN});
        flight[field] = wrong;
        let refused = add(&anna, &fresh(), &chosen, &flight).expect_status(400);
        assert_eq!(refused.header("x-field"), Some(field));
    }
    anna.post("AddFlight", &[("config", &chosen.to_string())])
        .expect_status(400);
    assert_eq!(anna.flights().len(), 3);
}

#[test]
fn an_item_that_was_retired_since_may_have_flown_before() {
    let server = Server::start();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let (copter, battery) = (anna.item(COPTER, "Falke"), anna.item(BATTERY, "Akku"));
    for item in [&copter, &battery] {
        anna.deactivate(item, "verkauft").expect_status(200);
    }
    let chosen = config(&copter, &[&battery]);
    let id = fresh();
    add(
        &anna,
        &id,
        &chosen,
        &json!({"startTime": in_minutes(-60), "flightTime": 5}),
    )
    .expect_status(201);
    assert_eq!(anna.equipment(&battery)["usageTime"], json!(0.08));
    let refused = add(&anna, &fresh(), &chosen, &json!({"startTime": in_minutes(4)})).expect_status(400);
    assert_eq!(refused.header("x-field"), Some("copter"));
    let with_battery = config(&anna.item(COPTER, "Milan"), &[&battery]);
    let refused = add(&anna, &fresh(), &with_battery, &json!({"startTime": in_minutes(4)})).expect_status(400);
    assert_eq!(refused.header("x-field"), Some("equipments"));
    // A flight can only be started with items that are in use.
    let early = in_minutes(-60);
    create(&anna, &fresh(), &chosen, &[("startTime", &early)]).expect_status(400);
    add(&ben, &fresh(), &chosen, &json!({"startTime": FLOWN})).expect_no_access();
    assert_eq!(anna.flights().len(), 1);
}

#[test]
fn the_account_is_the_same_in_every_session_and_another_for_everybody() {
    let server = Server::start();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let account = |answer: Answer| {
        let account = answer.json()["account"].as_str().unwrap().to_owned();
        assert!(
            account.len() == 16 && account.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{account}"
        );
        assert_eq!(account, account.to_lowercase());
        account
    };
    let hers = account(anna.check_session());
    let again = server.stranger();
    assert_eq!(
        account(again.log_in("anna@example.org", crate::harness::PASSWORD)),
        hers
    );
    assert_eq!(account(anna.upload("SaveProfile", &[("firstname", "Anna")], &[])), hers);
    assert_ne!(account(ben.check_session()), hers);
    let id = server.log();
    assert!(!id.contains(&hers), "the log has ids, and those are none");
}

const ID_TAKEN: &str = "Diese Kennung ist schon vergeben.";
const TIME: &str = "01.03.2026 09:05";

#[track_caller]
fn add_item(pilot: &Pilot, id: &str, item: &Value) -> Answer {
    pilot.post("SaveNewEquipment", &[("dpfId", id), ("equipment", &item.to_string())])
}

#[test]
fn an_item_is_added_once_under_its_id() {
    let server = Server::shared();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let id = fresh();
    let item = json!({"type": BATTERY, "name": "Adlr"});
    let added = add_item(&anna, &id, &item).expect_status(200).json();
    assert_eq!((&added["dpfId"], &added["name"]), (&json!(id), &json!("Adlr")));
    // Repetitions with other fields change nothing, and later changes stay.
    for name in ["Adler", ""] {
        let again = json!({"type": BATTERY, "name": name});
        assert_eq!(add_item(&anna, &id, &again).expect_status(200).json(), added);
    }
    let edited = json!({"dpfId": id, "type": BATTERY, "name": "Adler"});
    let edited = anna.save_edit_equipment(&edited).expect_status(200).json();
    assert_eq!(add_item(&anna, &id, &item).expect_status(200).json(), edited);
    add_item(&anna, &id, &json!({"type": COPTER, "name": "Adler"})).expect_refusal(409, TAKEN);
    assert_eq!(anna.equipments(BATTERY, false).len(), 1);

    // An id gives no access, and other pilots may use it, too.
    add_item(&ben, &id, &json!({"type": COPTER, "name": "Bussard"})).expect_status(200);
    assert_eq!(anna.equipment(&id), edited);
    let flight = anna.fly(&anna.item(COPTER, "Falke"), &[], &json!({"startTime": FLOWN}));
    add_item(&anna, &flight, &item).expect_refusal(409, TAKEN);
    anna.delete_flight(&flight).expect_status(200);
    add_item(&anna, &flight, &item).expect_status(403);
    for wrong in ["1", "00000000-0000-0000-0000-000000000000"] {
        add_item(&anna, wrong, &item).expect_status(400);
    }
}

#[test]
fn a_charging_is_started_once_under_its_id_and_changed_by_it() {
    let anna = Server::shared().pilot("anna");
    let [battery, other] = ["Akku 1", "Akku 2"].map(|name| anna.item(BATTERY, name));
    let id = fresh();
    let start = |name, from| [(name, id.as_str()), ("chargeStartTime", TIME), ("fromVoltage", from)];
    let save = |battery: &str, fields: &[(&str, &str)]| anna.save_charging(battery, fields);
    let started = save(&battery, &start("charging", "14,8")).expect_status(200).json();
    assert_eq!(started["dpfId"], json!(id));
    for from in ["14,8", "14,9", ""] {
        assert_eq!(
            save(&battery, &start("charging", from)).expect_status(200).json(),
            started
        );
    }
    save(&other, &start("charging", "14,8")).expect_refusal(409, ID_TAKEN);
    // The start can be corrected while the charging is open.
    let corrected = save(&battery, &start("dpfId", "14,9")).expect_status(200).json();
    assert_eq!(
        (&corrected["fromVoltage"], &corrected["chargeEndTime"]),
        (&json!(14.9), &json!(""))
    );
    assert_eq!(anna.chargings(&battery), [corrected]);

    // Start and end in one request.
    let whole = fresh();
    let fields = [
        ("charging", whole.as_str()),
        ("chargeStartTime", "02.03.2026 09:05"),
        ("fromVoltage", "14,8"),
        ("chargeEndTime", "02.03.2026 10:05"),
        ("toVoltage", "16,8"),
        ("charged", "1100"),
    ];
    for _ in 0..2 {
        let charged = save(&other, &fields).expect_status(200).json();
        assert_eq!(
            (&charged["dpfId"], &charged["toVoltage"]),
            (&json!(whole), &json!(16.8))
        );
    }
    assert_eq!(anna.chargings(&other).len(), 1);
    save(
        &other,
        &[("charging", "1"), ("chargeStartTime", TIME), ("fromVoltage", "14,8")],
    )
    .expect_status(400);
}

#[test]
fn a_log_a_document_and_pictures_are_added_once_under_their_ids() {
    let anna = Server::shared().pilot("anna");
    let copter = anna.item(COPTER, "Falke");
    let flight = anna.fly(&copter, &[], &json!({"startTime": FLOWN}));
    for (call, subject, other) in [
        ("SaveEquipmentLog", &copter, &anna.item(COPTER, "Milan")),
        (
            "SaveFlightLog",
            &flight,
            &anna.fly(&copter, &[], &json!({"startTime": TIME})),
        ),
    ] {
        let id = fresh();
        let save = |subject: &str, info: &str| {
            let fields = [("dpfId", subject), ("log", &id), ("info", info), ("time", TIME)];
            anna.upload(call, &fields, &[("file", "a.txt", b"a")])
        };
        let saved = save(subject, "Adlr").expect_status(201).json();
        assert_eq!(saved["dpfId"], json!(id));
        for info in ["Adler", ""] {
            assert_eq!(save(subject, info).expect_status(201).json(), saved, "{call}");
        }
        save(other, "Adlr").expect_refusal(409, ID_TAKEN);
        anna.post("DeleteLog", &[("dpfId", &id)]).expect_status(200);
        save(subject, "Adlr").expect_status(403);
    }

    let id = fresh();
    let upload = |content: &[u8]| {
        let fields = [("dpfId", id.as_str()), ("description", "Ausweis")];
        anna.upload("UploadUserDocument", &fields, &[("file", "a.pdf", content)])
    };
    let uploaded = upload(b"a").expect_status(201).json();
    assert_eq!(
        (&uploaded["dpfId"], upload(b"a").expect_status(201).json()),
        (&json!(id), uploaded.clone())
    );
    // The other file would be lost.
    upload(b"b").expect_refusal(409, ID_TAKEN);
    assert_eq!(anna.documents().len(), 1);
    anna.post("DeleteUserDocument", &[("dpfId", &id)]).expect_status(200);
    upload(b"a").expect_status(403);

    let ids = [fresh(), fresh()];
    let picture = pictures::jpeg(20, 10);
    let add = |ids: &[String]| {
        let fields = [("flight", flight.as_str()), ("images", &json!(ids).to_string())];
        let files: Vec<(&str, &str, &[u8])> = ids.iter().map(|_| ("files", "a.jpg", picture.as_slice())).collect();
        anna.upload("UploadImageForFlight", &fields, &files)
    };
    for _ in 0..2 {
        assert_eq!(add(&ids).expect_status(201).json(), json!(ids));
    }
    add(&[ids[0].clone(), fresh()]).expect_refusal(409, ID_TAKEN);
    anna.post("DeleteImage", &[("uuid", &ids[0]), ("flight", &flight)])
        .expect_status(200);
    add(&ids[..1]).expect_status(403);
    assert_eq!(anna.flight(&flight)["images"], json!([ids[1]]));
}

#[test]
fn sixteen_times_at_once_each_thing_is_added_once_and_leaves_no_file_behind() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let copter = anna.item(COPTER, "Falke");
    let flight = anna.fly(&copter, &[], &json!({"startTime": FLOWN}));
    let [item, log, document, image] = [(); 4].map(|()| fresh());
    let picture = pictures::jpeg(20, 10);
    let images = json!([image]).to_string();
    let [charging, battery] = [fresh(), anna.item(BATTERY, "Akku 1")];
    let ways: [&(dyn Fn(&Pilot) -> Answer + Sync); 5] = [
        &|tab| {
            let fields = [
                ("charging", charging.as_str()),
                ("chargeStartTime", TIME),
                ("fromVoltage", "14,8"),
            ];
            tab.save_charging(&battery, &fields)
        },
        &|tab| add_item(tab, &item, &json!({"type": BATTERY, "name": "Akku"})),
        &|tab| {
            let fields = [
                ("dpfId", copter.as_str()),
                ("log", &log),
                ("info", "Motor"),
                ("time", TIME),
            ];
            tab.upload("SaveEquipmentLog", &fields, &[("file", "a.txt", b"a")])
        },
        &|tab| {
            tab.upload(
                "UploadUserDocument",
                &[("dpfId", document.as_str())],
                &[("file", "a.txt", b"a")],
            )
        },
        &|tab| {
            let fields = [("flight", flight.as_str()), ("images", &images)];
            tab.upload("UploadImageForFlight", &fields, &[("files", "a.jpg", &picture)])
        },
    ];
    for way in ways {
        let tabs: Vec<_> = (0..16).map(|_| anna.another_tab()).collect();
        std::thread::scope(|scope| {
            for tab in &tabs {
                scope.spawn(|| assert!([200, 201].contains(&way(tab).status)));
            }
        });
    }
    assert_eq!(
        (anna.equipments(BATTERY, false).len(), anna.chargings(&battery).len()),
        (2, 1)
    );
    assert_eq!(
        (anna.documents().len(), anna.flight(&flight)["images"].clone()),
        (1, json!([image]))
    );
    // The files of the log, the document, the picture and its preview.
    assert_eq!(server.blobs().len(), 4);
}
