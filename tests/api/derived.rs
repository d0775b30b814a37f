//! The figures of items from their flights, after finishing, editing and deleting.

use serde_json::{Value, json};

use crate::harness::calls::{BATTERY, COPTER};
use crate::harness::{Pilot, Server, Shared};

struct Hangar {
    server: Shared,
    pilot: Pilot,
    copter: String,
    battery: String,
}

fn hangar() -> Hangar {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let (copter, battery) = (pilot.item(COPTER, "Falke"), pilot.item(BATTERY, "Akku"));
    Hangar {
        server,
        pilot,
        copter,
        battery,
    }
}

impl Hangar {
    /// Adds a finished flight with copter and battery.
    fn fly(&self, start: &str, minutes: u32, voltages: [Option<f64>; 2]) -> String {
        let fields = json!({
            "startTime": start, "flightTime": minutes,
            "batteryStartVoltage": voltages[0], "batteryEndVoltage": voltages[1],
        });
        self.pilot.fly(&self.copter, &[&self.battery], &fields)
    }

    #[track_caller]
    fn expect_use(&self, hours: f64, last_flight: &str) {
        for id in [&self.copter, &self.battery] {
            let item = self.pilot.equipment(id);
            assert_eq!(item["usageTime"].as_f64(), Some(hours), "{item}");
            assert_eq!(item["lastFlight"], last_flight, "{item}");
        }
    }

    /// `endVoltage` and `currentCharge` of the battery.
    fn voltages(&self) -> (Option<f64>, Option<f64>) {
        let battery = self.pilot.equipment(&self.battery);
        (battery["endVoltage"].as_f64(), battery["currentCharge"].as_f64())
    }
}

#[test]
fn usage_is_the_sum_of_flight_times_in_hours_and_the_last_flight_its_latest_start() {
    let hangar = hangar();
    hangar.expect_use(0.0, "");
    hangar.fly("10.05.2026 10:00", 10, [None, None]);
    hangar.expect_use(0.17, "10.05.2026 10:00");
    hangar.fly("12.05.2026 09:00", 5, [None, None]);
    hangar.expect_use(0.25, "12.05.2026 09:00");
    hangar.fly("11.05.2026 23:59", 90, [None, None]);
    hangar.expect_use(1.75, "12.05.2026 09:00");
}

#[test]
fn an_edited_flight_changes_what_its_items_show() {
    let hangar = hangar();
    let first = hangar.fly("10.05.2026 10:00", 30, [Some(16.8), Some(14.8)]);
    let second = hangar.fly("12.05.2026 09:00", 15, [Some(16.7), Some(15.1)]);
    hangar.expect_use(0.75, "12.05.2026 09:00");
    assert_eq!(hangar.voltages(), (Some(15.1), Some(15.1)));

    let edit = json!({"dpfId": second, "flightTime": 45, "startTime": "09.05.2026 09:00"});
    hangar.pilot.save_flight(&edit).expect_status(200);
    hangar.expect_use(1.25, "10.05.2026 10:00");
    assert_eq!(hangar.voltages(), (Some(14.8), Some(14.8)));

    let edit = json!({"dpfId": first, "flightTime": "", "batteryEndVoltage": ""});
    hangar.pilot.save_flight(&edit).expect_status(200);
    hangar.expect_use(0.75, "10.05.2026 10:00");
    assert_eq!(
        hangar.voltages().0,
        Some(15.1),
        "the latest flight that has an end voltage"
    );
    assert_eq!(
        hangar.voltages().1,
        Some(16.8),
        "the latest flight has only a start voltage"
    );
}

#[test]
fn a_deleted_flight_is_taken_back_from_its_items() {
    let hangar = hangar();
    let first = hangar.fly("10.05.2026 10:00", 30, [Some(16.8), Some(14.8)]);
    let second = hangar.fly("12.05.2026 09:00", 15, [Some(16.7), Some(15.1)]);
    hangar.pilot.delete_flight(&second).expect_status(200);
    hangar.expect_use(0.5, "10.05.2026 10:00");
    assert_eq!(hangar.voltages(), (Some(14.8), Some(14.8)));
    hangar.pilot.delete_flight(&first).expect_status(200);
    hangar.expect_use(0.0, "");
    assert_eq!(hangar.voltages(), (None, None));
}

#[test]
fn flights_are_no_chargings_of_their_own() {
    let hangar = hangar();
    hangar.fly("10.05.2026 10:00", 10, [Some(16.8), Some(14.8)]);
    let battery = hangar.pilot.equipment(&hangar.battery);
    assert_eq!(
        (&battery["chargeCount"], &battery["lastChargeTime"]),
        (&json!(0), &json!(""))
    );
    assert!(battery["lastCharging"].is_null());
}

#[test]
fn lists_show_the_same_as_the_item_itself() {
    let hangar = hangar();
    hangar.fly("10.05.2026 10:00", 10, [Some(16.8), Some(14.8)]);
    assert_eq!(
        hangar.pilot.equipments(BATTERY, false),
        [hangar.pilot.equipment(&hangar.battery)]
    );
    assert_eq!(
        hangar.pilot.all_equipments()["copters"],
        json!([hangar.pilot.equipment(&hangar.copter)])
    );
}

