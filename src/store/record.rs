//! Records as bytes: a version, the bincode encoding, a checksum. The only user of bincode. Knows no table and no
//! topic.
//!
//! redb doesn't verify its own checksums on reads, so a flipped bit on an SD card would come back as wrong data. Each
//! record therefore has a checksum, and a mismatch is an error. It also covers the table and the key: a record that
//! turns up elsewhere through a damaged page is detected, instead of passing for somebody else's data.
//!
//! A record evolves in its topic: its new shape declares the old one as [`Versioned::Previous`]. A record stored in the
//! old shape is upgraded when it is read, and stored in the new shape when it is next written.
//!
//! A topic declares its records in its `table.rs`. Their former shapes, and how they are converted, are in `earlier.rs`
//! in the folder of that table, such as `table/earlier.rs`:
//!
//! ```ignore
//! #[derive(Serialize, Deserialize)]
//! struct Note {
//!     text: String,
//!     pinned: bool,
//! }
//!
//! record!(Note: (Owner, u128) = NOTES, with upgrade);
//!
//! // earlier.rs
//! /// The record of release 1.3.0.
//! #[derive(Serialize, Deserialize)]
//! pub struct Note1 {
//!     text: String,
//! }
//!
//! impl Initial for Note1 {}
//!
//! // Keeps `text`; an old note isn't pinned.
//! upgrade!(previous: Note1 => Note { text, pinned: false });
//! ```

mod macros;

use redb_file::Proof;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::table::{Key, OwnerKey, Table, shown};

/// A stored struct. Plain: no serde attributes (bincode is not self-describing), variants only appended.
pub trait Record: Versioned {
    /// Key type of the table.
    type Key: Key;
    /// The table that contains the records.
    const TABLE: Table<Self::Key>;
    /// Whether the checksum covers table and key. `false` only for a record that version 1.3.0 must be able to read.
    const IS_SEALED: bool = true;
}

/// A record whose key begins with its owner.
pub trait Owned: Record<Key: OwnerKey> {}

/// A current or former shape of a record, or of a part of one. To change a record: move the old struct to `earlier.rs`,
/// with its number in its name, keep its golden bytes, convert it with [`upgrade!`](crate::upgrade!), and increase the
/// schema once in a release (`migrations.rs`), so that earlier versions refuse the database.
pub trait Versioned: Serialize + DeserializeOwned {
    /// The version byte: the number of shapes so far.
    const VERSION: u8 = Self::Previous::VERSION + 1;
    /// The preceding shape.
    type Previous: Versioned;
    /// Converts the preceding shape to this one.
    fn upgrade(previous: Self::Previous) -> Self;
}

/// The first shape of a record.
pub trait Initial: Serialize + DeserializeOwned {}

impl<R: Initial> Versioned for R {
    type Previous = NoPrevious;

    fn upgrade(previous: NoPrevious) -> R {
        match previous {}
    }
}

/// The type of [`Versioned::Previous`] for a first shape; it has no values.
#[derive(Serialize, Deserialize)]
pub enum NoPrevious {}

impl Versioned for NoPrevious {
    const VERSION: u8 = 0;
    type Previous = NoPrevious;

    fn upgrade(previous: NoPrevious) -> NoPrevious {
        previous
    }
}

/// Largest record in bytes.
const MAX_BYTES: usize = 1024 * 1024;
/// Limit of the decoder, which counts each number at its full width: up to 16 bytes for a number stored in one. It
/// keeps a corrupt list length from allocating gigabytes.
const MAX_DECODED_BYTES: usize = 16 * MAX_BYTES;
const CHECKSUM_BYTES: usize = 4;
/// Bit in the version byte that says that the checksum covers table and key. Records of version 1.3.0 lack it.
const SEALED: u8 = 0x80;

