//! Chargings: starting, finishing, editing, the history, and its entries from flights.

use serde_json::{Value, json};

use crate::harness::calls::{BATTERY, COPTER, keys};
use crate::harness::{Pilot, Server, Shared};

struct Bench {
    server: Shared,
    pilot: Pilot,
    battery: String,
}

fn bench() -> Bench {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let battery = pilot.item(BATTERY, "Akku 1");
    Bench { server, pilot, battery }
}

const START: [(&str, &str); 2] = [("chargeStartTime", "01.05.2026 10:00"), ("fromVoltage", "21,6")];
const END: [(&str, &str); 3] = [
    ("chargeEndTime", "01.05.2026 11:00"),
    ("toVoltage", "25.2"),
    ("charged", "1100"),
];

fn whole() -> Vec<(&'static str, &'static str)> {
    [&START[..], &END[..]].concat()
}

/// All fields, one of them changed.
fn with(name: &'static str, value: &'static str) -> Vec<(&'static str, &'static str)> {
    let mut fields = whole();
    fields.retain(|(other, _)| *other != name);
    fields.push((name, value));
    fields
}

impl Bench {
    #[track_caller]
    fn save(&self, fields: &[(&str, &str)]) -> Value {
        self.pilot
            .save_charging(&self.battery, fields)
            .expect_status(200)
            .json()
    }

    #[track_caller]
    fn edit(&self, id: &str, fields: &[(&str, &str)]) -> crate::harness::answer::Answer {
        self.pilot
            .save_charging(&self.battery, &[&[("dpfId", id)], fields].concat())
    }

    fn battery(&self) -> Value {
        self.pilot.equipment(&self.battery)
    }
}

#[test]
fn a_started_charging_is_open_until_it_is_finished() {
    let bench = bench();
    let open = bench.save(&START);
    assert_eq!(
        keys(&open),
        [
            "battery",
            "chargeEndTime",
            "chargeStartTime",
            "charged",
            "details",
            "dpfId",
            "flight",
            "fromCellVoltage",
            "fromVoltage",
            "toCellVoltage",
            "toVoltage"
        ]
    );
    assert_eq!(open["chargeStartTime"], "01.05.2026 10:00");
    assert_eq!(open["fromVoltage"], 21.6);
    assert_eq!((&open["chargeEndTime"], &open["toVoltage"]), (&json!(""), &Value::Null));
    let battery = bench.battery();
    assert_eq!(battery["lastCharging"], open);
    assert_eq!(
        (&battery["currentCharge"], &battery["chargeCount"]),
        (&json!(21.6), &json!(0))
    );

    let id = open["dpfId"].as_str().unwrap();
    let finished = bench.edit(id, &whole()).expect_status(200).json();
    assert_eq!(
        (&finished["toVoltage"], &finished["charged"]),
        (&json!(25.2), &json!(1100.0))
    );
    let battery = bench.battery();
    assert_eq!(battery["lastCharging"], Value::Null);
    assert_eq!(
        (&battery["currentCharge"], &battery["chargeCount"]),
        (&json!(25.2), &json!(1))
    );
    assert_eq!(battery["lastChargeTime"], "01.05.2026 11:00");
    assert_eq!(bench.pilot.equipments(BATTERY, false), [battery]);
}

#[test]
fn a_second_start_while_one_is_open_is_a_conflict_and_changes_nothing() {
    let bench = bench();
    let open = bench.save(&START);
    let again = [("chargeStartTime", "02.05.2026 10:00"), ("fromVoltage", "20")];
    bench
        .pilot
        .save_charging(&bench.battery, &again)
        .expect_refusal(409, "Für diese Batterie läuft bereits ein Ladevorgang.");
    assert_eq!(bench.pilot.chargings(&bench.battery), [open]);
}

#[test]
fn a_finished_charging_can_be_recorded_at_once_and_edited_again() {
    let bench = bench();
    let id = bench.save(&whole())["dpfId"].as_str().unwrap().to_owned();
    bench.edit(&id, &with("toVoltage", "20")).expect_status(200);
    let battery = bench.battery();
    assert_eq!(battery["chargeCount"], 0, "what lowered the voltage was no charge");
    assert_eq!(
        (&battery["lastChargeTime"], &battery["currentCharge"]),
        (&json!(""), &json!(20.0))
    );
}

#[test]
fn of_an_edited_charging_stays_what_is_not_sent_and_an_empty_field_clears() {
    let bench = bench();
    let started = [&START[..], &[("fromCellVoltage", "3,6")]].concat();
    let id = bench.save(&started)["dpfId"].as_str().unwrap().to_owned();
    let finished = bench.edit(&id, &END).expect_status(200).json();
    for (field, value) in [
        ("chargeStartTime", json!("01.05.2026 10:00")),
        ("fromVoltage", json!(21.6)),
        ("fromCellVoltage", json!(3.6)),
        ("chargeEndTime", json!("01.05.2026 11:00")),
        ("toVoltage", json!(25.2)),
    ] {
        assert_eq!(finished[field], value, "{field}");
    }
    let edited = bench.edit(&id, &[("charged", "900"), ("fromCellVoltage", "")]);
    let edited = edited.expect_status(200).json();
    assert_eq!(
        (&edited["charged"], &edited["fromCellVoltage"]),
        (&json!(900.0), &Value::Null)
    );
    assert_eq!(edited["toVoltage"], 25.2);
    bench
        .edit(&id, &[("chargeEndTime", "01.05.2026 09:59")])
        .expect_refusal(400, "Die Endzeit liegt vor der Startzeit.");
}

