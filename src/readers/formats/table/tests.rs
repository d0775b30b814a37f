//! Tables as pilots and programs write them.

mod random;

use super::cells::duration;
use super::*;
use crate::segmenter::Segmented;

/// Reads a table by the guess of its columns: the questions about it, and the flights in it.
fn read_text(text: &str) -> (Vec<Question>, Segmented) {
    let guess = layout(text, true).expect("a table").guess;
    assert!(guess.is_usable(), "{guess:?}");
    let bytes = text.as_bytes();
    let mut first = bytes;
    let Analysis { mapping, questions } = analyse(&mut first, bytes, &guess, Origin::Guessed, 2026).unwrap();
    let mut segmenter = Segmenter::default();
    let mut again = bytes;
    read(
        Utf8Reader::new(&mut again, bytes).unwrap(),
        bytes,
        &mapping,
        &mut segmenter,
    )
    .unwrap();
    (questions, segmenter.finish())
}

/// Returns the flights of a table about which there is nothing to ask.
fn flights(text: &str) -> Vec<FoundFlight> {
    let (questions, outcome) = read_text(text);
    assert!(questions.is_empty(), "{text}: {questions:?}");
    outcome.found
}

/// Returns the only flight of a table.
fn flight(text: &str) -> FoundFlight {
    let mut flights = flights(text);
    assert_eq!(flights.len(), 1, "{text}");
    flights.remove(0)
}

/// Returns start and minutes of each flight: `03.04. 14:05 7.5`.
fn times(text: &str) -> Vec<String> {
    let flights = flights(text);
    let shown = |flight: &FoundFlight| {
        let day = chrono::NaiveDate::default() + chrono::Days::new(flight.day.unwrap() as u64);
        let clock = flight.start.map_or("--:--".to_owned(), |start| {
            let minutes = start.rem_euclid(86_400.0) / 60.0;
            format!("{:02}:{:02}", (minutes / 60.0).floor(), minutes.floor() % 60.0)
        });
        let minutes = flight
            .duration
            .map_or("-".to_owned(), |seconds| (seconds / 6.0).round().to_string());
        format!("{} {clock} {minutes}", day.format("%d.%m.%y"))
    };
    flights.iter().map(shown).collect()
}

/// Returns the ways of the only question about a table.
fn asked(text: &str) -> (Subject, Vec<String>) {
    let (questions, _) = read_text(text);
    let [question] = questions.as_slice() else {
        panic!("{text}: {questions:?}")
    };
    for way in &question.ways {
        assert!(!way.examples.is_empty(), "{question:?}");
    }
    (
        question.subject,
        question.ways.iter().map(|way| way.value.clone()).collect(),
    )
}

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
fn headings_of_lists_that_pilots_keep_are_known() {
    use Meaning::{Battery, Date, Location};
    for place in [
        "Wo geflogen",
        "Wo",
        "Flugort",
        "Ort/Platz",
        "Ort / Gelände",
        "Fluggebiet",
        "Geflogen in",
    ] {
        for pack in ["Akku Nr.", "Akku-Nr", "AkkuNr", "LiPo", "Akku(s)"] {
            let guess = meanings(&format!("Datum;{place};{pack}\n04.03.2025;Wiese;A1\n"));
            assert_eq!(guess, [(0, Date), (1, Location), (2, Battery)], "{place} {pack}");
        }
    }
}

#[test]
fn the_examples_of_a_column_are_its_first_values_also_below_empty_cells() {
    let rows: String = (10..20).map(|day| format!("{day}.03.2025;;\n")).collect();
    let columns = layout(&format!("Datum;Helfer;Nr\n{rows}20.03.2025;Otto;\n"), true)
        .unwrap()
        .columns;
    let examples: Vec<_> = columns.iter().map(|column| column.examples.len()).collect();
    assert_eq!((examples, columns[1].examples[0].as_str()), (vec![5, 1, 0], "Otto"));
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
        assert_eq!(duration(cell, unit, ','), Some((seconds, false)), "{cell}");
    }
}

