//! How long requests are remembered, and how many.

use super::*;
use crate::Store;
use crate::deletions::Step;
use crate::findings::FindingKind;
use crate::schema;

const DAY: i64 = 24 * 60 * 60;

fn store() -> (tempfile::TempDir, Store) {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), true).unwrap();
    (directory, store)
}

fn completed(object: u128) -> Completed {
    Completed {
        call: "SaveFlight".to_owned(),
        status: 200,
        object: Object::of(object),
    }
}

/// Records requests with these ids at a time, one after another.
fn record_all(store: &Store, user: UserId, ids: std::ops::Range<u128>, now: i64) {
    store
        .write(move |writer| {
            ids.clone()
                .try_for_each(|id| record(writer, user, RequestId::from_key(id), &completed(id), now))
        })
        .unwrap();
}

fn found(store: &Store, user: UserId, id: u128) -> Option<Completed> {
    store.read(|data| find(data, user, RequestId::from_key(id))).unwrap()
}

fn count(store: &Store) -> u64 {
    store.read(|data| data.count(&schema::REQUESTS)).unwrap()
}

fn is_whole(store: &Store) {
    let findings = store
        .read(|data| {
            let mut findings = Findings::default();
            check(data, &mut findings)?;
            Ok(findings)
        })
        .unwrap();
    // The users in these tests don't exist, so only damage to the index is considered.
    let of_index = findings
        .damages()
        .iter()
        .filter(|damage| damage.wrong == FindingKind::MissingInIndex);
    assert_eq!((of_index.count(), findings.orphans().count()), (0, 0));
}

#[test]
fn of_a_user_the_latest_ten_thousand_requests_are_kept() {
    let (_directory, store) = store();
    let [anna, ben] = [1, 2].map(UserId::from_key);
    record_all(&store, ben, 0..1, 0);
    record_all(&store, anna, 0..10_003, 0);
    assert_eq!(count(&store), 10_001);
    for (id, is_known) in [(0, false), (2, false), (3, true), (10_002, true)] {
        assert_eq!(found(&store, anna, id).is_some(), is_known, "{id}");
    }
    assert_eq!(found(&store, ben, 0), Some(completed(0)));
    is_whole(&store);
}

#[test]
fn a_request_is_kept_for_ninety_days() {
    let (_directory, store) = store();
    let anna = UserId::from_key(1);
    record_all(&store, anna, 0..3, 0);
    record_all(&store, anna, 3..4, 90 * DAY);
    assert_eq!(count(&store), 4);
    record_all(&store, anna, 4..5, 90 * DAY + 1);
    assert_eq!(count(&store), 2);
    assert_eq!(
        (found(&store, anna, 2), found(&store, anna, 3)),
        (None, Some(completed(3)))
    );
    // After a long pause old records are removed gradually.
    record_all(&store, anna, 100..200, 91 * DAY);
    record_all(&store, anna, 200..201, 500 * DAY);
    assert_eq!(count(&store), 2 + 100 + 1 - 8);
    record_all(&store, anna, 201..240, 500 * DAY);
    assert_eq!(count(&store), 40);
    is_whole(&store);
}

#[test]
fn a_clock_that_was_set_back_forgets_nothing() {
    let (_directory, store) = store();
    let anna = UserId::from_key(1);
    record_all(&store, anna, 0..1, 500 * DAY);
    record_all(&store, anna, 1..2, 0);
    assert_eq!(count(&store), 2);
}

#[test]
fn a_spent_id_is_no_request_and_ends_like_one() {
    let (_directory, store) = store();
    let anna = UserId::from_key(1);
    record_all(&store, anna, 7..8, 0);
    store.write(move |writer| spend_id(writer, anna.into(), 7, 0)).unwrap();
    let is_known = |id| store.read(|data| is_spent(data, anna.into(), id)).unwrap();
    assert_eq!((is_known(7), is_known(8)), (true, false));
    assert_eq!(found(&store, anna, 7), Some(completed(7)));
    record_all(&store, anna, 9..10, 91 * DAY);
    assert_eq!((is_known(7), found(&store, anna, 7)), (false, None));
}

#[test]
fn nothing_stays_of_a_user_who_is_deleted() {
    let (_directory, store) = store();
    let [anna, ben] = [1, 2].map(UserId::from_key);
    record_all(&store, anna, 0..5, 0);
    record_all(&store, ben, 0..2, 0);
    store
        .write(move |writer| {
            spend_id(writer, anna.into(), 7, 0)?;
            Step::new(anna.into(), usize::MAX).finish(writer)
        })
        .unwrap();
    assert_eq!((count(&store), found(&store, anna, 0)), (2, None));
    is_whole(&store);
}