#[test]
fn missing_or_wrong_fields_are_named_and_store_nothing() {
    let bench = bench();
    let open = bench.save(&START);
    let id = open["dpfId"].as_str().unwrap();
    let cases = [
        (
            with("chargeStartTime", ""),
            "Bitte geben Sie die Startzeit des Ladevorgangs ein.",
        ),
        (
            with("fromVoltage", ""),
            "Bitte geben Sie die Spannung vor dem Ladevorgang ein.",
        ),
        (
            with("toVoltage", ""),
            "Bitte geben Sie die Spannung nach dem Ladevorgang ein.",
        ),
        (
            with("chargeEndTime", ""),
            "Bitte geben Sie die Endzeit des Ladevorgangs ein.",
        ),
        (with("charged", ""), "Bitte geben Sie die geladene Kapazität ein."),
        (
            with("chargeEndTime", "01.05.2026 09:59"),
            "Die Endzeit liegt vor der Startzeit.",
        ),
        (with("fromVoltage", "-1"), "Ungültige Eingabe"),
        (with("toVoltage", "1.5.2"), "Ungültige Eingabe"),
        (with("charged", "1e9"), "Ungültige Eingabe"),
        (with("fromCellVoltage", "viel"), "Ungültige Eingabe"),
        (with("toCellVoltage", "1234567890"), "Ungültige Eingabe"),
        (
            with("chargeStartTime", "31.02.2026 10:00"),
            "Bitte geben Sie Datum und Uhrzeit im Format TT.MM.JJJJ HH:MM ein.",
        ),
        (
            with("chargeStartTime", "01.05.1899 10:00"),
            "Das Jahr muss zwischen 1900 und 2099 liegen.",
        ),
    ];
    for (fields, sentence) in cases {
        bench.edit(id, &fields).expect_refusal(400, sentence);
    }
    assert_eq!(bench.pilot.chargings(&bench.battery), [open]);
}

#[test]
fn only_batteries_are_charged_and_only_ones_own() {
    let bench = bench();
    let stranger = bench.server.pilot("Ben");
    let copter = bench.pilot.item(COPTER, "Falke");
    let id = bench.save(&START)["dpfId"].as_str().unwrap().to_owned();
    bench
        .pilot
        .save_charging(&copter, &START)
        .expect_refusal(400, "Nur Batterien können geladen werden.");
    bench
        .pilot
        .post("GetChargings", &[("battery", &copter)])
        .expect_refusal(400, "Nur Batterien können geladen werden.");
    stranger.save_charging(&bench.battery, &START).expect_no_access();
    let own = stranger.item(BATTERY, "Akku");
    stranger
        .save_charging(&own, &[&[("dpfId", id.as_str())], &whole()[..]].concat())
        .expect_no_access();
    let other = bench.pilot.item(BATTERY, "Akku 2");
    bench
        .pilot
        .save_charging(&other, &[&[("dpfId", id.as_str())], &whole()[..]].concat())
        .expect_no_access();
    assert_eq!(stranger.chargings(&own), Vec::<Value>::new());
}

#[test]
fn a_finished_flight_writes_itself_into_the_history_of_its_battery_and_follows_its_edits() {
    let bench = bench();
    let copter = bench.pilot.item(COPTER, "Falke");
    let fields = json!({"startTime": "02.05.2026 10:00", "flightTime": 12, "batteryStartVoltage": 25.1,
        "batteryEndVoltage": 21.9, "consumedCapacity": 900});
    let flight = bench.pilot.take_off_with(&copter, &[&bench.battery], &json!([]));
    let mut saved = fields.clone();
    saved["dpfId"] = json!(flight);
    bench.pilot.save_flight(&saved).expect_status(200);
    assert_eq!(
        bench.pilot.chargings(&bench.battery),
        Vec::<Value>::new(),
        "it isn't finished yet"
    );
    bench.pilot.finish_flight(&json!({"dpfId": flight})).expect_status(200);

    let [tied] = &bench.pilot.chargings(&bench.battery)[..] else {
        panic!("one entry")
    };
    assert_eq!(tied["flight"], json!(flight));
    assert_eq!((&tied["fromVoltage"], &tied["toVoltage"]), (&json!(25.1), &json!(21.9)));
    assert_eq!(
        (&tied["chargeStartTime"], &tied["chargeEndTime"]),
        (&json!("02.05.2026 10:00"), &json!("02.05.2026 10:12"))
    );
    assert_eq!(tied["charged"], 900.0);
    bench
        .edit(tied["dpfId"].as_str().unwrap(), &whole())
        .expect_refusal(409, "Dieser Eintrag gehört zu einem Flug und folgt dessen Werten.");

    bench
        .pilot
        .save_flight(&json!({"dpfId": flight, "batteryEndVoltage": "22,4"}))
        .expect_status(200);
    assert_eq!(bench.pilot.chargings(&bench.battery)[0]["toVoltage"], 22.4);
    bench.pilot.delete_flight(&flight).expect_status(200);
    assert_eq!(bench.pilot.chargings(&bench.battery), Vec::<Value>::new());
}

