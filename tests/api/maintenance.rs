//! Maintenance: jobs that come due by what an item's flights add, by days or a date, and what is done about them.

use serde_json::{Value, json};

use crate::harness::answer::Answer;
use crate::harness::calls::{BATTERY, COPTER, id_in};
use crate::harness::export::{exported, members};
use crate::harness::process::run;
use crate::harness::{Pilot, Server, clock, temporary_directory, text};

const JUST_DONE: &str = "Gerade erst erledigt. Noch einmal?";

/// A copter with a job that counts since the beginning of 2026.
struct Bench {
    pilot: Pilot,
    copter: String,
    job: String,
}

impl Bench {
    fn new(job: &Value) -> Bench {
        let pilot = Server::shared().pilot("Anna");
        let copter = pilot.item(COPTER, "Apex");
        let mut entries = job.clone();
        entries["since"] = json!("01.01.2026");
        let job = job_id(&save(&pilot, &copter, &entries).expect_status(200).json());
        Bench { pilot, copter, job }
    }

    #[track_caller]
    fn fly(&self, start: &str, minutes: &str) -> String {
        let flight = json!({"startTime": start, "flightTime": minutes});
        self.pilot.fly(&self.copter, &[], &flight)
    }

    #[track_caller]
    fn job(&self) -> Value {
        let jobs = jobs(&self.pilot, Some(&self.copter));
        let found = jobs.iter().find(|job| job["jobId"] == self.job.as_str());
        found.expect("the job").clone()
    }

    fn fields<'f>(&'f self, more: &[(&'f str, &'f str)]) -> Vec<(&'f str, &'f str)> {
        let of = [("dpfId", self.copter.as_str()), ("jobId", self.job.as_str())];
        [&of[..], more].concat()
    }

    fn post(&self, call: &str, more: &[(&str, &str)]) -> Answer {
        self.pilot.post(call, &self.fields(more))
    }

    fn complete(&self, more: &[(&str, &str)]) -> Answer {
        self.pilot.upload("CompleteJob", &self.fields(more), &[])
    }

    #[track_caller]
    fn expect(&self, level: &str, text: &str) {
        let job = self.job();
        assert_eq!((&job["level"], &job["text"]), (&json!(level), &json!(text)));
    }

    /// Flights and hours that are counted.
    #[track_caller]
    fn counted(&self) -> (i64, f64) {
        let counters = &self.job()["counters"];
        (
            counters["flights"].as_i64().unwrap(),
            counters["hours"].as_f64().unwrap(),
        )
    }

    #[track_caller]
    fn runs(&self) -> Vec<Value> {
        let runs = self.post("GetJobRuns", &[]).expect_status(200).json();
        runs.as_array().unwrap().clone()
    }

    #[track_caller]
    fn logs(&self) -> Vec<String> {
        let logs = self.pilot.post("GetEquipmentLogs", &[("dpfId", &self.copter)]);
        let logs = logs.expect_status(200).json();
        let logs = logs["logs"].as_array().unwrap().iter();
        logs.map(|log| log["info"].as_str().unwrap().to_owned()).collect()
    }
}

fn save(pilot: &Pilot, item: &str, job: &Value) -> Answer {
    pilot.post("SaveJob", &[("dpfId", item), ("job", &job.to_string())])
}

fn job_id(job: &Value) -> String {
    job["jobId"].as_str().expect("the id of a job").to_owned()
}

#[track_caller]
fn jobs(pilot: &Pilot, item: Option<&str>) -> Vec<Value> {
    let fields: Vec<_> = item.iter().map(|item| ("dpfId", *item)).collect();
    let jobs = pilot.post("GetMaintenance", &fields).expect_status(200).json();
    jobs.as_array().unwrap().clone()
}

