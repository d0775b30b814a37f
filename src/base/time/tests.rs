//! Dates and times as pilots write them, and the clock in their time zone.

use proptest::prelude::*;

use super::*;

fn zone(name: &str) -> Zone {
    Zone::named(name).unwrap()
}

fn wall(text: &str) -> WallTime {
    WallTime::parse(text).unwrap()
}

#[test]
fn a_time_is_read_and_printed_as_pilots_write_it() {
    for text in ["01.01.1900 00:00", "29.02.2024 09:07", "31.12.2099 23:59"] {
        assert_eq!(wall(text).to_string(), text);
    }
    assert_eq!(wall("01.01.1970 00:00").minutes(), 0);
    assert_eq!(wall("02.01.1970 01:01").minutes(), 1501);
    assert_eq!(wall("31.12.1969 23:59").minutes(), -1);
}

#[test]
fn a_file_is_named_by_the_second_on_the_wall() {
    let clock = Clock::system(Zone::GERMANY);
    assert_eq!(clock.file_stamp_at(1_700_000_000), "20231114-231320");
    assert_eq!(rfc_3339(1_700_000_000), "2023-11-14T22:13:20Z");
    assert_eq!(rfc_3339(i64::MAX), "1970-01-01T00:00:00Z");
}

#[test]
fn a_time_in_any_other_form_is_refused() {
    let refused = [
        "",
        " ",
        "01.01.2026",
        "1.1.2026 10:00",
        "01.01.26 10:00",
        "01.01.2026 9:00",
        "01.01.2026 10:0",
        "01.01.2026  10:00",
        " 01.01.2026 10:00",
        "01.01.2026 10:00 ",
        "01.01.2026 10:00\n",
        "01.01.2026T10:00",
        "01.01.2026 10:00:00",
        "01.01.2026 24:00",
        "01.01.2026 10:60",
        "01.01.2026 -1:00",
        "01.01.2026 +1:00",
        "2026-01-01 10:00",
        "01/01/2026 10:00",
        "٠١.01.2026 10:00",
        "01.01.2026 1٠:00",
    ];
    for text in refused {
        assert_eq!(WallTime::parse(text), Err(DateError::Malformed), "{text:?}");
    }
}

#[test]
fn days_that_do_not_exist_are_refused() {
    for text in [
        "31.02.2026",
        "29.02.2100",
        "29.02.2023",
        "31.04.2026",
        "00.01.2026",
        "01.00.2026",
        "01.13.2026",
    ] {
        assert_eq!(Date::parse(text), Err(DateError::Malformed), "{text}");
        let time = WallTime::parse(&format!("{text} 10:00"));
        assert_eq!(time, Err(DateError::Malformed), "{text}");
    }
    assert!(Date::parse("29.02.2000").is_ok());
}

#[test]
fn years_outside_the_date_picker_are_refused() {
    for text in ["31.12.1899", "01.01.2100", "01.01.0000", "01.01.9999"] {
        assert_eq!(Date::parse(text), Err(DateError::OutsideYears), "{text}");
        let time = WallTime::parse(&format!("{text} 10:00"));
        assert_eq!(time, Err(DateError::OutsideYears), "{text}");
    }
    for text in ["01.01.20260", "+1.01.2026"] {
        assert_eq!(Date::parse(text), Err(DateError::Malformed), "{text}");
    }
    let (first, last) = (Date::parse("01.01.1900").unwrap(), Date::parse("31.12.2099").unwrap());
    assert_eq!(Date::from_days(first.days() - 1), None);
    assert_eq!(Date::from_days(last.days() + 1), None);
    assert_eq!(Date::from_days(i32::MAX), None);
    assert_eq!(Date::from_days(i32::MIN), None);
    assert_eq!(wall("01.01.1900 00:00").minutes(), FIRST_MINUTE);
    assert_eq!(wall("31.12.2099 23:59").minutes(), LAST_MINUTE);
}