/// Minutes in tenths.
const THREE: [&str; 3] = ["03.04.26 14:05 75", "04.04.26 14:20 50", "12.11.25 09:30 120"];

#[test]
fn a_list_with_decimal_commas_and_thousands_is_right() {
    let text = "Datum;Startzeit;Flugzeit (min);Strecke (m);Max. Entfernung (m);Höhe (m);Startspannung\n\
                03.04.2026;14.05;7,5;1.250;1.100;85,5;16.8\n\
                04.04.2026;14.20;5;12.500;350;12;16,7\n12.11.2025;9.30;12;980;200;7;16.75\n";
    assert_eq!(times(text), THREE);
    let flights = flights(text);
    let of = |value: fn(&crate::samples::Figures) -> Option<f64>| -> Vec<f64> {
        flights.iter().filter_map(|flight| value(&flight.figures)).collect()
    };
    assert_eq!(of(|figures| figures.distance), [1.25, 12.5, 0.98]);
    assert_eq!(of(|figures| figures.farthest), [1100.0, 350.0, 200.0]);
    assert_eq!(of(|figures| figures.height), [85.5, 12.0, 7.0]);
    assert_eq!(of(|figures| figures.start_volts), [16.8, 16.7, 16.75]);
}

#[test]
fn a_unit_in_a_cell_says_what_its_number_can_be() {
    let text = "Datum;Startzeit;Flugzeit;Strecke;Max. Entfernung\n03.04.2026;14:05;7,5;1.250 m;1,250 km\n\
                04.04.2026;14:20;5;980 m;0,980 km\n";
    let flights = flights(text);
    let figures: Vec<_> = flights
        .iter()
        .map(|flight| (flight.figures.distance, flight.figures.farthest))
        .collect();
    assert_eq!(figures, [(Some(1.25), Some(1250.0)), (Some(0.98), Some(980.0))]);
}

#[test]
fn hours_and_minutes_may_stand_in_two_columns() {
    for (headings, cells) in [
        ("Stunden;Minuten", ["0;7,5", "0;5", "1;5"]),
        ("Flugzeit h;Flugzeit min", ["0;7,5", ";5", "1;05"]),
        ("Minuten;Sekunden", ["7;30", "5;", "65;0"]),
    ] {
        let [first, second, third] = cells;
        let text = format!(
            "Datum;Startzeit;{headings}\n03.04.2026;14:05;{first}\n04.04.2026;14:20;{second}\n\
             12.11.2025;09:30;{third}\n"
        );
        let expected = ["03.04.26 14:05 75", "04.04.26 14:20 50", "12.11.25 09:30 650"];
        assert_eq!(times(&text), expected, "{headings}");
    }
    // One duration in two units.
    for (headings, cells) in [
        ("Flugzeit (h);Flugzeit (min)", "0,125;7,5"),
        ("Dauer (s);Dauer (min)", "450;7"),
    ] {
        let text = format!("Datum;Startzeit;{headings}\n03.04.2026;14:05;{cells}\n");
        assert_eq!(times(&text), ["03.04.26 14:05 75"]);
    }
}

#[test]
fn dates_at_midnight_and_times_of_day_in_1899_are_what_a_spreadsheet_makes_of_dates_and_times() {
    let text = "Datum;Startzeit;Flugzeit\n03.04.2026 00:00:00;30.12.1899 14:05:00;7,5\n\
                04.04.2026 00:00:00;30.12.1899 14:20:00;5\n12.11.2025 00:00:00;30.12.1899 09:30:00;ca. 12\n";
    assert_eq!(times(text), THREE);
}

#[test]
fn the_first_row_of_a_list_without_headings_is_a_flight() {
    for above in ["", "sep=;\n", "Meine Flüge;;;\n"] {
        let text = format!("{above}03.04.2026;14:05;7 min;Falke\n04.04.2026;15:20;8 min;Falke\n");
        let (_, outcome) = read_text(&text);
        assert_eq!((outcome.found.len(), outcome.untimed), (2, 0), "{above}");
    }
}

