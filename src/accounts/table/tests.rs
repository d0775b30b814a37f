//! Accounts on disk: the bytes of their records, and an address that finds its user.

use proptest::prelude::*;

use super::*;
use crate::model::UNKNOWN_BROWSER;
use fluglog_store::Store;
use fluglog_store::record::{assert_read_from, assert_stored_as};

fn user(email: &str) -> UserRecord {
    UserRecord {
        email: email.to_owned(),
        nickname: "Ada".to_owned(),
        firstname: String::new(),
        lastname: "Lovelace".to_owned(),
        password: Some("$argon2id$".to_owned()),
        disabled: false,
        created: 1_700_000_000,
        last_login: None,
        generation: 3,
        operator: false,
        is_verified: false,
    }
}

#[test]
fn a_user_keeps_its_bytes() {
    for stored in [
        "010f616461406578616d706c652e6f72670341646100084c6f76656c616365010a246172676f6e3269642400fc00e2a7ca0003b7abb89\
         3",
        "810f616461406578616d706c652e6f72670341646100084c6f76656c616365010a246172676f6e3269642400fc00e2a7ca00036760c2e\
         b",
    ] {
        assert_read_from::<UserRecord>(1, stored, &user("ada@example.org"));
    }
    let of_1_4_0 = "820f616461406578616d706c652e6f72670341646100084c6f76656c616365010a246172676f6e3269642400fc00e2a7ca\
        00030001dd6abb";
    assert_read_from::<UserRecord>(1, of_1_4_0, &user("ada@example.org"));
    assert_stored_as::<UserRecord>(
        1,
        &user("ada@example.org"),
        "830f616461406578616d706c652e6f72670341646100084c6f76656c616365010a246172676f6e3269642400fc00e2a7ca000300008705\
         66db",
    );
    // Without a password, mail was the only way in.
    let other = UserRecord {
        password: None,
        disabled: true,
        last_login: Some(-1),
        is_verified: true,
        ..user("ada@example.org")
    };
    for stored in [
        "010f616461406578616d706c652e6f72670341646100084c6f76656c6163650001fc00e2a7ca010103a391bd38",
        "810f616461406578616d706c652e6f72670341646100084c6f76656c6163650001fc00e2a7ca01010302c36f95",
    ] {
        assert_read_from::<UserRecord>(1, stored, &other);
    }
    let operator = UserRecord {
        operator: true,
        ..other
    };
    let of_1_4_0 = "820f616461406578616d706c652e6f72670341646100084c6f76656c6163650001fc00e2a7ca01010301875aa573";
    assert_read_from::<UserRecord>(1, of_1_4_0, &operator);
    assert_stored_as::<UserRecord>(
        1,
        &operator,
        "830f616461406578616d706c652e6f72670341646100084c6f76656c6163650001fc00e2a7ca0101030101399ab991",
    );
}

#[test]
fn the_index_of_addresses_keeps_its_bytes() {
    let found = UserByEmailRecord { user: u128::MAX };
    assert_read_from::<UserByEmailRecord>((1, 2), "01feffffffffffffffffffffffffffffffffee095dc4", &found);
    assert_stored_as::<UserByEmailRecord>((1, 2), &found, "81feffffffffffffffffffffffffffffffff977466c7");
}

#[test]
fn a_session_keeps_its_bytes() {
    let session = SessionRecord {
        user: 7,
        generation: 3,
        last_seen: 1_700_000_000,
        since: 1_700_000_000,
        browser: UNKNOWN_BROWSER.to_owned(),
        of_token: None,
    };
    for stored in ["010703fc00e2a7cac52bee57", "810703fc00e2a7ca23f50fd6"] {
        assert_read_from::<SessionRecord>((1, 2), stored, &session);
    }
    let session = SessionRecord {
        since: 1_600_000_000,
        browser: "Firefox auf Android".to_owned(),
        of_token: Some(9),
        ..session
    };
    assert_stored_as::<SessionRecord>(
        (1, 2),
        &session,
        "820703fc00e2a7cafc0020bcbe1346697265666f782061756620416e64726f69640109f225220b",
    );
}

#[test]
fn a_login_token_keeps_its_bytes() {
    let token = LoginTokenRecord {
        user: 7,
        generation: 300,
        created: -1,
        last_seen: -1,
        browser: UNKNOWN_BROWSER.to_owned(),
    };
    for stored in ["0107fb2c0101e38192c6", "8107fb2c0101c9918066"] {
        assert_read_from::<LoginTokenRecord>((1, 2), stored, &token);
    }
    let token = LoginTokenRecord {
        last_seen: 1_700_000_000,
        browser: "Firefox auf Android".to_owned(),
        ..token
    };
    assert_stored_as::<LoginTokenRecord>(
        (1, 2),
        &token,
        "8207fb2c0101fc00e2a7ca1346697265666f782061756620416e64726f69641bbfb926",
    );
}

#[test]
fn a_browser_that_logged_in_keeps_its_bytes() {
    let device = DeviceRecord {
        created: 1_700_000_000,
        last_seen: 1_700_000_300,
    };
    assert_stored_as::<DeviceRecord>((1, 2, 3), &device, "81fc00e2a7cafc58e4a7cae474dba8");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn an_address_finds_its_user_however_it_is_typed_and_belongs_to_one_only(
        typed in proptest::collection::vec("[abABäÄ]{1,2}@[ab]\\.de", 1..12),
    ) {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path(), true).unwrap();
        let emails: Vec<_> = typed.iter().map(|typed| Email::parse(typed).unwrap()).collect();
        let mut owners: Vec<(String, UserId)> = Vec::new();
        for email in &emails {
            let (id, email) = (UserId::fresh(), email.clone());
            let folded = email.folded.clone();
            let inserted = store.write(move |writer| insert(writer, id, &email, &user(&email.typed)));
            if owners.iter().any(|(taken, _)| *taken == folded) {
                prop_assert_eq!(inserted, Err(Error::Conflict(fluglog_base::text::EMAIL_TAKEN)));
            } else {
                prop_assert_eq!(inserted, Ok(()));
                owners.push((folded, id));
            }
        }
        for (folded, id) in &owners {
            let shouted = Email::parse(&folded.to_uppercase()).unwrap();
            let found = store.read(|data| by_email(data, &shouted)).unwrap();
            prop_assert_eq!(found.map(|(found, _)| found), Some(*id));
        }
        let listed = store.read(all).unwrap();
        prop_assert_eq!(listed.len(), owners.len());
        prop_assert!(listed.is_sorted_by(|one, other| one.email <= other.email));
    }
}

#[test]
fn a_photo_keeps_its_bytes() {
    let photo = PhotoRecord {
        blob: BlobRecord {
            id: u128::MAX,
            sha256: [4; 32],
        },
    };
    assert_read_from::<PhotoRecord>(
        1,
        "01feffffffffffffffffffffffffffffffff0404040404040404040404040404040404040404040404040404040404040404ae7c0e09",
        &photo,
    );
    assert_stored_as::<PhotoRecord>(
        1,
        &photo,
        "81feffffffffffffffffffffffffffffffff04040404040404040404040404040404040404040404040404040404040404049cf01be0",
    );
}

#[test]
fn a_contact_keeps_its_bytes() {
    let contact = ContactRecord {
        text: "0170 1234567".to_owned(),
    };
    assert_stored_as::<ContactRecord>(1, &contact, "810c303137302031323334353637154b7013");
}

#[test]
fn a_quota_keeps_its_bytes() {
    assert_stored_as::<QuotaRecord>(1, &QuotaRecord { bytes: 2 << 30 }, "81fc00000080169995da");
}
