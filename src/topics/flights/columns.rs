//! The columns of the table of all fields of flights: once for writing and for reading. What is read is a flight as in
//! an export, without its images.

use fluglog_base::csv::Cell;
use fluglog_base::declared;
use fluglog_readers::formats::flight_table::{FIRST_HEADING, FlightRow};
use serde_json::{Map, Value};

use super::model::{CONFIGURATION, Flight, FlightItem, FlightMode, Payload};
use crate::equipment::model::Kind;

/// A column of the table.
pub(crate) struct Column {
    pub heading: &'static str,
    place: Place,
    pub cell: fn(&Flight) -> Cell,
}

/// Where the value of a column stands in the object of a flight.
enum Place {
    Flight(&'static str),
    Copter(&'static str),
    /// In the list with the first name, which has a line of the cell for each of its objects.
    Each(&'static str, &'static str),
}

const fn column(heading: &'static str, name: &'static str, cell: fn(&Flight) -> Cell) -> Column {
    let place = Place::Flight(name);
    Column { heading, place, cell }
}

const fn of_copter(heading: &'static str, name: &'static str, cell: fn(&Flight) -> Cell) -> Column {
    let place = Place::Copter(name);
    Column { heading, place, cell }
}

const fn of_items(heading: &'static str, name: &'static str, cell: fn(&Flight) -> Cell) -> Column {
    let place = Place::Each(EQUIPMENTS, name);
    Column { heading, place, cell }
}

const fn of_payloads(heading: &'static str, name: &'static str, cell: fn(&Flight) -> Cell) -> Column {
    let place = Place::Each("payloads", name);
    Column { heading, place, cell }
}

const COPTER: &str = "copter";
const EQUIPMENTS: &str = "equipments";
const MODE: &str = "flightMode";
const TYPE: &str = "type";
/// The field that a flight of the table has in the column of its name, the first of a list.
const NAME: &str = "name";

/// The columns, in their order.
#[rustfmt::skip]
pub(crate) const ALL: &[Column] = &[
    column(FIRST_HEADING, "dpfId", |flight| flight.dpf_id.as_str().into()),
    column("Startzeit", "startTime", |flight| flight.start_time.as_str().into()),
    column("UTC ab", "startInstant", |flight| flight.start_instant.clone().unwrap_or_default().into()),
    column("UTC an", "endInstant", |flight| flight.end_instant.clone().unwrap_or_default().into()),
    column("Flugzeit (min)", "flightTime", |flight| flight.fields.minutes.into()),
    column("Ort", "location", |flight| flight.fields.location.as_str().into()),
    column("Start Breite", "startLatitude", |flight| flight.fields.start_latitude.into()),
    column("Start Länge", "startLongitude", |flight| flight.fields.start_longitude.into()),
    column("Ende Breite", "endLatitude", |flight| flight.fields.end_latitude.into()),
    column("Ende Länge", "endLongitude", |flight| flight.fields.end_longitude.into()),
    column("Höhe (m)", "maximumAltitude", |flight| flight.fields.maximum_altitude.into()),
    column("Strecke (km)", "distance", |flight| flight.fields.distance.into()),
    column("Max. Entfernung (m)", "maximumDistance", |flight| flight.fields.maximum_distance.into()),
    column("Max. Geschwindigkeit (km/h)", "speed", |flight| flight.fields.speed.into()),
    column("Startspannung (V)", "batteryStartVoltage", |flight| flight.fields.start_voltage.into()),
    column("Endspannung (V)", "batteryEndVoltage", |flight| flight.fields.end_voltage.into()),
    column("Verbrauch (mAh)", "consumedCapacity", |flight| flight.fields.consumed_capacity.into()),
    column("Flugmodus", MODE, |flight| word_of(MODES, flight.fields.mode).into()),
    column("Wetter", "weatherConditions", |flight| flight.fields.weather.as_str().into()),
    column("Zweck", "purpose", |flight| flight.fields.purpose.as_str().into()),
    column("Notizen", "notes", |flight| flight.fields.notes.as_str().into()),
    column("Startgewicht (g)", "weight", |flight| flight.weight.into()),
    of_copter("Copter", NAME, |flight| flight.copter.name.as_str().into()),
    of_copter("Copter Modell", "model", |flight| flight.copter.model.as_str().into()),
    of_copter("Copter Gewicht (g)", "weight", |flight| flight.copter.weight.into()),
    of_copter("Copter Kennung", "dpfId", |flight| flight.copter.dpf_id.as_str().into()),
    of_items("Equipment", NAME, |flight| items(flight, |item| item.name.clone())),
    of_items("Equipment Art", TYPE, |flight| items(flight, |item| word_of(KINDS, item.r#type).to_owned())),
    of_items("Equipment Modell", "model", |flight| items(flight, |item| item.model.clone())),
    of_items("Equipment Gewicht (g)", "weight", |flight| items(flight, |item| number(item.weight))),
    of_items("Equipment Kennung", "dpfId", |flight| items(flight, |item| item.dpf_id.clone())),
    of_payloads("Nutzlast", NAME, |flight| payloads(flight, |payload| payload.name.clone())),
    of_payloads("Nutzlast Gewicht (g)", "weight", |flight| payloads(flight, |payload| number(Some(payload.weight)))),
];

const MODES: &[(FlightMode, &str)] = &[
    (FlightMode::Angle, "Winkel"),
    (FlightMode::Horizontal, "Horizontal"),
    (FlightMode::Manual, "Manuell"),
];

const KINDS: &[(Kind, &str)] = &[
    (Kind::Copter, "Copter"),
    (Kind::Battery, "Batterie"),
    (Kind::Goggles, "Brille"),
    (Kind::Transmitter, "Sender"),
    (Kind::VideoCamera, "Videokamera"),
];

fn word_of<T: PartialEq>(words: &[(T, &'static str)], value: T) -> &'static str {
    let mut words = words.iter();
    words.find(|(of, _)| *of == value).map_or("", |(_, word)| word)
}

fn items(flight: &Flight, text: impl Fn(&FlightItem) -> String) -> Cell {
    lines(flight.equipments.iter().map(text))
}

fn payloads(flight: &Flight, text: impl Fn(&Payload) -> String) -> Cell {
    lines(flight.payloads.iter().map(text))
}

fn lines(texts: impl Iterator<Item = String>) -> Cell {
    texts.collect::<Vec<_>>().join("\n").into()
}

fn number(value: Option<f64>) -> String {
    let value = value.map(|value| value.to_string().replace('.', ","));
    value.unwrap_or_default()
}

/// A flight of the table and its items, the copter first, as JSON like that of an export.
#[derive(Debug, PartialEq)]
pub(crate) struct ReadFlight {
    pub flight: String,
    pub items: Vec<Value>,
}

/// Reads a row. The form of a flight finds what is wrong in it.
pub(crate) fn read(row: &FlightRow<'_>) -> ReadFlight {
    let mut flight = Map::from_iter([("open".to_owned(), Value::Bool(false))]);
    let mut copter = Map::from_iter([(TYPE.to_owned(), code_of(KINDS, Kind::code, "Copter"))]);
    let mut lists: Map<String, Value> = Map::new();
    for column in ALL {
        let cell = row.cell(column.heading);
        match column.place {
            Place::Flight(MODE) => drop(flight.insert(MODE.to_owned(), code_of(MODES, FlightMode::code, cell))),
            Place::Flight(name) => drop(flight.insert(name.to_owned(), cell.into())),
            Place::Copter(name) => drop(copter.insert(name.to_owned(), cell.into())),
            Place::Each(list, name) => {
                let most = most_read(list);
                let list = lists.entry(list).or_insert_with(|| Value::Array(Vec::new()));
                set_each(list, most, name, cell);
            }
        }
    }
    flight.insert(COPTER.to_owned(), Value::Object(copter));
    flight.extend(lists);
    let mut flight = Value::Object(flight);
    let json = flight.to_string();
    let mut taken = |name: &str| flight.get_mut(name).map(Value::take).unwrap_or_default();
    let mut items = vec![taken(COPTER)];
    if let Value::Array(others) = taken(EQUIPMENTS) {
        items.extend(others);
    }
    ReadFlight { flight: json, items }
}

/// Most objects that are read into a list: one more than a flight may have, so that its form refuses the flight.
fn most_read(list: &str) -> usize {
    let declared = CONFIGURATION.iter().find(|field| field.name == list);
    match declared.map(|field| field.kind) {
        Some(declared::Kind::Ids { most } | declared::Kind::Objects { most, .. }) => most + 1,
        _ => 0,
    }
}

/// Sets a field of each object of a list to a line of a cell. The column of the names makes the objects, at most
/// `most`.
fn set_each(list: &mut Value, most: usize, name: &str, cell: &str) {
    let Some(list) = list.as_array_mut() else { return };
    let lines = || cell.split('\n').map(|line| line.trim_end_matches('\r'));
    if name == NAME {
        let names = lines().filter(|name| !name.is_empty()).take(most);
        list.extend(names.map(|_| Value::Object(Map::new())));
    }
    let lines = lines().chain(std::iter::repeat(""));
    for (object, line) in list.iter_mut().filter_map(Value::as_object_mut).zip(lines) {
        let value = match name {
            TYPE => code_of(KINDS, Kind::code, line),
            _ => line.into(),
        };
        object.insert(name.to_owned(), value);
    }
}

/// Returns the code of a word; an empty text for another word.
fn code_of<T: Copy>(words: &[(T, &str)], code: fn(T) -> u8, word: &str) -> Value {
    let mut words = words.iter();
    let known = words.find(|(_, known)| *known == word.trim());
    known.map_or("".into(), |(value, _)| code(*value).to_string().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_heading_stands_once_and_each_name_of_a_list_after_its_names() {
        let mut headings: Vec<_> = ALL.iter().map(|column| column.heading).collect();
        headings.sort_unstable();
        assert!(headings.windows(2).all(|pair| pair[0] != pair[1]));
        let mut first = Vec::new();
        for column in ALL {
            if let Place::Each(list, name) = column.place {
                assert!(name == NAME || first.contains(&list), "{}", column.heading);
                first.push(list);
            }
        }
    }

    #[test]
    fn an_item_for_each_name_gets_its_line_of_each_cell() {
        let mut list = Value::Array(Vec::new());
        for (name, cell) in [
            (NAME, "Akku 1\r\nBrille"),
            (TYPE, "Batterie\nBrille"),
            ("model", "\nX"),
            ("weight", ""),
        ] {
            set_each(&mut list, 3, name, cell);
        }
        let expected = serde_json::json!([
            {"name": "Akku 1", "type": "1", "model": "", "weight": ""},
            {"name": "Brille", "type": "2", "model": "X", "weight": ""},
        ]);
        assert_eq!(list, expected);
    }

    #[test]
    fn only_as_many_objects_are_made_as_a_form_needs_to_refuse_them() {
        for list in [EQUIPMENTS, "payloads"] {
            let mut read = Value::Array(Vec::new());
            set_each(&mut read, most_read(list), NAME, &"a\n".repeat(500_000));
            assert_eq!(read.as_array().unwrap().len(), 51, "{list}");
        }
    }
}
