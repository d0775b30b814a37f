//! Recording and repairing findings.

use serde::{Deserialize, Serialize};

use super::*;
use crate::tests::{Note, note, store};
use crate::{Store, record, schema};

/// A record that can't be decoded as a note.
#[derive(Serialize, Deserialize)]
struct Unlike {
    text: String,
    more: String,
}

record!(Unlike: (Owner, u128) = EQUIPMENT);

fn unlike() -> Unlike {
    Unlike {
        text: String::new(),
        more: String::new(),
    }
}

const INDEX: &Index<(u128, i64, u128)> = &schema::FLIGHTS_BY_START;

fn checked(store: &Store, check: impl Fn(&Snapshot<'_>, &mut Findings) -> Result<()>) -> Findings {
    let check = |data: &Snapshot<'_>| {
        let mut findings = Findings::default();
        check(data, &mut findings).map(|()| findings)
    };
    store.read(check).unwrap()
}

fn wrongs<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Vec<(String, FindingKind)> {
    let wrongs = findings
        .into_iter()
        .map(|finding| (finding.place.clone(), finding.wrong.clone()));
    wrongs.collect()
}

fn note_place(key: (u128, u128)) -> String {
    place(&Note::TABLE, key)
}

fn index_place(key: (u128, i64, u128)) -> String {
    shown(INDEX.name(), key)
}

#[test]
fn records_that_can_not_be_read_are_damage_and_the_others_are_looked_at() {
    let (_directory, store) = store();
    store.write(|writer| writer.put((1, 1), &note("eins"))).unwrap();
    let seen = std::cell::RefCell::new(Vec::new());
    let check = |data: &Snapshot<'_>, findings: &mut Findings| {
        findings.each(data, |_, key, _: Note| {
            seen.borrow_mut().push(key);
            Ok(())
        })
    };
    let findings = checked(&store, check);
    assert!(findings.is_complete() && findings.damages().is_empty());
    store
        .write(move |writer| {
            writer.put((1, 2), &unlike())?;
            writer.put((1, 3), &note("drei"))
        })
        .unwrap();
    seen.borrow_mut().clear();
    let findings = checked(&store, check);
    assert_eq!(*seen.borrow(), [(1, 1), (1, 3)]);
    assert_eq!(
        wrongs(findings.damages()),
        [(note_place((1, 2)), FindingKind::RecordDamaged)]
    );
    assert_eq!((findings.records(), findings.is_complete()), (3, false));
    assert_eq!(findings.tables().collect::<Vec<_>>(), ["equipment"]);
    assert_eq!((findings.orphans().count(), findings.rebuilds().count()), (0, 0));
}

#[test]
fn what_can_not_be_read_leaves_a_check_incomplete() {
    let key = (1, 2);
    for (note_it, place, wrong) in [
        (
            (|findings| findings.unreadable("Flüge", Vec::new())) as fn(&mut Findings),
            "Flüge".to_owned(),
            FindingKind::PartUnreadable(Vec::new()),
        ),
        (
            |findings| findings.impossible::<Note>((1, 2)),
            note_place(key),
            FindingKind::RecordImpossible,
        ),
    ] {
        let mut findings = Findings::default();
        note_it(&mut findings);
        assert_eq!(
            (wrongs(findings.damages()), findings.is_complete()),
            (vec![(place, wrong)], false)
        );
    }
}

#[test]
fn a_record_refers_to_one_that_is_there() {
    let (_directory, store) = store();
    store.write(|writer| writer.put((1, 1), &note("da"))).unwrap();
    let findings = checked(&store, |data, findings| {
        findings.refers(data, "hier", &Note::TABLE, (1, 1))?;
        findings.refers(data, "dort", &Note::TABLE, (1, 2))
    });
    let nothing = FindingKind::RefersToNothing(note_place((1, 2)));
    assert_eq!(wrongs(findings.damages()), [("dort".to_owned(), nothing)]);
}