#[test]
fn an_entry_of_a_flight_that_never_ends_ends_with_the_calendar() {
    let bench = bench();
    let copter = bench.pilot.item(COPTER, "Falke");
    let endless = json!({"startTime": "02.05.2026 10:00", "flightTime": 99_999_999, "batteryEndVoltage": 22});
    bench.pilot.fly(&copter, &[&bench.battery], &endless);
    assert_eq!(
        bench.pilot.chargings(&bench.battery)[0]["chargeEndTime"],
        "31.12.2099 23:59"
    );
    bench.save(&[("chargeStartTime", "03.05.2026 10:00"), ("fromVoltage", "24")]);
    assert_eq!(bench.battery()["currentCharge"], 24.0, "a later reading counts");
}

#[test]
fn a_retired_battery_can_not_be_charged_but_its_open_charging_can_be_finished() {
    let bench = bench();
    let open = bench.save(&START);
    bench.pilot.deactivate(&bench.battery, "gebläht").expect_status(200);
    let finished = bench
        .edit(open["dpfId"].as_str().unwrap(), &END)
        .expect_status(200)
        .json();
    for fields in [&START[..], &whole()] {
        bench
            .pilot
            .save_charging(&bench.battery, fields)
            .expect_refusal(409, "Eine ausgemusterte Batterie kann nicht geladen werden.");
    }
    assert_eq!(bench.pilot.chargings(&bench.battery), [finished]);
    bench.pilot.activate(&bench.battery).expect_status(200);
    bench.save(&START);
}

#[test]
fn with_two_batteries_nobody_can_say_which_gave_how_much() {
    let bench = bench();
    let copter = bench.pilot.item(COPTER, "Falke");
    let second = bench.pilot.item(BATTERY, "Akku 2");
    let fields = json!({"startTime": "02.05.2026 10:00", "batteryEndVoltage": 21.9, "consumedCapacity": 900});
    bench.pilot.fly(&copter, &[&bench.battery, &second], &fields);
    let entries = [&bench.battery, &second].map(|battery| bench.pilot.chargings(battery)[0].clone());
    assert_eq!(
        entries.each_ref().map(|entry| &entry["charged"]),
        [&Value::Null, &Value::Null]
    );
    assert_ne!(entries[0]["dpfId"], entries[1]["dpfId"]);
}

#[test]
fn the_history_has_the_newest_start_first_and_the_current_charge_is_the_last_voltage_by_time() {
    let bench = bench();
    let copter = bench.pilot.item(COPTER, "Falke");
    bench.save(&whole());
    let flown = json!({"startTime": "03.05.2026 10:00", "flightTime": 5, "batteryEndVoltage": 22});
    bench.pilot.fly(&copter, &[&bench.battery], &flown);
    assert_eq!(bench.battery()["currentCharge"], 22.0);
    bench.save(&[("chargeStartTime", "02.05.2026 10:00"), ("fromVoltage", "24")]);
    assert_eq!(
        bench.battery()["currentCharge"],
        22.0,
        "an older voltage was recorded later"
    );
    let starts: Vec<_> = bench
        .pilot
        .chargings(&bench.battery)
        .iter()
        .map(|charging| charging["chargeStartTime"].clone())
        .collect();
    assert_eq!(starts, ["03.05.2026 10:00", "02.05.2026 10:00", "01.05.2026 10:00"]);
}

#[test]
fn of_many_starts_at_once_exactly_one_wins() {
    let bench = bench();
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let starts: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| bench.pilot.save_charging(&bench.battery, &START).status))
            .collect();
        starts.into_iter().map(|start| start.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1);
    assert_eq!(statuses.iter().filter(|status| **status == 409).count(), 7);
    assert_eq!(bench.pilot.chargings(&bench.battery).len(), 1);
}

#[test]
fn a_charging_may_end_in_the_hour_that_the_clocks_show_twice() {
    let bench = bench();
    let charged = |start, end| {
        bench.pilot.save_charging(
            &bench.battery,
            &[
                ("chargeStartTime", start),
                ("chargeEndTime", end),
                ("fromVoltage", "14,8"),
                ("toVoltage", "16,8"),
                ("charged", "1100"),
            ],
        )
    };
    charged("25.10.2026 02:50", "25.10.2026 02:10").expect_status(200);
    let before = "Die Endzeit liegt vor der Startzeit.";
    charged("25.10.2026 02:50", "25.10.2026 01:59").expect_refusal(400, before);
    charged("24.10.2026 02:50", "24.10.2026 02:10").expect_refusal(400, before);
}
