//! Random tables of known flights: each value is read right, asked about or left out, and none is wrong.

use super::*;
use proptest::prelude::*;

/// How a table is written.
#[derive(Debug, Clone)]
struct Style {
    separator: char,
    /// Decimal signs of the columns of distances, heights and voltages.
    commas: [bool; 3],
    thousands: bool,
    date: usize,
    duration: usize,
    clock: usize,
    order: Vec<usize>,
    titles: usize,
    dates_once: bool,
    has_sum: bool,
}

#[derive(Debug, Clone)]
struct Flown {
    /// Days since 2025-01-01.
    day: u32,
    start_minute: u32,
    /// In tenths of a minute.
    duration: u32,
    metres: u32,
    /// In decimetres.
    height: u32,
    /// In hundredths.
    volts: u32,
    has_gap: bool,
}

const FIRST_DAY: u32 = 20_089;
const MONTHS: [&str; 12] = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];

fn style() -> impl Strategy<Value = Style> {
    let signs = (any::<[bool; 3]>(), any::<bool>());
    let forms = (0usize..6, 0usize..10, 0usize..4);
    let order = Just((0..6usize).collect::<Vec<_>>()).prop_shuffle();
    let shape = (0usize..4, any::<bool>(), any::<bool>());
    (
        prop::sample::select(vec![';', '\t', ',', '|']),
        signs,
        forms,
        order,
        shape,
    )
        .prop_map(
            |(separator, (commas, thousands), (date, duration, clock), order, (titles, dates_once, has_sum))| Style {
                separator,
                commas,
                thousands,
                date,
                duration,
                clock,
                order,
                titles,
                dates_once,
                has_sum,
            },
        )
}

fn flown() -> impl Strategy<Value = Flown> {
    (
        0u32..500,
        480u32..1200,
        12u32..250,
        30u32..30_000,
        15u32..1200,
        1400u32..1680,
        prop::bool::weighted(0.15),
    )
        .prop_map(|(day, start_minute, duration, metres, height, volts, has_gap)| Flown {
            day,
            start_minute,
            duration,
            metres,
            height,
            volts,
            has_gap,
        })
}

/// Writes a number with its decimals and, before them, a separator between thousands.
fn shown(value: u32, decimals: usize, is_comma: bool, thousands: bool) -> String {
    let (decimal, group) = if is_comma { (',', '.') } else { ('.', ',') };
    let power = 10u32.pow(decimals as u32);
    let whole = value / power;
    let mut text = match thousands && whole >= 1000 {
        true => format!("{}{group}{:03}", whole / 1000, whole % 1000),
        false => whole.to_string(),
    };
    if decimals > 0 {
        text.push(decimal);
        text.push_str(&format!("{:0decimals$}", value % power));
    }
    text
}

fn cells(flight: &Flown, style: &Style, previous: Option<&Flown>) -> [String; 6] {
    let date = chrono::NaiveDate::from_ymd_opt(2025, 1, 1).unwrap() + chrono::Days::new(u64::from(flight.day));
    let month = MONTHS[date.format("%m").to_string().parse::<usize>().unwrap() - 1];
    let day = match style.date {
        0 => date.format("%d.%m.%Y").to_string(),
        1 => date.format("%Y-%m-%d").to_string(),
        2 => date.format("%d/%m/%Y").to_string(),
        3 => date.format("%m/%d/%Y").to_string(),
        4 => date.format(&format!("%-d. {month} %Y")).to_string(),
        _ => date.format("%d.%m.%y").to_string(),
    };
    let is_same_day = previous.is_some_and(|previous| previous.day == flight.day);
    let (hour, minute) = (flight.start_minute / 60, flight.start_minute % 60);
    let clock = match style.clock {
        0 => format!("{hour:02}:{minute:02}"),
        1 => format!("{hour:02}.{minute:02}"),
        2 => format!("{hour:02}{minute:02}"),
        _ => format!("{hour}:{minute:02} Uhr"),
    };
    let seconds = flight.duration * 6;
    let (minutes, rest) = (seconds / 60, seconds % 60);
    let duration = match style.duration {
        0 | 7 => shown(flight.duration, 1, style.commas[0], false),
        1 | 2 => format!("{minutes}:{rest:02}"),
        3 => format!("0:{minutes:02}:{rest:02}"),
        4 => format!("{minutes} min {rest} s"),
        5 => format!("{minutes}'{rest:02}''"),
        8 | 9 => format!("{minutes}.{rest:02}"),
        _ => seconds.to_string(),
    };
    let metres = shown(flight.metres, 0, style.commas[0], style.thousands);
    let cell = |text: String| match flight.has_gap {
        true => String::new(),
        false => text,
    };
    [
        if is_same_day && style.dates_once {
            String::new()
        } else {
            day
        },
        clock,
        duration,
        cell(metres),
        cell(shown(flight.height, 1, style.commas[1], false)),
        cell(shown(flight.volts, 2, style.commas[2], false)),
    ]
}

