//! The check of all data: the database file, every record, every reference, every index, every blob. Collects what the
//! topics report; each topic knows what counts as damage in its own records.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::last_backup;
use fluglog_accounts::{administration, guard};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{OwnerId, UserId};
use fluglog_base::time::Clock;
use fluglog_store::blobs::folder::{self, BlobName, FOLDER_NAME};
use fluglog_store::blobs::{self, Blobs};
use fluglog_store::deletions;
use fluglog_store::findings::{Finding, FindingKind, Findings};
use fluglog_store::rows::Rows;
use fluglog_store::{Snapshot, Writer, guarded};
use fluglog_topics::flights::suspect_voltages;
use fluglog_topics::registry;

/// Time a file may outlive its record before it counts as orphaned: a deletion removes the record first.
const ORPHAN_GRACE: Duration = Duration::from_secs(1);

/// Limit of repair rounds. One round may reveal more to repair: a flight's use of an item, then the item's totals.
pub(super) const MAX_ROUNDS: usize = 6;

/// Age from which an orphaned file may be removed: no upload takes that long.
const ORPHAN_MIN_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// Reads every record of one snapshot. An unreadable record becomes a finding.
#[must_use]
pub fn survey(data: &Snapshot<'_>) -> Findings {
    let mut findings = findings_without_deleted(data);
    let mut read = |name, tables: &[&dyn Rows], check: fn(&Snapshot<'_>, &mut Findings) -> Result<()>| {
        if !is_readable(|| check(data, &mut findings)) {
            findings.unreadable(name, pilots_in(data, tables));
        }
    };
    read("meta", &[], fluglog_store::migrations::check);
    for topic in registry::ALL {
        read(topic.name, topic.tables, topic.check);
    }
    read("backups", &[], last_backup::check);
    findings
}

/// Returns empty findings that leave out owners who are being deleted.
fn findings_without_deleted(data: &Snapshot<'_>) -> Findings {
    let deleted = guarded(|| deletions::all(data));
    let deleted = deleted.unwrap_or_else(|_| Ok(BTreeSet::new())).unwrap_or_default();
    let mut blobs = BTreeSet::new();
    for owner in &deleted {
        // One unreadable record makes all files of its owner orphans.
        if let Ok(Ok(left)) = guarded(|| registry::blobs_of(data, OwnerId::from_key(*owner))) {
            blobs.extend(left);
        }
    }
    Findings::without(deleted, blobs)
}

/// Whether `read` succeeds. redb may panic on a damaged page.
fn is_readable<T>(read: impl FnOnce() -> Result<T>) -> bool {
    matches!(guarded(read), Ok(Ok(_)))
}

/// The addresses of the pilots whose records may be in unreadable tables; empty if the accounts are unreadable too.
fn pilots_in(data: &Snapshot<'_>, tables: &[&dyn Rows]) -> Vec<String> {
    let Ok(Ok(mut pilots)) = guarded(|| administration::addresses(data)) else {
        return Vec::new();
    };
    pilots.retain(|(user, _)| {
        !tables
            .iter()
            .all(|table| is_readable(|| table.bytes_of(data, user.key())))
    });
    pilots.into_iter().map(|(_, address)| address).collect()
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Report {
    pub damage: Vec<Finding>,
    /// Number of findings in `damage` that concern derived data only, which a repair can rebuild.
    pub rebuildable: u64,
    /// Damage that this run has repaired.
    pub repaired: Vec<Finding>,
    pub orphans: Vec<Finding>,
    /// The orphans that this run has removed.
    pub removed: Vec<Finding>,
    /// Entries of the data directory that aren't Fluglog's; they are never removed.
    pub foreign: Vec<Finding>,
    pub records: u64,
    pub files: u64,
    pub bytes: u64,
    /// Only pilots with wrong voltages.
    pub voltages: Vec<SuspectVoltages>,
}

/// Number of a pilot's flights with voltages imported by an earlier version that don't match those of the packs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuspectVoltages {
    pub email: String,
    pub flights: u64,
    /// Number of these flights that the pilot can have corrected with one tap.
    pub mendable: u64,
}