/// Encodes a record under a key.
///
/// # Errors
/// A text for the log if the record exceeds `MAX_BYTES`.
pub fn encode<R: Record>(key: R::Key, record: &R) -> Result<Vec<u8>, String> {
    const { assert!(R::VERSION < SEALED) };
    let mut bytes = vec![if R::IS_SEALED { R::VERSION | SEALED } else { R::VERSION }];
    bincode::serde::encode_into_std_write(record, &mut bytes, layout())
        .map_err(|error| format!("{}: a record can't be encoded: {error}", R::TABLE.name()))?;
    if bytes.len() > MAX_BYTES {
        return Err(format!("{}: a record has {} bytes", R::TABLE.name(), bytes.len()));
    }
    bytes.extend_from_slice(&checksum(R::TABLE.name(), key, &bytes));
    Ok(bytes)
}

/// Decodes the record stored under a key.
///
/// # Errors
/// A text for the log if the bytes are damaged, belong to another key or table, have a newer version, or continue after
/// the record.
pub fn decode<R: Record>(key: R::Key, bytes: &[u8]) -> Result<R, String> {
    #[cfg(any(test, feature = "testing"))]
    DECODED.set(DECODED.get() + 1);
    let damaged = |what: &str| format!("{}: the record is damaged: {what}", shown(R::TABLE.name(), key));
    let (payload, stored) = bytes
        .split_last_chunk::<CHECKSUM_BYTES>()
        .ok_or_else(|| damaged("too short"))?;
    let (version, encoded) = payload.split_first().ok_or_else(|| damaged("no version"))?;
    if checksum(R::TABLE.name(), key, payload) != *stored {
        return Err(damaged("wrong checksum"));
    }
    upgraded(version & !SEALED, encoded).map_err(|what| damaged(&what))
}

/// Returns the part of a row that the checksum in its value proves, without knowing the record; `None` when it is
/// wrong.
pub fn proven<K: Key>(table: &str, key: K, bytes: &[u8]) -> Option<Proof> {
    let (payload, stored) = bytes.split_last_chunk::<CHECKSUM_BYTES>()?;
    let version = *payload.first()?;
    let is_right = checksum(table, key, payload) == *stored;
    is_right.then_some(match version & SEALED {
        0 => Proof::Value,
        _ => Proof::Row,
    })
}

/// Computes the checksum over version and encoding, and for a sealed record also over table and key.
fn checksum<K: Key>(table: &str, key: K, payload: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let mut checksum = crc32fast::Hasher::new();
    if payload.first().is_some_and(|version| version & SEALED != 0) {
        checksum.update(table.as_bytes());
        key.bytes(&mut |part| checksum.update(part));
    }
    checksum.update(payload);
    checksum.finalize().to_le_bytes()
}

/// Decodes a record of this version and upgrades it to the current shape.
fn upgraded<V: Versioned>(version: u8, encoded: &[u8]) -> Result<V, String> {
    if version < V::VERSION {
        return upgraded(version, encoded).map(V::upgrade);
    }
    if version > V::VERSION {
        return Err(format!("version {version} is newer than {}", V::VERSION));
    }
    let (record, consumed) = bincode::serde::decode_from_slice(encoded, layout()).map_err(|error| error.to_string())?;
    if consumed != encoded.len() {
        return Err("trailing bytes".to_owned());
    }
    Ok(record)
}

fn layout() -> impl bincode::config::Config {
    bincode::config::standard().with_limit::<MAX_DECODED_BYTES>()
}

