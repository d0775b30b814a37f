//! Households and clubs, and how a pilot joins one.

use std::path::Path;

use serde_json::Value;

use super::calls::id_in;
use super::client::Pilot;
use super::process::run;
use super::text;

/// The codes of the kinds of spaces.
pub const HOUSEHOLD: u8 = 1;
pub const CLUB: u8 = 2;

/// The codes of the roles in a space.
pub const READER: u8 = 1;
pub const MEMBER: u8 = 2;
pub const KEEPER: u8 = 3;
pub const MANAGER: u8 = 4;

/// Checks all data: totals are what the flights add up to, each use has its flight, and each author an entry.
#[track_caller]
pub fn expect_clean(directory: &Path) {
    let done = run(["check", "--data-dir", text(directory)]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    assert!(!done.stdout.contains("entry_authors"), "{done:?}");
}

impl Pilot {
    /// Makes a space; returns its id.
    #[track_caller]
    pub fn make_space(&self, kind: u8, name: &str) -> String {
        let fields = [("kind", kind.to_string()), ("name", name.to_owned())];
        let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
        id_in(&self.post("SaveSpace", &fields).expect_status(200).json())
    }

    /// Invites a pilot, who accepts.
    #[track_caller]
    pub fn take_in(&self, space: &str, role: u8, pilot: &Pilot, name_shown: bool) {
        let fields = [("space", space), ("role", &role.to_string())];
        let made = self.post("SaveInvitation", &fields).expect_status(201).json();
        let link = made["link"].as_str().expect("a link").to_owned();
        let token = link.split('#').nth(1).expect("a token");
        let shown = name_shown.to_string();
        pilot
            .post("AcceptSpaceInvitation", &[("token", token), ("nameShown", &shown)])
            .expect_status(200);
    }

    /// Adds an item with only a name to a space; returns its id.
    #[track_caller]
    pub fn item_of_space(&self, space: &str, kind: u8, name: &str) -> String {
        let form = serde_json::json!({"type": kind, "name": name}).to_string();
        let fields = [("equipment", form.as_str()), ("space", space)];
        id_in(&self.post("SaveNewEquipment", &fields).expect_status(200).json())
    }

    /// Moves an item to a space, or with `""` to the pilot.
    #[track_caller]
    pub fn move_equipment(&self, item: &str, space: &str) -> Value {
        self.post("MoveEquipment", &[("dpfId", item), ("space", space)])
            .expect_status(200)
            .json()
    }

    /// The flights with an item, as this pilot may know them.
    #[track_caller]
    pub fn shared_uses(&self, item: &str) -> Vec<Value> {
        let uses = self.post("GetSharedUses", &[("dpfId", item)]).expect_status(200).json();
        uses.as_array().expect("a list").clone()
    }

    /// The names of the active items of a kind, in the order of the list.
    #[track_caller]
    pub fn names_of(&self, kind: u8) -> Vec<String> {
        let list = self.equipments(kind, false).into_iter();
        list.map(|item| item["name"].as_str().expect("a name").to_owned())
            .collect()
    }
}