#[test]
fn the_first_rows_without_a_time_are_kept_by_their_first_cells() {
    let row = "31.02.2026;;;Falke;Wiese;Wind\n";
    let (_, outcome) = read_text(&format!(
        "Datum;Startzeit;Dauer;Modell;Ort;Notiz\n03.04.2026;14:05;7 min;Falke;Wiese;\n{}",
        row.repeat(4)
    ));
    assert_eq!((outcome.found.len(), outcome.untimed), (1, 4));
    assert_eq!(outcome.untimed_beginnings, ["31.02.2026 · Falke · Wiese"; 3]);
}

#[test]
fn timestamps_with_a_zone_are_dates() {
    let text = "date,start_time,end_time\n2026-04-03T14:05:00Z,2026-04-03T14:05:00Z,2026-04-03T14:12:30Z\n";
    assert_eq!(times(text), ["03.04.26 14:05 75"]);
    assert_eq!(flight(text).metadata.clock, crate::samples::Clock::Utc);
}

#[test]
fn a_decimal_comma_far_below_whole_numbers_is_one() {
    let rows: String = (1..=28)
        .map(|day| format!("{day:02}.04.2026\t14:05\t{day}\tFalke\n"))
        .collect();
    let text = format!("Datum\tStartzeit\tFlugzeit (min)\tModell\n{rows}29.04.2026\t14:05\t7,5\tFalke\n");
    assert_eq!(flights(&text).last().unwrap().duration, Some(450.0));
}

#[test]
fn a_number_that_can_be_meant_in_two_ways_is_asked_about() {
    let text = "Datum;Startzeit;Flugzeit (min);Höhe (m)\n03.04.2026;14:05;7;1.250\n04.04.2026;14:05;8;2.130\n";
    assert_eq!(asked(text), (Subject::Decimal, vec![",".to_owned(), ".".to_owned()]));
    let (questions, _) = read_text(text);
    let first = |way: usize| questions[0].ways[way].examples[0].value;
    assert_eq!((first(0), first(1)), (Value::Number(1250.0), Value::Number(1.25)));
}

#[test]
fn durations_are_read_as_their_heading_or_their_cells_say() {
    for (heading, cells) in [
        ("Flugzeit (min)", ["7,5", "5", "12"]),
        ("Flugzeit (mm:ss)", ["7:30", "5:00", "12:00"]),
        ("Flugzeit min:s", ["7:30", "5:00", "12:00"]),
        ("Dauer [min:sek]", ["07:30", "05:00", "12:00"]),
        ("Flugzeit (min)", ["7:30", "5:00", "12:00"]),
        ("Dauer", ["7:30", "5:00", "12:00"]),
        ("Dauer (mm.ss)", ["7.30", "5.00", "12"]),
        ("Dauer min.sek", ["7,30", "5,00", "12,00"]),
        ("Dauer", ["7,50", "5,00", "11,99"]),
        ("Dauer", ["7 min 30 s", "5 min", "12 min"]),
        ("Dauer", ["7m 30s", "5m 0s", "12m"]),
        ("Dauer", ["7'30''", "5'", "12'"]),
        ("Dauer", ["7′30″", "5′00″", "12′00″"]),
        ("Dauer", ["0:07:30", "0:05:00", "0:12:00"]),
        ("Dauer (mm:ss)", ["07:30:00", "05:00:00", "12:00:00"]),
        ("Dauer", ["7:30", "5:00", "0:12:00"]),
        ("Dauer", ["PT7M30S", "PT5M", "PT12M"]),
        ("Dauer (h)", ["0,125", "0,0833", "0,2"]),
        ("Dauer (s)", ["450", "300", "720"]),
        ("Dauer", ["7,5 min", "5 Minuten", "12 Min."]),
        ("Dauer", ["450 s", "300 Sek.", "720 s"]),
    ] {
        let [first, second, third] = cells;
        let text = format!(
            "Datum;Startzeit;{heading};Modell\n03.04.2026;14:05;{first};Falke\n04.04.2026;14:20;{second};Falke\n\
             12.11.2025;09:30;{third};Segler\n"
        );
        assert_eq!(times(&text), THREE, "{heading} {cells:?}");
    }
}

