//! Rules of battery sets, and the types of their answers. No store, no web.

use serde::Serialize;

use fluglog_base::declared::Declared;
use fluglog_base::error::{Error, Result};
use fluglog_base::field::{Field, MAX_TEXT_CHARACTERS};
use fluglog_base::id::{EquipmentId, SetId};
use fluglog_base::input::{Change, Fields};
use fluglog_base::text;

pub(crate) const MIN_MEMBERS: usize = 2;
const MAX_MEMBERS: usize = 8;
/// Room for more ids than allowed, so that their number is what is rejected.
const MAX_MEMBERS_CHARACTERS: usize = 2000;

const NAME: Field<String> = Field::line("name", MAX_TEXT_CHARACTERS);
/// Ids separated by `;`.
const MEMBERS: Field<String> = Field::line("members", MAX_MEMBERS_CHARACTERS);

/// Form fields.
pub(crate) const ENTRIES: &[Declared] = &[NAME.declared(), MEMBERS.declared()];

/// A battery set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSet {
    pub id: SetId,
    pub name: String,
    /// In the order entered by the pilot; no battery is in two sets.
    pub members: Vec<EquipmentId>,
}

impl StoredSet {
    /// Creates an empty set.
    #[must_use]
    pub fn unnamed(id: SetId) -> StoredSet {
        StoredSet {
            id,
            name: String::new(),
            members: Vec::new(),
        }
    }
}

/// Changes of a set by a form.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SetChanges {
    name: Change<String>,
    members: Change<Vec<EquipmentId>>,
}

impl SetChanges {
    /// Reads the fields that were sent; an absent field keeps its value.
    ///
    /// # Errors
    /// The name is empty or too long, an id is invalid, or there are too few or too many members.
    pub fn read(fields: &Fields) -> Result<SetChanges> {
        let members = match MEMBERS.change_or_default(fields)? {
            Change::Keep => Change::Keep,
            Change::Set(sent) => Change::Set(read_members(&sent)?),
        };
        Ok(SetChanges {
            name: NAME.replacement(fields, text::SET_NAME_MISSING)?,
            members,
        })
    }

    /// Returns the set after the changes.
    ///
    /// # Errors
    /// The set has no name or no members.
    pub fn apply(&self, before: StoredSet) -> Result<StoredSet> {
        let set = StoredSet {
            id: before.id,
            name: self.name.clone().or(before.name),
            members: self.members.clone().or(before.members),
        };
        if set.name.is_empty() {
            return Err(NAME.invalid(text::SET_NAME_MISSING));
        }
        match set.members.is_empty() {
            true => Err(MEMBERS.invalid(text::SET_MEMBERS)),
            false => Ok(set),
        }
    }
}

fn read_members(sent: &str) -> Result<Vec<EquipmentId>> {
    let mut members: Vec<EquipmentId> = Vec::new();
    for id in sent.split(';').map(str::trim).filter(|id| !id.is_empty()) {
        let id = id.parse().map_err(|_| Error::NotFound)?;
        if !members.contains(&id) {
            members.push(id);
        }
    }
    match (MIN_MEMBERS..=MAX_MEMBERS).contains(&members.len()) {
        true => Ok(members),
        false => Err(MEMBERS.invalid(text::SET_MEMBERS)),
    }
}

/// The set of a battery, and how its members differ.
#[derive(Debug, Clone, PartialEq)]
pub struct SetMembership {
    pub id: SetId,
    pub name: String,
    pub apart: Option<VoltageSpread>,
    /// Full cycles: fewest and most of a member.
    pub cycles: Option<[f64; 2]>,
}

/// Voltage difference within a set; known only if the voltages of all members are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VoltageSpread {
    /// µV per cell
    pub microvolts: i64,
    /// Whether a member is charged, so that its next use is a flight.
    pub is_charged: bool,
}

/// A battery set.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct BatterySet {
    pub dpf_id: String,
    pub name: String,
    /// Ids of its batteries
    pub members: Vec<String>,
}

impl From<StoredSet> for BatterySet {
    fn from(set: StoredSet) -> BatterySet {
        BatterySet {
            dpf_id: set.id.to_string(),
            name: set.name,
            members: set.members.iter().map(ToString::to_string).collect(),
        }
    }
}

/// The set that a battery is in.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct SetName {
    pub dpf_id: String,
    pub name: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<SetChanges> {
        SetChanges::read(&Fields::from_json(json).unwrap())
    }

    #[test]
    fn a_set_has_a_name_and_two_to_eight_batteries_each_once() {
        let ids: Vec<_> = (0..9).map(|_| EquipmentId::fresh().to_string()).collect();
        let new = || StoredSet::unnamed(SetId::fresh());
        let made = |members: &[String]| {
            let json = serde_json::json!({"name": "Lang", "members": members.join(";")});
            read(&json.to_string()).and_then(|changes| changes.apply(new()))
        };
        assert_eq!(made(&ids[..2]).unwrap().members.len(), 2);
        assert_eq!(made(&ids[..8]).unwrap().members.len(), 8);
        let twice = [ids[0].clone(), ids[0].clone()];
        for wrong in [&ids[..1], &ids[..], &twice[..]] {
            assert_eq!(made(wrong), Err(MEMBERS.invalid(text::SET_MEMBERS)));
        }
        assert_eq!(made(&["x".to_owned()]), Err(Error::NotFound));
        let nameless = read(&format!(r#"{{"members": "{};{}"}}"#, ids[0], ids[1])).unwrap();
        assert_eq!(nameless.apply(new()), Err(NAME.invalid(text::SET_NAME_MISSING)));
        assert!(read(r#"{"name": ""}"#).is_err());
    }
}
