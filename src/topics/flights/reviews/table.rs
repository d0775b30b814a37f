//! Records of reviews and shares.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::model::{GroupBy, Review, ReviewFilter, ReviewShare};
use crate::flights::years::model::{FlightSum, Sum};
use crate::flights::years::table::{FigureRecord, figures};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::UserId;
use fluglog_base::time::Date;
use fluglog_store::findings::{FindingKind, Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, Writer, record, schema, under};

/// (user, 0 all flights | copter | place, year)
pub(crate) type ReviewKey = (u128, u128, u32);
/// (user, 0 all flights | copter | place, 0 a place | 1 a copter | 2 a battery, year, id of the place or item)
pub(crate) type ShareKey = (u128, u128, u8, u32, u128);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct ReviewRecord {
    days: Vec<DayRecord>,
    /// Figures of minutes, distance, maximum distance, speed, altitude and consumption.
    figures: Vec<FigureRecord>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct DayRecord {
    /// Day of the year, counted from 0.
    day: u16,
    flown: FlownRecord,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct FlownRecord {
    flights: u32,
    minutes_billionths: i128,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct ShareRecord {
    name: String,
    flown: FlownRecord,
}

record!(ReviewRecord: (Owner, u128, u32) = FLIGHT_REVIEWS);

record!(ShareRecord: (Owner, u128, u8, u32, u128) = FLIGHT_SHARES);

/// Returns the review with this key.
pub fn find(data: &Snapshot<'_>, key: ReviewKey) -> Result<Option<Review>> {
    data.get::<ReviewRecord>(key)?
        .map(|record| stored(key, record))
        .transpose()
}

/// Returns the reviews of every year, oldest first.
pub fn all(data: &Snapshot<'_>, owner: UserId, of: ReviewFilter) -> Result<Vec<(u32, Review)>> {
    let (user, of) = (owner.key(), of.key());
    let found = data.scan::<ReviewRecord>(under((user, of)))?.into_iter();
    found.map(|(key, record)| Ok((key.2, stored(key, record)?))).collect()
}

/// Stores a review, or removes an empty one.
pub fn put(writer: &Writer<'_>, key: ReviewKey, review: &Review) -> Result<()> {
    match review.is_empty() {
        true => writer.remove::<ReviewRecord>(key),
        false => writer.put(key, &record(review)),
    }
}

/// Returns the share with this key.
pub(crate) fn find_share(data: &Snapshot<'_>, key: ShareKey) -> Result<Option<ReviewShare>> {
    Ok(data.get::<ShareRecord>(key)?.map(stored_share))
}

/// Returns the shares summed over some years, by the id of the place or item.
pub fn shares(
    data: &Snapshot<'_>,
    owner: UserId,
    of: ReviewFilter,
    by: GroupBy,
    years: RangeInclusive<u32>,
) -> Result<BTreeMap<u128, ReviewShare>> {
    let key = |year, id| (owner.key(), of.key(), by.code(), year, id);
    let mut shares = BTreeMap::<u128, ReviewShare>::new();
    data.each::<ShareRecord>(key(*years.start(), 0)..=key(*years.end(), u128::MAX), |key, record| {
        let (share, sum) = (stored_share(record), shares.entry(key.4).or_default());
        sum.name = share.name;
        sum.flown = sum.flown.plus(share.flown);
    })?;
    Ok(shares)
}

/// Stores a share, or removes an empty one.
pub(crate) fn put_share(writer: &Writer<'_>, key: ShareKey, share: &ReviewShare) -> Result<()> {
    match share.flown.flights {
        0 => writer.remove::<ShareRecord>(key),
        _ => writer.put(key, &record_of_share(share)),
    }
}

/// Verifies every review against the expected one; mismatches are only reported if everything else is readable.
pub fn check(
    data: &Snapshot<'_>,
    findings: &mut Findings,
    mut expected: impl FnMut(ReviewKey) -> Option<Review>,
) -> Result<()> {
    let is_judged = findings.is_complete();
    findings.each::<ReviewRecord>(data, |findings, key, record| {
        let place = place(&ReviewRecord::TABLE, key);
        findings.refers(data, &place, &schema::USERS, key.0)?;
        let expected = expected(key);
        let Ok(review) = stored(key, record) else {
            findings.impossible::<ReviewRecord>(key);
            return Ok(());
        };
        if is_judged && expected.as_ref() != Some(&review) {
            rewrite(findings, key, expected, FindingKind::FlightTotalsWrong);
        }
        Ok(())
    })
}

/// Like [`check`], but for shares.
pub(crate) fn check_shares(
    data: &Snapshot<'_>,
    findings: &mut Findings,
    mut expected: impl FnMut(ShareKey) -> Option<ReviewShare>,
) -> Result<()> {
    let is_judged = findings.is_complete();
    findings.each::<ShareRecord>(data, |findings, key, record| {
        let place = place(&ShareRecord::TABLE, key);
        findings.refers(data, &place, &schema::USERS, key.0)?;
        let expected = expected(key);
        if is_judged && expected != Some(stored_share(record)) {
            rewrite_share(findings, key, expected, FindingKind::FlightTotalsWrong);
        }
        Ok(())
    })
}

/// Reports a review that is missing or doesn't match the flights, with its repair.
pub fn rewrite(findings: &mut Findings, key: ReviewKey, expected: Option<Review>, wrong: FindingKind) {
    let rebuild = move |writer: &Writer<'_>| put(writer, key, expected.as_ref().unwrap_or(&Review::default()));
    findings.derived(&place(&ReviewRecord::TABLE, key), wrong, rebuild);
}

/// Like [`rewrite`], but for a share.
pub(crate) fn rewrite_share(findings: &mut Findings, key: ShareKey, expected: Option<ReviewShare>, wrong: FindingKind) {
    let rebuild =
        move |writer: &Writer<'_>| put_share(writer, key, expected.as_ref().unwrap_or(&ReviewShare::default()));
    findings.derived(&place(&ShareRecord::TABLE, key), wrong, rebuild);
}

impl FlownRecord {
    fn of(flown: FlightSum) -> FlownRecord {
        FlownRecord {
            flights: flown.flights,
            minutes_billionths: flown.minutes.billionths,
        }
    }

    fn stored(&self) -> FlightSum {
        let billionths = self.minutes_billionths;
        FlightSum {
            flights: self.flights,
            minutes: Sum { billionths },
        }
    }
}

fn record(review: &Review) -> ReviewRecord {
    let days = review.days.iter().map(|(day, flown)| DayRecord {
        day: *day,
        flown: FlownRecord::of(*flown),
    });
    ReviewRecord {
        days: days.collect(),
        figures: review.figures.iter().map(FigureRecord::of).collect(),
    }
}

fn stored((.., year): ReviewKey, record: ReviewRecord) -> Result<Review> {
    let damaged = || Error::Internal("flight_reviews: a record holds an impossible value".to_owned());
    if !record.days.iter().all(|day| Date::of_year(year, day.day).is_some()) {
        return Err(damaged());
    }
    Ok(Review {
        days: record.days.iter().map(|day| (day.day, day.flown.stored())).collect(),
        figures: figures(record.figures).ok_or_else(damaged)?,
    })
}

fn record_of_share(share: &ReviewShare) -> ShareRecord {
    ShareRecord {
        name: share.name.clone(),
        flown: FlownRecord::of(share.flown),
    }
}

fn stored_share(record: ShareRecord) -> ReviewShare {
    ReviewShare {
        flown: record.flown.stored(),
        name: record.name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flights::years::model::Figure;
    use fluglog_store::record::assert_stored_as;

    #[test]
    fn a_review_keeps_its_bytes() {
        let review = ReviewRecord {
            days: vec![DayRecord {
                day: 365,
                flown: FlownRecord {
                    flights: 300,
                    minutes_billionths: 20_500_000_000,
                },
            }],
            figures: vec![FigureRecord::of(&Figure::default())],
        };
        assert_stored_as::<ReviewRecord>(
            (1, 7, 2024),
            &review,
            "8101fb6d01fb2c01fd005aca8b0900000001000000ee71301b",
        );
    }

    #[test]
    fn a_share_keeps_its_bytes() {
        let share = ShareRecord {
            name: "Wiese".to_owned(),
            flown: FlownRecord {
                flights: 2,
                minutes_billionths: -1,
            },
        };
        assert_stored_as::<ShareRecord>((1, 0, 0, 2026, 9), &share, "81055769657365020162d5df41");
    }
}