#[test]
fn a_landing_time_says_what_a_duration_is() {
    for (cells, end) in [
        (["450", "300", "720"], ["14:12", "14:25", "09:42"]),
        (["7:30", "5:00", "12:00"], ["14:12", "14:25", "09:42"]),
        (
            ["07:30:00", "05:00:00", "12:00:00"],
            ["14:12:30", "14:25:00", "09:42:00"],
        ),
    ] {
        let text = format!(
            "Datum;Start;Landung;Dauer\n03.04.2026;14:05;{};{}\n04.04.2026;14:20;{};{}\n12.11.2025;09:30;{};{}\n",
            end[0], cells[0], end[1], cells[1], end[2], cells[2]
        );
        assert_eq!(times(&text), THREE, "{cells:?}");
    }
}

#[test]
fn a_duration_that_can_be_meant_in_two_ways_is_asked_about() {
    let table = |heading: &str, cells: [&str; 2]| {
        format!(
            "Datum;Startzeit;{heading}\n03.04.2026;14:05;{}\n04.04.2026;14:20;{}\n",
            cells[0], cells[1]
        )
    };
    let pairs = (Subject::Unit, vec!["mm:ss".to_owned(), "h:mm".to_owned()]);
    assert_eq!(asked(&table("Flugzeit", ["0:45", "7:30"])), pairs);
    assert_eq!(asked(&table("Flugzeit", ["2:30", "1:45"])), pairs);
    assert_eq!(asked(&table("Flugzeit", ["0:45", "0:50"])), pairs);
    assert_eq!(asked(&table("Flugzeit (h:mm)", ["7:30", "5:45"])), pairs);
    let dotted = (Subject::Unit, vec!["min".to_owned(), "mm:ss".to_owned()]);
    assert_eq!(asked(&table("Flugzeit", ["7.30", "5.45"])), dotted);
    assert_eq!(asked(&table("Flugzeit (mm.ss)", ["7.30", "5.75"])), dotted);
    let units = (Subject::Unit, ["min", "s", "h"].map(str::to_owned).to_vec());
    assert_eq!(asked(&table("Flugzeit", ["450", "300"])), units);
    assert_eq!(asked(&table("Flugzeit (min)", ["7", "150"])), units);
    assert_eq!(asked(&table("Flugzeit", ["0,125", "0,2"])), units);
    assert_eq!(
        asked(&table("Flugzeit", ["07:30:00", "05:45:00"])).1,
        ["h:mm:ss", "mm:ss:00"]
    );
    let triples = (Subject::Unit, vec!["h:mm:ss".to_owned(), "mm:ss:00".to_owned()]);
    assert_eq!(asked(&table("Flugzeit", ["07:30:00", "00:45:00"])), triples);
    assert_eq!(asked(&table("Flugzeit", ["01:30:00", "01:45:00"])), triples);
    assert_eq!(asked(&table("Flugzeit (mm:ss)", ["00:07:00", "00:12:00"])), triples);
    assert_eq!(asked(&table("Flugzeit", ["125:30", "7:10"])), pairs);
}

#[test]
fn a_form_of_durations_that_the_pilot_chose_is_not_asked_about_again() {
    let text = "Datum;Startzeit;Flugzeit\n03.04.2026;14:05;07:30:00\n04.04.2026;14:20;00:45:00\n";
    for form in ["h:mm:ss", "mm:ss:00"] {
        let mut chosen = layout(text, true).unwrap().guess;
        chosen.units.insert(2, form.to_owned());
        let analysis = analyse(&mut text.as_bytes(), text.as_bytes(), &chosen, Origin::Chosen, 2026).unwrap();
        assert_eq!(analysis.questions, [], "{form}");
        assert_eq!(analysis.mapping.units[&2], form);
    }
}

