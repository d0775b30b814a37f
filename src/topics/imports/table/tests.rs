//! Bytes of the import records on disk, including earlier versions.

use super::*;
use fluglog_store::record::{assert_read_from, assert_stored_as};

fn import() -> ImportRecord {
    ImportRecord {
        time: 1_781_700_000,
        state: ACCEPTED,
        blobs: vec![BlobRecord { id: 7, sha256: [1; 32] }],
        files: vec![FileRecord {
            name: "Flüge.csv".to_owned(),
            bytes: 1000,
            blob: 0,
            member: Some(1),
            digest: u128::MAX,
            format: Some(11),
            message: String::new(),
            surplus: 60,
            columns: vec![ColumnRecord {
                name: "Datum".to_owned(),
                examples: vec!["04.03.2025".to_owned()],
            }],
            mapping: "{}".to_owned(),
            questions: "[]".to_owned(),
        }],
        flights: vec![FoundFlightRecord {
            part: 3,
            start: Some(1),
            day: Some(2),
            duration: Some(3),
            is_utc: true,
            figures: FiguresRecord {
                start_point: Some((53.0, 8.0)),
                height: Some(1.5),
                ..FiguresRecord::default()
            },
            about: AboutRecord {
                name: "Whoop".to_owned(),
                weather: "Wind".to_owned(),
                purpose: "Übung".to_owned(),
                hints: vec!["a".to_owned()],
                ..AboutRecord::default()
            },
            ..FoundFlightRecord::default()
        }],
        omitted: vec![OmittedRecord {
            file: 0,
            part: "10:20".to_owned(),
            reason: "b".to_owned(),
        }],
        answer: Some(AnswerRecord {
            choices: 5,
            created: vec![6],
            completed: Vec::new(),
            skipped: 1,
        }),
        assets: vec![AssetsRecord {
            file: 0,
            items: 1,
            chargings: 2,
            readings: 3,
            sets: 4,
            logs: 5,
            documents: 6,
            images: 7,
            left: 8,
            missing: 9,
            jobs: 10,
            prior: 1,
        }],
    }
}

#[test]
fn an_import_keeps_its_bytes() {
    assert_stored_as::<ImportRecord>(
        (1, 2),
        &import(),
        "85fc402b65d40101070101010101010101010101010101010101010101010101010101010101010101010a466cc3bc67652e637376fbe8\
         03000101feffffffffffffffffffffffffffffffff010b003c0105446174756d010a30342e30332e32303235027b7d025b5d0100030001\
         02010401010600010000000000804a4000000000000020400001000000000000f83f000000000000000557686f6f700000000000045769\
         6e6406c39c62756e670001016101000531303a3230016201050106000101000102030405060708090a01ee01aaad",
    );
}

#[test]
fn an_import_of_each_earlier_shape_is_still_read() {
    let mut expected = import();
    expected.assets[0].jobs = 0;
    expected.assets[0].prior = 0;
    assert_read_from(
        (1, 2),
        "84fc402b65d40101070101010101010101010101010101010101010101010101010101010101010101010a466cc3bc67652e637376fbe8\
         03000101feffffffffffffffffffffffffffffffff010b003c0105446174756d010a30342e30332e32303235027b7d025b5d0100030001\
         02010401010600010000000000804a4000000000000020400001000000000000f83f000000000000000557686f6f700000000000045769\
         6e6406c39c62756e670001016101000531303a32300162010501060001010001020304050607080971a116a7",
        &expected,
    );
    expected.files[0].questions.clear();
    expected.flights[0].about.weather.clear();
    expected.flights[0].about.purpose.clear();
    assert_read_from(
        (1, 2),
        "83fc402b65d40101070101010101010101010101010101010101010101010101010101010101010101010a466cc3bc67652e637376fbe8\
         03000101feffffffffffffffffffffffffffffffff010b003c0105446174756d010a30342e30332e32303235027b7d0100030001020104\
         01010600010000000000804a4000000000000020400001000000000000f83f000000000000000557686f6f700000000000000101610100\
         0531303a3230016201050106000101000102030405060708099b941a33",
        &expected,
    );
    expected.assets.clear();
    assert_read_from(
        (1, 2),
        "82fc402b65d40101070101010101010101010101010101010101010101010101010101010101010101010a466cc3bc67652e637376fbe8\
         03000101feffffffffffffffffffffffffffffffff010b003c0105446174756d010a30342e30332e32303235027b7d0100030001020104\
         01010600010000000000804a4000000000000020400001000000000000f83f0000000000000557686f6f70000000000000010161010005\
         31303a323001620105010600019f09dff7",
        &expected,
    );
    expected.files[0].surplus = 0;
    assert_read_from(
        (1, 2),
        "81fc402b65d40101070101010101010101010101010101010101010101010101010101010101010101010a466cc3bc67652e637376fbe8\
         03000101feffffffffffffffffffffffffffffffff010b000105446174756d010a30342e30332e32303235027b7d010003000102010401\
         010600010000000000804a4000000000000020400001000000000000f83f0000000000000557686f6f7000000000000001016101000531\
         303a32300162010501060001a4355bb7",
        &expected,
    );
}

#[test]
fn tracks_profiles_and_foreign_flights_keep_their_bytes() {
    let track = FoundTrackRecord {
        points: vec![(53_323_833, -8_150_849)],
    };
    assert_stored_as::<FoundTrackRecord>((1, 2, 3), &track, "8101fc72505b06fc81bef8004cfeedf5");
    let profile = FoundProfileRecord {
        profile: Profile {
            seconds: vec![0, 150],
            height: vec![None, Some(-12)],
            ..Profile::default()
        },
    };
    assert_stored_as::<FoundProfileRecord>((1, 2, 3), &profile, "8102009602000117000000000029cd2dba");
    let foreign = ForeignFlightRecord {
        id: 7,
        flight: "{}".to_owned(),
        items: vec!["[]".to_owned()],
    };
    assert_stored_as::<ForeignFlightRecord>((1, 2, 3, 4), &foreign, "8107027b7d01025b5d5d526ca9");
    assert_stored_as::<DroppedRecord>((1, 2), &DroppedRecord { time: 1_800_000_000 }, "81fc00a493d6ee16a337");
    let mapping = MappingRecord {
        mapping: "{}".to_owned(),
    };
    assert_stored_as::<MappingRecord>((1, 2), &mapping, "81027b7d0746acdc");
    let alias = AliasRecord {
        item: 9,
        text: "mini4pro".to_owned(),
        shift_minutes: -60,
    };
    assert_stored_as::<AliasRecord>((1, 2), &alias, "8109086d696e693470726f772624eb23");
}