#[test]
fn flights_count_whenever_they_are_saved_edited_or_deleted() {
    let bench = Bench::new(&json!({"title": "Propeller", "flights": 3}));
    bench.expect("green", "noch 3 Flüge (0 von 3)");
    let first = bench.fly("02.03.2026 10:00", "30");
    bench.fly("03.03.2026 10:00", "");
    assert_eq!(bench.counted(), (2, 0.5));
    assert_eq!(bench.job()["counters"]["flightsWithoutTime"], 1);
    bench.expect("amber", "noch 1 Flug (2 von 3)");
    // A late flight, and one from before.
    bench.fly("02.02.2026 10:00", "15");
    bench.fly("31.12.2025 23:59", "15");
    assert_eq!(bench.counted(), (3, 0.75));
    bench.expect("red", "jetzt fällig");
    // An open flight doesn't count yet.
    let open = bench.pilot.take_off(&bench.copter);
    assert_eq!(bench.counted().0, 3);
    let ended = json!({"dpfId": open, "flightTime": 6});
    bench.pilot.finish_flight(&ended).expect_status(200);
    assert_eq!(bench.counted(), (4, 0.85));
    bench.expect("red", "fällig seit einem Flug");
    let edited = json!({"dpfId": first, "flightTime": 60}).to_string();
    let edited = [("flight", edited.as_str()), ("endFlight", "false")];
    bench.pilot.post("SaveFlight", &edited).expect_status(200);
    assert_eq!(bench.counted(), (4, 1.35));
    bench.pilot.delete_flight(&first).expect_status(200);
    assert_eq!(bench.counted(), (3, 0.35));
}

#[test]
fn the_nights_of_the_clock_changes_neither_lose_nor_double_a_flight() {
    let bench = Bench::new(&json!({"title": "Propeller", "hours": 50, "days": 400}));
    // Into the hour that is left out, and in both of the one that comes twice.
    bench.fly("29.03.2026 01:45", "45");
    bench.fly("25.10.2026 02:30", "45");
    bench.fly("25.10.2026 02:30", "45");
    assert_eq!(bench.counted(), (3, 2.25));
    bench.complete(&[("time", "25.10.2026 02:30")]).expect_status(201);
    assert_eq!(bench.counted(), (2, 1.5));
}

#[test]
fn what_is_done_becomes_a_log_and_the_count_starts_again() {
    let bench = Bench::new(&json!({"title": "Propeller wechseln", "hours": "1", "flights": 200,
        "steps": "Sichtprüfung\nWuchten"}));
    bench.fly("02.03.2026 10:00", "30");
    bench.fly("05.03.2026 10:00", "24");
    // Done between the flights, with a photo.
    let fields = bench.fields(&[
        ("time", "03.03.2026 18:00"),
        ("info", "Gemfan"),
        ("steps", "0"),
        ("cost", "12,50"),
    ]);
    let answer = bench
        .pilot
        .upload("CompleteJob", &fields, &[("file", "foto.jpg", b"Foto")]);
    let done = answer.expect_status(201).json();
    assert_eq!(
        done["log"]["info"],
        "Erledigt: Propeller wechseln (nach 0,5 h, 1 Flug)\nGemfan\n✓ Sichtprüfung\n– Wuchten\nKosten: 12,50 €"
    );
    assert_eq!(done["log"]["documentObj"]["name"], "foto.jpg");
    assert_eq!(done["log"]["time"], "03.03.2026 18:00");
    // The later flight belongs to the new span.
    assert_eq!(bench.counted(), (1, 0.4));
    assert_eq!(done["job"]["since"], "03.03.2026 18:00");
    let run = &bench.runs()[0];
    assert_eq!((&run["kind"], &run["run"]), (&json!("done"), &done["run"]));
    assert_eq!(
        (&run["hours"], &run["flights"], &run["cost"]),
        (&json!(0.5), &json!(1), &json!(12.5))
    );
    assert_eq!(
        (&run["steps"], &run["log"]),
        (&json!(["Sichtprüfung"]), &done["log"]["dpfId"])
    );
    assert_eq!(bench.job()["lastRun"], *run);
    // The run's log is an ordinary one: without it the run stays.
    let log = id_in(&done["log"]);
    bench.pilot.post("DeleteLog", &[("dpfId", &log)]).expect_status(200);
    let run = &bench.runs()[0];
    assert_eq!((&run["log"], &run["info"]), (&Value::Null, &Value::Null));
}