#[test]
fn a_question_has_examples_of_different_cells() {
    let table = |heading: &str, cells: [&str; 5]| {
        let row = |cell: &&str| format!("03.04.2026;14:05;{cell}\n");
        let rows: String = cells.iter().map(row).collect();
        format!("Datum;Startzeit;{heading}\n{rows}")
    };
    for (heading, cells, examples) in [
        (
            "Höhe",
            ["1.250", "1.250", "1.250", "2.130", "3.475"],
            ["1.250", "2.130", "3.475"],
        ),
        (
            "Flugzeit",
            ["0:45", "0:45", "7:30", "12:10", "5:00"],
            ["0:45", "7:30", "12:10"],
        ),
        ("Strecke", ["24", "24", "31,5", "28", "40"], ["24", "31,5", "40"]),
    ] {
        let (questions, _) = read_text(&table(heading, cells));
        assert_eq!(questions.len(), 1, "{heading}: {questions:?}");
        for way in &questions[0].ways {
            let shown: Vec<_> = way.examples.iter().map(|example| example.cell.as_str()).collect();
            assert_eq!(shown, examples, "{heading}");
        }
    }
}

#[test]
fn a_duration_of_more_than_two_hours_is_pointed_out_in_whatever_form() {
    for (row, minutes) in [
        ("14:05;;150 min", 150.0),
        ("14:05;;2 h 30 min", 150.0),
        ("14:05;;2:30:15", 150.25),
        ("14:05;16:35;", 150.0),
        ("14:05;09:30;", 1165.0),
    ] {
        let text = format!("Datum;Startzeit;Landung;Flugzeit\n03.04.2026;{row}\n04.04.2026;14:20;;0:05:30\n");
        let flights = flights(&text);
        assert_eq!(flights[0].duration, Some(minutes * 60.0), "{row}");
        assert_eq!(
            flights[0].metadata.hints,
            ["Länger als 2 Stunden: bitte prüfen."],
            "{row}"
        );
        assert_eq!(flights[1].metadata.hints, <[String; 0]>::default(), "{row}");
    }
}

#[test]
fn a_bare_number_among_minutes_and_seconds_is_minutes_or_not_read() {
    let table = |cells: [&str; 3]| {
        format!(
            "Datum;Startzeit;Flugzeit\n03.04.2026;14:05;{}\n04.04.2026;14:20;{}\n12.11.2025;09:30;{}\n",
            cells[0], cells[1], cells[2]
        )
    };
    assert_eq!(times(&table(["7:30", "5", "12:00"])), THREE);
    assert_eq!(times(&table(["7,5", "5:00", "12:00"])), THREE);
    assert_eq!(times(&table(["0:07:30", "5", "0:12:00"])), THREE);
    for cell in ["300", "0,2"] {
        let flights = flights(&table(["7:30", cell, "12:00"]));
        assert_eq!(flights[1].duration, None);
        assert_eq!(
            flights[1].metadata.hints,
            [format!("Nicht gelesen: „{cell}“ (Flugzeit).")]
        );
    }
}

#[test]
fn values_during_a_flight_are_known_by_all_rows_of_a_table() {
    let day = |day: u32| format!("2026-{:02}-{:02},10:00:00,7\n", 1 + day / 28, 1 + day % 28);
    let second = |second: u32| {
        format!(
            "2026-12-01,{:02}:{:02}:{:02},7\n",
            second / 3600,
            second / 60 % 60,
            second % 60
        )
    };
    let table = |days: u32, seconds: u32| -> String {
        let rows = (0..days).map(day).chain((0..seconds).map(second));
        format!("Date,Time,Flight time (min)\n{}", rows.collect::<String>())
    };
    let is_series = |text: &str| read_text(text).1.is_series;
    assert!(is_series(&table(250, 1000)));
    assert!(!is_series(&table(250, 100)));
    assert!(!is_series(&table(250, 0)));
    assert!(!is_series(&table(0, 2)));
}

