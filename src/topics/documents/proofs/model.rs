//! Rules of proofs, and the types of their answers. No store, no web.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::kinds::ProofKind;
use super::operator_id::{self, Cut};
use crate::documents::model::StoredDocument;
use crate::light::Light;
use fluglog_base::declared::Declared;
use fluglog_base::error::{Error, Result};
use fluglog_base::field::{Field, MAX_TEXT_CHARACTERS, changes};
use fluglog_base::id::{Blob, DocumentId, PageId};
use fluglog_base::text;
use fluglog_base::time::Date;
use fluglog_picture::format::Format;

/// Most proofs of a pilot.
pub(super) const MAX_PROOFS: usize = 100;
/// Most pages of a proof.
pub(crate) const MAX_PAGES: usize = 4;
/// Most bytes of the pages of a proof as they come: 20 MB.
pub(super) const MAX_PAGES_BYTES: u64 = 20 * 1024 * 1024;
const SECONDS_PER_DAY: i64 = 24 * 60 * 60;
/// From this number of days on the end is told in years.
const TWO_YEARS: i32 = 730;

/// What a document proves.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredProof {
    pub document: DocumentId,
    pub kind: ProofKind,
    pub number: String,
    /// The first day on which it holds.
    pub since: Option<Date>,
    /// The last day on which it holds.
    pub until: Option<Date>,
    /// Whether it was entered as one that has no end.
    pub endless: bool,
    /// Whether the pilot wants to be reminded of its end.
    pub remind: bool,
    /// The proof that it renews.
    pub replaces: Option<DocumentId>,
    pub pages: Vec<Page>,
}

/// A picture of a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Page {
    pub id: PageId,
    pub format: Format,
    pub blob: Blob,
}

const KIND: Field<ProofKind> = Field::code("kind", 0..=7, text::PROOF_KIND_MISSING);
const NUMBER: Field<String> = Field::line("number", MAX_TEXT_CHARACTERS);
const SINCE: Field<Date> = Field::date("since");
const UNTIL: Field<Date> = Field::date("until");
const ENDLESS: Field<bool> = Field::boolean("endless");
const REMIND: Field<bool> = Field::boolean("remind");
const REPLACES: Field<DocumentId> = Field::id("replaces");

/// Fields of a proof.
pub(super) const ENTRIES: &[Declared] = &[
    KIND.declared(),
    NUMBER.declared(),
    SINCE.declared(),
    UNTIL.declared(),
    ENDLESS.declared(),
    REMIND.declared(),
    REPLACES.declared(),
];

changes! {
    /// Changes of a proof by a form.
    ProofChanges of Entries {
        kind: Option<ProofKind> = KIND by Field::change,
        number: String = NUMBER by Field::change_or_default,
        since: Option<Date> = SINCE by Field::change,
        until: Option<Date> = UNTIL by Field::change,
        endless: Option<bool> = ENDLESS by Field::change,
        remind: Option<bool> = REMIND by Field::change,
        replaces: Option<DocumentId> = REPLACES by Field::change,
    }
}

/// The entries of a proof while they are changed.
#[derive(Debug, Default)]
pub struct Entries {
    kind: Option<ProofKind>,
    number: String,
    since: Option<Date>,
    until: Option<Date>,
    endless: Option<bool>,
    remind: Option<bool>,
    replaces: Option<DocumentId>,
}

