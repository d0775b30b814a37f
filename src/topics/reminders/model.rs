//! What waits to be done, in one list, and when a pilot is told of it by mail. Independent of storage and clock.

use std::collections::HashMap;

use serde::Serialize;

use crate::documents::proofs::model::{Due as DueProof, Step};
use crate::equipment::model::Kind;
use crate::light::Light;
use crate::maintenance::DueJob;
use crate::packs::attention::PackHint;
use crate::packs::hints::{Level, Rule};
use fluglog_base::id::EquipmentId;
use fluglog_base::time::Date;

/// Most mails to a pilot in [`WEEK_DAYS`] days.
const MAILS_A_WEEK: usize = 2;
const WEEK_DAYS: i32 = 7;
/// Days between two mails of which the second has nothing grave.
const CALM_DAYS: i32 = 3;

/// Whether the pilot wants mails about what waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Reminder {
    pub on: bool,
}

/// What a line is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(
    feature = "schema",
    derive(ts_rs::TS, utoipa::ToSchema),
    ts(export, rename_all = "camelCase")
)]
pub enum LineTopic {
    Proof,
    Maintenance,
    Battery,
}

/// Something that waits to be done.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct ReminderLine {
    pub topic: LineTopic,
    /// The item, or the document of a proof.
    pub dpf_id: String,
    /// Of the item or the proof.
    pub name: String,
    /// Kind of the item.
    #[cfg_attr(feature = "schema", schema(value_type = Option<u8>, maximum = 4))]
    pub kind: Option<Kind>,
    pub level: Level,
    pub text: String,
    /// Title of the job.
    pub title: Option<String>,
    pub job_id: Option<String>,
    /// Rule of the hint about a pack.
    pub rule: Option<Rule>,
    /// Whether `SnoozeBattery` with the rule ends it for good.
    pub can_dismiss: bool,
    /// Page of the user interface, below its base.
    pub link: String,
    /// Lines with the same group, if it has several, are shown as one that opens.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional), schema(nullable = false))]
    pub group: Option<LineGroup>,
}

/// What several lines of one level have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct LineGroup {
    pub key: String,
    /// Title of the line of several, after their number.
    pub title: String,
}

/// Something that waits, as the mails know it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Waiting {
    pub line: ReminderLine,
    /// Key of the pack, job or document.
    pub key: u128,
    pub mark: Mark,
}

/// How far something has come when a pilot is told of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Level(Level),
    /// A step before the end of a proof.
    Step(Step),
}

/// What a pilot was told of, by its key.
pub(crate) type Reported = HashMap<u128, Mark>;

impl Waiting {
    pub fn of_pack(battery: EquipmentId, hint: PackHint) -> Waiting {
        let PackHint {
            dpf_id,
            name,
            rule,
            level,
            text,
            can_dismiss,
        } = hint;
        Waiting {
            line: ReminderLine {
                topic: LineTopic::Battery,
                link: link(Kind::Battery, &dpf_id),
                dpf_id,
                name,
                kind: Some(Kind::Battery),
                level,
                text,
                title: None,
                job_id: None,
                group: group_of_packs(rule, level),
                rule: Some(rule),
                can_dismiss,
            },
            key: battery.key(),
            mark: Mark::Level(level),
        }
    }

    pub(crate) fn of_job(job: DueJob) -> Waiting {
        let level = if job.is_overdue { Level::Red } else { Level::Amber };
        let dpf_id = job.item.to_string();
        Waiting {
            line: ReminderLine {
                topic: LineTopic::Maintenance,
                link: link(job.kind, &dpf_id),
                group: Some(group_of_jobs(level, &dpf_id, &job.name)),
                dpf_id,
                name: job.name,
                kind: Some(job.kind),
                level,
                text: job.text,
                title: Some(job.title),
                job_id: Some(job.job.to_string()),
                rule: None,
                can_dismiss: false,
            },
            key: job.job.key(),
            mark: Mark::Level(level),
        }
    }

    pub(crate) fn of_proof(proof: DueProof) -> Waiting {
        Waiting {
            line: ReminderLine {
                topic: LineTopic::Proof,
                dpf_id: proof.document.to_string(),
                name: proof.title,
                kind: None,
                level: if proof.light == Light::Red {
                    Level::Red
                } else {
                    Level::Amber
                },
                text: proof.sentence,
                title: None,
                job_id: None,
                rule: None,
                can_dismiss: false,
                link: "/myDocuments".to_owned(),
                group: None,
            },
            key: proof.document.key(),
            mark: Mark::Step(proof.step),
        }
    }

    /// Returns the line of a mail about it.
    fn in_mail(&self) -> String {
        let ReminderLine { name, title, text, .. } = &self.line;
        match title {
            Some(title) => format!("- {name}, {title}: {text}"),
            None => format!("- {name}: {text}"),
        }
    }
}

/// Returns the group of jobs: what is due is told item by item, what will be soon in one line.
fn group_of_jobs(level: Level, item: &str, name: &str) -> LineGroup {
    match level {
        Level::Red => LineGroup {
            key: format!("maintenance red {item}"),
            title: jobs_of(name),
        },
        Level::Amber => LineGroup {
            key: "maintenance amber".to_owned(),
            title: "Wartungen bald fällig".to_owned(),
        },
    }
}

fn jobs_of(name: &str) -> String {
    format!("Wartungen an {name}")
}

