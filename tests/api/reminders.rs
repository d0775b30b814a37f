//! Mails with maintenance hints, for pilots who want them.

use std::path::Path;

use serde_json::json;

use crate::harness::calls::{BATTERY, COPTER};
use crate::harness::clock::zone_far_from_midnight;
use crate::harness::mail::outbox;
use crate::harness::process::run;
use crate::harness::spaces::{CLUB, KEEPER, MEMBER, READER};
use crate::harness::{PASSWORD, Pilot, Server, add_user, temporary_directory, text, wait};

const ANNA: &str = "anna@example.org";

fn logged_in(server: &Server, email: &str) -> Pilot {
    let pilot = server.stranger();
    pilot.log_in(email, PASSWORD).expect_status(202);
    pilot
}

/// A pack that has been full for months.
#[track_caller]
fn full(pilot: &Pilot, name: &str) -> String {
    let battery = pilot.item_with(&json!({"type": BATTERY, "name": name, "model": "6S 1300", "capacity": 1300}));
    let fields = [
        ("chargeStartTime", "10.05.2026 08:00"),
        ("fromVoltage", "18"),
        ("chargeEndTime", "10.05.2026 09:00"),
        ("toVoltage", "25,2"),
        ("charged", "900"),
    ];
    pilot.save_charging(&battery, &fields).expect_status(200);
    battery
}

fn wants(pilot: &Pilot, on: &str) {
    let reminder = pilot.post("SaveReminder", &[("on", on)]).expect_status(200).json();
    assert_eq!(reminder, json!({"on": on == "true"}));
    assert_eq!(pilot.post("GetReminder", &[]).json(), reminder);
}

/// Starts a server. Known pilots are checked at its start: any hour of the day is late enough.
fn a_start_of_today(directory: &Path, zone: &str, of: impl FnOnce(&Server)) {
    let settings = [("FLUGLOG_REMINDER_HOUR", "0"), ("FLUGLOG_TIME_ZONE", zone)];
    let server = Server::start_in_with(directory, &settings);
    of(&server);
    assert!(server.stop().success());
}

#[test]
fn a_pilot_who_wants_reminders_gets_one_mail_a_day_about_packs_that_became_worse() {
    let zone = zone_far_from_midnight();
    let place = temporary_directory();
    let directory = place.path().join("data");
    assert_eq!(run(["init", "--data-dir", text(&directory)]).code, 0);
    add_user(&directory, ANNA, "Anna", PASSWORD);
    add_user(&directory, "ben@example.org", "Ben", PASSWORD);
    a_start_of_today(&directory, zone, |server| {
        let (anna, ben) = (logged_in(server, ANNA), logged_in(server, "ben@example.org"));
        for pilot in [&anna, &ben] {
            assert_eq!(pilot.post("GetReminder", &[]).json(), json!({"on": false}));
            full(pilot, "Akku 1");
        }
        wants(&anna, "true");
    });
    a_start_of_today(&directory, zone, |server| {
        let mail = wait::until("a mail", || outbox(&directory).pop());
        assert_eq!((mail.to.as_str(), outbox(&directory).len()), (ANNA, 1));
        assert!(
            mail.subject.contains("Akkus brauchen Aufmerksamkeit"),
            "{}",
            mail.subject
        );
        assert!(
            mail.text.contains("Guten Tag Anna") && mail.text.contains("- Akku 1: Seit "),
            "{}",
            mail.text
        );
        assert!(mail.text.contains(&server.origin()), "{}", mail.text);
        // Another pack, on the same day.
        full(&logged_in(server, ANNA), "Akku 2");
    });
    a_start_of_today(&directory, zone, |server| {
        let anna = logged_in(server, ANNA);
        let passwords = [("password", PASSWORD), ("repeatPassword", PASSWORD)];
        anna.post("SavePassword", &passwords).expect_status(200);
        wait::until("the mail about the password", || {
            let mut subjects = outbox(&directory).into_iter().map(|mail| mail.subject);
            subjects.find(|subject| subject.contains("Passwort"))
        });
        let about_packs = outbox(&directory)
            .into_iter()
            .filter(|mail| mail.text.contains("Akku 1"));
        assert_eq!(about_packs.count(), 1);
        wants(&anna, "false");
    });
    let checked = run(["check", "--data-dir", text(&directory)]);
    assert_eq!(checked.code, 0, "{checked:?}");
}

