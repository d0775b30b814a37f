//! State of a battery pack (full, stored, empty, charging, flying) as a pure function of what is known of the pack.
//! Knows no item, charging or flight.
//!
//! Thresholds per cell: full 4.20 V (LiHV 4.35), storage 3.80 to 3.85, never below 3.0 (bluesky-modellbau.de,
//! uavmodel.com, propwashed.com).

use serde::Serialize;

use crate::equipment::battery_profile::{Chemistry, MAX_CELLS};

/// State of a pack, lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(
    feature = "schema",
    derive(ts_rs::TS, utoipa::ToSchema),
    ts(export, rename_all = "camelCase")
)]
pub enum PackState {
    /// Below the safe voltage; the pack may be damaged.
    Low,
    Empty,
    Storage,
    Partial,
    Full,
    Charging,
    Flying,
}

/// A voltage in V, by how it was measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measured {
    AtRest(f64),
    /// Under load or just after it, when the voltage is lower than at rest.
    Landed(f64),
    /// Not measured: the pilot's word.
    Stated(PackState),
}

impl Measured {
    /// Returns V, if it was measured.
    #[must_use]
    pub const fn volts(self) -> Option<f64> {
        match self {
            Measured::AtRest(volts) | Measured::Landed(volts) => Some(volts),
            Measured::Stated(_) => None,
        }
    }
}

impl Chemistry {
    fn find_in(text: &str) -> Option<Chemistry> {
        let words = text.to_lowercase();
        let letters: String = words.chars().filter(|letter| letter.is_alphanumeric()).collect();
        let is_high = letters.contains("lihv")
            || words
                .split(|letter: char| !letter.is_alphanumeric())
                .any(|word| word == "hv");
        if is_high {
            Some(Chemistry::HighVoltage)
        } else if ["liion", "lithiumion"].iter().any(|name| letters.contains(name)) {
            Some(Chemistry::Ion)
        } else if letters.contains("lipo") {
            Some(Chemistry::Polymer)
        } else {
            None
        }
    }

    const fn limits(self) -> Thresholds {
        let [low, empty, storage, partial] = match self {
            Chemistry::Polymer | Chemistry::Smart | Chemistry::Other => [3_300, 3_700, 3_900, 4_100],
            Chemistry::HighVoltage => [3_300, 3_750, 3_950, 4_250],
            Chemistry::Ion => [2_900, 3_400, 3_800, 4_100],
        };
        Thresholds {
            low,
            empty,
            storage,
            partial,
        }
    }

    /// Returns the voltage of a full cell.
    #[must_use]
    pub const fn full(self) -> f64 {
        match self {
            Chemistry::HighVoltage => 4.35,
            Chemistry::Polymer | Chemistry::Ion | Chemistry::Smart | Chemistry::Other => 4.2,
        }
    }

    /// Returns the storage voltage of a cell.
    #[must_use]
    pub const fn storage(self) -> f64 {
        match self {
            Chemistry::HighVoltage => 3.85,
            Chemistry::Ion => 3.6,
            Chemistry::Polymer | Chemistry::Smart | Chemistry::Other => 3.82,
        }
    }
}

/// Known facts about a pack.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts<'a> {
    /// As stated by the pilot.
    pub stated_chemistry: Option<Chemistry>,
    /// As stated by the pilot; in series.
    pub stated_cells: Option<u8>,
    pub battery_type: &'a str,
    pub model: &'a str,
    pub name: &'a str,
    /// `None` when the pack was flown since the last measurement.
    pub measured: Option<Measured>,
    /// V; the highest ever seen.
    pub highest: Option<f64>,
    pub is_charging: bool,
    pub is_flying: bool,
}

/// Greatest voltage of a cell; a pack with more per cell must have more cells.
const MAX_CELL_MICROVOLTS: i64 = 4_400_000;