impl Report {
    /// Number of orphans that remain. They do no harm: a killed process leaves them behind.
    #[must_use]
    pub(crate) fn remaining_orphans(&self) -> usize {
        self.orphans.len().saturating_sub(self.removed.len())
    }
}

/// Checks everything. With `repair`, removes orphans and rebuilds derived data.
///
/// # Errors
/// The database can't be read at all, or not be written.
pub fn check(app: &App, repair: bool) -> Result<Report> {
    // The hold keeps blobs whose record may still be seen. The names are listed first, so newer blobs aren't examined.
    let _hold = app.blobs.hold();
    let names = app.blobs.names();
    let mut report = Report::default();
    let mut findings = app.store.examine(|data| Ok(survey(data)))?;
    let repair = repair && !app.store.is_read_only();
    if repair && is_repairable(&findings) {
        (report.repaired, report.removed) = app.store.write(repair_database)?;
        findings = app.store.examine(|data| Ok(survey(data)))?;
    }
    report.voltages = app.store.read(flights_with_suspect_voltages).unwrap_or_default();
    report.damage.extend(lost_change(app));
    report.damage.extend(check_files(app)?);
    report.damage.extend(findings.damages().iter().cloned());
    report.rebuildable = derived_damage(&findings).count() as u64;
    report.orphans = report.removed.clone();
    report.orphans.extend(findings.orphans().cloned());
    report.records = findings.records();
    report.files = findings.blobs().len() as u64;
    check_blobs(&app.blobs, &findings, &mut report);
    let orphaned_files = match names {
        Ok(names) => orphaned_files(app, names, &findings),
        Err(_) => Vec::new(),
    };
    report.orphans.extend(orphaned_files.iter().copied().map(orphan));
    if repair {
        report.removed.extend(remove(app, &orphaned_files));
    }
    Ok(report)
}

/// Removes the files that no record names and that are at least a day old, as a killed process leaves them. Returns
/// their number.
///
/// # Errors
/// The database or the folder can't be read.
pub(crate) fn remove_old_orphans(app: &App) -> Result<usize> {
    let _hold = app.blobs.hold();
    let mut names = app.blobs.names().map_err(|error| Error::Busy(error.to_string()))?;
    names.retain(|name| app.blobs.age(*name).is_some_and(|age| age >= ORPHAN_MIN_AGE));
    let findings = app.store.examine(|data| Ok(survey(data)))?;
    let orphans = orphaned_files(app, names, &findings);
    Ok(orphans
        .iter()
        .filter(|name| app.blobs.remove_orphan(**name).is_ok())
        .count())
}

/// Damage that isn't in a record or a file of one: redb's pages, and the folders.
///
/// # Errors
/// The database can no longer be used.
pub(super) fn check_files(app: &App) -> Result<Vec<Finding>> {
    let blobs = app.config.data_dir.join(FOLDER_NAME);
    let wrong_with_blobs = match folder::is_marked(&app.config.data_dir) {
        Ok(false) => FindingKind::FolderNotOurs,
        _ => FindingKind::FolderUnreadable,
    };
    let outbox = app.mailer.outbox();
    let all = [
        (
            app.store.is_whole()?,
            fluglog_store::FILE_NAME.to_owned(),
            FindingKind::DatabaseChecksum,
        ),
        (app.blobs.names().is_ok(), blobs.display().to_string(), wrong_with_blobs),
        (
            outbox.is_dir(),
            outbox.display().to_string(),
            FindingKind::FolderMissing,
        ),
    ];
    let damaged = all.into_iter().filter(|(is_whole, ..)| !is_whole);
    Ok(damaged.map(|(_, place, wrong)| Finding { place, wrong }).collect())
}