/// A copter with a job that is overdue, and a proof that has ended.
fn overdue(pilot: &Pilot) {
    let copter = pilot.item(COPTER, "Apex");
    let job = json!({"title": "Propeller", "days": 10, "since": "01.01.2026"}).to_string();
    pilot
        .post("SaveJob", &[("dpfId", &copter), ("job", &job)])
        .expect_status(200);
    let proof = json!({"kind": 4, "until": "01.02.2026", "since": "01.02.2025"});
    pilot.proof("Police.pdf", b"%PDF", &proof);
}

#[test]
fn what_waits_of_packs_maintenance_and_proofs_is_one_list() {
    let server = Server::shared();
    let (anna, ben) = (server.pilot("Anna"), server.pilot("Ben"));
    let waiting = |pilot: &Pilot| pilot.post("GetReminders", &[]).expect_status(200).json();
    assert_eq!(waiting(&anna), json!([]));
    let battery = full(&anna, "Akku 1");
    overdue(&anna);
    let lines = waiting(&anna);
    let lines = lines.as_array().unwrap();
    let said: Vec<_> = lines
        .iter()
        .map(|line| json!([line["topic"], line["name"], line["level"]]))
        .collect();
    assert_eq!(
        said,
        [
            json!(["proof", "Haftpflicht", "red"]),
            json!(["maintenance", "Apex", "red"]),
            json!(["battery", "Akku 1", "red"]),
        ]
    );
    let [_, job, pack] = &lines[..] else {
        panic!("{lines:?}")
    };
    assert_eq!((&job["title"], &job["kind"]), (&json!("Propeller"), &json!(COPTER)));
    assert!(job["text"].as_str().unwrap().starts_with("fällig seit "));
    assert_eq!((&pack["dpfId"], &pack["rule"]), (&json!(battery), &json!("full")));
    assert_eq!(waiting(&ben), json!([]));
    // What is put off doesn't wait.
    let later = [
        ("dpfId", job["dpfId"].as_str().unwrap()),
        ("jobId", job["jobId"].as_str().unwrap()),
        ("days", "7"),
    ];
    anna.post("PutOffJob", &later).expect_status(200);
    anna.post("SnoozeBattery", &[("dpfId", &battery), ("days", "7")])
        .expect_status(200);
    assert_eq!(waiting(&anna).as_array().unwrap().len(), 1);
}

#[test]
fn several_that_wait_for_the_same_have_their_group_and_stay_lines_of_their_own() {
    let server = Server::shared();
    let anna = server.pilot("Anna");
    let lines = || {
        let lines = anna.post("GetReminders", &[]).expect_status(200).json();
        lines.as_array().unwrap().clone()
    };
    full(&anna, "Akku 1");
    assert!(lines()[0].get("group").is_none(), "one alone has no group");
    full(&anna, "Akku 2");
    let copter = anna.item(COPTER, "Apex");
    for title in ["Propeller", "Schrauben"] {
        let job = json!({"title": title, "days": 10, "since": "01.01.2026"}).to_string();
        anna.post("SaveJob", &[("dpfId", &copter), ("job", &job)])
            .expect_status(200);
    }
    let groups: Vec<_> = lines().iter().map(|line| line["group"]["title"].clone()).collect();
    assert_eq!(
        groups,
        [
            "Wartungen an Apex",
            "Wartungen an Apex",
            "Akkus einlagern",
            "Akkus einlagern"
        ]
    );
    let keys: std::collections::HashSet<_> = lines().iter().map(|line| line["group"]["key"].to_string()).collect();
    assert_eq!(keys.len(), 2);
}