impl ProofChanges {
    /// Returns the proof of a document after the changes, and what was cut from its number; `before` is what it was.
    ///
    /// # Errors
    /// [`Error::Invalid`]: it has no kind, the end of another form, or a number that isn't one of its kind.
    pub fn applied(&self, document: DocumentId, before: Option<&StoredProof>) -> Result<(StoredProof, Cut)> {
        let mut entries = before.map(Entries::of).unwrap_or_default();
        self.apply(&mut entries);
        // A new end takes the place of the other one.
        let is_ended = matches!(self.until.set(), Some(Some(_)));
        let is_endless = self.endless.set().flatten() == Some(true);
        match (is_ended, is_endless) {
            (true, true) => return Err(ENDLESS.invalid(text::PROOF_UNTIL_AND_ENDLESS)),
            (true, false) => entries.endless = None,
            (false, true) => entries.until = None,
            (false, false) => {}
        }
        let kind = entries.kind.ok_or_else(|| KIND.invalid(text::PROOF_KIND_MISSING))?;
        if entries.replaces == Some(document) {
            return Err(REPLACES.invalid(text::PROOF_REPLACES_ITSELF));
        }
        if let (Some(since), Some(until)) = (entries.since, entries.until)
            && until < since
        {
            return Err(UNTIL.invalid(text::PROOF_ENDS_BEFORE_START));
        }
        let (number, cut) = match kind {
            ProofKind::OperatorId if !entries.number.is_empty() => operator_id::read("number", &entries.number)?,
            _ => operator_id::public_part(&entries.number),
        };
        let proof = StoredProof {
            document,
            kind,
            number,
            since: entries.since,
            until: entries.until,
            endless: entries.endless.unwrap_or_default(),
            remind: entries.remind.unwrap_or(true),
            replaces: entries.replaces,
            pages: before.map(|before| before.pages.clone()).unwrap_or_default(),
        };
        Ok((proof, cut))
    }
}

impl Entries {
    fn of(proof: &StoredProof) -> Entries {
        Entries {
            kind: Some(proof.kind),
            number: proof.number.clone(),
            since: proof.since,
            until: proof.until,
            endless: Some(proof.endless),
            remind: Some(proof.remind),
            replaces: proof.replaces,
        }
    }
}

/// Checks that a proof may renew the one that it says.
///
/// # Errors
/// [`Error::NotFound`]: there is no such proof. [`Error::Conflict`]: another one renews it. [`Error::Invalid`]: both
/// would renew each other.
pub(super) fn check_replaces(proof: &StoredProof, all: &[StoredProof]) -> Result<()> {
    let Some(replaced) = proof.replaces else {
        return Ok(());
    };
    let others = || all.iter().filter(|other| other.document != proof.document);
    let of = |id| others().find(|other| other.document == id);
    if others().any(|other| other.replaces == Some(replaced)) {
        return Err(Error::Conflict(text::PROOF_REPLACED_ALREADY));
    }
    let mut next = Some(of(replaced).ok_or(Error::NotFound)?);
    // Each proof is renewed by one, so that a way through the others ends.
    while let Some(earlier) = next {
        if earlier.replaces == Some(proof.document) {
            return Err(REPLACES.invalid(text::PROOFS_REPLACE_EACH_OTHER));
        }
        next = earlier.replaces.and_then(of);
    }
    Ok(())
}

/// A reminder of an end. The pilot is told when a proof has another one than was told last: each is told once, also
/// after days without a look, and a new end begins anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// Days from 1970-01-01 to the last day on which the proof holds.
    pub until: i32,
    /// The days before it at which the reminder is due; -1 after the end.
    pub days: i16,
}

/// A proof whose end the pilot is to be reminded of.
#[derive(Debug, Clone, PartialEq)]
pub struct Due {
    pub document: DocumentId,
    pub title: String,
    pub light: Light,
    pub sentence: String,
    /// Negative after the end.
    pub days_left: i32,
    pub step: Step,
}

impl StoredProof {
    /// Returns the days that it still holds after a day: 0 on its last day, negative afterwards; `None` without an end.
    #[must_use]
    pub(crate) fn days_left(&self, today: Date) -> Option<i32> {
        Some(self.until.filter(|_| !self.endless)?.days() - today.days())
    }

    /// Returns its traffic light.
    #[must_use]
    pub fn light(&self, today: Date) -> Light {
        let first = self.kind.rules().steps.first().map_or(0, |days| i32::from(*days));
        match self.days_left(today) {
            None if self.endless => Light::Green,
            None => Light::Grey,
            Some(..=-1) => Light::Red,
            Some(left) if left <= first => Light::Amber,
            Some(_) => Light::Green,
        }
    }