#[cfg(any(test, feature = "testing"))]
thread_local! {
    static DECODED: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Counts the records that some work decodes on this thread.
#[cfg(any(test, feature = "testing"))]
pub fn decoded_by(work: impl FnOnce()) -> u64 {
    let before = DECODED.get();
    work();
    DECODED.get() - before
}

/// Asserts that a record is stored as exactly these bytes (hexadecimal) and read back from them. Existing databases
/// contain them: a record whose bytes have to change needs a new shape.
#[cfg(any(test, feature = "testing"))]
#[track_caller]
#[allow(clippy::unwrap_used, reason = "an assertion panics")]
pub fn assert_stored_as<R: Record + PartialEq + std::fmt::Debug>(key: R::Key, record: &R, golden: &str) {
    let digits = const_hex::encode(encode(key, record).unwrap());
    assert_eq!(digits, golden, "{} changed its shape on disk", R::TABLE.name());
    assert_read_from(key, golden, record);
}

/// Asserts that a record is read from these bytes (hexadecimal), as an earlier version stored it.
#[cfg(any(test, feature = "testing"))]
#[track_caller]
#[allow(clippy::unwrap_used, reason = "an assertion panics")]
pub fn assert_read_from<R: Record + PartialEq + std::fmt::Debug>(key: R::Key, golden: &str, record: &R) {
    let bytes = const_hex::decode(golden).unwrap();
    assert_eq!(decode::<R>(key, &bytes).as_ref(), Ok(record));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Scope;
    use proptest::prelude::*;

    #[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
    struct Sample {
        name: String,
        weight: Option<f64>,
        parts: Vec<u128>,
    }

    impl Initial for Sample {}

    impl Record for Sample {
        type Key = (u128, u128);
        const TABLE: Table<(u128, u128)> = Table::new("sample", Scope::OwnerContent);
    }

    /// A record with the sample's encoding in another table.
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Twin(Sample);

    impl Initial for Twin {}

    impl Record for Twin {
        type Key = (u128, u128);
        const TABLE: Table<(u128, u128)> = Table::new("twin", Scope::OwnerContent);
    }

    /// The second shape of the sample.
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Sample2 {
        name: String,
        grams: f64,
    }

    impl Versioned for Sample2 {
        type Previous = Sample;

        fn upgrade(previous: Sample) -> Sample2 {
            Sample2 {
                name: previous.name,
                grams: previous.weight.unwrap_or(0.0),
            }
        }
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Sample3 {
        name: String,
        milligrams: u64,
    }

    impl Versioned for Sample3 {
        type Previous = Sample2;

        fn upgrade(previous: Sample2) -> Sample3 {
            Sample3 {
                name: previous.name,
                milligrams: (previous.grams * 1000.0).round() as u64,
            }
        }
    }

    impl Record for Sample3 {
        type Key = (u128, u128);
        const TABLE: Table<(u128, u128)> = Sample::TABLE;
    }

    const KEY: (u128, u128) = (1, 2);

    fn sample() -> impl Strategy<Value = Sample> {
        (
            ".{0,40}",
            proptest::option::of(0.0..1e9f64),
            proptest::collection::vec(any::<u128>(), 0..5),
        )
            .prop_map(|(name, weight, parts)| Sample { name, weight, parts })
    }

    /// Encodes a record as version 1.3.0 did: the checksum covers only the record.
    fn unsealed(record: &Sample) -> Vec<u8> {
        let sealed = encode(KEY, record).unwrap();
        let mut bytes = sealed[..sealed.len() - CHECKSUM_BYTES].to_vec();
        bytes[0] &= !SEALED;
        bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    proptest! {
        #[test]
        fn a_record_decodes_to_what_was_encoded(record in sample(), key: (u128, u128)) {
            prop_assert_eq!(decode::<Sample>(key, &encode(key, &record).unwrap()), Ok(record));
        }

        #[test]
        fn a_record_of_1_3_0_decodes_under_any_key(record in sample(), key: (u128, u128)) {
            prop_assert_eq!(decode::<Sample>(key, &unsealed(&record)), Ok(record));
        }

        #[test]
        fn a_record_is_damaged_under_another_key_and_in_another_table(record in sample(), key: (u128, u128),
            other: (u128, u128)) {
            let bytes = encode(key, &record).unwrap();
            prop_assert!(key == other || decode::<Sample>(other, &bytes).is_err());
            prop_assert!(decode::<Twin>(key, &bytes).is_err());
        }

        #[test]
        fn a_flipped_bit_is_an_error_and_never_data(record in sample(), at: proptest::sample::Index, bit in 0..8u8) {
            for mut bytes in [encode(KEY, &record).unwrap(), unsealed(&record)] {
                let at = at.index(bytes.len());
                bytes[at] ^= 1 << bit;
                prop_assert!(decode::<Sample>(KEY, &bytes).is_err());
            }
        }

        #[test]
        fn a_cut_off_record_is_an_error(record in sample(), at: proptest::sample::Index) {
            let bytes = encode(KEY, &record).unwrap();
            prop_assert!(decode::<Sample>(KEY, &bytes[..at.index(bytes.len())]).is_err());
        }

        #[test]
        fn no_bytes_make_decoding_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(decode::<Sample>(KEY, &bytes).is_err());
        }
    }

    const RECORD: Sample = Sample {
        name: String::new(),
        weight: Some(1.5),
        parts: Vec::new(),
    };

    #[test]
    fn every_earlier_shape_is_upgraded_when_it_is_read() {
        let today = Sample3 {
            name: String::new(),
            milligrams: 1500,
        };
        for bytes in [unsealed(&RECORD), encode(KEY, &RECORD).unwrap()] {
            assert_eq!(decode::<Sample3>(KEY, &bytes).as_ref(), Ok(&today));
        }
        let stored = encode(KEY, &today).unwrap();
        assert_eq!(stored[0], SEALED | 3);
        assert_eq!(decode::<Sample3>(KEY, &stored), Ok(today));
    }

    #[test]
    fn a_shape_that_nobody_wrote_yet_or_ever_is_an_error() {
        let newer = Sample3 {
            name: String::new(),
            milligrams: 1,
        };
        let refused = decode::<Sample>(KEY, &encode(KEY, &newer).unwrap()).unwrap_err();
        assert!(refused.contains("version 3 is newer than 1"), "{refused}");
        let mut older_than_the_first = vec![0, 0];
        older_than_the_first.extend_from_slice(&crc32fast::hash(&older_than_the_first).to_le_bytes());
        assert!(decode::<Sample3>(KEY, &older_than_the_first).is_err());
    }

    #[test]
    fn trailing_bytes_are_an_error_even_with_a_right_checksum() {
        let unsealed = unsealed(&RECORD);
        let mut longer = unsealed[..unsealed.len() - CHECKSUM_BYTES].to_vec();
        longer.push(0);
        longer.extend_from_slice(&crc32fast::hash(&longer).to_le_bytes());
        assert!(decode::<Sample>(KEY, &longer).unwrap_err().contains("trailing"));
    }

    #[test]
    fn a_record_has_a_largest_size_and_what_is_stored_can_be_read() {
        // Subtracts the version, the length prefix of a long text, and the encoded empty fields.
        let longest = MAX_BYTES - 1 - 5 - 1 - 1;
        let of_length = |length: usize| Sample {
            name: "x".repeat(length),
            weight: None,
            parts: Vec::new(),
        };
        let stored = encode(KEY, &of_length(longest)).unwrap();
        assert_eq!(stored.len(), MAX_BYTES + CHECKSUM_BYTES);
        assert_eq!(decode::<Sample>(KEY, &stored), Ok(of_length(longest)));
        for length in [longest + 1, longest + 2, 2 * MAX_BYTES] {
            assert!(encode(KEY, &of_length(length)).is_err(), "{length}");
        }
        let many_numbers = Sample {
            parts: vec![0; MAX_BYTES - 100],
            ..of_length(0)
        };
        let stored = encode(KEY, &many_numbers).unwrap();
        assert_eq!(decode::<Sample>(KEY, &stored), Ok(many_numbers));
    }

    #[test]
    fn a_checksum_proves_the_place_of_a_record_unless_1_3_0_wrote_it() {
        let name = Sample::TABLE.name();
        let sealed = encode(KEY, &RECORD).unwrap();
        assert!(matches!(proven(name, KEY, &sealed), Some(Proof::Row)));
        assert!(matches!(proven(name, KEY, &unsealed(&RECORD)), Some(Proof::Value)));
        assert!(proven(name, (1u128, 3u128), &sealed).is_none());
        assert!(proven("twin", KEY, &sealed).is_none());
    }

    #[test]
    fn a_corrupt_length_asks_for_no_memory() {
        let mut bytes = vec![1, 253];
        bytes.extend_from_slice(&u64::MAX.to_le_bytes());
        bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
        assert!(decode::<Sample>(KEY, &bytes).is_err());
    }
}