/// Returns the group of packs that wait for the same; `None` for what is to be looked at pack by pack.
fn group_of_packs(rule: Rule, level: Level) -> Option<LineGroup> {
    let title = match rule {
        Rule::Full | Rule::Empty => "Akkus einlagern",
        Rule::Idle => "Akkus lange unbenutzt",
        Rule::Unchecked => "Akkus prüfen",
        Rule::ChargingOpen => "Akkus laden noch",
        _ => return None,
    };
    Some(LineGroup {
        key: format!("battery {} {title}", name_of(level)),
        title: title.to_owned(),
    })
}

fn link(kind: Kind, item: &str) -> String {
    format!("/equipments/{}/{item}", kind.code())
}

const fn name_of(level: Level) -> &'static str {
    match level {
        Level::Amber => "amber",
        Level::Red => "red",
    }
}

/// Sorts what waits: gravest first, then by topic; within one as its topic gives it.
pub(crate) fn sort(waiting: &mut [Waiting]) {
    waiting.sort_by_key(|one| (std::cmp::Reverse(one.line.level), one.line.topic));
}

/// Returns what waits as lines: what has the same group is one line, in the place of its first.
pub(crate) fn folded(waiting: &[Waiting]) -> Vec<Vec<&Waiting>> {
    let mut lines: Vec<Vec<&Waiting>> = Vec::new();
    let mut places = HashMap::new();
    for one in waiting {
        let place = match &one.line.group {
            Some(group) => *places.entry(group).or_insert(lines.len()),
            None => lines.len(),
        };
        match lines.get_mut(place) {
            Some(line) => line.push(one),
            None => lines.push(vec![one]),
        }
    }
    lines
}

/// Returns the lines of a mail.
pub(crate) fn in_mail(waiting: &[Waiting]) -> String {
    let lines = folded(waiting).into_iter().map(|members| match &members[..] {
        [first, _, ..] => {
            let title = first.line.group.as_ref().map_or("", |group| &group.title);
            let is_of_one = members.iter().all(|one| one.line.dpf_id == first.line.dpf_id);
            let names = members.iter().map(|one| match &one.line.title {
                Some(title) if is_of_one => title.clone(),
                Some(title) => format!("{title} ({})", one.line.name),
                None => one.line.name.clone(),
            });
            format!("- {} {title}: {}", members.len(), names.collect::<Vec<_>>().join(", "))
        }
        [one] => one.in_mail(),
        [] => String::new(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Leaves a group only where several lines have it, and names the item if it is the same in all of them.
pub(crate) fn settle_groups(waiting: &mut [Waiting]) {
    let mut items: HashMap<LineGroup, Vec<String>> = HashMap::new();
    for Waiting { line, .. } in &*waiting {
        if let Some(group) = line.group.clone() {
            items.entry(group).or_default().push(line.dpf_id.clone());
        }
    }
    for Waiting { line, .. } in waiting {
        let Some(mut group) = line.group.take() else { continue };
        let items = items.get(&group).map_or(&[][..], |items| items);
        if items.len() < 2 {
            continue;
        }
        if line.topic == LineTopic::Maintenance && items.iter().all(|item| *item == line.dpf_id) {
            group.title = jobs_of(&line.name);
        }
        line.group = Some(group);
    }
}

/// What is to be told, and what counts as told afterwards.
#[derive(Debug, PartialEq)]
pub(crate) struct Decision {
    /// Whether there is a mail today.
    pub is_mailed: bool,
    pub told: Reported,
    /// The days of the last mails.
    pub mails: Vec<Date>,
}

/// Decides whether there is a mail today about what waits. What got no mail because of the others of this week counts
/// as not told yet.
pub(crate) fn decide(told: &Reported, mails: &[Date], waiting: &[Waiting], today: Date) -> Decision {
    let now = gravest(waiting);
    let is_new = |(key, mark): (&u128, &Mark)| is_worse(told.get(key).copied(), *mark);
    let is_grave = |mark: &Mark| !matches!(mark, Mark::Level(Level::Amber));
    let mut mails: Vec<_> = mails
        .iter()
        .copied()
        .filter(|day| today.days() - day.days() < WEEK_DAYS)
        .collect();
    let new: Vec<_> = now.iter().filter(|one| is_new(*one)).collect();
    let is_calm = mails.last().is_none_or(|day| today.days() - day.days() >= CALM_DAYS);
    let may_mail = mails.len() < MAILS_A_WEEK && (is_calm || new.iter().any(|(_, mark)| is_grave(mark)));
    let is_mailed = may_mail && !new.is_empty();
    let after = now.iter().filter_map(|(key, mark)| {
        let told = if is_mailed || !is_new((key, mark)) {
            Some(*mark)
        } else {
            told.get(key).copied()
        };
        Some((*key, told?))
    });
    let told = after.collect();
    if is_mailed {
        mails.push(today);
    }
    Decision { is_mailed, told, mails }
}

/// Returns the gravest mark of each thing that waits.
fn gravest(waiting: &[Waiting]) -> Reported {
    let mut marks = Reported::new();
    for Waiting { key, mark, .. } in waiting {
        let known = marks.get(key).copied();
        if is_worse(known, *mark) {
            marks.insert(*key, *mark);
        }
    }
    marks
}

/// Returns whether a mark is worse than the one that was told, or another step of a proof.
fn is_worse(told: Option<Mark>, now: Mark) -> bool {
    match (told, now) {
        (Some(Mark::Level(told)), Mark::Level(now)) => told < now,
        (Some(told), now) => told != now,
        (None, _) => true,
    }
}

#[cfg(test)]
mod tests;