#[test]
fn what_was_done_is_taken_back_with_the_count_and_the_delay() {
    let bench = Bench::new(&json!({"title": "Propeller", "flights": 3}));
    for start in ["02.03.2026 10:00", "03.03.2026 10:00", "04.03.2026 10:00"] {
        bench.fly(start, "30");
    }
    bench.post("PutOffJob", &[("flights", "5")]).expect_status(200);
    bench.expect("grey", "fällig, verschoben um 5 Flüge");
    let before = bench.job();
    let done = bench.complete(&[]).expect_status(201).json();
    bench.expect("green", "noch 3 Flüge (0 von 3)");
    let run = done["run"].as_str().unwrap();
    let undone = bench.post("DeleteJobRun", &[("run", run), ("withLog", "true")]);
    assert_eq!(undone.expect_status(200).json(), before);
    assert_eq!(
        (bench.job(), bench.logs(), bench.runs()),
        (before, Vec::new(), Vec::new())
    );
    bench.post("DeleteJobRun", &[("run", run)]).expect_status(403);
    // Only the last can be taken back; its log may stay.
    let first = bench
        .complete(&[("time", "05.03.2026 10:00")])
        .expect_status(201)
        .json();
    let second = bench
        .complete(&[("time", "06.03.2026 10:00")])
        .expect_status(201)
        .json();
    bench
        .post("DeleteJobRun", &[("run", first["run"].as_str().unwrap())])
        .expect_refusal(409, "Nur der letzte Eintrag lässt sich zurücknehmen.");
    bench
        .post("DeleteJobRun", &[("run", second["run"].as_str().unwrap())])
        .expect_status(200);
    assert_eq!((bench.runs().len(), bench.logs().len()), (1, 2));
}

#[test]
fn a_job_is_recorded_again_within_ten_minutes_only_if_the_pilot_confirms_it() {
    let bench = Bench::new(&json!({"title": "Propeller", "flights": 3}));
    bench.complete(&[("time", "05.03.2026 10:00")]).expect_status(201);
    let soon = ("time", "05.03.2026 10:05");
    let refused = bench.complete(&[soon]).expect_refusal(400, JUST_DONE);
    assert_eq!(refused.header("X-Field"), Some("again"));
    bench
        .complete(&[("time", "05.03.2026 09:59"), ("again", "true")])
        .expect_refusal(400, "Das Datum liegt vor der letzten Erledigung.");
    bench.complete(&[soon, ("again", "true")]).expect_status(201);
    bench.complete(&[("time", "05.03.2026 10:11")]).expect_status(201);
    assert_eq!(bench.runs().len(), 3);
}

#[test]
fn the_same_request_does_a_job_once() {
    let bench = Bench::new(&json!({"title": "Propeller", "flights": 3}));
    let request = ("requestId", "0198b6f0-4444-7000-8000-00000000000a");
    let [first, second] = [(); 2].map(|()| bench.complete(&[request]).expect_status(201).json());
    assert_eq!(first, second);
    assert_eq!((bench.runs().len(), bench.logs().len()), (1, 1));
}

#[test]
fn a_skipped_job_counts_from_its_own_time_without_a_log() {
    let bench = Bench::new(&json!({"title": "Propeller", "flights": 3}));
    bench.fly("02.03.2026 10:00", "30");
    bench.fly("05.03.2026 10:00", "30");
    // As a phone sends it that had no network for days.
    let skipped = bench.post("SkipJob", &[("time", "04.03.2026 10:00"), ("info", "Ersatzteil fehlt")]);
    assert_eq!(skipped.expect_status(200).json()["since"], "04.03.2026 10:00");
    assert_eq!(bench.counted(), (1, 0.5));
    assert!(bench.logs().is_empty());
    let run = &bench.runs()[0];
    assert_eq!(
        (&run["kind"], &run["info"]),
        (&json!("skipped"), &json!("Ersatzteil fehlt"))
    );
    // A delay counts from the time at which it was wanted, too.
    bench.fly("06.03.2026 10:00", "30");
    let later = [("time", "06.03.2026 09:00"), ("flights", "2")];
    let put_off = bench.post("PutOffJob", &later).expect_status(200).json();
    assert_eq!(put_off["putOff"], "um 1 Flug");
}