    /// Returns the sentence about its end.
    #[must_use]
    pub fn sentence(&self, today: Date) -> String {
        let (Some(left), Some(until)) = (self.days_left(today), self.until) else {
            let sentence = match self.endless {
                true => text::PROOF_ENDLESS,
                false => text::PROOF_WITHOUT_DATE,
            };
            return sentence.to_owned();
        };
        let mut sentence = match left {
            ..=-2 => format!("Seit {} Tagen abgelaufen.", -left),
            -1 => "Seit 1 Tag abgelaufen.".to_owned(),
            0 => text::PROOF_ENDS_TODAY.to_owned(),
            1 => format!("Läuft ab am {until} (morgen)."),
            2..TWO_YEARS => format!("Läuft ab am {until} (in {left} Tagen)."),
            _ => format!("Läuft in {} Jahren ab.", left / 365),
        };
        if self.kind == ProofKind::CertificateA2 && self.light(today) == Light::Amber {
            sentence.push_str(text::PROOF_RENEWAL_ENDS);
        }
        sentence
    }

    /// Returns the last reminder of its end that is reached on a day.
    #[must_use]
    pub fn step(&self, today: Date) -> Option<Step> {
        let left = self.days_left(today)?;
        let until = self.until?.days();
        if left < 0 {
            return Some(Step { until, days: -1 });
        }
        let mut reached = self.kind.rules().steps.iter().filter(|days| left <= i32::from(**days));
        let days = i16::try_from(*reached.next_back()?).ok()?;
        Some(Step { until, days })
    }

    /// Returns whether it held on a day. What doesn't say since when holds for the usual term of its kind before its
    /// end, or else since its upload.
    fn held(&self, day: Date, uploaded: i64) -> bool {
        let until = self.until.filter(|_| !self.endless);
        let by_term = || until.and_then(|until| self.kind.rules().term.begin(until));
        let since = self.since.or_else(by_term).map_or_else(
            // In UTC, whose day is never the one after that of the pilot's clock.
            || uploaded.div_euclid(SECONDS_PER_DAY),
            |since| i64::from(since.days()),
        );
        let has_end = self.endless || until.is_some_and(|until| day <= until);
        has_end && since <= i64::from(day.days())
    }
}

/// Returns the reminders of the pilot's proofs that are reached on a day, the gravest first.
#[must_use]
pub fn due(proofs: &[(StoredProof, StoredDocument)], today: Date) -> Vec<Due> {
    let replaced = replaced(proofs);
    let mut due: Vec<_> = proofs
        .iter()
        .filter(|(proof, _)| proof.remind && !replaced.contains_key(&proof.document))
        .filter(|(proof, _)| !is_covered(proof, proofs))
        .filter_map(|(proof, document)| {
            Some(Due {
                document: proof.document,
                title: title(proof.kind, document),
                light: proof.light(today),
                sentence: proof.sentence(today),
                days_left: proof.days_left(today)?,
                step: proof.step(today)?,
            })
        })
        .collect();
    due.sort_by_key(|one| (std::cmp::Reverse(one.light), one.days_left, one.document));
    due
}

/// Returns the proofs that others renew, each with the one that does.
#[must_use]
pub fn replaced(proofs: &[(StoredProof, StoredDocument)]) -> HashMap<DocumentId, DocumentId> {
    let pairs = proofs
        .iter()
        .filter_map(|(proof, _)| Some((proof.replaces?, proof.document)));
    pairs.collect()
}

/// Returns whether a later proof makes this one needless, such as a second insurance.
fn is_covered(proof: &StoredProof, proofs: &[(StoredProof, StoredDocument)]) -> bool {
    let replaced = replaced(proofs);
    let end = |proof: &StoredProof| (proof.endless, proof.until, proof.document);
    let others = proofs
        .iter()
        .map(|(other, _)| other)
        .filter(|other| other.kind == proof.kind && !replaced.contains_key(&other.document));
    proof.kind.rules().is_one_enough && others.map(end).any(|other| other > end(proof))
}