#[test]
fn another_pilot_s_flights_count_for_nobody_else() {
    let hangar = hangar();
    let ben = hangar.server.pilot("Ben");
    let copter = ben.item(COPTER, "Falke");
    hangar.fly("10.05.2026 10:00", 30, [None, None]);
    assert_eq!(ben.equipment(&copter)["usageTime"].as_f64(), Some(0.0));
    assert!(ben.statistics()["totalFlightTime"] == "");
}

#[test]
fn a_retired_item_keeps_what_its_flights_tell() {
    let hangar = hangar();
    hangar.fly("10.05.2026 10:00", 30, [Some(16.8), Some(14.8)]);
    for id in [&hangar.copter, &hangar.battery] {
        hangar.pilot.deactivate(id, "verkauft").expect_status(200);
    }
    hangar.expect_use(0.5, "10.05.2026 10:00");
    assert_eq!(hangar.voltages(), (Some(14.8), Some(14.8)));
}

impl Hangar {
    /// Adds a finished charging of the battery.
    fn charge(&self, start: &str, end: &str, to_voltage: &str) {
        let fields = [
            ("chargeStartTime", start),
            ("fromVoltage", "21.6"),
            ("chargeEndTime", end),
            ("toVoltage", to_voltage),
            ("charged", "900"),
        ];
        self.pilot.save_charging(&self.battery, &fields).expect_status(200);
    }

    /// `state` and `cells` of the battery; checks that every list has the same.
    #[track_caller]
    fn pack(&self) -> (Value, Value) {
        let battery = self.pilot.equipment(&self.battery);
        assert_eq!(self.pilot.equipments(BATTERY, false), std::slice::from_ref(&battery));
        assert_eq!(self.pilot.all_equipments()["batteries"], json!([battery]));
        (battery["state"].clone(), battery["cells"].clone())
    }
}

#[test]
fn the_state_of_a_pack_follows_its_last_charging_or_landing() {
    let hangar = hangar();
    assert_eq!(hangar.pack(), (json!(null), json!(null)));
    hangar.charge("10.05.2026 08:00", "10.05.2026 09:00", "25.2");
    assert_eq!(hangar.pack(), (json!("full"), json!(6)));
    hangar.fly("10.05.2026 10:00", 5, [Some(25.2), Some(21.6)]);
    assert_eq!(hangar.pack(), (json!("empty"), json!(6)));
    hangar.charge("10.05.2026 18:00", "10.05.2026 18:30", "22.9");
    assert_eq!(hangar.pack(), (json!("storage"), json!(6)));
    hangar.charge("12.05.2026 18:00", "12.05.2026 18:30", "23.9");
    assert_eq!(hangar.pack(), (json!("partial"), json!(6)));
    hangar.fly("13.05.2026 10:00", 5, [Some(23.9), Some(17.9)]);
    assert_eq!(hangar.pack(), (json!("low"), json!(6)));
}

#[test]
fn a_pack_in_the_open_flight_flies_and_one_on_the_charger_charges() {
    let hangar = hangar();
    let open = [("chargeStartTime", "10.05.2026 08:00"), ("fromVoltage", "21.6")];
    hangar.pilot.save_charging(&hangar.battery, &open).expect_status(200);
    assert_eq!(hangar.pack().0, "charging");
    let flight = hangar
        .pilot
        .take_off_with(&hangar.copter, &[&hangar.battery], &json!([]));
    assert_eq!(hangar.pack().0, "flying");
    hangar.pilot.delete_flight(&flight).expect_status(200);
    assert_eq!(hangar.pack().0, "charging");
}

#[test]
fn nobody_knows_the_state_of_a_pack_that_was_flown_since_its_last_measurement() {
    let hangar = hangar();
    hangar.charge("10.05.2026 08:00", "10.05.2026 09:00", "25.2");
    let flight = hangar.fly("10.05.2026 10:00", 5, [None, None]);
    assert_eq!(hangar.pack(), (json!(null), json!(6)));
    let measured = json!({"dpfId": flight, "batteryStartVoltage": 25.1});
    hangar.pilot.save_flight(&measured).expect_status(200);
    assert_eq!(
        hangar.pack(),
        (json!(null), json!(6)),
        "it began full and landed somehow"
    );
    hangar.pilot.delete_flight(&flight).expect_status(200);
    assert_eq!(hangar.pack(), (json!("full"), json!(6)));
}

#[test]
fn the_cells_of_a_pack_stand_in_its_type_and_its_chemistry_moves_the_limits() {
    let hangar = hangar();
    hangar.charge("10.05.2026 08:00", "10.05.2026 09:00", "12.4");
    for (battery_type, expected) in [
        ("LiPo 3S", ("full", 3)),
        ("LiHV 3S", ("partial", 3)),
        ("LiPo 4S 1300", ("low", 4)),
        ("Li-Ion 4s", ("empty", 4)),
        ("", ("full", 3)),
    ] {
        let edited = json!({"dpfId": hangar.battery, "name": "Akku", "batteryType": battery_type});
        hangar.pilot.save_edit_equipment(&edited).expect_status(200);
        assert_eq!(hangar.pack(), (json!(expected.0), json!(expected.1)), "{battery_type}");
    }
}

#[test]
fn only_batteries_have_a_state() {
    let hangar = hangar();
    hangar.fly("10.05.2026 10:00", 5, [Some(16.8), Some(14.8)]);
    let copter = hangar.pilot.equipment(&hangar.copter);
    assert_eq!((&copter["state"], &copter["cells"]), (&json!(null), &json!(null)));
}