fn written(flights: &[Flown], style: &Style) -> String {
    let duration = match style.duration {
        0 => "Flugzeit (min)",
        1 => "Flugzeit (mm:ss)",
        6 => "Flugzeit (s)",
        8 => "Flugzeit (mm.ss)",
        _ => "Flugzeit",
    };
    let headings = [
        "Datum",
        "Startzeit",
        duration,
        "Strecke (m)",
        "Höhe (m)",
        "Startspannung (V)",
    ]
    .map(str::to_owned);
    let line = |cells: &[String; 6]| {
        let quoted = style.order.iter().map(|at| match cells[*at].contains(style.separator) {
            true => format!("\"{}\"", cells[*at]),
            false => cells[*at].clone(),
        });
        quoted.collect::<Vec<_>>().join(&style.separator.to_string())
    };
    let mut text: String = (0..style.titles).map(|at| format!("Flugbuch Teil {at}\n")).collect();
    text.push_str(&line(&headings));
    for (at, flight) in flights.iter().enumerate() {
        let previous = at.checked_sub(1).and_then(|at| flights.get(at));
        text.push('\n');
        text.push_str(&line(&cells(flight, style, previous)));
    }
    text.push('\n');
    if style.has_sum {
        let sum = ["Summe", "", "99", "", "", ""].map(str::to_owned);
        text.push_str(&line(&sum));
        text.push('\n');
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn no_value_of_a_random_table_is_wrong(style in style(), mut flights in prop::collection::vec(flown(), 1..12)) {
        flights.sort_by_key(|flight| (flight.day, flight.start_minute));
        let text = written(&flights, &style);
        let (questions, outcome) = read_text(&text);
        if !questions.is_empty() {
            for question in &questions {
                prop_assert!(question.ways.len() > 1, "{question:?}");
            }
            return Ok(());
        }
        prop_assert_eq!(outcome.found.len(), flights.len(), "{}", text);
        for (found, meant) in outcome.found.iter().zip(&flights) {
            let figures = found.figures;
            let start = f64::from(FIRST_DAY + meant.day) * 86_400.0 + f64::from(meant.start_minute) * 60.0;
            prop_assert_eq!(found.start, Some(start), "{}", text);
            let is = |value: Option<f64>, meant: f64| value.is_none_or(|value| (value - meant).abs() < 1e-6);
            prop_assert!(is(found.duration, f64::from(meant.duration) * 6.0), "{:?} {}", found.duration, text);
            if meant.has_gap {
                prop_assert_eq!((figures.distance, figures.height, figures.start_volts), (None, None, None));
                continue;
            }
            prop_assert!(is(figures.distance, f64::from(meant.metres) / 1000.0), "{figures:?} {text}");
            prop_assert!(is(figures.height, f64::from(meant.height) / 10.0), "{figures:?} {text}");
            prop_assert!(is(figures.start_volts, f64::from(meant.volts) / 100.0), "{figures:?} {text}");
        }
    }

    #[test]
    fn no_text_makes_a_table_fail(text in "[0-9a-zäß;,.:/ '\n\t-]{0,200}", above in "(Datum;Start;Dauer;Strecke\n)?") {
        let text = format!("{above}{text}");
        if layout(&text, true).is_some_and(|layout| layout.guess.is_usable()) {
            let _ = read_text(&text);
        }
    }
}