#[test]
fn dates_and_times_are_read_as_people_write_them() {
    for (dates, clocks) in [
        (["03.04.2026", "04.04.2026", "12.11.2025"], ["14:05", "14:20", "09:30"]),
        (
            ["Fr, 03.04.2026", "Sa, 04.04.2026", "Mi, 12.11.2025"],
            ["14.05", "14.20", "9.30"],
        ),
        (
            [
                "Freitag, den 3. April 2026",
                "Samstag, 4. April 2026",
                "Mittwoch, 12. November 2025",
            ],
            ["1405", "1420", "0930"],
        ),
        (
            ["3. Apr 26", "4. Apr 26", "12. Nov 25"],
            ["14:05 Uhr", "14:20 Uhr", "9:30 Uhr"],
        ),
        (["3.4.26", "4.4.26", "12.11.25"], ["14h05", "14h20", "9h30"]),
        (
            ["4/3/2026", "4/4/2026", "11/12/2025"],
            ["2:05 PM", "2:20 PM", "9:30 AM"],
        ),
        (
            ["Apr 3, 2026", "April 4th, 2026", "Nov 12, 2025"],
            ["14:05:00", "14:20:10", "09:30:59"],
        ),
        (["2026-04-03", "2026-04-04", "2025-11-12"], ["14:05", "14:20", "09:30"]),
        (["20260403", "20260404", "20251112"], ["14:05", "14:20", "09:30"]),
        (
            ["3 avril 2026", "4 avril 2026", "12 nov. 2025"],
            ["14:05", "14:20", "09:30"],
        ),
    ] {
        let mut text = format!(
            "Datum;Startzeit;Flugzeit (min)\n{};{};7,5\n{};{};5\n{};{};12\n",
            dates[0], clocks[0], dates[1], clocks[1], dates[2], clocks[2]
        );
        if dates[0].contains('/') {
            // A day above 12 says the order.
            text.push_str("1/31/2025;9:00 AM;9\n");
        }
        assert_eq!(times(&text)[..3], THREE, "{dates:?}");
    }
}

#[test]
fn an_order_that_fits_in_two_ways_and_a_missing_year_are_asked_for() {
    let text = "Date,Time,Flight time (min)\n03/04/2026,14:05,7.5\n05/06/2026,14:20,5\n";
    assert_eq!(
        asked(text),
        (Subject::DateOrder, vec!["dmy".to_owned(), "mdy".to_owned()])
    );
    let text = "Datum;Zeit;Flugdauer;Flugzeug\n3.4.;14:05;7,5;Falke\n30.12.;14:20;5;Falke\n2.1.;14:20;5;Falke\n";
    let (subject, ways) = asked(text);
    assert_eq!(
        (subject, ways.first().map(String::as_str)),
        (Subject::Year, Some("2026"))
    );
    let mapping = Mapping {
        year: Some(2025),
        ..layout(text, true).unwrap().guess
    };
    let mut segmenter = Segmenter::default();
    let mut bytes = text.as_bytes();
    read(
        Utf8Reader::new(&mut bytes, &[]).unwrap(),
        text.as_bytes(),
        &mapping,
        &mut segmenter,
    )
    .unwrap();
    let days: Vec<_> = segmenter
        .finish()
        .found
        .iter()
        .filter_map(|flight| flight.day)
        .collect();
    assert_eq!(days.len(), 3);
    assert_eq!(days[2] - days[1], 3.0, "the turn of the year");
}

