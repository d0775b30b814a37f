//! `kill -9` in the middle of mixed work, again and again on the same data.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::faults::ledger::{Ledger, compare, expect_sound};
use crate::harness::{Server, temporary_directory, wait};

const ROUNDS: usize = 12;
const CLIENTS: usize = 4;

#[test]
fn confirmed_changes_survive_repeated_kills() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    let session = server.pilot("Anna").cookie("session").unwrap();
    server.stop();
    let mut ledgers: Vec<Ledger> = (0..CLIENTS).map(|_| Ledger::default()).collect();
    for round in 0..ROUNDS {
        let server = Server::start_in(place.path());
        let pilot = server.stranger();
        pilot.plant_cookie("session", &session);
        compare(&pilot, &ledgers);
        // Each round is killed after a different number of answers.
        let answers_before_the_end = 3 + round * 11;
        let confirmed = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for (client, ledger) in ledgers.iter_mut().enumerate() {
                let (tab, confirmed) = (pilot.another_tab(), &confirmed);
                scope.spawn(move || {
                    ledger.work(&tab, client, round, || {
                        confirmed.fetch_add(1, Ordering::Relaxed);
                    });
                });
            }
            wait::until("enough answers", || {
                (confirmed.load(Ordering::Relaxed) >= answers_before_the_end).then_some(())
            });
            drop(server); // kill -9
        });
    }
    let server = Server::start_in(place.path());
    let pilot = server.stranger();
    pilot.plant_cookie("session", &session);
    compare(&pilot, &ledgers);
    assert!(ledgers.iter().map(Ledger::entries).sum::<usize>() > ROUNDS * CLIENTS);
    assert_eq!(server.stop().code(), Some(0));
    expect_sound(place.path());
    let parts = std::fs::read_dir(place.path().join("blobs")).unwrap();
    let left = parts.filter(|entry| entry.as_ref().unwrap().path().extension().is_some());
    assert_eq!(left.count(), 0, "half of an upload is left");
}