impl Facts<'_> {
    /// Returns the number of cells in series: as stated by the pilot, else as found in its texts (`6S`), else the
    /// fewest that can have its highest voltage.
    #[must_use]
    pub fn cells(&self) -> Option<u8> {
        let is_smart = self.stated_chemistry == Some(Chemistry::Smart);
        match self.stated_cells {
            // The voltages of smart packs allow no guess.
            None if is_smart => None,
            None => self.cells_in_texts().or_else(|| self.cells_by_voltage()),
            stated => stated,
        }
    }

    /// Adds a voltage that the pack has shown.
    #[must_use]
    pub fn with(self, volts: Option<f64>) -> Self {
        Facts {
            highest: [self.highest, volts].into_iter().flatten().max_by(f64::total_cmp),
            ..self
        }
    }

    /// Returns whether the number of cells is stated by the pilot or a text, and not guessed from voltages.
    #[must_use]
    pub(crate) fn are_cells_stated(&self) -> bool {
        self.stated_cells.is_some() || self.cells_in_texts().is_some() && self.cells().is_some()
    }

    fn cells_in_texts(&self) -> Option<u8> {
        let texts = [self.battery_type, self.model, self.name];
        texts.into_iter().filter_map(cells_in).find(|cells| self.fits(*cells))
    }

    fn cells_by_voltage(&self) -> Option<u8> {
        self.highest_microvolts()?;
        (1..=MAX_CELLS).find(|cells| self.fits(*cells))
    }

    fn fits(&self, cells: u8) -> bool {
        let most = i64::from(cells) * MAX_CELL_MICROVOLTS;
        self.highest_microvolts().is_none_or(|highest| highest <= most)
    }

    fn highest_microvolts(&self) -> Option<i64> {
        self.highest.map(microvolts).filter(|microvolts| *microvolts > 0)
    }

    /// Returns the state; `None` when it is unknown.
    #[must_use]
    pub fn state(&self) -> Option<PackState> {
        if self.is_flying {
            return Some(PackState::Flying);
        }
        if self.is_charging {
            return Some(PackState::Charging);
        }
        self.state_at(self.measured?)
    }

    /// Returns the state at a voltage; `None` when the number of cells is unknown.
    #[must_use]
    pub(crate) fn state_at(&self, measured: Measured) -> Option<PackState> {
        let cells = || self.cells().map(i64::from);
        let limits = self.chemistry().limits();
        Some(match measured {
            Measured::AtRest(volts) => limits.at_rest(microvolts(volts), cells()?),
            Measured::Landed(volts) => limits.landed(microvolts(volts), cells()?),
            Measured::Stated(state) => state,
        })
    }

    /// Returns the chemistry: as stated by the pilot, else as found in the texts, else LiPo.
    #[must_use]
    pub fn chemistry(&self) -> Chemistry {
        let said = [self.battery_type, self.model].into_iter().find_map(Chemistry::find_in);
        self.stated_chemistry.or(said).unwrap_or(Chemistry::Polymer)
    }
}

/// Returns the voltage of a pack of cells that have this voltage each.
#[must_use]
pub(crate) fn pack_volts(cells: u8, volts: f64) -> f64 {
    // Less than 2^53.
    #[expect(clippy::cast_precision_loss)]
    let sum = (microvolts(volts) * i64::from(cells)) as f64;
    sum / 1_000_000.0
}

/// Borders between states, in mV per cell. A voltage at a border belongs to the upper state.
struct Thresholds {
    low: i64,
    empty: i64,
    storage: i64,
    partial: i64,
}

impl Thresholds {
    fn at_rest(&self, microvolts: i64, cells: i64) -> PackState {
        let below = |millivolts| is_below(microvolts, cells, millivolts);
        if below(self.low) {
            PackState::Low
        } else if below(self.empty) {
            PackState::Empty
        } else if below(self.storage) {
            PackState::Storage
        } else if below(self.partial) {
            PackState::Partial
        } else {
            PackState::Full
        }
    }