#[test]
fn a_time_of_any_zone_counts_if_its_instant_has_passed() {
    let bench = Bench::new(&json!({"title": "Propeller", "flights": 3}));
    let now = clock::seconds_since_1970();
    for ahead in [-12, 0, 9, 14] {
        let (time, instant) = (clock::at_offset(now, ahead), clock::rfc_3339(now));
        let fields = [
            ("time", time.as_str()),
            ("instant", instant.as_str()),
            ("again", "true"),
        ];
        assert_eq!(
            bench.complete(&fields).expect_status(201).json()["log"]["time"],
            time.as_str(),
            "{ahead}"
        );
    }
    let (time, later) = (clock::at_offset(now, 0), clock::rfc_3339(now + 600));
    bench
        .complete(&[("time", &time), ("instant", &later), ("again", "true")])
        .expect_refusal(400, "Die Zeit liegt in der Zukunft.");
}

#[test]
fn a_job_is_put_off_paused_and_taken_up_again() {
    let bench = Bench::new(&json!({"title": "Propeller", "flights": 1}));
    bench.fly("02.03.2026 10:00", "30");
    bench.expect("red", "jetzt fällig");
    for (delay, said) in [
        (("until", "31.12.2098"), "bis 31.12.2098"),
        (("flights", "3"), "um 3 Flüge"),
        (("hours", "2,5"), "um 2,5 h"),
    ] {
        let job = bench.post("PutOffJob", &[delay]).expect_status(200).json();
        assert_eq!((&job["putOff"], &job["level"]), (&json!(said), &json!("grey")));
        assert_eq!(job["text"], format!("fällig, verschoben {said}"));
    }
    for wrong in [
        ("flights", "0"),
        ("hours", "0"),
        ("days", "366"),
        ("until", "31.02.2027"),
    ] {
        bench.post("PutOffJob", &[wrong]).expect_status(400);
    }
    let job = bench.post("PutOffJob", &[]).expect_status(200).json();
    assert_eq!((&job["putOff"], &job["level"]), (&Value::Null, &json!("red")));
    let job = bench.post("PauseJob", &[("on", "true")]).expect_status(200).json();
    assert_eq!(
        (&job["paused"], &job["level"], &job["text"]),
        (&json!(true), &json!("grey"), &json!("pausiert"))
    );
    bench.fly("03.03.2026 10:00", "30");
    bench.post("PauseJob", &[("on", "false")]).expect_status(200);
    bench.expect("red", "fällig seit einem Flug");
}