#[test]
fn one_mail_lists_everything_that_waits() {
    let zone = zone_far_from_midnight();
    let place = temporary_directory();
    let directory = place.path().join("data");
    assert_eq!(run(["init", "--data-dir", text(&directory)]).code, 0);
    add_user(&directory, ANNA, "Anna", PASSWORD);
    a_start_of_today(&directory, zone, |server| {
        let anna = logged_in(server, ANNA);
        full(&anna, "Akku 1");
        overdue(&anna);
        wants(&anna, "true");
    });
    a_start_of_today(&directory, zone, |_| {
        let mail = wait::until("a mail", || outbox(&directory).pop());
        assert_eq!(mail.subject, "Zu erledigen");
        for line in [
            "- Apex, Propeller: fällig seit ",
            "- Akku 1: Seit ",
            "- Haftpflicht: Seit ",
        ] {
            assert!(mail.text.contains(line), "{line} in {}", mail.text);
        }
        assert_eq!(outbox(&directory).len(), 1);
    });
}

#[test]
fn a_mail_about_shared_gear_goes_to_those_who_keep_it_and_tells_nothing_of_flights() {
    let zone = zone_far_from_midnight();
    let place = temporary_directory();
    let directory = place.path().join("data");
    assert_eq!(run(["init", "--data-dir", text(&directory)]).code, 0);
    let names = ["Anna", "Kai", "Ben", "Rita"];
    for name in names {
        add_user(&directory, &format!("{name}@example.org"), name, PASSWORD);
    }
    a_start_of_today(&directory, zone, |server| {
        let [anna, kai, ben, rita] = names.map(|name| logged_in(server, &format!("{name}@example.org")));
        let space = anna.make_space(CLUB, "MFC Musterstadt");
        for (pilot, role) in [(&kai, KEEPER), (&ben, MEMBER), (&rita, READER)] {
            anna.take_in(&space, role, pilot, true);
        }
        let copter = anna.item_of_space(&space, COPTER, "Schulcopter");
        let job = json!({"title": "Propeller", "days": 10, "since": "01.01.2026"}).to_string();
        anna.post("SaveJob", &[("dpfId", &copter), ("job", &job)])
            .expect_status(200);
        let pack = full(&kai, "Vereinsakku");
        kai.post("MoveEquipment", &[("dpfId", &pack), ("space", &space)])
            .expect_status(200);
        let flight = json!({"startTime": "01.05.2026 10:00", "flightTime": "5", "location": "Waldwiese",
            "notes": "Rundflug am See"});
        ben.fly(&copter, &[&pack], &flight);
        full(&ben, "Bens Akku");
        for pilot in [&anna, &kai, &rita] {
            wants(pilot, "true");
        }
        assert_eq!(rita.post_empty("GetReminders").expect_status(200).json(), json!([]));
        let waiting = ben.post_empty("GetReminders").expect_status(200).json();
        assert_eq!(waiting.as_array().map(Vec::len), Some(1), "{waiting}");
    });
    a_start_of_today(&directory, zone, |_| {
        let mails = wait::until("two mails", || {
            Some(outbox(&directory)).filter(|mails| mails.len() >= 2)
        });
        let mut to: Vec<_> = mails.iter().map(|mail| mail.to.to_lowercase()).collect();
        to.sort_unstable();
        assert_eq!(to, ["anna@example.org", "kai@example.org"]);
        for mail in &mails {
            assert_eq!(mail.subject, "Zu erledigen");
            for line in ["- Schulcopter, Propeller: fällig seit ", "- Vereinsakku: Seit "] {
                assert!(mail.text.contains(line), "{line} in {}", mail.text);
            }
            for private in ["Waldwiese", "Rundflug", "Ben", "Rita"] {
                assert!(!mail.text.contains(private), "{private} in {}", mail.text);
            }
        }
    });
}

#[test]
fn whether_mails_are_wanted_is_said_by_yes_or_no() {
    let server = Server::shared();
    let anna = server.pilot("Anna");
    for on in ["ja", "1", ""] {
        anna.post("SaveReminder", &[("on", on)]).expect_status(400);
    }
    anna.post("SaveReminder", &[]).expect_status(400);
    wants(&anna, "true");
    wants(&anna, "true");
    wants(&anna, "false");
}
