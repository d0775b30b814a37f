//! The registry of topics: the tables of each, its check, its export, its part of `user show` and what is deleted with
//! a user. A new topic is added here once; tests fail if something is missing.

use crate::documents::proofs;
use crate::flights::{images, origin};
use crate::{documents, equipment, feedback, flights, imports, logs, maintenance, packs, reminders};
use fluglog_accounts::administration;
use fluglog_accounts::guard::{Access, Viewer};
use fluglog_accounts::spaces;
use fluglog_app::mail_queue;
use fluglog_base::error::Result;
use fluglog_base::id::{BlobId, SpaceId};
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
    /// Removes everything of a user. The caller removes the blobs after the commit.
    pub forget_user: fn(&Writer<'_>, &Viewer) -> Result<Vec<BlobId>>,
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

/// Every topic. Deleting a user runs through them backwards, so that the account goes last.
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
        forget_user: administration::forget_user,
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
        forget_user: |writer, viewer| {
            spaces::members::forget_user(writer, viewer.user())?;
            Ok(Vec::new())
        },
    },
    Topic {
        name: "mail_queue",
        tables: &[&schema::MAILS],
        check: mail_queue::check,
        export: Export::Nothing("what waits to be sent is about logins"),
        holdings: |_, _| Ok(Holdings::default()),
        forget_user: |writer, viewer| {
            mail_queue::forget_address(writer, &administration::address(writer, viewer)?)?;
            Ok(Vec::new())
        },
    },
    Topic {
        name: "feedback",
        tables: &[&schema::FEEDBACK],
        check: feedback::check,
        export: Export::Objects(&["feedback"]),
        holdings: |_, _| Ok(Holdings::default()),
        forget_user: |writer, viewer| {
            feedback::forget_user(writer, viewer)?;
            Ok(Vec::new())
        },
    },
    Topic {
        name: "operations",
        tables: &[&schema::REQUESTS, &schema::REQUESTS_BY_AGE],
        check: operations::check,
        export: Export::Nothing("which requests were carried out is the program's own memory"),
        holdings: |_, _| Ok(Holdings::default()),
        forget_user: |writer, viewer| {
            operations::forget_owner(writer, viewer.user().into())?;
            Ok(Vec::new())
        },
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
        forget_user: |writer, viewer| documents::forget_owner(writer, viewer.user().into()),
    },
    Topic {
        name: "proofs",
        tables: &[&schema::PROOFS],
        check: proofs::check_records,
        export: Export::Objects(&["proofs"]),
        holdings: |data, viewer| {
            let (proofs, blobs) = proofs::blobs(data, viewer)?;
            Ok(Holdings {
                counts: vec![("proofs", proofs)],
                blobs,
            })
        },
        forget_user: proofs::forget_user,
    },
    Topic {
        name: "equipment",
        tables: &[
            &schema::EQUIPMENT,
            &schema::EQUIPMENT_TOTALS,
            &schema::EQUIPMENT_USES,
            &schema::EQUIPMENT_USES_BY_START,
            &schema::SHARED_USES,
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
        forget_user: |writer, viewer| {
            packs::forget_owner(writer, viewer.user().into())?;
            equipment::forget_owner(writer, viewer.user().into())?;
            Ok(Vec::new())
        },
    },
    Topic {
        name: "logs",
        tables: &[&schema::LOGS, &schema::LOGS_BY_TIME],
        check: logs::check,
        export: Export::Objects(&["logs"]),
        holdings: |data, viewer| Ok(Holdings::counted("logs", logs::all(data, &Access::own(viewer))?.len())),
        forget_user: |writer, viewer| {
            logs::forget_owner(writer, viewer.user().into())?;
            Ok(Vec::new())
        },
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
        forget_user: |writer, viewer| {
            maintenance::forget_owner(writer, viewer.user().into())?;
            Ok(Vec::new())
        },
    },
    Topic {
        name: "reminders",
        tables: &[&schema::REMINDERS],
        check: reminders::check,
        export: Export::Nothing("who takes an export to another server says there whether mails are wanted"),
        holdings: |_, _| Ok(Holdings::default()),
        forget_user: |writer, viewer| {
            reminders::forget_user(writer, viewer)?;
            Ok(Vec::new())
        },
    },
    Topic {
        name: "open_flight",
        tables: &[&schema::OPEN_FLIGHTS],
        check: open_flight::check,
        export: Export::Nothing("each flight says itself whether it is open"),
        holdings: |_, _| Ok(Holdings::default()),
        forget_user: |writer, viewer| {
            open_flight::set(writer, viewer.user(), None)?;
            Ok(Vec::new())
        },
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
        forget_user: |writer, viewer| {
            flights::forget_user(writer, viewer)?;
            Ok(Vec::new())
        },
    },
    Topic {
        name: "images",
        tables: &[&schema::IMAGES, &schema::IMAGES_BY_PLACE],
        check: images::check,
        export: Export::Nothing("a flight names its images, which are files of the export"),
        holdings: |data, viewer| {
            let images = images::all(data, viewer)?;
            let blobs = images.iter().flat_map(|image| [image.blob.id, image.preview.id]);
            Ok(Holdings {
                counts: vec![("images", images.len())],
                blobs: blobs.collect(),
            })
        },
        forget_user: images::forget_user,
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
        forget_user: |writer, viewer| {
            origin::forget_user(writer, viewer)?;
            Ok(Vec::new())
        },
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
                blobs: imports::blobs(data, viewer)?,
            })
        },
        forget_user: imports::forget_user,
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

/// Removes everything of a user, and the spaces that have no other member. The caller removes the blobs after the
/// commit.
///
/// # Errors
/// [`Error::Conflict`] when nobody would manage a space that has other members.
pub fn forget_user(writer: &Writer<'_>, viewer: &Viewer) -> Result<Vec<BlobId>> {
    let mut gone = Vec::new();
    for space in spaces::members::left_alone(writer, viewer.user())? {
        gone.extend(forget_space(writer, space)?);
    }
    for topic in ALL.iter().rev() {
        gone.extend((topic.forget_user)(writer, viewer)?);
    }
    Ok(gone)
}

/// Removes a space with everything that it owns. Flights with its equipment stay with their pilots. The caller removes
/// the blobs after the commit.
pub fn forget_space(writer: &Writer<'_>, space: SpaceId) -> Result<Vec<BlobId>> {
    let owner = space.into();
    flights::forget_owner(writer, owner)?;
    maintenance::forget_owner(writer, owner)?;
    logs::forget_owner(writer, owner)?;
    packs::forget_owner(writer, owner)?;
    equipment::forget_owner(writer, owner)?;
    spaces::remove(writer, space)?;
    documents::forget_owner(writer, owner)
}

/// Returns the files of a space.
///
/// # Errors
/// The database can't be read.
pub fn space_blobs(data: &Snapshot<'_>, space: SpaceId) -> Result<Vec<BlobId>> {
    documents::blobs(data, space.into())
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
    use fluglog_store::Store;

    /// Tables outside of topics: the metadata of the database, and the last backup.
    const OF_NO_TOPIC: [&str; 2] = ["meta", "backups"];

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