    /// Returns the state after a landing, when the voltage still recovers: the pack is empty or partly charged, and low
    /// only if load can't explain it.
    fn landed(&self, microvolts: i64, cells: i64) -> PackState {
        let below = |millivolts| is_below(microvolts, cells, millivolts);
        if below(self.low.min(3_000)) {
            PackState::Low
        } else if below(3_900) {
            PackState::Empty
        } else {
            PackState::Partial
        }
    }
}

fn is_below(microvolts: i64, cells: i64, millivolts: i64) -> bool {
    microvolts < millivolts * 1000 * cells
}

/// Converts to integers, so that 24.6 V of six cells are exactly 4.1 V each.
#[must_use]
pub(crate) fn microvolts(volts: f64) -> i64 {
    // A value of `Field::number` has at most 9 digits before the point, so this fits.
    #[expect(clippy::cast_possible_truncation)]
    let rounded = (volts * 1_000_000.0).round() as i64;
    rounded
}

/// Finds the number of cells in a text: `6S`, `4s 1300`, `6 S`, `6S2P`.
fn cells_in(text: &str) -> Option<u8> {
    let mut before = None;
    let mut rest = text;
    while let Some(at) = rest.find(|letter: char| letter.is_ascii_digit()) {
        before = rest[..at].chars().next_back().or(before);
        let digits = rest[at..].chars().take_while(char::is_ascii_digit).count();
        let (number, after) = rest[at..].split_at(digits);
        let stands_alone = before.is_none_or(|letter: char| !letter.is_alphanumeric() && !",.".contains(letter));
        let of_cells = after.trim_start_matches(' ').strip_prefix(['s', 'S']);
        let is_word = of_cells.is_some_and(|tail| !tail.starts_with(char::is_alphabetic));
        if let Some(cells) = number.parse().ok().filter(|cells| (1..=MAX_CELLS).contains(cells))
            && stands_alone
            && is_word
        {
            return Some(cells);
        }
        before = number.chars().next_back();
        rest = after;
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const UNKNOWN: Facts<'_> = Facts {
        stated_chemistry: None,
        stated_cells: None,
        battery_type: "",
        model: "",
        name: "",
        measured: None,
        highest: None,
        is_charging: false,
        is_flying: false,
    };

    fn pack(battery_type: &str, measured: Measured) -> Facts<'_> {
        Facts {
            battery_type,
            measured: Some(measured),
            ..UNKNOWN
        }
    }

    fn at_rest(battery_type: &str, volts: f64) -> Option<PackState> {
        pack(battery_type, Measured::AtRest(volts)).state()
    }

    fn landed(battery_type: &str, volts: f64) -> Option<PackState> {
        pack(battery_type, Measured::Landed(volts)).state()
    }

    #[test]
    fn a_voltage_at_a_border_belongs_to_the_upper_state() {
        use PackState::{Empty, Full, Low, Partial, Storage};
        for (battery_type, borders) in [
            ("LiPo 1S", [3.3, 3.7, 3.9, 4.1]),
            ("1S", [3.3, 3.7, 3.9, 4.1]),
            ("LiHV 1S", [3.3, 3.75, 3.95, 4.25]),
            ("LiPo HV 1S", [3.3, 3.75, 3.95, 4.25]),
            ("Li-Ion 1S", [2.9, 3.4, 3.8, 4.1]),
            ("Lithium-Ionen 1S", [2.9, 3.4, 3.8, 4.1]),
        ] {
            for (border, [below, from]) in
                borders
                    .into_iter()
                    .zip([[Low, Empty], [Empty, Storage], [Storage, Partial], [Partial, Full]])
            {
                assert_eq!(
                    at_rest(battery_type, border),
                    Some(from),
                    "{battery_type} at {border} V"
                );
                assert_eq!(
                    at_rest(battery_type, border - 0.001),
                    Some(below),
                    "{battery_type} below {border} V"
                );
            }
        }
    }

    #[test]
    fn borders_of_packs_are_exact_in_decimals() {
        // 4.1 * 6 and 3.7 * 3 aren't exact as doubles.
        assert_eq!(at_rest("6S", 24.6), Some(PackState::Full));
        assert_eq!(at_rest("6S", 24.59), Some(PackState::Partial));
        assert_eq!(at_rest("3S", 11.1), Some(PackState::Storage));
        assert_eq!(at_rest("3S", 11.09), Some(PackState::Empty));
    }

    #[test]
    fn a_landed_pack_is_empty_or_partly_charged_and_low_only_far_down() {
        for (battery_type, low) in [("LiPo 1S", 3.0), ("LiHV 1S", 3.0), ("Li-Ion 1S", 2.9)] {
            assert_eq!(landed(battery_type, 3.9), Some(PackState::Partial));
            assert_eq!(landed(battery_type, 4.2), Some(PackState::Partial));
            assert_eq!(landed(battery_type, 3.89), Some(PackState::Empty));
            assert_eq!(landed(battery_type, low), Some(PackState::Empty), "{battery_type}");
            assert_eq!(landed(battery_type, low - 0.01), Some(PackState::Low), "{battery_type}");
        }
    }

    #[test]
    fn a_pack_in_the_air_or_on_the_charger_is_just_that() {
        let charging = Facts {
            is_charging: true,
            ..pack("6S", Measured::AtRest(25.2))
        };
        assert_eq!(charging.state(), Some(PackState::Charging));
        let flying = Facts {
            is_flying: true,
            ..charging
        };
        assert_eq!(flying.state(), Some(PackState::Flying));
        let unmeasured = Facts {
            is_charging: true,
            ..UNKNOWN
        };
        assert_eq!(unmeasured.state(), Some(PackState::Charging));
    }

    #[test]
    fn nobody_knows_the_state_without_a_voltage_or_cells() {
        assert_eq!(UNKNOWN.state(), None);
        assert_eq!(
            Facts {
                battery_type: "6S",
                ..UNKNOWN
            }
            .state(),
            None
        );
        assert_eq!(at_rest("", 25.2), None);
    }

    #[test]
    fn what_its_pilot_says_counts_more_than_what_can_be_guessed() {
        use PackState::{Full, Partial, Storage};
        for (chemistry, cells, volts, state) in [
            (None, None, 25.2, Some(Full)),
            (Some(Chemistry::HighVoltage), None, 25.2, Some(Partial)),
            (Some(Chemistry::Polymer), Some(6), 22.9, Some(Storage)),
            (None, Some(7), 26.6, Some(Storage)),
            (Some(Chemistry::Other), Some(6), 24.6, Some(Full)),
            (Some(Chemistry::Smart), None, 25.2, None),
            (Some(Chemistry::Smart), Some(4), 16.8, Some(Full)),
        ] {
            let pack = Facts {
                stated_chemistry: chemistry,
                stated_cells: cells,
                ..pack("LiPo 6S", Measured::AtRest(volts))
            };
            assert_eq!(pack.state(), state, "{chemistry:?} {cells:?} at {volts} V");
            assert!(pack.are_cells_stated() || chemistry == Some(Chemistry::Smart));
        }
        let by_voltage = Facts {
            highest: Some(25.2),
            ..UNKNOWN
        };
        assert_eq!((by_voltage.cells(), by_voltage.are_cells_stated()), (Some(6), false));
    }

    #[test]
    fn the_voltage_of_a_pack_is_exact_in_decimals() {
        let lipo = Chemistry::Polymer;
        assert_eq!([pack_volts(6, lipo.full()), pack_volts(3, lipo.full())], [25.2, 12.6]);
        assert_eq!(pack_volts(6, lipo.storage()), 22.92);
        assert_eq!(pack_volts(6, Chemistry::HighVoltage.full()), 26.1);
        assert_eq!(pack_volts(4, Chemistry::Ion.storage()), 14.4);
    }

    #[test]
    fn cells_are_read_from_type_model_and_name_in_this_order() {
        let named = |battery_type, model, name| {
            let pack = Facts {
                battery_type,
                model,
                name,
                ..UNKNOWN
            };
            pack.cells()
        };
        assert_eq!(named("LiPo 4S", "6S 1300", "3S"), Some(4));
        assert_eq!(named("LiPo", "R-Line 6S 1300", "3S"), Some(6));
        assert_eq!(named("LiPo", "R-Line", "Akku 3S Nr. 2"), Some(3));
        assert_eq!(named("LiPo", "R-Line", "Akku 2"), None);
    }

    #[test]
    fn only_a_number_before_an_s_counts_cells() {
        for (text, cells) in [
            ("6S", Some(6)),
            ("4s 1300", Some(4)),
            ("12 S", Some(12)),
            ("6S2P", Some(6)),
            ("1300mAh-4S", Some(4)),
            ("14,8V 4S 1550", Some(4)),
            ("0S", None),
            ("15S", None),
            ("2 Stück", None),
            ("4Sx", None),
            ("V3S", None),
            ("3,6S", None),
            ("ü6S", None),
            ("S6", None),
            ("6", None),
            ("99999999999999999999S", None),
        ] {
            assert_eq!(cells_in(text), cells, "{text}");
        }
    }

    #[test]
    fn without_a_text_the_fewest_cells_that_can_have_the_highest_voltage_count() {
        let guessed = |highest| {
            let pack = Facts {
                highest: Some(highest),
                ..UNKNOWN
            };
            pack.cells()
        };
        for cells in 1..=MAX_CELLS {
            for full in [4.2, 4.35, 4.15] {
                assert_eq!(
                    guessed(f64::from(cells) * full),
                    Some(cells),
                    "{cells} cells of {full} V"
                );
            }
        }
        assert_eq!(guessed(0.0), None);
        assert_eq!(guessed(61.7), None);
        assert_eq!(guessed(999_999_999.0), None);
    }

    #[test]
    fn a_text_that_the_voltage_contradicts_is_no_count_of_cells() {
        let pack = Facts {
            name: "Modell 2S",
            highest: Some(25.2),
            ..UNKNOWN
        };
        assert_eq!(pack.cells(), Some(6));
    }

    proptest! {
        #[test]
        fn any_text_and_any_voltage_have_an_answer(text in ".{0,40}", volts in 0.0..1e9) {
            let pack = Facts { model: &text, highest: Some(volts), ..pack(&text, Measured::AtRest(volts)) };
            if let Some(cells) = pack.cells() {
                prop_assert!((1..=MAX_CELLS).contains(&cells));
                prop_assert!(pack.state().is_some());
            }
        }

        #[test]
        fn more_voltage_is_never_a_lower_state(
            cells in 1..=MAX_CELLS, chemistry in "LiPo|LiHV|Li-Ion", one in 0.0..5.0f64, other in 0.0..5.0f64,
        ) {
            let battery_type = format!("{chemistry} {cells}S");
            let volts = |cell: f64| cell * f64::from(cells);
            let [lower, higher] = [one.min(other), one.max(other)];
            prop_assert!(at_rest(&battery_type, volts(lower)) <= at_rest(&battery_type, volts(higher)));
            prop_assert!(landed(&battery_type, volts(lower)) <= landed(&battery_type, volts(higher)));
        }

        #[test]
        fn the_number_of_cells_is_found_wherever_it_stands(cells in 1..=MAX_CELLS, before in "[A-Za-z -]{0,8}",
            capacity in 100..9999u32) {
            prop_assert_eq!(cells_in(&format!("{before} {cells}S {capacity}")), Some(cells));
        }
    }
}
