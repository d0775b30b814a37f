use super::*;
use fluglog_store::record::assert_stored_as;

fn turn() -> TurnRecord {
    TurnRecord {
        since: 29_000_000,
        date: Some(20_800),
        put_off: Some(PutOffRecord::Flights(7)),
        archived: false,
    }
}

#[test]
fn a_job_keeps_its_bytes() {
    let record = JobRecord {
        title: "Propeller".to_owned(),
        steps: vec!["Wuchten".to_owned()],
        milliminutes: Some(3_000_000),
        flights: Some(200),
        cycles: None,
        days: Some(30),
        date: Some(20_800),
        anchor: Some(20_435),
        repeat: 1,
        warn_share: 10,
        source: "Handbuch".to_owned(),
        template: "propChange".to_owned(),
        since: 29_000_000,
        put_off: Some(PutOffRecord::Until(20_810)),
        paused: true,
        archived: false,
        made: 1_767_225_600,
    };
    assert_stored_as::<JobRecord>(
        (1, 2, 3),
        &record,
        "810950726f70656c6c657201075775636874656e01fc808d5b0001c800011e01fb80a201fba69f010a0848616e\
         64627563680a70726f704368616e6765fc800275030100fb94a20100fc0072abd2e2947538",
    );
    assert!(job((1, 2, 3), record).is_ok());
}

#[test]
fn a_run_keeps_its_bytes() {
    let record = RunRecord {
        kind: 1,
        before: turn(),
        date: Some(21_165),
        counted: CounterRecord {
            milliminutes: 2_892_000,
            flights: 191,
            untimed: 2,
        },
        steps: vec!["Wuchten".to_owned()],
        info: "Winter".to_owned(),
        cost: Some(1250),
        log: Some(9),
    };
    assert_stored_as::<RunRecord>(
        (1, 2, 3, 29_100_000, 4),
        &record,
        "8101fc8002750301fb80a201010e0001fb5aa5fcc0415800fb7e010401075775636874656e0657696e74657201\
         fbc4090109d0a0c916",
    );
    assert!(run((1, 2, 3, 29_100_000, 4), record).is_ok());
}

#[test]
fn a_count_keeps_its_bytes() {
    let record = CounterRecord {
        milliminutes: 2_892_000,
        flights: 191,
        untimed: 2,
    };
    assert_stored_as::<CounterRecord>((1, 2, 3), &record, "81fcc0415800fb7e0104a67f890e");
}