/// Returns how a list names a proof: by its kind, or by its document if a pilot has several of the kind.
fn title(kind: ProofKind, document: &StoredDocument) -> String {
    match kind {
        ProofKind::Membership | ProofKind::Permit | ProofKind::Other if document.description.is_empty() => {
            document.name.clone()
        }
        ProofKind::Membership | ProofKind::Permit | ProofKind::Other => document.description.clone(),
        _ => kind.rules().name.to_owned(),
    }
}

/// A proof: a document with a kind and an end.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Proof {
    /// Id of its document.
    pub dpf_id: String,
    /// Name of the file.
    pub name: String,
    pub description: String,
    #[cfg_attr(feature = "schema", schema(value_type = u8, maximum = 7))]
    pub kind: ProofKind,
    pub kind_name: &'static str,
    pub kind_long_name: &'static str,
    pub number: String,
    /// dd.MM.yyyy; empty when it isn't known.
    pub since: String,
    /// dd.MM.yyyy, the last day on which it holds; empty when it has no end, or that isn't known.
    pub until: String,
    /// Whether it has no end.
    pub endless: bool,
    /// Whether the pilot is reminded of its end.
    pub remind: bool,
    pub light: Light,
    pub sentence: String,
    /// 0 on its last day, negative afterwards; null without an end.
    pub days_left: Option<i32>,
    /// Ids of the pictures of its pages.
    pub pages: Vec<String>,
    /// Id of the proof that it renews; may be empty.
    pub replaces: String,
    /// Id of the proof that renews it; may be empty.
    pub replaced_by: String,
    /// What this request left out of what was typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional), schema(nullable = false))]
    pub hint: Option<&'static str>,
    /// True for one that is damaged: what it says of itself can't be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional), schema(nullable = false))]
    pub damaged: Option<bool>,
}

/// A proof whose record is damaged, as far as its document names it.
#[derive(Debug, Clone, PartialEq)]
pub struct Damaged {
    document: DocumentId,
    /// Empty if the document is damaged too.
    name: String,
    description: String,
}

impl Damaged {
    #[must_use]
    pub fn new(document: DocumentId, named: Option<&StoredDocument>) -> Damaged {
        Damaged {
            document,
            name: named.map(|document| document.name.clone()).unwrap_or_default(),
            description: named.map(|document| document.description.clone()).unwrap_or_default(),
        }
    }
}

impl Due {
    /// Returns what is due when none of the proofs can be read.
    #[must_use]
    pub(crate) fn all_damaged() -> Due {
        Due {
            title: "Nachweise".to_owned(),
            ..Due::damaged(&Damaged::new(DocumentId::from_key(0), None))
        }
    }

    /// Returns what is due of a damaged proof: that it can't be read, said once.
    #[must_use]
    pub fn damaged(damaged: &Damaged) -> Due {
        let titles = [&*damaged.description, &*damaged.name, ProofKind::Other.rules().name];
        let title = titles.into_iter().find(|title| !title.is_empty());
        Due {
            document: damaged.document,
            title: title.unwrap_or_default().to_owned(),
            light: Light::Red,
            sentence: text::PROOF_DAMAGED.to_owned(),
            days_left: 0,
            step: Step { until: 0, days: 0 },
        }
    }
}

impl Proof {
    /// Returns the wire form of a damaged proof.
    #[must_use]
    pub fn damaged(damaged: &Damaged) -> Proof {
        let kind = ProofKind::Other;
        Proof {
            dpf_id: damaged.document.to_string(),
            name: damaged.name.clone(),
            description: damaged.description.clone(),
            kind,
            kind_name: kind.rules().name,
            kind_long_name: kind.rules().long_name,
            number: String::new(),
            since: String::new(),
            until: String::new(),
            endless: false,
            remind: false,
            light: Light::Red,
            sentence: text::PROOF_DAMAGED.to_owned(),
            days_left: None,
            pages: Vec::new(),
            replaces: String::new(),
            replaced_by: String::new(),
            hint: None,
            damaged: Some(true),
        }
    }

