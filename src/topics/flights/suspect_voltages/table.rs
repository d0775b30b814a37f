//! Records of suspect voltages.

use serde::{Deserialize, Serialize};

use super::model::{SuspectFlight, Verdict, Voltages};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{FlightId, UserId};
use fluglog_store::findings::{Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, Writer, record, schema};

/// Verdicts as stored on disk.
const WAITING: u8 = 0;
const WRONG: u8 = 1;
const IMPLAUSIBLE: u8 = 2;
const REPAIRED: u8 = 3;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct VerdictRecord {
    verdict: u8,
    /// V; if the verdict holds voltages.
    start: Option<f64>,
    end: Option<f64>,
}

record!(VerdictRecord: (Owner, u128) = SUSPECT_VOLTAGES);

/// Stores the verdict on a flight.
pub fn put(writer: &Writer<'_>, owner: UserId, suspect: &SuspectFlight) -> Result<()> {
    writer.put((owner.key(), suspect.flight.key()), &record(suspect.verdict))
}

/// Returns the verdict on a flight.
pub fn find(data: &Snapshot<'_>, owner: UserId, flight: FlightId) -> Result<Option<Verdict>> {
    let record = data.get::<VerdictRecord>((owner.key(), flight.key()))?;
    record.map(stored).transpose()
}

/// Returns all verdicts of a user.
pub fn all(data: &Snapshot<'_>, owner: UserId) -> Result<Vec<SuspectFlight>> {
    let records = data.of::<VerdictRecord>(owner)?;
    let records = records.into_iter();
    records.map(|((_, flight), record)| suspect(flight, record)).collect()
}

/// Returns the verdicts of all users.
pub fn of_everyone(data: &Snapshot<'_>) -> Result<Vec<(UserId, SuspectFlight)>> {
    let records = data.scan::<VerdictRecord>(..)?.into_iter();
    records
        .map(|((user, flight), record)| Ok((UserId::from_key(user), suspect(flight, record)?)))
        .collect()
}

/// Removes the verdict on a flight, if there is one.
pub fn remove(writer: &Writer<'_>, owner: UserId, flight: FlightId) -> Result<()> {
    writer.remove::<VerdictRecord>((owner.key(), flight.key()))
}

/// Verifies that each verdict has its flight.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<VerdictRecord>(data, |findings, key, record| {
        findings.refers(data, &place(&VerdictRecord::TABLE, key), &schema::FLIGHTS, key)?;
        if stored(record).is_err() {
            findings.impossible::<VerdictRecord>(key);
        }
        Ok(())
    })
}

fn record(verdict: Verdict) -> VerdictRecord {
    let (verdict, voltages) = match verdict {
        Verdict::Waiting => (WAITING, Voltages::default()),
        Verdict::Wrong(right) => (WRONG, right),
        Verdict::Implausible => (IMPLAUSIBLE, Voltages::default()),
        Verdict::Repaired(before) => (REPAIRED, before),
    };
    VerdictRecord {
        verdict,
        start: voltages.start,
        end: voltages.end,
    }
}

fn stored(VerdictRecord { verdict, start, end }: VerdictRecord) -> Result<Verdict> {
    let voltages = Voltages { start, end };
    Ok(match verdict {
        WAITING => Verdict::Waiting,
        WRONG => Verdict::Wrong(voltages),
        IMPLAUSIBLE => Verdict::Implausible,
        REPAIRED => Verdict::Repaired(voltages),
        _ => return Err(Error::Internal("a suspect has an impossible verdict".to_owned())),
    })
}

fn suspect(flight: u128, record: VerdictRecord) -> Result<SuspectFlight> {
    Ok(SuspectFlight {
        flight: FlightId::from_key(flight),
        verdict: stored(record)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::assert_stored_as;

    #[test]
    fn a_doubt_keeps_its_bytes() {
        let right = Voltages {
            start: Some(12.34),
            end: None,
        };
        for (verdict, bytes) in [
            (Verdict::Waiting, "8100000090d1872a"),
            (Verdict::Wrong(right), "810101ae47e17a14ae284000f5d23d1f"),
            (Verdict::Implausible, "81020000fe050329"),
            (Verdict::Repaired(right), "810301ae47e17a14ae284000346b5147"),
        ] {
            assert_stored_as::<VerdictRecord>((1, 2), &record(verdict), bytes);
            assert_eq!(stored(record(verdict)).unwrap(), verdict);
        }
    }
}