#[test]
fn a_date_stands_only_in_the_first_row_of_a_day_and_a_range_of_times_in_one_cell() {
    let text = "Datum;von/bis;Modell\n03.04.2026;14:05-14:12;Falke\n;14:20 – 14:25;Falke\n;;\
                \n04.04.2026;9.30 bis 9.42;Falke\n05.04.2026;14.05 - 14.12;Falke\n\
                Summe;;\n";
    assert_eq!(
        times(text),
        [
            "03.04.26 14:05 70",
            "03.04.26 14:20 50",
            "04.04.26 09:30 120",
            "05.04.26 14:05 70"
        ]
    );
}

#[test]
fn titles_short_rows_sums_and_a_declared_separator_do_no_harm() {
    let rows = "Datum;Startzeit;Flugzeit (min);Modell;Ort\n03.04.2026;14:05;7,5;Falke;Hügel\n04.04.2026;14:20;5\n\
                Datum;Startzeit;Flugzeit (min);Modell;Ort\n12.11.2025;09:30;12;Segler;\n;;24,5;;\nSumme;;24,5;;\n";
    for above in [
        "",
        "sep=;\r\n",
        "Flugbuch 2026;;;;\nPilot: Erika Muster;;;;\n;;;;\n",
        "\u{feff}Flugbuch\n\n",
    ] {
        let text = format!("{above}{rows}").replace('\u{feff}', "");
        assert_eq!(times(&text), THREE, "{above}");
    }
    assert_eq!(times(&rows.replace(';', "\t")), THREE);
}

#[test]
fn headings_are_known_in_french_and_of_other_programs() {
    use Meaning::{
        BatteryEndVoltage, BatteryStartVoltage, Copter, Date, End, EndLatitude, EndLongitude, FlightTime, Location,
        Notes, StartLatitude, StartLongitude, StartTime,
    };
    assert_eq!(
        meanings(
            "Date;Heure de départ;Durée (min);Drone;U Start (V);U Ende (V)\n23/04/2026;14:05;7,5;Moustique;16,8;14,2\n"
        ),
        [
            (0, Date),
            (1, StartTime),
            (2, FlightTime),
            (3, Copter),
            (4, BatteryStartVoltage),
            (5, BatteryEndVoltage)
        ]
    );
    let web_logbook = "Date,Departure Place,Departure Time,Arrival Place,Arrival Time,\
                       Aircraft Model,Aircraft Reg,Time SE,Time ME,\
                       Time MCC,Time Total,Landings Day,Landings Night,Time Night,Time IFR,Time PIC,\
                       Time CoPilot,Time Dual,\
                       Time Instructor,SIM Type,SIM Time,PIC Name,Remarks\n\
                       03.04.2026,Hügel,1405,Hügel,1412,Quad,Falke,0:07,,,0:07,1,0,,,0:07,,,,,,Erika,schön\n";
    assert_eq!(times(web_logbook), ["03.04.26 14:05 70"]);
    assert_eq!(
        meanings(web_logbook),
        [
            (0, Date),
            (1, Location),
            (2, StartTime),
            (4, End),
            (6, Copter),
            (10, FlightTime),
            (22, Notes)
        ]
    );
    let uav_manager = "flightlog_id,uav_id,drone_name,departure_place,departure_date,departure_time,\
                       landing_place,landing_time,\
                       flight_duration,takeoffs,landings,light_conditions,ops_conditions,pilot_type,\
                       comments,blackbox_log\n\
                       1,4,Falke,Hügel,2026-04-03,14:05:00,Hügel,14:12:30,450,1,1,Day,VLOS,PIC,schön,\n";
    assert_eq!(times(uav_manager), ["03.04.26 14:05 75"]);
    let flylog = "Arming,Date,Timestamp-TO,GPS-Arming-Lat,GPS-Arming-Lon,Disarming,Timestamp-LDG,GPS-Disarming-Lat,\
                  GPS-Disarming-Lon,Duration,ModelName\n\
                  Arming,2026-04-03,14:05:00,50.930000,6.950000,Disarming,14:12:30,50.930100,6.950100,450,Falke\n";
    assert_eq!(times(flylog), ["03.04.26 14:05 75"]);
    assert_eq!(
        meanings(flylog),
        [
            (1, Date),
            (2, StartTime),
            (3, StartLatitude),
            (4, StartLongitude),
            (6, End),
            (7, EndLatitude),
            (8, EndLongitude),
            (9, FlightTime),
            (10, Copter)
        ]
    );
}

