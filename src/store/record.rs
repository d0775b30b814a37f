//! Records as bytes: a version, the bincode encoding, a checksum. The only user of bincode. Knows no table and no topic.
//!
//! redb doesn't verify its own checksums on reads, so a flipped bit on an SD card would come back as wrong data. Each record
//! therefore carries one, and a wrong one is an error, never data.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Table;

/// A stored struct. Plain: no serde attributes (bincode is not self-describing), variants only appended. When its shape
/// changes, `VERSION` grows and a migration reads the old one.
pub trait Record: Serialize + DeserializeOwned {
    /// What its table is sorted by.
    type Key: super::Key;
    /// The one table that holds it.
    const TABLE: Table<Self::Key>;
    /// The version byte in front of the encoding.
    const VERSION: u8;
}

/// The largest record in bytes. A corrupt length in front of a list must not ask for gigabytes.
const MOST_BYTES: usize = 1024 * 1024;
const CHECKSUM_BYTES: usize = 4;

/// The bytes of a record.
///
/// # Errors
/// A text for the log when the record is larger than a record may be.
pub fn encode<R: Record>(record: &R) -> Result<Vec<u8>, String> {
    let mut bytes = vec![R::VERSION];
    bincode::serde::encode_into_std_write(record, &mut bytes, layout())
        .map_err(|error| format!("{}: a record can't be encoded: {error}", R::TABLE.name()))?;
    if bytes.len() > MOST_BYTES {
        return Err(format!("{}: a record has {} bytes", R::TABLE.name(), bytes.len()));
    }
    bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
    Ok(bytes)
}

/// The record that these bytes hold.
///
/// # Errors
/// A text for the log when the bytes are damaged, of another version, or hold more than the record.
pub fn decode<R: Record>(bytes: &[u8]) -> Result<R, String> {
    let damaged = |what: &str| format!("{}: a record is damaged: {what}", R::TABLE.name());
    let (payload, checksum) = bytes
        .split_last_chunk::<CHECKSUM_BYTES>()
        .ok_or_else(|| damaged("too short"))?;
    if crc32fast::hash(payload).to_le_bytes() != *checksum {
        return Err(damaged("wrong checksum"));
    }
    let (version, encoded) = payload.split_first().ok_or_else(|| damaged("no version"))?;
    if *version != R::VERSION {
        return Err(damaged(&format!("version {version} instead of {}", R::VERSION)));
    }
    let (record, consumed) =
        bincode::serde::decode_from_slice(encoded, layout()).map_err(|error| damaged(&error.to_string()))?;
    if consumed != encoded.len() {
        return Err(damaged("trailing bytes"));
    }
    Ok(record)
}

fn layout() -> impl bincode::config::Config {
    bincode::config::standard().with_limit::<MOST_BYTES>()
}

/// Fails when a record isn't stored as exactly these bytes (hexadecimal digits), or isn't read back from them. Whoever has to
/// change them grows `VERSION` or the schema: databases out there hold the old ones.
#[cfg(test)]
#[track_caller]
pub fn assert_stored_as<R: Record + PartialEq + std::fmt::Debug>(record: &R, golden: &str) {
    use std::fmt::Write as _;
    let bytes = encode(record).unwrap();
    let mut digits = String::new();
    for byte in &bytes {
        write!(digits, "{byte:02x}").unwrap();
    }
    assert_eq!(digits, golden, "{} changed its shape on disk", R::TABLE.name());
    assert_eq!(decode::<R>(&bytes).as_ref(), Ok(record));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Serialize, serde::Deserialize, Debug, PartialEq, Clone)]
    struct Sample {
        name: String,
        weight: Option<f64>,
        parts: Vec<u128>,
    }

    impl Record for Sample {
        type Key = u128;
        const TABLE: Table<u128> = Table::new("sample");
        const VERSION: u8 = 7;
    }

    fn sample() -> impl Strategy<Value = Sample> {
        (
            ".{0,40}",
            proptest::option::of(0.0..1e9f64),
            proptest::collection::vec(any::<u128>(), 0..5),
        )
            .prop_map(|(name, weight, parts)| Sample { name, weight, parts })
    }

    proptest! {
        #[test]
        fn a_record_decodes_to_what_was_encoded(record in sample()) {
            prop_assert_eq!(decode::<Sample>(&encode(&record).unwrap()), Ok(record));
        }

        #[test]
        fn a_flipped_bit_is_an_error_and_never_data(record in sample(), at: proptest::sample::Index, bit in 0..8u8) {
            let mut bytes = encode(&record).unwrap();
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
            prop_assert!(decode::<Sample>(&bytes).is_err());
        }

        #[test]
        fn a_cut_off_record_is_an_error(record in sample(), at: proptest::sample::Index) {
            let bytes = encode(&record).unwrap();
            prop_assert!(decode::<Sample>(&bytes[..at.index(bytes.len())]).is_err());
        }

        #[test]
        fn no_bytes_make_decoding_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(decode::<Sample>(&bytes).is_err());
        }
    }

    #[test]
    fn trailing_bytes_and_other_versions_are_errors_even_with_a_right_checksum() {
        let record = Sample {
            name: "a".into(),
            weight: None,
            parts: vec![],
        };
        let sealed = |mut bytes: Vec<u8>| {
            bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
            bytes
        };
        let whole = encode(&record).unwrap();
        let mut longer = whole[..whole.len() - CHECKSUM_BYTES].to_vec();
        longer.push(0);
        assert!(decode::<Sample>(&sealed(longer)).unwrap_err().contains("trailing"));
        let mut newer = whole[..whole.len() - CHECKSUM_BYTES].to_vec();
        newer[0] = 8;
        assert!(decode::<Sample>(&sealed(newer)).unwrap_err().contains("version"));
    }

    #[test]
    fn a_corrupt_length_asks_for_no_memory() {
        let mut bytes = vec![7, 253];
        bytes.extend_from_slice(&u64::MAX.to_le_bytes());
        bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
        assert!(decode::<Sample>(&bytes).is_err());
    }
}
