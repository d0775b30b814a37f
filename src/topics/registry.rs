//! The registry of topics: the tables of each, its check, its export and its part of `user show`; and how an owner is
//! deleted. A new topic is added here once; tests fail if something is missing.

use crate::documents::proofs;
use crate::flights::{images, origin};
use crate::{documents, equipment, feedback, flights, imports, logs, maintenance, packs, reminders};
use fluglog_accounts::administration;
use fluglog_accounts::guard::{Access, Viewer};
use fluglog_accounts::spaces;
use fluglog_app::App;
use fluglog_app::mail_queue;
use fluglog_base::error::Result;
use fluglog_base::id::{BlobId, OwnerId, UserId};
use fluglog_base::limits::tasks::Task;
use fluglog_store::deletions::{self, Step};
use fluglog_store::findings::Findings;
use fluglog_store::open_flight;
use fluglog_store::operations;
use fluglog_store::rows::Rows;
use fluglog_store::{Snapshot, Writer, schema};

/// A topic, as seen by archive, export and administration.
pub struct Topic {
    /// The name in a check's report.
    pub name: &'static str,
    pub tables: &'static [&'static dyn Rows],
    /// Checks every record, and redundant data against each other.
    pub check: fn(&Snapshot<'_>, &mut Findings) -> Result<()>,
    pub export: Export,
    pub holdings: fn(&Snapshot<'_>, &Viewer) -> Result<Holdings>,
}

/// A topic's part of a pilot's export.
pub enum Export {
    /// Objects with these names, without `.json`.
    Objects(&'static [&'static str]),
    /// Nothing, with the reason.
    Nothing(&'static str),
}

/// A user's data in a topic.
#[derive(Default)]
pub struct Holdings {
    /// Counts with their keys in `user show --json`.
    pub counts: Vec<(&'static str, usize)>,
    pub blobs: Vec<BlobId>,
}

impl Holdings {
    fn counted(name: &'static str, count: usize) -> Holdings {
        Holdings {
            counts: vec![(name, count)],
            blobs: Vec::new(),
        }
    }
}

/// Every topic.
pub const ALL: &[Topic] = &[
    Topic {
        name: "accounts",
        tables: &[
            &schema::USERS,
            &schema::USERS_BY_EMAIL,
            &schema::SESSIONS,
            &schema::LOGIN_TOKENS,
            &schema::ACCESS_TOKENS,
            &schema::DEVICES,
            &schema::LOGIN_REQUESTS,
            &schema::LOGIN_LINKS,
            &schema::REGISTRATIONS,
            &schema::ACCOUNT_LINKS,
            &schema::PHOTOS,
            &schema::CONTACTS,
            &schema::QUOTAS,
            &schema::UNVERIFIED,
        ],
        check: fluglog_accounts::check,
        export: Export::Objects(&["profile"]),
        holdings: |data, viewer| {
            let photo = administration::photo(data, viewer)?;
            Ok(Holdings {
                counts: Vec::new(),
                blobs: photo.into_iter().map(|photo| photo.id).collect(),
            })
        },
    },
    Topic {
        name: "deletions",
        tables: &[&schema::DELETIONS],
        check: deletions::check,
        export: Export::Nothing("they are the program's own memory"),
        holdings: |_, _| Ok(Holdings::default()),
    },
    Topic {
        name: "spaces",
        tables: &[
            &schema::SPACES,
            &schema::MEMBERSHIPS,
            &schema::SPACES_OF_USER,
            &schema::INVITATIONS,
        ],
        check: spaces::check::check,
        export: Export::Nothing("who is a member of what is the matter of its other members, too"),
        holdings: |_, _| Ok(Holdings::default()),
    },
    Topic {
        name: "mail_queue",
        tables: &[&schema::MAILS],
        check: mail_queue::check,
        export: Export::Nothing("what waits to be sent is about logins"),
        holdings: |_, _| Ok(Holdings::default()),
    },
    Topic {
        name: "feedback",
        tables: &[&schema::FEEDBACK],
        check: feedback::check,
        export: Export::Objects(&["feedback"]),
        holdings: |_, _| Ok(Holdings::default()),
    },
    Topic {
        name: "operations",
        tables: &[&schema::REQUESTS, &schema::REQUESTS_BY_AGE],
        check: operations::check,
        export: Export::Nothing("which requests were carried out is the program's own memory"),
        holdings: |_, _| Ok(Holdings::default()),
    },
    Topic {
        name: "documents",
        tables: &[&schema::DOCUMENTS, &schema::SHARES],
        check: documents::check,
        export: Export::Objects(&["documents"]),
        holdings: |data, viewer| {
            let blobs = documents::blobs(data, viewer.user().into())?;
            Ok(Holdings {
                counts: vec![("documents", blobs.len())],
                blobs,
            })
        },
    },
    Topic {
        name: "proofs",
        tables: &[&schema::PROOFS],
        check: proofs::check_records,
        export: Export::Objects(&["proofs"]),
        holdings: |data, viewer| {
            let (proofs, blobs) = proofs::blobs(data, viewer.user().into())?;
            Ok(Holdings {
                counts: vec![("proofs", proofs)],
                blobs,
            })
        },
    },
    // Of `equipment/`, and of `packs/`, whose check comprises that of `equipment/`.
    Topic {
        name: "equipment",
        tables: &[
            &schema::EQUIPMENT,
            &schema::EQUIPMENT_TOTALS,
            &schema::EQUIPMENT_USES,
            &schema::EQUIPMENT_USES_BY_START,
            &schema::SHARED_USES,
            &schema::ENTRY_AUTHORS,
            &schema::CHARGINGS,
            &schema::CHARGING_TOTALS,
            &schema::UNDOS,
            &schema::CHARGING_DETAILS,
            &schema::EQUIPMENT_PROFILES,
            &schema::PRIOR_USES,
            &schema::BATTERY_READINGS,
            &schema::BATTERY_SETS,
            &schema::BATTERY_SNOOZES,
            &schema::BATTERY_HEALTH,
            &schema::STICKERS,
            &schema::STICKERS_BY_CODE,
        ],
        check: packs::check,
        export: Export::Objects(&["equipment", "chargings", "readings", "sets"]),
        holdings: |data, viewer| {
            Ok(Holdings::counted(
                "equipment",
                equipment::all(data, &Access::own(viewer))?.len(),
            ))
        },
    },
    Topic {
        name: "logs",
        tables: &[&schema::LOGS, &schema::LOGS_BY_TIME],
        check: logs::check,
        export: Export::Objects(&["logs"]),
        holdings: |data, viewer| Ok(Holdings::counted("logs", logs::all(data, &Access::own(viewer))?.len())),
    },
    Topic {
        name: "maintenance",
        tables: &[&schema::JOBS, &schema::JOB_RUNS, &schema::JOB_COUNTERS],
        check: maintenance::check,
        export: Export::Objects(&["jobs"]),
        holdings: |data, viewer| {
            let jobs = maintenance::all(data, &Access::own(viewer))?;
            Ok(Holdings::counted("jobs", jobs.len()))
        },
    },
    Topic {
        name: "reminders",
        tables: &[&schema::REMINDERS],
        check: reminders::check,
        export: Export::Nothing("who takes an export to another server says there whether mails are wanted"),
        holdings: |_, _| Ok(Holdings::default()),
    },
    Topic {
        name: "open_flight",
        tables: &[&schema::OPEN_FLIGHTS],
        check: open_flight::check,
        export: Export::Nothing("each flight says itself whether it is open"),
        holdings: |_, _| Ok(Holdings::default()),
    },
    Topic {
        name: "flights",
        tables: &[
            &schema::FLIGHTS,
            &schema::FLIGHTS_BY_START,
            &schema::BORROWED_PARTS,
            &schema::FLIGHT_YEARS,
            &schema::FLIGHT_REVIEWS,
            &schema::FLIGHT_SHARES,
            &schema::SUSPECT_VOLTAGES,
        ],
        check: flights::check,
        export: Export::Objects(&["flights"]),
        holdings: |data, viewer| Ok(Holdings::counted("flights", flights::all(data, viewer)?.len())),
    },
    Topic {
        name: "images",
        tables: &[&schema::IMAGES, &schema::IMAGES_BY_PLACE],
        check: images::check,
        export: Export::Nothing("a flight names its images, which are files of the export"),
        holdings: |data, viewer| {
            // Each image has a preview.
            let blobs = images::blobs(data, viewer.user())?;
            Ok(Holdings {
                counts: vec![("images", blobs.len() / 2)],
                blobs,
            })
        },
    },
    Topic {
        name: "origin",
        tables: &[
            &schema::FLIGHT_SOURCES,
            &schema::FLIGHTS_BY_SOURCE,
            &schema::FLIGHT_TRACKS,
            &schema::FLIGHT_PROFILES,
        ],
        check: origin::check,
        export: Export::Objects(&["flight-sources"]),
        holdings: |_, _| Ok(Holdings::default()),
    },
    Topic {
        name: "imports",
        tables: &[
            &schema::IMPORTS,
            &schema::IMPORT_TRACKS,
            &schema::IMPORT_PROFILES,
            &schema::IMPORT_FOREIGN_FLIGHTS,
            &schema::IMPORT_MAPPINGS,
            &schema::IMPORT_DROPS,
            &schema::EQUIPMENT_ALIASES,
        ],
        check: imports::check,
        export: Export::Objects(&["equipment-aliases"]),
        holdings: |data, viewer| {
            Ok(Holdings {
                counts: Vec::new(),
                blobs: imports::blobs(data, viewer.user())?,
            })
        },
    },
];

/// Returns a user's data in all topics.
pub fn holdings(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Holdings> {
    let mut all = Holdings::default();
    for topic in ALL {
        let holdings = (topic.holdings)(data, viewer)?;
        all.counts.extend(holdings.counts);
        all.blobs.extend(holdings.blobs);
    }
    Ok(all)
}

/// Functions for records whose deletion changes more than rows of the owner: files, indexes by other keys, and records
/// of others.
const FORGET: [fn(&Writer<'_>, &mut Step) -> Result<()>; 6] = [
    flights::forget,
    equipment::forget_stickers,
    documents::forget,
    proofs::forget,
    images::forget,
    imports::forget,
];

/// Begins to delete a user, and the spaces that have no other member: the account is gone, and nothing leads any more
/// to what is left. Returns the owners for [`finish_deletion`], and blobs that the caller removes after the commit.
///
/// # Errors
/// [`Error::Conflict`] when nobody would manage a space that has other members.
pub fn begin_deletion(writer: &Writer<'_>, viewer: &Viewer, now: i64) -> Result<(Vec<OwnerId>, Vec<BlobId>)> {
    let user = viewer.user();
    let mut deleted = vec![user.into()];
    for space in spaces::members::left_alone(writer, user)? {
        spaces::remove(writer, space, now)?;
        deleted.push(space.into());
    }
    reminders::forget_user(writer, viewer)?;
    feedback::forget_user(writer, viewer)?;
    mail_queue::forget_address(writer, &administration::address(writer, viewer)?)?;
    spaces::members::forget_user(writer, user)?;
    let gone = administration::forget_user(writer, viewer)?;
    deletions::begin(writer, user.into(), now)?;
    Ok((deleted, gone))
}

/// Deletes what is left of an owner, in steps. Ends at once when another thread has done it.
///
/// # Errors
/// The database can't be written: the deletion goes on later.
pub(crate) fn finish_deletion(app: &App, owner: OwnerId) -> Result<()> {
    if let Err(error) = documents::forget_shares(&app.store, owner) {
        // Shares without their document lead nowhere, and expire.
        tracing::warn!("shares of a deleted owner stay until they expire: {error:?}");
    }
    let most = Task::Deletions.budget().at_once;
    loop {
        let step = app
            .store
            .write_task(Task::Deletions, move |writer| take_step(writer, owner, most))?;
        let Some((gone, is_complete)) = step else {
            return Ok(());
        };
        app.blobs.remove_all(gone);
        if is_complete {
            app.usage.forget(owner);
            return Ok(());
        }
    }
}

/// Deletes what is left of an owner. What can't be deleted now is left to [`finish_deletions`], as the owner is gone.
pub fn finish_deletion_or_later(app: &App, owner: OwnerId) {
    if let Err(error) = finish_deletion(app, owner) {
        tracing::warn!("a deletion goes on later: {error:?}");
    }
}

/// Takes one step of a deletion, of at most so many rows; `None` if there is nothing to delete.
///
/// # Errors
/// The database can't be written.
pub fn take_step(writer: &Writer<'_>, owner: OwnerId, most: usize) -> Result<Option<(Vec<BlobId>, bool)>> {
    if !deletions::is_deleted(writer, owner.key())? {
        return Ok(None);
    }
    let mut step = Step::new(owner, most);
    for forget in FORGET {
        forget(writer, &mut step)?;
    }
    step.finish(writer).map(Some)
}

/// Goes on with all deletions that were begun, also after one that fails.
///
/// # Errors
/// The database can't be read, or the first deletion that failed.
pub fn finish_deletions(app: &App) -> Result<()> {
    let mut result = Ok(());
    for owner in app.store.read(deletions::all)? {
        let finished = finish_deletion(app, OwnerId::from_key(owner));
        if finished.is_ok() {
            tracing::info!("a deletion is complete");
        }
        result = result.and(finished);
    }
    result
}

/// Returns the files that the records of an owner name, without the photo of a user.
///
/// # Errors
/// The database can't be read.
pub fn blobs_of(data: &Snapshot<'_>, owner: OwnerId) -> Result<Vec<BlobId>> {
    let user = UserId::from_key(owner.key());
    let mut blobs = documents::blobs(data, owner)?;
    blobs.extend(proofs::blobs(data, owner)?.1);
    blobs.extend(images::blobs(data, user)?);
    blobs.extend(imports::blobs(data, user)?);
    Ok(blobs)
}

/// Fills derived tables that an earlier version didn't have.
///
/// # Errors
/// The database can't be read or written.
pub fn complete(writer: &Writer<'_>) -> Result<()> {
    flights::fill_shares(writer)?;
    packs::fill(writer)?;
    flights::suspect_voltages::fill(writer)?;
    flights::years::fill(writer)?;
    flights::reviews::fill(writer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_base::id::FlightId;
    use fluglog_store::record::{Initial, Record};
    use fluglog_store::{Store, Table};

    /// Tables outside of topics: the metadata of the database, and the last backup.
    const OF_NO_TOPIC: [&str; 2] = ["meta", "backups"];

    /// Flights of which only the key is read.
    #[derive(serde::Serialize, serde::Deserialize)]
    struct AnyFlight(u8);

    impl Initial for AnyFlight {}

    impl Record for AnyFlight {
        type Key = (u128, u128);
        const TABLE: Table<(u128, u128)> = schema::FLIGHTS;
    }

    #[test]
    fn others_save_between_the_bounded_steps_in_which_twenty_thousand_flights_are_deleted() {
        const FLIGHTS: u128 = 20_000;
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path(), true).unwrap();
        let [anna, ben] = [1, 2].map(UserId::from_key);
        store
            .write(move |writer| {
                (0..FLIGHTS).try_for_each(|flight| writer.put((anna.key(), flight), &AnyFlight(0)))?;
                deletions::begin(writer, anna.into(), 0)
            })
            .unwrap();
        let most = Task::Deletions.budget().at_once;
        let mut saved = 0;
        loop {
            let before = store.rows_of_writes();
            let step = store.write(move |writer| take_step(writer, anna.into(), most)).unwrap();
            // A row is read once, to be found, and removed once.
            assert!(store.rows_of_writes() - before <= 2 * most as u64 + 50);
            if step.unwrap().1 {
                break;
            }
            saved += 1;
            let flight = FlightId::from_key(saved);
            store
                .write_for(ben, move |writer| open_flight::set(writer, ben, Some(flight)))
                .unwrap();
        }
        assert_eq!(saved, FLIGHTS / most as u128);
        let left = store.read(|data| Ok((data.count(&schema::FLIGHTS)?, data.count(&schema::DELETIONS)?)));
        assert_eq!(left, Ok((0, 0)));
        assert!(
            store
                .write(move |writer| take_step(writer, anna.into(), most))
                .unwrap()
                .is_none()
        );
    }

    #[test]
    fn every_table_belongs_to_one_topic() {
        let of_topics = ALL.iter().flat_map(|topic| topic.tables).map(|table| table.name());
        let mut enrolled: Vec<_> = of_topics.chain(OF_NO_TOPIC).collect();
        let mut all: Vec<_> = schema::ALL.iter().map(|table| table.name()).collect();
        enrolled.sort_unstable();
        all.sort_unstable();
        assert_eq!(enrolled, all);
    }

    #[test]
    fn the_check_of_a_topic_reads_its_tables_and_no_others() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path(), true).unwrap();
        for topic in ALL {
            let mut findings = Findings::default();
            store.examine(|data| (topic.check)(data, &mut findings)).unwrap();
            let mut read: Vec<_> = findings.tables().collect();
            let mut own: Vec<_> = topic.tables.iter().map(|table| table.name()).collect();
            read.sort_unstable();
            own.sort_unstable();
            assert_eq!(read, own, "{}", topic.name);
        }
    }
}