#[test]
fn the_summary_of_open_drone_log_is_read_in_german_and_in_english() {
    let german = "Flugzeugname,Flugzeug-SN,Batterie-SN,Datum,Startzeit,Dauer,Landezeit,\
                  Zurückgelegte Strecke (m),Maximale Höhe (m),\
                  Maximale Entfernung von Home (m),Maximale Geschwindigkeit (m/s),Start-Breitengrad,Start-Längengrad";
    let english = "Aircraft Name,Aircraft SN,Battery SN,Date,Takeoff Time,Duration,Landing Time,\
                   Total Distance (m),Max Altitude (m),\
                   Max Distance from Home (m),Max Speed (m/s),Takeoff Latitude,Takeoff Longitude";
    for headings in [german, english] {
        let text = format!(
            "{headings},takeoff_battery_percent,landing_battery_percent,takeoff_battery_voltage,\
             landing_battery_voltage,Notes\n\
             Falke,1SN,BAT1,2026-04-03,14:05,7m 30s,14:12,1250.00,85.00,350.00,12.50,50.9300000,\
             6.9500000,98,42,16.80,14.90,gut\n"
        );
        assert_eq!(times(&text), ["03.04.26 14:05 75"]);
        let flight = flight(&text);
        let figures = flight.figures;
        assert_eq!(
            (figures.distance, figures.height, figures.farthest),
            (Some(1.25), Some(85.0), Some(350.0)),
            "{headings}"
        );
        assert_eq!(
            (figures.speed, figures.start_volts, figures.end_volts),
            (Some(45.0), Some(16.8), Some(14.9))
        );
        assert_eq!(
            figures.start_point,
            Some(crate::samples::Point {
                latitude: 50.93,
                longitude: 6.95
            })
        );
        let metadata = flight.metadata;
        assert_eq!(
            (
                metadata.name.as_str(),
                metadata.copter_serial.as_str(),
                metadata.battery_serial.as_str()
            ),
            ("Falke", "1SN", "BAT1")
        );
    }
}

#[test]
fn everything_of_a_flight_can_stand_in_a_table() {
    let text = "Startzeit;Ort;Start Breite;Start Länge;Ende Breite;Ende Länge;Flugzeit (min);\
                Flugmodus;Wetter;Zweck;Notizen;\
                Bemerkung;Startgewicht (g);Copter;Akku 1;Akku 2\n\
                03.04.2026 14:05;Hügel;50,93;6,95;50,94;6,96;7,5;Acro;sonnig;Übung;schön;sehr;420;Falke;4S-1;4S-2\n";
    let flight = flight(text);
    let metadata = flight.metadata;
    assert_eq!(
        (metadata.weather.as_str(), metadata.purpose.as_str()),
        ("sonnig", "Übung")
    );
    assert_eq!(metadata.notes, "schön\nsehr\nStartgewicht: 420 g");
    assert_eq!(metadata.battery_name, "4S-1 + 4S-2");
    assert_eq!(flight.figures.mode, Some(crate::samples::Mode::Manual));
    assert_eq!(
        flight.figures.end_point,
        Some(crate::samples::Point {
            latitude: 50.94,
            longitude: 6.96
        })
    );
}

#[test]
fn a_cell_that_cant_be_read_is_named() {
    let flight = flight("Datum;Startzeit;Flugzeit (min);Strecke (km)\n03.04.2026;14:05;7,5;2-3\n");
    assert_eq!(flight.metadata.hints, ["Nicht gelesen: „2-3“ (Strecke (km))."]);
}
