use super::*;

fn date(text: &str) -> Date {
    Date::parse(text).unwrap()
}

fn at(text: &str) -> WallTime {
    WallTime::parse(text).unwrap()
}

fn form(json: &str) -> Result<EntryChanges> {
    EntryChanges::read(&Fields::from_json(json).unwrap())
}

/// A job of a copter, made on 10.01.2027.
fn job(json: &str) -> Result<Job> {
    let item = (EquipmentId::from_key(1), Kind::Copter);
    Job::new(JobId::from_key(2), item, &form(json)?, at("10.01.2027 12:00"), 0)
}

/// Returns the next date of a job after it was done or skipped.
#[track_caller]
fn next(json: &str, kind: RunKind, day: &str) -> String {
    let mut job = job(json).unwrap();
    job.restart(kind, at(&format!("{day} 18:00")));
    job.entries.date.map(|date| date.to_string()).unwrap_or_default()
}

#[test]
fn a_job_needs_a_title_and_a_limit_that_its_item_has() {
    for (json, sentence) in [
        (r#"{"hours": "5"}"#, text::JOB_TITLE_MISSING),
        (r#"{"title": " ", "hours": "5"}"#, text::JOB_TITLE_MISSING),
        (r#"{"title": "a"}"#, text::JOB_WITHOUT_LIMIT),
        (r#"{"title": "a", "hours": "0"}"#, text::JOB_HOURS_OUT_OF_RANGE),
        (r#"{"title": "a", "hours": "10000,1"}"#, text::JOB_HOURS_OUT_OF_RANGE),
        (r#"{"title": "a", "flights": 0}"#, text::JOB_COUNT_OUT_OF_RANGE),
        (r#"{"title": "a", "days": 3651}"#, text::JOB_DAYS_OUT_OF_RANGE),
        (
            r#"{"title": "a", "hours": 1, "warnShare": 51}"#,
            text::JOB_WARN_OUT_OF_RANGE,
        ),
        (r#"{"title": "a", "cycles": 5}"#, text::JOB_CYCLES_OF_NO_BATTERY),
        (
            r#"{"title": "a", "flights": 5, "repeat": "due"}"#,
            text::JOB_SERIES_WITHOUT_DATE,
        ),
        (r#"{"title": "a", "flights": 5, "repeat": "x"}"#, text::INVALID_INPUT),
    ] {
        let refused = job(json).unwrap_err();
        assert!(format!("{refused:?}").contains(sentence), "{json}: {refused:?}");
    }
    let twenty_one = vec!["a"; 21].join("\\n");
    assert!(job(&format!(r#"{{"title": "a", "hours": 1, "steps": "{twenty_one}"}}"#)).is_err());
    let made = job(r#"{"title": "a", "hours": "12,5", "steps": "eins\n\n zwei "}"#).unwrap();
    assert_eq!(made.entries.milliminutes, Some(750_000));
    assert_eq!(made.entries.steps, ["eins", "zwei"]);
    assert_eq!(made.entries.warn_share, 10);
}

#[test]
fn what_isnt_sent_stays_and_what_is_empty_is_cleared() {
    let mut job = job(r#"{"title": "a", "hours": 5, "flights": 10, "source": "Handbuch"}"#).unwrap();
    let changes = form(r#"{"hours": null, "title": "b", "source": ""}"#).unwrap();
    job.change(Kind::Copter, &changes, false).unwrap();
    let entries = &job.entries;
    assert_eq!(
        (entries.title.as_str(), entries.milliminutes, entries.flights),
        ("b", None, Some(10))
    );
    assert_eq!(entries.source, "");
    assert!(
        job.change(Kind::Copter, &form(r#"{"flights": ""}"#).unwrap(), false)
            .is_err()
    );
}

#[test]
fn the_date_of_a_series_moves_on_from_the_date_and_not_from_the_day_of_the_work() {
    let yearly = r#"{"title": "a", "date": "01.03.2027", "repeat": "due"}"#;
    for (day, expected) in [
        ("20.02.2027", "01.03.2028"),
        ("01.03.2027", "01.03.2028"),
        ("30.06.2027", "01.03.2028"),
        ("01.02.2029", "01.03.2029"),
        // The warning of the next date has begun: it is this one that was done.
        ("20.02.2029", "01.03.2030"),
        // Long before the date: that work is still to come.
        ("12.01.2027", "01.03.2027"),
        ("14.02.2027", "01.03.2027"),
        ("15.02.2027", "01.03.2028"),
    ] {
        assert_eq!(next(yearly, RunKind::Done, day), expected, "{day}");
    }
    assert_eq!(next(yearly, RunKind::Skipped, "12.01.2027"), "01.03.2028");
    let monthly = r#"{"title": "a", "date": "01.02.2027", "days": 30, "repeat": "due"}"#;
    assert_eq!(next(monthly, RunKind::Done, "25.01.2027"), "03.03.2027");
    assert_eq!(next(monthly, RunKind::Done, "17.05.2027"), "01.06.2027");
    assert_eq!(next(monthly, RunKind::Done, "18.05.2027"), "01.07.2027");
    // Without a date the series begins with the job.
    let begun = job(r#"{"title": "a", "days": 30, "repeat": "due"}"#).unwrap();
    assert_eq!(begun.entries.date, Some(date("09.02.2027")));
}

#[test]
fn a_series_of_the_29th_of_february_returns_to_it() {
    let mut job = job(r#"{"title": "a", "date": "29.02.2028", "repeat": "due"}"#).unwrap();
    let mut dates = Vec::new();
    for _ in 0..5 {
        let due = job.entries.date.unwrap();
        dates.push(due.to_string());
        job.restart(RunKind::Done, at(&format!("{due} 10:00")));
    }
    assert_eq!(
        dates,
        ["29.02.2028", "28.02.2029", "28.02.2030", "28.02.2031", "29.02.2032"]
    );
}

#[test]
fn an_edited_interval_of_a_series_leaves_its_next_date() {
    let mut job = job(r#"{"title": "a", "date": "01.03.2027", "days": 365, "repeat": "due"}"#).unwrap();
    job.restart(RunKind::Done, at("01.03.2027 10:00"));
    assert_eq!(job.entries.date, Some(date("29.02.2028")));
    job.change(Kind::Copter, &form(r#"{"days": 30}"#).unwrap(), true)
        .unwrap();
    assert_eq!(job.entries.date, Some(date("29.02.2028")));
    job.change(Kind::Copter, &form(r#"{"date": "01.04.2027"}"#).unwrap(), true)
        .unwrap();
    job.restart(RunKind::Done, at("01.04.2027 10:00"));
    assert_eq!(job.entries.date, Some(date("01.05.2027")));
}

#[test]
fn what_counts_from_the_work_leaves_its_date_behind() {
    let both = r#"{"title": "a", "date": "01.03.2027", "days": 30}"#;
    assert_eq!(next(both, RunKind::Done, "15.02.2027"), "");
    let alone = r#"{"title": "a", "date": "01.03.2027"}"#;
    assert_eq!(next(alone, RunKind::Done, "15.02.2027"), "15.02.2028");
    assert_eq!(next(r#"{"title": "a", "hours": 5}"#, RunKind::Done, "15.02.2027"), "");
}

#[test]
fn what_is_done_once_is_finished_until_it_repeats() {
    let mut job = job(r#"{"title": "a", "hours": 5, "repeat": "once"}"#).unwrap();
    assert!(!job.archived);
    job.restart(RunKind::Done, at("15.02.2027 10:00"));
    assert!(job.archived);
    job.change(Kind::Copter, &form(r#"{"repeat": "done"}"#).unwrap(), true)
        .unwrap();
    assert!(!job.archived);
    // The job was done before, so once is over.
    job.change(Kind::Copter, &form(r#"{"repeat": "once"}"#).unwrap(), true)
        .unwrap();
    assert!(job.archived);
    job.change(Kind::Copter, &form(r#"{"repeat": "done"}"#).unwrap(), true)
        .unwrap();
    job.change(Kind::Copter, &form(r#"{"repeat": "once"}"#).unwrap(), false)
        .unwrap();
    assert!(!job.archived);
}

#[test]
fn taking_a_run_back_brings_back_what_it_changed() {
    let mut job = job(r#"{"title": "a", "date": "01.03.2027", "hours": 5, "repeat": "due"}"#).unwrap();
    job.put_off = Some(PutOff::Flights(7));
    let before = job.clone();
    let mut run = Run {
        id: JobRunId::from_key(3),
        time: at("20.02.2027 10:00"),
        kind: RunKind::Done,
        before: job.turn(),
        date: None,
        counted: Counted::default(),
        steps: Vec::new(),
        info: String::new(),
        cost: None,
        log: None,
    };
    job.restart(run.kind, run.time);
    run.date = job.entries.date;
    assert_eq!((job.put_off, job.since), (None, run.time));
    let mut edited = job.clone();
    job.take_back(&run);
    assert_eq!(job, before);
    // A date that was entered since stays.
    edited.entries.date = Some(date("01.05.2027"));
    edited.take_back(&run);
    assert_eq!(edited.entries.date, Some(date("01.05.2027")));
}
