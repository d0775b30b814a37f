//! When a pilot is told about packs by mail. Independent of storage and clock.

use std::collections::HashMap;

use serde::Serialize;

use crate::packs::attention::PackHint;
use crate::packs::hints::Level;

/// Whether the pilot wants mails about packs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Reminder {
    pub on: bool,
}

/// The worst level of each pack that needs attention, by id.
pub(crate) type Levels = HashMap<String, Level>;

/// Returns the worst level of each pack's hints.
#[must_use]
pub fn levels(hints: &[PackHint]) -> Levels {
    let mut levels = Levels::new();
    for hint in hints {
        let level = levels.entry(hint.dpf_id.clone()).or_insert(hint.level);
        *level = hint.level.max(*level);
    }
    levels
}

/// Returns whether a pack has a worse level than the pilot was told about.
#[must_use]
pub(crate) fn is_worse(told: &Levels, now: &Levels) -> bool {
    now.iter()
        .any(|(pack, level)| told.get(pack).is_none_or(|told| told < level))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::hints::Rule;

    fn hint(pack: &str, level: Level) -> PackHint {
        PackHint {
            dpf_id: pack.to_owned(),
            name: pack.to_owned(),
            rule: Rule::Full,
            level,
            can_dismiss: false,
            text: String::new(),
        }
    }

    #[test]
    fn a_pack_stands_as_its_gravest_hint_says() {
        let hints = [
            hint("1", Level::Amber),
            hint("1", Level::Red),
            hint("1", Level::Amber),
            hint("2", Level::Amber),
        ];
        let expected = Levels::from([("1".to_owned(), Level::Red), ("2".to_owned(), Level::Amber)]);
        assert_eq!(levels(&hints), expected);
    }

    #[test]
    fn only_a_pack_that_became_worse_is_news() {
        use Level::{Amber, Red};
        for (told, now, expected) in [
            (None, None, false),
            (None, Some(Amber), true),
            (None, Some(Red), true),
            (Some(Amber), Some(Amber), false),
            (Some(Amber), Some(Red), true),
            (Some(Red), Some(Red), false),
            (Some(Red), Some(Amber), false),
            (Some(Red), None, false),
        ] {
            let of = |level: Option<Level>| level.map(|level| ("1".to_owned(), level)).into_iter().collect();
            assert_eq!(is_worse(&of(told), &of(now)), expected, "{told:?} {now:?}");
        }
    }
}
