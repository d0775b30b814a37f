//! Typed ids: their text, parsing and table keys. An id of one kind can't be used as another.
//!
//! An id is a UUID of version 7. Code must not rely on its order; an id is only a name, and knowing it gives no right.

use std::time::{SystemTime, UNIX_EPOCH};

use uuid::{NoContext, Timestamp, Uuid};

/// Returns a new UUID of version 7.
#[must_use]
pub fn new_uuid() -> Uuid {
    fresh_uuid_at(SystemTime::now())
}

/// The clock of a board without a battery may be before 1970, which a UUID can't represent.
fn fresh_uuid_at(now: SystemTime) -> Uuid {
    match now < UNIX_EPOCH {
        true => Uuid::new_v7(Timestamp::from_unix(NoContext, 0, 0)),
        false => Uuid::now_v7(),
    }
}

/// The error for a text that isn't an id.
#[derive(Debug)]
pub struct ParseIdError;

/// An id that a client may choose for what it creates.
pub trait ClientChosenId: Sized {
    /// Parses a UUID of version 4 or 7.
    fn from_client(text: &str) -> Option<Self>;
}

fn is_from_client(key: u128) -> bool {
    let uuid = Uuid::from_u128(key);
    uuid.get_variant() == uuid::Variant::RFC4122 && matches!(uuid.get_version_num(), 4 | 7)
}

/// Defines an id type over 128 bits.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u128);

        impl $name {
            /// Returns a new unique id.
            #[must_use]
            pub fn fresh() -> $name {
                $name(new_uuid().as_u128())
            }

            /// Parses the hyphenated form that [`Display`](std::fmt::Display) prints.
            #[must_use]
            pub fn parse(text: &str) -> Option<$name> {
                if text.len() != uuid::fmt::Hyphenated::LENGTH {
                    return None;
                }
                uuid::Uuid::try_parse(text).ok().map(|id| $name(id.as_u128()))
            }

            /// Returns the key of this id in a table.
            #[must_use]
            pub const fn key(self) -> u128 {
                self.0
            }

            /// Returns the id for a key in a table or record.
            #[must_use]
            pub const fn from_key(key: u128) -> $name {
                $name(key)
            }
        }

        impl $crate::id::ClientChosenId for $name {
            fn from_client(text: &str) -> Option<$name> {
                $name::parse(text).filter(|id| is_from_client(id.0))
            }
        }

        impl std::str::FromStr for $name {
            type Err = ParseIdError;

            fn from_str(text: &str) -> Result<$name, ParseIdError> {
                $name::parse(text).ok_or(ParseIdError)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                uuid::Uuid::from_u128(self.0).hyphenated().fmt(formatter)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    };
}

id!(
    /// A pilot's account.
    UserId
);
id!(
    /// A household or club, whose members share equipment.
    SpaceId
);
id!(
    /// The owner of equipment: of items with their chargings, logs and the logs' documents.
    OwnerId
);
id!(
    /// One item of equipment.
    EquipmentId
);
id!(
    /// One charging of a battery.
    ChargingId
);
id!(
    /// One set of batteries.
    SetId
);
id!(
    /// One reading of a battery.
    ReadingId
);
id!(
    /// One flight.
    FlightId
);
id!(
    /// A document: in the pilot's documents, or attached to a log.
    DocumentId
);
id!(
    /// A picture of a page of a proof.
    PageId
);
id!(
    /// One log entry.
    LogId
);
id!(
    /// One job of an item's maintenance.
    JobId
);
id!(
    /// One time that a job was done or skipped.
    JobRunId
);
id!(
    /// One image of a flight.
    ImageId
);
id!(
    /// A place where a pilot flew, identified by its name.
    PlaceId
);
id!(
    /// One login of a pilot's browser.
    LoginId
);
id!(
    /// One personal access token.
    AccessTokenId
);
id!(
    /// A member of a space, as the space's calls name one.
    MemberId
);
id!(
    /// One invitation into a space.
    InvitationId
);
id!(
    /// One import of flights from files.
    ImportId
);
id!(
    /// One feedback.
    FeedbackId
);
id!(
    /// One stored file (`blobs/`).
    BlobId
);
id!(
    /// A request, named by the client that sends it; a repetition has the id of the original.
    RequestId
);

impl PlaceId {
    /// Returns the id for the digest of a name: a UUID of version 8, which clients can't choose.
    #[must_use]
    pub fn of_digest(digest: u128) -> PlaceId {
        let custom = uuid::Builder::from_custom_bytes(digest.to_be_bytes());
        PlaceId(custom.into_uuid().as_u128())
    }
}

/// A reference from a record to a stored file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blob {
    pub id: BlobId,
    /// SHA-256 of the content.
    pub sha256: [u8; 32],
}

impl From<UserId> for OwnerId {
    /// Makes a pilot the owner of their equipment.
    fn from(user: UserId) -> OwnerId {
        OwnerId::from_key(user.key())
    }
}

impl From<SpaceId> for OwnerId {
    /// Makes a space the owner of what its members share.
    fn from(space: SpaceId) -> OwnerId {
        OwnerId::from_key(space.key())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_clock_before_1970_makes_ids_too() {
        let before = UNIX_EPOCH - std::time::Duration::from_hours(1);
        let [one, other] = [fresh_uuid_at(before), fresh_uuid_at(before)];
        assert_eq!(one.get_version_num(), 7);
        assert_ne!(one, other);
    }

    proptest! {
        #[test]
        fn an_id_reads_back_what_it_prints(bits: u128) {
            let id = FlightId::from_key(bits);
            prop_assert_eq!(FlightId::parse(&id.to_string()), Some(id));
        }

        #[test]
        fn text_of_another_form_is_no_id(text in "\\PC{0,60}") {
            if let Some(id) = FlightId::parse(&text) {
                prop_assert_eq!(id.to_string(), text.to_lowercase());
            }
        }
    }

    #[test]
    fn a_client_may_choose_an_id_of_version_4_or_7() {
        let id = FlightId::from_client("0198B6F0-1111-7000-8000-00000000000A").unwrap();
        assert_eq!(id.to_string(), "0198b6f0-1111-7000-8000-00000000000a");
        assert!(FlightId::from_client("0198b6f0-1111-4000-b000-00000000000a").is_some());
        for wrong in [
            "0198b6f0-1111-1000-8000-00000000000a",
            "0198b6f0-1111-7000-c000-00000000000a",
            "00000000-0000-0000-0000-000000000000",
            "ffffffff-ffff-ffff-ffff-ffffffffffff",
            "0198b6f0111170008000000000000000000a",
            "",
        ] {
            assert_eq!(FlightId::from_client(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_id_of_a_place_is_none_that_a_client_may_choose() {
        let id = PlaceId::of_digest(u128::MAX);
        assert_eq!(id.to_string(), "ffffffff-ffff-8fff-bfff-ffffffffffff");
        assert_eq!(EquipmentId::from_client(&id.to_string()), None);
    }

    #[test]
    fn two_fresh_ids_differ() {
        assert_ne!(FlightId::fresh(), FlightId::fresh());
    }
}
