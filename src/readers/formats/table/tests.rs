//! Tables as pilots and programs write them.

use super::*;

fn meanings(head: &str) -> Vec<(u16, Meaning)> {
    layout(head, true).unwrap().guess.columns.into_iter().collect()
}

#[test]
fn headings_are_guessed_in_german_and_in_english() {
    use Meaning::{
        Battery, BatteryEndVoltage, BatteryStartVoltage, Copter, Date, DateTime, Distance, End, FlightTime, Location,
        MaximumAltitude, Notes, StartTime,
    };
    assert_eq!(
        meanings(
            "Datum;Uhrzeit;Dauer (min);Modell;Akku;Ort;Strecke km;max. Höhe m;Bemerkung\n\
             04.03.2025;10:00;12,1;Cine;Akku 1;Wiese;3,03;56;schön\n"
        ),
        [
            (0, Date),
            (1, StartTime),
            (2, FlightTime),
            (3, Copter),
            (4, Battery),
            (5, Location),
            (6, Distance),
            (7, MaximumAltitude),
            (8, Notes)
        ]
    );
    assert_eq!(
        meanings("Flight Date/Time,Drone,End time\n2026-05-17 08:20,Mavic,08:31\n"),
        [(0, DateTime), (1, Copter), (2, End)]
    );
    // Neither the voltage at the end nor the place of the start is a time.
    assert_eq!(
        meanings(
            "Datum;Von;Start;Spannung am Anfang;Spannung am Ende;Ende\n04.03.2025;10:00;Wiese;16,8;14,2;10:12 Uhr\n"
        ),
        [
            (0, Date),
            (1, StartTime),
            (3, BatteryStartVoltage),
            (4, BatteryEndVoltage),
            (5, End)
        ]
    );
}

#[test]
fn a_column_of_dates_has_the_dates_whatever_it_is_called() {
    use Meaning::{Date, DateTime, FlightTime};
    assert_eq!(
        meanings("Wann;Dauer\n04.03.2025;7,5\n05.03.2025;8\n"),
        [(0, Date), (1, FlightTime)]
    );
    assert_eq!(
        meanings("Nr;Flug;Dauer\n1;04.03.2025 10:00;7,5\n2;;8\n"),
        [(1, DateTime), (2, FlightTime)]
    );
    assert_eq!(
        meanings("Datum;Wartung\n04.03.2025;05.03.2025\n"),
        [(0, Date)],
        "a heading says it better"
    );
    assert_eq!(meanings("Wann;Dauer\n04.03.2025;7,5\nunklar;8\n"), [(1, FlightTime)]);
}

#[test]
fn separator_decimal_sign_and_order_follow_from_the_cells() {
    let german = layout("Datum;Dauer\n17.07.2026;7,5\n", true).unwrap().guess;
    assert_eq!(
        (german.separator, german.decimal, german.date_order),
        (';', ',', DateOrder::Dmy)
    );
    let american = layout("Date,Time,Duration\n7/17/2026,4:10 PM,7.5\n", true)
        .unwrap()
        .guess;
    assert_eq!(
        (american.separator, american.decimal, american.date_order),
        (',', '.', DateOrder::Mdy)
    );
    assert_eq!(
        layout("Date,Name\n2026-07-17,x\n", true).unwrap().guess.date_order,
        DateOrder::Ymd
    );
}

#[test]
fn no_table_without_a_date() {
    for text in [
        "",
        "a;b",
        "a;b\n1;2\n",
        "a\n17.07.2026\n",
        "a;b;c\n17.07.2026;2\n",
        "$1;1;0;1;0\n$1;1;1000;1;0\n",
    ] {
        assert_eq!(layout(text, true), None, "{text}");
    }
}

#[test]
fn a_duration_may_be_written_in_many_ways() {
    for (cell, unit, seconds) in [
        ("7", "", 420.0),
        ("7,5", "min", 450.0),
        ("0:07", "", 420.0),
        ("0:07:30", "", 450.0),
        ("90", "s", 90.0),
    ] {
        assert_eq!(duration(cell, unit, ','), Some(seconds), "{cell}");
    }
}