#[test]
fn adding_minutes_crosses_days_and_stops_at_the_last_year() {
    let start = wall("31.12.2025 23:50");
    assert_eq!(start.plus_minutes(15), Some(wall("01.01.2026 00:05")));
    assert_eq!(start.plus_minutes(-1430), Some(wall("31.12.2025 00:00")));
    assert_eq!(start.plus_minutes(i64::MAX), None);
    assert_eq!(wall("31.12.2099 23:59").plus_minutes(1), None);
    assert_eq!(wall("01.01.1900 00:00").plus_minutes(-1), None);
    assert_eq!(wall("24.12.2025 18:30").date(), Date::parse("24.12.2025").unwrap());
}

#[test]
fn after_december_comes_january() {
    let month = |day: &str| Date::parse(day).unwrap().month();
    assert_eq!(month("31.12.2025").to_string(), "2025-12");
    assert_eq!(month("31.12.2025").next(), month("01.01.2026"));
    assert_eq!(month("01.01.2026").next().to_string(), "2026-02");
    assert_eq!(month("01.02.2026"), month("28.02.2026"));
    assert!(month("31.12.2025") < month("01.01.2026"));
}

#[test]
fn now_is_the_wall_clock_of_the_zone_in_summer_and_winter() {
    // 2026-07-01 12:00:59 UTC and 2026-01-01 12:00:00 UTC
    assert_eq!(
        Clock::fixed(1_782_907_259, Zone::GERMANY).now(),
        wall("01.07.2026 14:00")
    );
    assert_eq!(
        Clock::fixed(1_767_268_800, Zone::GERMANY).now(),
        wall("01.01.2026 13:00")
    );
    assert_eq!(
        Clock::fixed(1_767_268_800, zone("Pacific/Auckland")).now(),
        wall("02.01.2026 01:00")
    );
}

#[test]
fn the_clock_jumps_when_summer_time_starts_and_ends() {
    let clock = Clock::fixed(1_774_745_940, Zone::GERMANY); // 2026-03-29 00:59 UTC
    assert_eq!(clock.now(), wall("29.03.2026 01:59"));
    clock.advance(60);
    assert_eq!(clock.now(), wall("29.03.2026 03:00"));
    let clock = Clock::fixed(1_792_889_940, Zone::GERMANY); // 2026-10-25 00:59 UTC
    assert_eq!(clock.now(), wall("25.10.2026 02:59"));
    clock.advance(60);
    assert_eq!(clock.now(), wall("25.10.2026 02:00"));
}

#[test]
fn clones_of_a_fixed_clock_advance_together() {
    let clock = Clock::fixed(0, Zone::UTC);
    let clone = clock.clone();
    clone.advance(3600);
    assert_eq!(clock.unix_seconds(), 3600);
    clock.advance(-7200);
    assert_eq!(clone.now(), wall("31.12.1969 23:00"));
    clock.advance(i64::MIN);
    clock.advance(i64::MIN);
    assert_eq!(clone.unix_seconds(), i64::MIN);
}

#[test]
fn a_clock_that_is_far_off_shows_the_first_or_last_minute() {
    for zone in [
        Zone::UTC,
        Zone::GERMANY,
        zone("Pacific/Kiritimati"),
        zone("Pacific/Pago_Pago"),
    ] {
        assert_eq!(Clock::fixed(i64::MIN, zone).now(), wall("01.01.1900 00:00"));
        assert_eq!(Clock::fixed(i64::MAX, zone).now(), wall("31.12.2099 23:59"));
    }
}

#[test]
fn the_system_clock_runs_and_cannot_be_advanced() {
    let clock = Clock::system(Zone::UTC);
    let before = clock.unix_seconds();
    clock.advance(1_000_000);
    let after = clock.unix_seconds();
    assert!((before..before + 1000).contains(&after));
    assert!(clock.now() > wall("01.01.2020 00:00"));
}

