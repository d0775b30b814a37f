//! Records of years.

use serde::{Deserialize, Serialize};

use super::model::{Figure, Figures, FlightSum, Maximum, Sum, Year};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::FlightId;
use fluglog_base::time::WallTime;
use fluglog_store::findings::{FindingKind, Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, Writer, record, schema};

/// (user, year, 0 all flights | item)
pub type Key = (u128, u32, u128);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct YearRecord {
    months: Vec<MonthRecord>,
    /// Figures of minutes, distance, maximum distance, speed, altitude and consumption; `None` for the flights of an
    /// item.
    figures: Option<Vec<FigureRecord>>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct MonthRecord {
    flights: u32,
    minutes_billionths: i128,
}

/// Figures of one value; part of review records, too.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FigureRecord {
    sum_billionths: i128,
    flights: u32,
    largest: Option<LargestRecord>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct LargestRecord {
    value: f64,
    /// Minutes since 1970-01-01 00:00, wall clock.
    start: i64,
    flight: u128,
}

record!(YearRecord: (Owner, u32, u128) = FLIGHT_YEARS);

/// Returns the year with this key.
pub fn find(data: &Snapshot<'_>, key: Key) -> Result<Option<Year>> {
    data.get::<YearRecord>(key)?.map(stored).transpose()
}

/// Returns those of some years that are stored.
pub fn load(data: &Snapshot<'_>, keys: impl IntoIterator<Item = Key>) -> Result<Vec<(u32, Year)>> {
    let found = data.get_some::<YearRecord>(keys)?.into_iter();
    found.map(|(key, record)| Ok((key.1, stored(record)?))).collect()
}

/// Stores a year, or removes an empty one.
pub fn put(writer: &Writer<'_>, key: Key, year: &Year) -> Result<()> {
    match year.is_empty() {
        true => writer.remove::<YearRecord>(key),
        false => writer.put(key, &record(year)),
    }
}

/// Verifies every year against the expected one; mismatches are only reported if everything else is readable.
pub fn check(
    data: &Snapshot<'_>,
    findings: &mut Findings,
    mut expected: impl FnMut(Key) -> Option<Year>,
) -> Result<()> {
    let is_judged = findings.is_complete();
    findings.each::<YearRecord>(data, |findings, key, record| {
        let place = place(&YearRecord::TABLE, key);
        findings.refers(data, &place, &schema::USERS, key.0)?;
        let expected = expected(key);
        let Ok(year) = stored(record) else {
            findings.impossible::<YearRecord>(key);
            return Ok(());
        };
        if is_judged && expected.as_ref() != Some(&year) {
            rewrite(findings, key, expected, FindingKind::FlightTotalsWrong);
        }
        Ok(())
    })
}

/// Reports a year that is missing or doesn't match the flights, with its repair.
pub fn rewrite(findings: &mut Findings, key: Key, expected: Option<Year>, wrong: FindingKind) {
    let rebuild = move |writer: &Writer<'_>| match &expected {
        Some(year) => put(writer, key, year),
        None => writer.remove::<YearRecord>(key),
    };
    findings.derived(&place(&YearRecord::TABLE, key), wrong, rebuild);
}

fn record(year: &Year) -> YearRecord {
    let month = |month: &FlightSum| MonthRecord {
        flights: month.flights,
        minutes_billionths: month.minutes.billionths,
    };
    YearRecord {
        months: year.months.iter().map(month).collect(),
        figures: year
            .figures
            .as_ref()
            .map(|figures| figures.iter().map(FigureRecord::of).collect()),
    }
}

impl FigureRecord {
    pub fn of(figure: &Figure) -> FigureRecord {
        FigureRecord {
            sum_billionths: figure.sum.billionths,
            flights: figure.flights,
            largest: figure.largest.map(|largest| LargestRecord {
                value: largest.value,
                start: largest.start.minutes(),
                flight: largest.flight.key(),
            }),
        }
    }

    /// Converts to a figure; `None` when no version of the program can have stored it.
    pub fn stored(self) -> Option<Figure> {
        let largest = self.largest.map(|largest| {
            Some(Maximum {
                value: largest.value,
                start: WallTime::from_minutes(largest.start)?,
                flight: FlightId::from_key(largest.flight),
            })
        });
        Some(Figure {
            sum: Sum {
                billionths: self.sum_billionths,
            },
            flights: self.flights,
            largest: match largest {
                Some(largest) => Some(largest?),
                None => None,
            },
        })
    }
}

/// Converts all figures; `None` when no version of the program can have stored them.
pub fn figures(records: Vec<FigureRecord>) -> Option<Figures> {
    let figures: Option<Vec<_>> = records.into_iter().map(FigureRecord::stored).collect();
    figures?.try_into().ok()
}

fn stored(record: YearRecord) -> Result<Year> {
    let damaged = || Error::Internal("flight_years: a record holds an impossible value".to_owned());
    let months = record.months.iter().map(|month| FlightSum {
        flights: month.flights,
        minutes: Sum {
            billionths: month.minutes_billionths,
        },
    });
    let months: Vec<_> = months.collect();
    let figures = record.figures.map(|records| figures(records).ok_or_else(damaged));
    Ok(Year {
        months: months.try_into().map_err(|_| damaged())?,
        figures: figures.transpose()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::assert_stored_as;

    #[test]
    fn a_year_keeps_its_bytes() {
        let month = |flights, minutes_billionths| MonthRecord {
            flights,
            minutes_billionths,
        };
        let mut year = YearRecord {
            months: vec![month(0, 0), month(3, 20_500_000_000)],
            figures: None,
        };
        assert_stored_as::<YearRecord>((1, 2026, 7), &year, "8102000003fd005aca8b0900000000c6640c5f");
        year.figures = Some(vec![
            FigureRecord {
                sum_billionths: i128::MAX,
                flights: 300,
                largest: Some(LargestRecord {
                    value: 12.5,
                    start: 29_000_000,
                    flight: u128::MAX,
                }),
            },
            FigureRecord {
                sum_billionths: 0,
                flights: 0,
                largest: None,
            },
        ]);
        assert_stored_as::<YearRecord>(
            (1, 2026, 0),
            &year,
            "8102000003fd005aca8b090000000102fefefffffffffffffffffffffffffffffffb2c01010000000000002940fc80027503feffff\
             ffffffffffffffffffffffffffff0000005777612a",
        );
    }
}
