use super::*;
use crate::equipment::model::Kind;
use crate::maintenance::model::EntryChanges;
use fluglog_base::id::{EquipmentId, JobId};
use fluglog_base::input::Fields;
use fluglog_base::time::WallTime;

fn date(text: &str) -> Date {
    Date::parse(text).unwrap()
}

/// A job of a battery, made on 10.01.2027.
fn job(json: &str) -> Job {
    let changes = EntryChanges::read(&Fields::from_json(json).unwrap()).unwrap();
    let since = WallTime::parse("10.01.2027 12:00").unwrap();
    let item = (EquipmentId::from_key(1), Kind::Battery);
    Job::new(JobId::from_key(2), item, &changes, since, 0).unwrap()
}

fn present(milliminutes: i64, flights: i64, today: &str) -> Present {
    Present {
        counted: Counted {
            milliminutes,
            flights,
            untimed: 0,
        },
        cycles: None,
        usage: Counted::default(),
        today: date(today),
        is_retired: false,
    }
}

#[track_caller]
fn says(job: &Job, present: &Present, level: Light, text: &str) {
    let found = standing(job, present);
    assert_eq!((found.level, found.text.as_str()), (level, text));
}

#[test]
fn hours_are_due_at_their_limit_and_soon_at_a_tenth_of_it() {
    let fifty = job(r#"{"title": "a", "hours": 50}"#);
    let at = |minutes: i64| present(minutes * 1000, 1, "11.01.2027");
    says(&fifty, &at(0), Light::Green, "noch 50 h (0 von 50 h)");
    says(&fifty, &at(2699), Light::Green, "noch 5 h (44,9 von 50 h)");
    says(&fifty, &at(2700), Light::Amber, "noch 5 h (45 von 50 h)");
    says(&fifty, &at(2999), Light::Amber, "noch 1 min (49,9 von 50 h)");
    says(&fifty, &at(3000), Light::Red, "jetzt fällig");
    says(&fifty, &at(3001), Light::Red, "fällig seit 1 min");
    says(&fifty, &at(3150), Light::Red, "fällig seit 2,5 h");
    // A thousandth of a minute below.
    says(
        &fifty,
        &present(2_999_999, 1, "11.01.2027"),
        Light::Amber,
        "noch 1 min (49,9 von 50 h)",
    );
}

#[test]
fn flights_are_due_at_their_limit_and_soon_before_the_last() {
    let many = job(r#"{"title": "a", "flights": 200}"#);
    let at = |flights| present(0, flights, "11.01.2027");
    says(&many, &at(179), Light::Green, "noch 21 Flüge (179 von 200)");
    says(&many, &at(180), Light::Amber, "noch 20 Flüge (180 von 200)");
    says(&many, &at(199), Light::Amber, "noch 1 Flug (199 von 200)");
    says(&many, &at(200), Light::Red, "jetzt fällig");
    says(&many, &at(201), Light::Red, "fällig seit einem Flug");
    says(&many, &at(203), Light::Red, "fällig seit 3 Flügen");
    let five = job(r#"{"title": "a", "flights": 5}"#);
    says(&five, &at(3), Light::Green, "noch 2 Flüge (3 von 5)");
    says(&five, &at(4), Light::Amber, "noch 1 Flug (4 von 5)");
    // Due after each flight: it isn't soon all the time.
    says(
        &job(r#"{"title": "a", "flights": 1}"#),
        &at(0),
        Light::Green,
        "noch 1 Flug (0 von 1)",
    );
}

#[test]
fn days_are_soon_two_weeks_before_or_in_the_last_half() {
    let half_a_year = job(r#"{"title": "a", "days": 180}"#);
    let on = |today| present(0, 0, today);
    says(
        &half_a_year,
        &on("24.06.2027"),
        Light::Green,
        "noch 15 Tage (bis 09.07.2027)",
    );
    says(
        &half_a_year,
        &on("25.06.2027"),
        Light::Amber,
        "noch 14 Tage (bis 09.07.2027)",
    );
    says(
        &half_a_year,
        &on("08.07.2027"),
        Light::Amber,
        "noch 1 Tag (bis 09.07.2027)",
    );
    says(&half_a_year, &on("09.07.2027"), Light::Red, "heute fällig");
    says(&half_a_year, &on("10.07.2027"), Light::Red, "fällig seit 1 Tag");
    says(&half_a_year, &on("08.08.2027"), Light::Red, "fällig seit 30 Tagen");
    let ten = job(r#"{"title": "a", "days": 10}"#);
    says(&ten, &on("14.01.2027"), Light::Green, "noch 6 Tage (bis 20.01.2027)");
    says(&ten, &on("15.01.2027"), Light::Amber, "noch 5 Tage (bis 20.01.2027)");
}

#[test]
fn each_day_of_a_leap_year_has_its_light() {
    let yearly = job(r#"{"title": "a", "date": "29.02.2028", "repeat": "due"}"#);
    let due = date("29.02.2028").days();
    for before in -30..=366 {
        let today = Date::from_days(due - before).unwrap();
        let expected = match before {
            ..=0 => Light::Red,
            1..=14 => Light::Amber,
            _ => Light::Green,
        };
        assert_eq!(
            standing(&yearly, &present(0, 0, &today.to_string())).level,
            expected,
            "{today}"
        );
    }
}

#[test]
fn chargings_count_as_they_are_read() {
    let job = job(r#"{"title": "a", "cycles": 50}"#);
    let at = |cycles| Present {
        cycles: Some(cycles),
        ..present(0, 0, "11.01.2027")
    };
    says(&job, &at(44), Light::Green, "noch 6 Ladungen (44 von 50)");
    says(&job, &at(50), Light::Red, "jetzt fällig");
    says(&job, &at(53), Light::Red, "fällig seit 3 Ladungen");
}

#[test]
fn the_first_of_several_limits_wins() {
    let job = job(r#"{"title": "a", "hours": 40, "days": 120}"#);
    says(
        &job,
        &present(600_000, 5, "11.01.2027"),
        Light::Green,
        "noch 30 h (10 von 40 h)",
    );
    says(&job, &present(600_000, 5, "10.05.2027"), Light::Red, "heute fällig");
    says(&job, &present(2_400_000, 5, "11.01.2027"), Light::Red, "jetzt fällig");
    // Half of the hours, but the days are nearly over.
    says(
        &job,
        &present(1_200_000, 5, "01.05.2027"),
        Light::Amber,
        "noch 9 Tage (bis 10.05.2027)",
    );
}

#[test]
fn putting_off_silences_until_it_is_over_and_stays_said() {
    let mut job = job(r#"{"title": "a", "flights": 10}"#);
    let at = |flights, today| present(0, flights, today);
    job.put_off = Some(PutOff::Until(date("03.12.2027")));
    says(
        &job,
        &at(12, "02.12.2027"),
        Light::Grey,
        "fällig, verschoben bis 03.12.2027",
    );
    says(
        &job,
        &at(9, "02.12.2027"),
        Light::Grey,
        "bald fällig, verschoben bis 03.12.2027",
    );
    says(&job, &at(5, "02.12.2027"), Light::Green, "noch 5 Flüge (5 von 10)");
    says(&job, &at(12, "03.12.2027"), Light::Red, "fällig seit 2 Flügen");
    job.put_off = Some(PutOff::Flights(15));
    says(
        &job,
        &at(12, "02.12.2027"),
        Light::Grey,
        "fällig, verschoben um 3 Flüge",
    );
    says(&job, &at(15, "02.12.2027"), Light::Red, "fällig seit 5 Flügen");
    job.put_off = Some(PutOff::Milliminutes(600_000));
    let flown = |milliminutes| present(milliminutes, 12, "02.12.2027");
    says(&job, &flown(300_000), Light::Grey, "fällig, verschoben um 5 h");
    says(&job, &flown(600_000), Light::Red, "fällig seit 2 Flügen");
}

#[test]
fn what_is_paused_finished_or_retired_has_no_light() {
    let due = job(r#"{"title": "a", "flights": 10}"#);
    let now = present(0, 12, "02.12.2027");
    says(
        &Job {
            paused: true,
            ..due.clone()
        },
        &now,
        Light::Grey,
        "pausiert",
    );
    says(
        &Job {
            archived: true,
            ..due.clone()
        },
        &now,
        Light::Grey,
        "abgeschlossen",
    );
    says(
        &due,
        &Present {
            is_retired: true,
            ..now
        },
        Light::Grey,
        "ausgemustert",
    );
}

#[test]
fn a_forecast_needs_some_flights_and_speaks_german() {
    let job = job(r#"{"title": "a", "flights": 100}"#);
    let used = |flights, counted| {
        let usage = Counted {
            flights,
            ..Counted::default()
        };
        standing(
            &job,
            &Present {
                usage,
                ..present(0, counted, "02.12.2027")
            },
        )
        .forecast
        .unwrap_or_default()
    };
    assert_eq!(used(4, 50), "");
    assert_eq!(used(90, 50), "Bei Ihrer Nutzung etwa in 7 Wochen.");
    assert_eq!(used(90, 95), "Bei Ihrer Nutzung etwa in 5 Tagen.");
    assert_eq!(used(90, 99), "Bei Ihrer Nutzung etwa in einem Tag.");
    assert_eq!(used(30, 50), "Bei Ihrer Nutzung etwa in 5 Monaten.");
    assert_eq!(used(5, 0), "");
    assert_eq!(used(90, 100), "");
}

#[test]
fn the_log_says_after_how_much_use_it_was_done() {
    let counted = |milliminutes, flights| Counted {
        milliminutes,
        flights,
        untimed: 0,
    };
    let by_use = job(r#"{"title": "Propeller wechseln", "hours": 50, "flights": 200}"#);
    let words = done_words(&by_use, counted(2_892_000, 191), None, 30);
    assert_eq!(words, "Erledigt: Propeller wechseln (nach 48,2 h, 191 Flügen)");
    let words = done_words(&by_use, counted(60_000, 1), None, 30);
    assert_eq!(words, "Erledigt: Propeller wechseln (nach 1 h, 1 Flug)");
    let by_days = job(r#"{"title": "Firmware", "days": 30}"#);
    assert_eq!(
        done_words(&by_days, counted(0, 0), None, 30),
        "Erledigt: Firmware (nach 30 Tagen)"
    );
    assert_eq!(
        done_words(&by_days, counted(0, 0), None, 1),
        "Erledigt: Firmware (nach 1 Tag)"
    );
    let once = job(r#"{"title": "Einmal", "date": "01.02.2027", "repeat": "once"}"#);
    assert_eq!(done_words(&once, counted(0, 0), None, 3), "Erledigt: Einmal");
}
