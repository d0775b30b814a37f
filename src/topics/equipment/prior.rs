//! Flights from before Fluglog, as numbers: what an older book of the pilot or of an item says. They count in books,
//! in the figures of an item and in jobs that count since before them, never in statistics of flights. No store, no
//! web.

use serde::Serialize;

use fluglog_base::declared::Declared;
use fluglog_base::error::Result;
use fluglog_base::field::{Field, MAX_TEXT_CHARACTERS, Required, changes};
use fluglog_base::input::{Change, Fields};
use fluglog_base::text;
use fluglog_base::time::Date;

/// Most minutes: 100,000 hours.
const MAX_MINUTES: u32 = 6_000_000;

const FLIGHTS: Field<u32> = Field::integer("flights", 0..=100_000, text::PRIOR_FLIGHTS_OUT_OF_RANGE);
const MINUTES: Field<u32> = Field::integer("minutes", 0..=MAX_MINUTES, text::PRIOR_MINUTES_OUT_OF_RANGE);
const CYCLES: Field<u32> = Field::integer("cycles", 0..=10_000, text::PRIOR_CYCLES_OUT_OF_RANGE);
const UNTIL: Field<Date> = Field::date("until");
const NOTE: Field<String> = Field::line("note", MAX_TEXT_CHARACTERS);

const MEMBERS: &[Declared] = &[
    FLIGHTS.declared(),
    MINUTES.declared(),
    CYCLES.declared(),
    UNTIL.declared(),
    NOTE.declared(),
];

/// Flights from before Fluglog, as a JSON object.
pub(crate) const PRIOR: Field<Fields> = Field::object("prior", MEMBERS);
pub(super) const REQUIRED_PRIOR: Required<Fields> = Field::object("prior", MEMBERS).required(text::FIELD_MISSING);

/// Flights from before Fluglog.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prior {
    pub flights: u32,
    pub minutes: u32,
    /// Of a battery.
    pub cycles: u32,
    /// The day before which they were.
    pub until: Option<Date>,
    /// Where they are written, such as the name of an older book.
    pub note: String,
}

impl Prior {
    /// Returns whether nothing was before Fluglog.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        (self.flights, self.minutes, self.cycles) == (0, 0, 0)
    }

    /// Returns whether they count in something that counts since a day: all of them or none, since nobody knows which
    /// of them were after it.
    #[must_use]
    pub(crate) fn counts_since(&self, day: Date) -> bool {
        self.until.is_some_and(|until| day < until)
    }
}

changes! {
    /// Changes of what was before Fluglog by a form: the members of `prior`.
    PriorChanges of Prior {
        flights: u32 = FLIGHTS by Field::change_or_default,
        minutes: u32 = MINUTES by Field::change_or_default,
        cycles: u32 = CYCLES by Field::change_or_default,
        until: Option<Date> = UNTIL by Field::change,
        note: String = NOTE by Field::change_or_default,
    }
}

impl PriorChanges {
    /// Rejects a day after `today`.
    pub(crate) fn check_day(&self, today: Date) -> Result<()> {
        match self.until {
            Change::Set(Some(until)) if until > today => Err(UNTIL.invalid(text::PRIOR_UNTIL_IN_FUTURE)),
            _ => Ok(()),
        }
    }

    /// Returns what was before Fluglog after the changes; what counts nothing is empty.
    ///
    /// # Errors
    /// There are cycles of something else than a battery pack.
    pub(crate) fn applied(&self, mut prior: Prior, is_pack: bool) -> Result<Prior> {
        self.apply(&mut prior);
        if prior.cycles > 0 && !is_pack {
            return Err(CYCLES.invalid(text::JOB_CYCLES_OF_NO_BATTERY));
        }
        Ok(if prior.is_empty() { Prior::default() } else { prior })
    }
}

/// Reads what was before Fluglog from an object of another Fluglog's export.
///
/// # Errors
/// A value breaks its rule.
pub(crate) fn read_exported(object: &Fields, is_pack: bool) -> Result<Prior> {
    let Some(members) = PRIOR.read(object)? else {
        return Ok(Prior::default());
    };
    PriorChanges::read(&members)?.applied(Prior::default(), is_pack)
}

/// What a pilot or an item had flown before Fluglog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct PriorFlights {
    pub flights: u32,
    pub minutes: u32,
    /// Full cycles of a battery.
    pub cycles: u32,
    /// The day before which they were; empty when it isn't known.
    pub until: String,
    pub note: String,
}

impl From<Prior> for PriorFlights {
    fn from(prior: Prior) -> PriorFlights {
        PriorFlights {
            flights: prior.flights,
            minutes: prior.minutes,
            cycles: prior.cycles,
            until: prior.until.map(|day| day.to_string()).unwrap_or_default(),
            note: prior.note,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved(json: &str, is_pack: bool) -> Result<Prior> {
        let changes = PriorChanges::read(&Fields::from_json(json).unwrap())?;
        changes.check_day(Date::parse("28.11.2026").unwrap())?;
        changes.applied(Prior::default(), is_pack)
    }

    #[test]
    fn a_value_that_cannot_be_is_refused_with_its_sentence() {
        for (json, sentence) in [
            (r#"{"flights": -1}"#, text::PRIOR_FLIGHTS_OUT_OF_RANGE),
            (r#"{"flights": "100001"}"#, text::PRIOR_FLIGHTS_OUT_OF_RANGE),
            (r#"{"minutes": 6000001}"#, text::PRIOR_MINUTES_OUT_OF_RANGE),
            (r#"{"minutes": "viele"}"#, text::PRIOR_MINUTES_OUT_OF_RANGE),
            (r#"{"cycles": 10001}"#, text::PRIOR_CYCLES_OUT_OF_RANGE),
            (r#"{"flights": 1, "until": "29.11.2026"}"#, text::PRIOR_UNTIL_IN_FUTURE),
        ] {
            let refused = saved(json, true).unwrap_err();
            assert!(format!("{refused:?}").contains(sentence), "{json}: {refused:?}");
        }
        assert!(saved(r#"{"cycles": 1}"#, false).is_err());
        assert_eq!(saved(r#"{"cycles": 1}"#, true).unwrap().cycles, 1);
    }

    #[test]
    fn prior_values_without_flights_hours_and_cycles_are_not_stored() {
        let empty = saved(
            r#"{"flights": "", "minutes": 0, "until": "01.03.2024", "note": "Papierbuch"}"#,
            false,
        );
        assert_eq!(empty.unwrap(), Prior::default());
    }

    #[test]
    fn hours_from_before_count_whole_since_a_day_before_their_end() {
        let day = |text: &str| Date::parse(text).unwrap();
        let prior = saved(r#"{"flights": 900, "until": "01.03.2024"}"#, false).unwrap();
        assert!(prior.counts_since(day("29.02.2024")));
        assert!(!prior.counts_since(day("01.03.2024")));
        assert!(!Prior { until: None, ..prior }.counts_since(day("01.01.1990")));
    }
}