    /// Returns the wire form of all proofs of a pilot: the gravest light first, then the next end; replaced ones last.
    #[must_use]
    pub fn all(proofs: &[(StoredProof, StoredDocument)], today: Date) -> Vec<Proof> {
        let replaced = replaced(proofs);
        let mut shown: Vec<_> = proofs
            .iter()
            .map(|(proof, document)| Proof::new(proof, document, replaced.get(&proof.document), today))
            .collect();
        shown.sort_by_cached_key(|proof| {
            let end = proof.days_left.unwrap_or(i32::MAX);
            let is_replaced = !proof.replaced_by.is_empty();
            (
                is_replaced,
                std::cmp::Reverse(proof.light),
                end,
                proof.kind,
                proof.dpf_id.clone(),
            )
        });
        shown
    }

    /// Returns the wire form of a proof; `replaced_by` renews it.
    #[must_use]
    pub fn new(proof: &StoredProof, document: &StoredDocument, replaced_by: Option<&DocumentId>, today: Date) -> Proof {
        let rules = proof.kind.rules();
        let text = |day: Option<Date>| day.map(|day| day.to_string()).unwrap_or_default();
        let id = |id: Option<&DocumentId>| id.map(DocumentId::to_string).unwrap_or_default();
        let (light, sentence) = match replaced_by {
            Some(_) => (Light::Grey, text::PROOF_REPLACED.to_owned()),
            None => (proof.light(today), proof.sentence(today)),
        };
        Proof {
            dpf_id: proof.document.to_string(),
            name: document.name.clone(),
            description: document.description.clone(),
            kind: proof.kind,
            kind_name: rules.name,
            kind_long_name: rules.long_name,
            number: proof.number.clone(),
            since: text(proof.since),
            until: text(proof.until),
            endless: proof.endless,
            remind: proof.remind,
            light,
            sentence,
            days_left: proof.days_left(today),
            pages: proof.pages.iter().map(|page| page.id.to_string()).collect(),
            replaces: id(proof.replaces.as_ref()),
            replaced_by: id(replaced_by),
            hint: None,
            damaged: None,
        }
    }
}

/// A kind of proofs on the day of a flight.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct FlightProof {
    #[cfg_attr(feature = "schema", schema(value_type = u8, maximum = 7))]
    pub kind: ProofKind,
    pub kind_name: &'static str,
    /// Id of the document that held on that day; empty when none did.
    pub dpf_id: String,
}

/// Returns which proofs held on a day, by kind; a kind of which a pilot has none isn't mentioned. Of several that held,
/// the one that ended first was in use.
#[must_use]
pub(crate) fn held_on(proofs: &[(StoredProof, StoredDocument)], day: Date) -> Vec<FlightProof> {
    let held: HashSet<_> = proofs
        .iter()
        .filter(|(proof, document)| proof.held(day, document.uploaded))
        .map(|(proof, _)| proof.document)
        .collect();
    let replaced = replaced(proofs);
    // One without an end is over when the one begins that replaces it.
    let is_over = |proof: &StoredProof| {
        let successor = replaced.get(&proof.document);
        proof.endless && successor.is_some_and(|successor| held.contains(successor))
    };
    let of_kind = |kind: ProofKind| {
        let all = proofs
            .iter()
            .map(|(proof, _)| proof)
            .filter(move |proof| proof.kind == kind);
        let in_force = all
            .clone()
            .filter(|proof| held.contains(&proof.document) && !is_over(proof));
        let first = in_force.min_by_key(|proof| (proof.endless, proof.until, proof.document));
        let is_mentioned = match kind {
            ProofKind::Other => false,
            ProofKind::Permit => first.is_some(),
            _ => all.count() > 0,
        };
        is_mentioned.then(|| FlightProof {
            kind,
            kind_name: kind.rules().name,
            dpf_id: first.map(|proof| proof.document.to_string()).unwrap_or_default(),
        })
    };
    ProofKind::ALL.into_iter().filter_map(of_kind).collect()
}

#[cfg(test)]
mod tests;
