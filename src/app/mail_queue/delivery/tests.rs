use super::*;
use crate::mail_queue::{MAX_LINE, Priority, put};
use fluglog_mail::address::Email;
use fluglog_store::Writer;

#[test]
fn each_further_try_waits_twice_as_long_and_at_most_an_hour() {
    let waits: Vec<_> = (0..9).map(|tries| retry_seconds(30.0, tries)).collect();
    assert_eq!(waits, [30, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
    assert_eq!(retry_seconds(1.0, u32::MAX), 3600);
}

#[test]
fn in_a_line_who_asked_less_often_comes_first_and_nobody_takes_another_s_place() {
    let directory = tempfile::tempdir().unwrap();
    let store = fluglog_store::Store::open(directory.path(), true).unwrap();
    let email = Email::parse("anna@example.org").unwrap();
    let code = |number: u128| QueuedMail::Code {
        registration: (number, number),
    };
    let (to, line) = (email.clone(), Lane::UnknownBrowsers);
    store
        .write(move |writer| {
            // One network asks three times, then another one, and then as often as a line is long.
            for (number, turn) in [(1, 0), (2, 1), (3, 2), (4, 0), (4, 0)] {
                put(writer, &to, code(number), Priority { line, turn }, 100, 60)?;
            }
            (10..40).try_for_each(|number| put(writer, &to, code(number), Priority { line, turn: 3 }, 100, 60))
        })
        .unwrap();
    let mail = store
        .read(|data| data.get::<MailRecord>(line.key(&email)))
        .unwrap()
        .unwrap();
    let letters: Vec<_> = mail.letters.into_iter().map(|waiting| waiting.letter).collect();
    assert_eq!(letters.len(), MAX_LINE);
    assert_eq!(letters[..4], [code(1), code(4), code(2), code(3)]);
}

#[test]
fn a_notice_that_comes_while_another_is_sent_goes_out_at_once_and_a_second_login_waits() {
    let directory = tempfile::tempdir().unwrap();
    let config = fluglog_config::Config::default();
    let store = fluglog_store::Store::open(directory.path(), true).unwrap();
    let app = App {
        clock: fluglog_base::time::Clock::fixed(100, config.time_zone),
        ..App::new(config, store)
    };
    let letter = |time| QueuedMail::AddressChanged { user: 1, time };
    let email = Email::parse("anna@example.org").unwrap();
    for (line, next) in [(Lane::Notices, 100), (Lane::UnknownBrowsers, 160)] {
        let to = email.clone();
        let both = move |writer: &Writer<'_>| {
            (0..2).try_for_each(|time| put(writer, &to, letter(time), Priority { line, turn: 0 }, 100, 0))
        };
        app.store.write(both).unwrap();
        record_outcome(&app, line.key(&email), letter(0), Outcome::Delivery).unwrap();
        let mail = app.store.read(|data| data.get::<MailRecord>(line.key(&email)));
        let mail = mail.unwrap().unwrap();
        assert_eq!((mail.letters.len(), mail.next), (1, next));
    }
}

/// Sends what the limit permits at once, of letters that are due in this order; returns which were sent.
fn sent_of(queue: &mut Queue, most: usize, letters: &[(MailKey, u32)]) -> Vec<bool> {
    let mut went = Vec::new();
    for (key, turn) in letters {
        let goes = queue.permitted_at(most, *key, *turn, 100) == 100;
        if goes {
            queue.sent.push_back((100, *key));
        }
        went.push(goes);
    }
    went
}

fn queue() -> Queue {
    Queue {
        compose: |_, _, _| Ok(None),
        composed: HashMap::new(),
        sent: VecDeque::new(),
    }
}

fn key(line: Lane, address: u128) -> MailKey {
    (address, 0, line.number())
}

#[test]
fn letters_for_one_address_leave_mails_to_other_addresses() {
    let mut queue = queue();
    // Five networks request a mail to one address, five times each.
    let asked: Vec<_> = (0..25).map(|at| (key(Lane::UnknownBrowsers, 1), at / 5)).collect();
    let went = sent_of(&mut queue, 20, &asked).into_iter().filter(|went| *went).count();
    assert!((6..=8).contains(&went), "{went} of 15");
    let others: Vec<_> = (2..6).map(|address| (key(Lane::UnknownBrowsers, address), 0)).collect();
    assert_eq!(sent_of(&mut queue, 20, &others), [true; 4]);
}

#[test]
fn networks_that_ask_for_many_codes_leave_some_and_pilots_have_the_last_quarter() {
    let mut queue = queue();
    for network in 0..4 {
        let asked: Vec<_> = (0..5).map(|turn| (key(Lane::Codes, 10 * network + 1), turn)).collect();
        assert!(sent_of(&mut queue, 20, &asked)[0], "network {network}");
    }
    let logins: Vec<_> = (100..140)
        .map(|address| (key(Lane::UnknownBrowsers, address), 0))
        .collect();
    sent_of(&mut queue, 20, &logins);
    assert_eq!(queue.sent.len(), 15);
    let known: Vec<_> = (0..6).map(|_| (key(Lane::KnownBrowsers, 1), 0)).collect();
    assert_eq!(sent_of(&mut queue, 20, &known), [true, true, true, true, true, false]);
}

#[test]
fn links_to_other_addresses_go_after_all_other_mails() {
    let mut lines: Vec<_> = (0..6).collect();
    lines.sort_by_key(|line| Lane::rank(*line));
    assert_eq!(lines.first(), Some(&Lane::KnownBrowsers.number()));
    assert_eq!(lines.last(), Some(&Lane::NewAddresses.number()));
}