proptest! {
    #[test]
    fn every_minute_survives_printing_and_reading(minutes in FIRST_MINUTE..=LAST_MINUTE) {
        let time = WallTime::from_minutes(minutes).unwrap();
        prop_assert_eq!(time.minutes(), minutes);
        prop_assert_eq!(WallTime::parse(&time.to_string()), Ok(time));
        prop_assert_eq!(Date::from_days(time.date().days()), Some(time.date()));
    }

    #[test]
    fn a_clock_shows_a_time_at_its_instant_unless_it_skips_it(minutes in FIRST_MINUTE + 1440..LAST_MINUTE - 1440) {
        let time = WallTime::from_minutes(minutes).unwrap();
        for zone in [Zone::UTC, Zone::GERMANY, zone("America/New_York"), zone("Pacific/Kiritimati")] {
            let instant = time.instant_in(zone);
            prop_assert_eq!(instant.wall_time(zone) == time, time.exists_in(zone));
            prop_assert_eq!(Instant::parse(&instant.to_string()), Ok(instant));
        }
    }

    #[test]
    fn earlier_times_sort_before_later_ones(a in FIRST_MINUTE..=LAST_MINUTE, b in FIRST_MINUTE..=LAST_MINUTE) {
        let (first, second) = (WallTime::from_minutes(a).unwrap(), WallTime::from_minutes(b).unwrap());
        prop_assert_eq!(first.cmp(&second), a.cmp(&b));
        prop_assert_eq!(first.plus_minutes(b - a), Some(second));
    }

    #[test]
    fn an_accepted_time_is_printed_back_unchanged(
        text in "[0-9]{1,2}\\.[0-9]{1,2}\\.(19|20)[0-9]{2} [0-2][0-9]:[0-5][0-9]",
    ) {
        if let Ok(time) = WallTime::parse(&text) {
            prop_assert_eq!(time.to_string(), text);
        }
    }

    #[test]
    fn no_text_and_no_number_breaks_the_readers(text in any::<String>(), number in any::<i64>()) {
        let _ = WallTime::parse(&text);
        let _ = Date::parse(&text);
        let _ = WallTime::from_minutes(number);
        let _ = wall("01.01.2026 00:00").plus_minutes(number);
        let _ = Clock::fixed(number, Zone::GERMANY).now();
    }
}

#[test]
fn a_clock_that_is_set_back_brings_nothing_back_and_goes_on() {
    let clock = Clock::system(Zone::GERMANY);
    let now = clock.unix_seconds();
    clock.observe(now - 1000);
    assert!((now..now + 60).contains(&clock.unix_seconds()));
    let later = now + 400 * 24 * 60 * 60;
    clock.observe(later);
    clock.observe(now);
    assert!((later..later + 60).contains(&clock.clone().unix_seconds()));
    // The displayed time follows the system's clock, even back.
    assert!(clock.now().minutes() < clock.wall_time_at(later).minutes());
}

#[test]
fn an_instant_is_read_in_any_offset_and_printed_in_utc() {
    for (text, printed) in [
        ("2026-03-01T09:05:12Z", "2026-03-01T09:05:12Z"),
        ("2026-03-01T09:05:12.999Z", "2026-03-01T09:05:12Z"),
        ("2026-03-01T09:05:12+05:30", "2026-03-01T03:35:12Z"),
        ("1900-01-01T00:00:00Z", "1900-01-01T00:00:00Z"),
        ("2099-12-31T23:59:59Z", "2099-12-31T23:59:59Z"),
    ] {
        assert_eq!(Instant::parse(text).unwrap().to_string(), printed);
    }
    for text in [
        "",
        "2026-03-01",
        "2026-03-01T09:05:12",
        "01.03.2026 09:05",
        "2026-02-30T09:05:12Z",
    ] {
        assert_eq!(Instant::parse(text), Err(DateError::Malformed), "{text:?}");
    }
    for text in ["1899-12-31T23:59:59Z", "2100-01-01T00:00:00Z"] {
        assert_eq!(Instant::parse(text), Err(DateError::OutsideYears), "{text:?}");
    }
}

#[test]
fn a_zone_is_known_by_its_whole_name() {
    assert_eq!(Zone::named("Europe/Berlin"), Some(Zone::GERMANY));
    assert_eq!(Zone::named("UTC"), Some(Zone::UTC));
    for name in ["", "Berlin", "europe/berlin", "Europe/Berlin ", "Mars/Olympus"] {
        assert_eq!(Zone::named(name), None, "{name:?}");
    }
    assert!(Zone::names().all(|name| Zone::named(name).is_some()));
}