fn flights_with_suspect_voltages(data: &Snapshot<'_>) -> Result<Vec<SuspectVoltages>> {
    let mut counts: BTreeMap<UserId, (u64, u64)> = BTreeMap::new();
    for (user, is_mendable) in suspect_voltages::of_everyone(data)? {
        let (flights, mendable) = counts.entry(user).or_default();
        *flights += 1;
        *mendable += u64::from(is_mendable);
    }
    let counts = counts.into_iter();
    // A disabled pilot can't log in to correct them.
    let of_pilot = counts.filter_map(|(user, (flights, mendable))| {
        let viewer = guard::without_login(data, user).ok()?;
        Some(administration::address(data, &viewer).map(|email| SuspectVoltages {
            email: email.typed,
            flights,
            mendable,
        }))
    });
    of_pilot.collect()
}

/// The last change before an unclean stop, if it is missing; reported once.
fn lost_change(app: &App) -> Option<Finding> {
    let time = app.store.lost_change()?;
    app.store.acknowledge_lost_change();
    Some(change_lost(&app.clock, time))
}

/// The finding that the last change, made at this time in Unix seconds, is missing.
pub(super) fn change_lost(clock: &Clock, time: i64) -> Finding {
    Finding {
        place: fluglog_store::FILE_NAME.to_owned(),
        wrong: FindingKind::ChangeLost(clock.wall_time_at(time).to_string()),
    }
}

fn orphan(name: BlobName) -> Finding {
    Finding {
        place: format!("{FOLDER_NAME}/{name}"),
        wrong: FindingKind::FileOfNobody,
    }
}

/// The files that no record names. Empty while a record is unreadable, as that record may name any of them.
fn orphaned_files(app: &App, mut names: Vec<BlobName>, findings: &Findings) -> Vec<BlobName> {
    if !findings.is_complete() {
        return Vec::new();
    }
    names.retain(|name| !findings.names_file(*name));
    if !names.is_empty() && app.listening.get().is_some() {
        std::thread::sleep(ORPHAN_GRACE);
    }
    names.retain(|name| app.blobs.is_orphan_candidate(*name));
    names
}

fn check_blobs(blobs: &Blobs, findings: &Findings, report: &mut Report) {
    for (id, named) in findings.blobs() {
        let by = || named.by.clone();
        let wrong = match blobs.read(*id).map(|(file, _)| blobs::hash_content(file)) {
            Err(_) => FindingKind::FileMissing(by()),
            Ok(Err(_)) => FindingKind::FileUnreadable(by()),
            Ok(Ok((sha256, bytes))) => {
                report.bytes += bytes;
                if sha256 == named.sha256 {
                    continue;
                }
                FindingKind::FileDamaged(by())
            }
        };
        report.damage.push(Finding {
            place: format!("{FOLDER_NAME}/{id}"),
            wrong,
        });
    }
}

/// The indexes and totals that a repair may rebuild: none while a record is unreadable, because they are derived from
/// it.
fn derived_damage(findings: &Findings) -> impl Iterator<Item = &Finding> {
    findings.rebuilds().filter(|_| findings.is_complete())
}

fn is_repairable(findings: &Findings) -> bool {
    findings.orphans().chain(derived_damage(findings)).next().is_some()
}

/// Repairs the database and returns what was rebuilt and what was removed. Surveys the data again, because the
/// database may have changed since the check.
fn repair_database(writer: &Writer<'_>) -> Result<(Vec<Finding>, Vec<Finding>)> {
    let (mut repaired, mut removed) = (Vec::new(), Vec::new());
    for _ in 0..MAX_ROUNDS {
        let findings = survey(writer);
        if findings.orphans().next().is_some() {
            findings.remove_orphans(writer)?;
            removed.extend(findings.orphans().cloned());
        } else if is_repairable(&findings) {
            findings.rebuild(writer)?;
            repaired.extend(findings.rebuilds().cloned());
        } else {
            break;
        }
    }
    Ok((repaired, removed))
}

/// Removes files and returns those that are gone.
fn remove(app: &App, orphaned_files: &[BlobName]) -> Vec<Finding> {
    let mut removed = Vec::new();
    for name in orphaned_files {
        match app.blobs.remove_orphan(*name) {
            Ok(()) => removed.push(orphan(*name)),
            Err(error) => tracing::warn!("the orphan {name} stays: {error}"),
        }
    }
    removed
}

#[cfg(test)]
mod tests;