#[test]
fn a_file_belongs_to_one_record() {
    let blob = |id| BlobRecord { id, sha256: [7; 32] };
    let mut findings = Findings::default();
    findings.names("eins", blob(1));
    findings.names("zwei", blob(2));
    findings.disown(blob(2));
    let named = NamedBlob {
        sha256: [7; 32],
        by: "eins".to_owned(),
    };
    assert_eq!(findings.blobs(), &BTreeMap::from([(BlobId::from_key(1), named)]));
    findings.names("drei", blob(2));
    assert!(findings.damages().is_empty());
    findings.names("vier", blob(1));
    assert_eq!(
        wrongs(findings.damages()),
        [("vier".to_owned(), FindingKind::FileOfTwo("eins".to_owned()))]
    );
}

#[test]
fn an_index_is_what_its_records_say_and_is_written_anew() {
    let (_directory, store) = store();
    let keys = [(1, 5, 1), (1, 6, 2), (1, 7, 3)];
    store
        .write(move |writer| {
            writer.put((1, 3), &unlike())?;
            keys.iter().try_for_each(|key| writer.insert_key(INDEX, *key))
        })
        .unwrap();
    let check = |data: &Snapshot<'_>, findings: &mut Findings| {
        findings.each(data, |_, _, _: Note| Ok(()))?;
        let expected = vec![(2, 1, 1), (1, 5, 1), (1, 4, 9)];
        findings.index::<Note, _>(data, INDEX, expected, |(user, _, item)| (user, item))
    };
    let findings = checked(&store, check);
    assert!(findings.tables().eq(["equipment", INDEX.name()]));
    let absent = |key| (index_place(key), FindingKind::MissingInIndex);
    let stray = (index_place((1, 6, 2)), FindingKind::IndexLeadsNowhere);
    // What the unreadable record refers to is unknown.
    let unreadable = (note_place((1, 3)), FindingKind::RecordDamaged);
    assert_eq!(
        wrongs(findings.damages()),
        [unreadable, absent((1, 4, 9)), absent((2, 1, 1))]
    );
    assert_eq!(wrongs(findings.orphans()), std::slice::from_ref(&stray));
    assert_eq!(
        wrongs(findings.rebuilds()),
        [absent((1, 4, 9)), stray, absent((2, 1, 1))]
    );
    let now = || store.read(|data| data.keys_descending(INDEX, .., 10)).unwrap();
    let repair = |repair: fn(&Findings, &Writer<'_>) -> Result<()>| {
        // The repairs aren't `Send`, so the check runs again where they are applied.
        let find = move |writer: &Writer<'_>| {
            let mut findings = Findings::default();
            check(writer, &mut findings)?;
            repair(&findings, writer)
        };
        store.write(find).unwrap();
    };
    repair(|findings, writer| findings.remove_orphans(writer));
    let sorted = |mut keys: Vec<(u128, i64, u128)>| {
        keys.sort_unstable();
        keys
    };
    assert_eq!(sorted(now()), [(1, 5, 1), (1, 7, 3)]);
    store.write(|writer| writer.insert_key(INDEX, (1, 6, 2))).unwrap();
    repair(|findings, writer| findings.rebuild(writer));
    assert_eq!(sorted(now()), [(1, 4, 9), (1, 5, 1), (1, 7, 3), (2, 1, 1)]);
}

#[test]
fn an_orphan_goes_with_its_record_alone() {
    let (_directory, store) = store();
    let put = |key| store.write(move |writer| writer.put(key, &note("da"))).unwrap();
    put((1, 1));
    put((1, 2));
    store
        .write(|writer| {
            let mut findings = Findings::default();
            findings.orphan::<Note>((1, 2), FindingKind::LoginOfNobody);
            assert_eq!(
                wrongs(findings.orphans()),
                [(note_place((1, 2)), FindingKind::LoginOfNobody)]
            );
            assert!(findings.damages().is_empty());
            findings.remove_orphans(writer)
        })
        .unwrap();
    assert_eq!(store.read(|data| data.get::<Note>((1, 1))).unwrap(), Some(note("da")));
    assert_eq!(store.read(|data| data.get::<Note>((1, 2))).unwrap(), None);
}