#[test]
fn what_is_done_once_is_finished() {
    let bench = Bench::new(&json!({"title": "Einstellen", "flights": 1, "repeat": "once"}));
    assert_eq!(bench.complete(&[]).expect_status(201).json()["job"]["archived"], true);
    bench.expect("grey", "abgeschlossen");
    for call in ["SkipJob", "PutOffJob"] {
        bench
            .post(call, &[])
            .expect_refusal(409, "Diese Wartung ist abgeschlossen.");
    }
    bench.complete(&[("again", "true")]).expect_status(409);
    let again = bench.post("SaveJob", &[("job", r#"{"repeat": "done"}"#)]);
    assert_eq!(again.expect_status(200).json()["archived"], false);
    let once = bench.post("SaveJob", &[("job", r#"{"repeat": "once"}"#)]);
    assert_eq!(once.expect_status(200).json()["archived"], true);
}

#[test]
fn a_job_is_saved_with_its_limits_and_edited() {
    let pilot = Server::shared().pilot("Anna");
    let copter = pilot.item(COPTER, "Apex");
    for (job, sentence) in [
        (json!({"title": "a"}), "Bitte mindestens eine Grenze angeben."),
        (json!({"hours": 5}), "Bitte geben Sie der Wartung einen Titel."),
        (json!({"title": "a", "cycles": 5}), "Ladezyklen zählen nur bei Akkus."),
        (
            json!({"title": "a", "hours": 5, "repeat": "due"}),
            "Ein fester Termin braucht ein Datum oder Tage.",
        ),
        (
            json!({"title": "a", "hours": 5, "since": "31.12.2098"}),
            "Die Zeit liegt in der Zukunft.",
        ),
    ] {
        save(&pilot, &copter, &job).expect_refusal(400, sentence);
    }
    let id = "0198b6f0-5555-4000-8000-00000000000a";
    let job = json!({"title": "Durchsicht", "hours": "40", "days": 365, "source": "DroneSense"});
    let fields = [("dpfId", copter.as_str()), ("newJobId", id), ("job", &job.to_string())];
    let saved = pilot.post("SaveJob", &fields).expect_status(200).json();
    assert_eq!((&saved["jobId"], &saved["dpfId"]), (&json!(id), &json!(copter)));
    assert_eq!(
        saved["limits"],
        json!({"hours": 40.0, "flights": null, "cycles": null, "days": 365, "date": null})
    );
    // A repeated request makes no second job.
    assert_eq!(pilot.post("SaveJob", &fields).expect_status(200).json(), saved);
    let edited = [
        ("dpfId", copter.as_str()),
        ("jobId", id),
        ("job", r#"{"hours": "", "warnShare": 20}"#),
    ];
    let edited = pilot.post("SaveJob", &edited).expect_status(200).json();
    assert_eq!(
        (&edited["limits"]["hours"], &edited["limits"]["days"]),
        (&Value::Null, &json!(365))
    );
    assert_eq!(
        (&edited["title"], &edited["warnShare"]),
        (&json!("Durchsicht"), &json!(20))
    );
    let one = [("dpfId", copter.as_str()), ("jobId", id)];
    pilot.post("DeleteJob", &one).expect_status(200);
    assert!(jobs(&pilot, Some(&copter)).is_empty());
    for call in ["DeleteJob", "GetJobRuns", "SkipJob"] {
        pilot.post(call, &one).expect_status(403);
    }
    // The job's id is spent.
    pilot.post("SaveJob", &fields).expect_status(403);
}

#[test]
fn chargings_of_a_battery_are_cycles() {
    let pilot = Server::shared().pilot("Anna");
    let battery = pilot.item(BATTERY, "Akku 1");
    let job = json!({"title": "Stecker", "cycles": 2, "since": "01.01.2026"});
    let job = save(&pilot, &battery, &job).expect_status(200).json();
    assert_eq!(job["text"], "noch 2 Ladungen (0 von 2)");
    for day in ["01.03.2026", "02.03.2026"] {
        let (start, end) = (format!("{day} 18:00"), format!("{day} 19:00"));
        let charging = [
            ("chargeStartTime", start.as_str()),
            ("fromVoltage", "14,4"),
            ("chargeEndTime", &end),
            ("toVoltage", "16,8"),
            ("charged", "1100"),
        ];
        pilot.save_charging(&battery, &charging).expect_status(200);
    }
    let job = &jobs(&pilot, Some(&battery))[0];
    assert_eq!(
        (&job["counters"]["cycles"], &job["text"]),
        (&json!(2), &json!("jetzt fällig"))
    );
}

#[test]
fn the_jobs_of_a_retired_item_rest_and_can_still_be_done() {
    let bench = Bench::new(&json!({"title": "Propeller", "flights": 1}));
    bench.fly("02.03.2026 10:00", "30");
    bench.pilot.deactivate(&bench.copter, "verkauft").expect_status(200);
    assert!(jobs(&bench.pilot, None).is_empty());
    bench.expect("grey", "ausgemustert");
    save(&bench.pilot, &bench.copter, &json!({"title": "Neu", "flights": 1}))
        .expect_refusal(409, "Ausgemustertes Equipment bekommt keine Wartung.");
    bench.complete(&[]).expect_status(201);
}

#[test]
fn an_item_has_at_most_thirty_jobs() {
    let pilot = Server::shared().pilot("Anna");
    let copter = pilot.item(COPTER, "Apex");
    let job = json!({"title": "Propeller", "flights": 1});
    for _ in 0..30 {
        save(&pilot, &copter, &job).expect_status(200);
    }
    save(&pilot, &copter, &job).expect_refusal(409, "Mehr als 30 Wartungen je Equipment sind nicht möglich.");
}

#[test]
fn the_gravest_job_of_all_items_comes_first() {
    let pilot = Server::shared().pilot("Anna");
    assert!(jobs(&pilot, None).is_empty());
    let [apex, mavic] = ["Apex", "Mavic"].map(|name| pilot.item(COPTER, name));
    for (item, title, days, since) in [
        (&apex, "grün", 3650, "01.01.2026"),
        (&mavic, "rot", 30, "01.01.2026"),
        (&apex, "röter", 10, "01.01.2026"),
    ] {
        save(&pilot, item, &json!({"title": title, "days": days, "since": since})).expect_status(200);
    }
    let titles: Vec<_> = jobs(&pilot, None).iter().map(|job| job["title"].clone()).collect();
    assert_eq!(titles, ["röter", "rot", "grün"]);
}

#[test]
fn the_templates_of_a_kind_are_for_it_and_name_their_sources() {
    let pilot = Server::shared().pilot("Anna");
    let templates = |fields: &[(&str, &str)]| {
        let found = pilot.post("GetJobTemplates", fields).expect_status(200).json();
        found.as_array().unwrap().clone()
    };
    let all = templates(&[]);
    for kind in 0..5 {
        let of_kind = templates(&[("type", &kind.to_string())]);
        assert!(!of_kind.is_empty() && of_kind.len() < all.len());
        for template in of_kind {
            assert!(template["types"].as_array().unwrap().contains(&json!(kind)));
            assert_ne!(template["source"], "");
        }
    }
    pilot.post("GetJobTemplates", &[("type", "5")]).expect_status(400);
}

#[test]
fn jobs_move_to_another_server_with_their_runs_and_count_there() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let copter = anna.item(COPTER, "Apex");
    let job = json!({"title": "Propeller", "hours": "5", "flights": 10, "date": "31.12.2098", "steps": "eins\nzwei",
        "repeat": "due", "source": "Handbuch", "since": "01.01.2026"});
    let saved = save(&anna, &copter, &job).expect_status(200).json();
    for start in ["02.03.2026 10:00", "05.03.2026 10:00"] {
        anna.fly(&copter, &[], &json!({"startTime": start, "flightTime": 30}));
    }
    let of = [("dpfId", copter.as_str()), ("jobId", saved["jobId"].as_str().unwrap())];
    let done = [
        &of[..],
        &[("time", "03.03.2026 10:00"), ("steps", "1"), ("cost", "3,2")],
    ]
    .concat();
    anna.upload("CompleteJob", &done, &[]).expect_status(201);
    anna.post("PutOffJob", &[&of[..], &[("flights", "4")]].concat())
        .expect_status(200);
    let archive = exported(server.directory(), "anna@example.org");
    let tables = String::from_utf8(members(&archive)["tabellen/Wartung.csv"].clone()).unwrap();
    assert!(
        tables.contains("Propeller") && tables.contains("eins; zwei"),
        "{tables}"
    );

    let ben = Server::shared().pilot("ben");
    let found = crate::api::exported_flights::import(&ben, &archive);
    let choices = crate::api::exported_belongings::all(&found);
    crate::api::exported_flights::accept(&ben, &found, &choices).expect_status(200);
    let shown = |pilot: &Pilot| {
        let mut job = jobs(pilot, None).remove(0);
        job.as_object_mut().unwrap().remove("dpfId");
        job
    };
    assert_eq!(shown(&ben), shown(&anna));
    assert_eq!(shown(&ben)["counters"]["flights"], 1);
    // Once more adds nothing.
    let again = crate::api::exported_flights::import(&ben, &archive);
    assert_eq!(again["belongings"], json!([]));
}

#[test]
fn jobs_survive_a_backup_and_a_check_finds_nothing_wrong() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    let anna = server.pilot("anna");
    let copter = anna.item(COPTER, "Apex");
    let job = save(
        &anna,
        &copter,
        &json!({"title": "Propeller", "flights": 3, "since": "01.01.2026"}),
    );
    let job = job_id(&job.expect_status(200).json());
    anna.fly(
        &copter,
        &[],
        &json!({"startTime": "02.03.2026 10:00", "flightTime": 30}),
    );
    anna.upload("CompleteJob", &[("dpfId", &copter), ("jobId", &job)], &[])
        .expect_status(201);
    let before = jobs(&anna, None);
    assert!(server.stop().success());
    let checked = run(["check", "--data-dir", text(place.path())]);
    assert_eq!(checked.code, 0, "{checked:?}");
    let archive = place.path().join("sicherung.tar");
    let made = run(["backup", "--data-dir", text(place.path()), "--output", text(&archive)]);
    assert_eq!(made.code, 0, "{made:?}");
    let other = temporary_directory();
    let restored = run(["restore", "--data-dir", text(other.path()), text(&archive)]);
    assert_eq!(restored.code, 0, "{restored:?}");
    let server = Server::start_in(other.path());
    let anna = server.stranger();
    anna.log_in("anna@example.org", crate::harness::PASSWORD)
        .expect_status(202);
    assert_eq!(jobs(&anna, None), before);
}
