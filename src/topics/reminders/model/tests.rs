use super::*;
use fluglog_base::id::{DocumentId, JobId};

const RED: Mark = Mark::Level(Level::Red);
const AMBER: Mark = Mark::Level(Level::Amber);

fn day(days: i32) -> Date {
    Date::from_days(20_000 + days).unwrap()
}

fn pack(key: u128, level: Level) -> Waiting {
    let id = EquipmentId::from_key(key);
    let hint = PackHint {
        dpf_id: id.to_string(),
        name: format!("Akku {key}"),
        rule: Rule::Full,
        level,
        can_dismiss: false,
        text: "Voll".to_owned(),
    };
    Waiting::of_pack(id, hint)
}

fn job(key: u128, is_overdue: bool) -> Waiting {
    Waiting::of_job(DueJob {
        item: EquipmentId::from_key(1),
        name: "Apex".to_owned(),
        kind: Kind::Copter,
        job: JobId::from_key(key),
        title: "Propeller prüfen".to_owned(),
        is_overdue,
        text: "jetzt fällig".to_owned(),
    })
}

fn proof(key: u128, step: i16) -> Waiting {
    Waiting::of_proof(DueProof {
        document: DocumentId::from_key(key),
        title: "A2".to_owned(),
        light: Light::Amber,
        sentence: "Läuft ab.".to_owned(),
        days_left: step.into(),
        step: Step {
            until: 21_000,
            days: step,
        },
    })
}

#[test]
fn the_list_has_the_gravest_first_and_in_a_mail_each_line_names_its_thing() {
    let mut waiting = [
        pack(1, Level::Amber),
        job(2, false),
        pack(3, Level::Red),
        proof(4, 30),
        job(5, true),
    ];
    sort(&mut waiting);
    let topics: Vec<_> = waiting.iter().map(|one| (one.line.level, one.line.topic)).collect();
    assert_eq!(
        topics,
        [
            (Level::Red, LineTopic::Maintenance),
            (Level::Red, LineTopic::Battery),
            (Level::Amber, LineTopic::Proof),
            (Level::Amber, LineTopic::Maintenance),
            (Level::Amber, LineTopic::Battery),
        ]
    );
    let mail = in_mail(&waiting[..2]);
    assert_eq!(mail, "- Apex, Propeller prüfen: jetzt fällig\n- Akku 3: Voll");
}

#[test]
fn several_of_a_kind_are_one_line_and_what_is_grave_of_one_thing_stands_alone() {
    let of = |rule, key, level| {
        let mut pack = pack(key, level);
        pack.line.group = group_of_packs(rule, level);
        pack
    };
    let mut waiting = vec![
        of(Rule::Damaged, 1, Level::Red),
        of(Rule::Damaged, 2, Level::Red),
        of(Rule::Full, 3, Level::Red),
        job(10, true),
        job(11, true),
        job(12, false),
        proof(20, 30),
        proof(21, 30),
        of(Rule::Full, 4, Level::Amber),
        of(Rule::Empty, 5, Level::Amber),
        of(Rule::Unchecked, 6, Level::Amber),
    ];
    settle_groups(&mut waiting);
    let lines: Vec<_> = folded(&waiting).iter().map(|line| line.len()).collect();
    assert_eq!(lines, [1, 1, 1, 2, 1, 1, 1, 2, 1]);
    let mail = in_mail(&waiting);
    for line in [
        "- 2 Wartungen an Apex: Propeller prüfen, Propeller prüfen\n",
        "- Apex, Propeller prüfen: jetzt fällig\n",
        "\n- 2 Akkus einlagern: Akku 4, Akku 5\n- Akku 6: Voll",
    ] {
        assert!(mail.contains(line), "{line} in {mail}");
    }
    // Only lines that share their group with others have one.
    let grouped = waiting.iter().filter(|one| one.line.group.is_some());
    assert_eq!(grouped.count(), 4);
}

#[test]
fn jobs_that_will_be_due_are_one_line_which_names_the_item_if_it_is_one() {
    let of = |copter: u128, key: u128| {
        let mut job = job(key, false);
        job.line.dpf_id = EquipmentId::from_key(copter).to_string();
        job
    };
    let title = |mut waiting: Vec<Waiting>| {
        settle_groups(&mut waiting);
        let group = waiting.swap_remove(0).line.group;
        group.map(|group| group.title).unwrap_or_default()
    };
    assert_eq!(title(vec![of(1, 1), of(1, 2)]), "Wartungen an Apex");
    assert_eq!(title(vec![of(1, 1), of(2, 2)]), "Wartungen bald fällig");
    assert_eq!(title(vec![of(1, 1)]), "");
}

#[test]
fn a_pack_stands_as_its_gravest_hint_says() {
    let hints = [
        pack(1, Level::Amber),
        pack(1, Level::Red),
        pack(1, Level::Amber),
        pack(2, Level::Amber),
    ];
    assert_eq!(gravest(&hints), Reported::from([(1, RED), (2, AMBER)]));
}

#[test]
fn only_what_became_worse_is_news() {
    for (told, now, expected) in [
        (None, AMBER, true),
        (None, RED, true),
        (Some(AMBER), AMBER, false),
        (Some(AMBER), RED, true),
        (Some(RED), RED, false),
        (Some(RED), AMBER, false),
    ] {
        assert_eq!(is_worse(told, now), expected, "{told:?} {now:?}");
    }
}

/// Returns the days of `days` on which a mail is sent, if `waiting` waits on each.
fn mailed(days: i32, waiting: impl Fn(i32) -> Vec<Waiting>) -> Vec<i32> {
    let (mut told, mut mails) = (Reported::new(), Vec::new());
    let mut mailed = Vec::new();
    for at in 0..days {
        let decision = decide(&told, &mails, &waiting(at), day(at));
        mailed.extend(decision.is_mailed.then_some(at));
        (told, mails) = (decision.told, decision.mails);
    }
    mailed
}

#[test]
fn a_mail_names_each_thing_once_for_each_level_and_each_step() {
    let level = |at: i32| if at < 10 { Level::Amber } else { Level::Red };
    assert_eq!(mailed(30, |at| vec![pack(1, level(at))]), [0, 10]);
    assert_eq!(mailed(30, |at| vec![job(1, at >= 10)]), [0, 10]);
    assert_eq!(mailed(30, |at| vec![proof(1, if at < 10 { 30 } else { 14 })]), [0, 10]);
    // Done, and due again.
    assert_eq!(
        mailed(30, |at| if at == 12 { Vec::new() } else { vec![job(1, true)] }),
        [0, 13]
    );
}

#[test]
fn a_week_has_two_mails_and_later_ones_contain_what_they_left_out() {
    // Something new every day.
    let growing = |at: i32| (0..=at).map(|key| job(u128::try_from(key).unwrap(), true)).collect();
    let days = mailed(60, growing);
    for pair in days.windows(3) {
        assert!(pair[2] - pair[0] >= WEEK_DAYS, "{days:?}");
    }
    // The third thing of a week waits until the first mail is a week old, and only then is it told.
    let three = |at: i32| {
        (0..=at.min(2))
            .map(|key| job(u128::try_from(key).unwrap(), true))
            .collect()
    };
    assert_eq!(mailed(30, three), [0, 1, 7]);
    // What isn't grave waits for three days after a mail.
    let calm = |at: i32| {
        (0..=at.min(1))
            .map(|key| job(u128::try_from(key).unwrap(), false))
            .collect()
    };
    assert_eq!(mailed(30, calm), [0, 3]);
}

mod year {
    //! A year of a pilot with twelve packs, three copters with four jobs each, and six proofs.

    use std::collections::HashSet;

    use super::*;
    use crate::maintenance::tests::{TestJob, four_jobs};

    const DAYS: i32 = 365;
    const FLIGHTS_OF_AN_OUTING: i64 = 3;
    const PACKS: u128 = 12;
    /// Days after which a hint about a pack that lies empty comes, and gets grave.
    const EMPTY: [i32; 2] = [2, 7];

    /// Returns whether the pilot flies: on most Saturdays, in winter on every third, in summer also on some Sundays.
    fn flies(at: i32) -> bool {
        let (week, is_summer) = (at / 7, (60..300).contains(&at));
        match at % 7 {
            5 => is_summer || week % 3 == 0,
            6 => is_summer && week % 2 == 0,
            _ => false,
        }
    }

    /// Returns what waits on each evening of the year.
    fn evenings() -> Vec<Vec<Waiting>> {
        let mut jobs: Vec<TestJob> = (1..=3).flat_map(|copter| four_jobs(copter, day(0))).collect();
        let mut empty_since = std::collections::HashMap::new();
        let mut outing = 0_u128;
        let mut all = Vec::new();
        for at in 0..DAYS {
            if flies(at) {
                outing += 1;
                let copter = outing % 3 + 1;
                jobs.iter_mut().for_each(|job| job.fly(copter, FLIGHTS_OF_AN_OUTING, 6));
                // Flown in turn; every fourth time the pilot forgets to store them for some days.
                let stored_after = if outing.is_multiple_of(4) { 4 } else { 1 };
                for pack in 0..3 {
                    empty_since.insert((outing * 3 + pack) % PACKS, (at, at + stored_after));
                }
            }
            empty_since.retain(|_, (_, until)| at < *until);
            let mut waiting: Vec<_> = jobs
                .iter()
                .filter_map(|job| job.due(day(at)))
                .map(Waiting::of_job)
                .collect();
            for (key, (since, _)) in &empty_since {
                let level = match at - since {
                    days if days >= EMPTY[1] => Level::Red,
                    days if days >= EMPTY[0] => Level::Amber,
                    _ => continue,
                };
                waiting.push(pack(1000 + key, level));
            }
            waiting.extend(proofs(at));
            sort(&mut waiting);
            all.push(waiting);
            // Sunday is for the workshop.
            if at % 7 == 6 {
                jobs.iter_mut()
                    .filter(|job| job.due(day(at)).is_some())
                    .for_each(|job| job.complete(day(at)));
            }
        }
        all
    }

    /// Six proofs that end in the course of the year and are renewed a week before.
    fn proofs(at: i32) -> Vec<Waiting> {
        const STEPS: [i16; 6] = [180, 90, 30, 14, 7, 0];
        let ends = [40, 100, 150, 210, 260, 330].into_iter().zip(1..);
        let waiting = ends.filter_map(|(end, key)| {
            let left = end - at;
            let step = STEPS.into_iter().filter(|step| left <= i32::from(*step)).min()?;
            (left > 7).then(|| proof(2000 + key, step))
        });
        waiting.collect()
    }

    fn line_key(line: &[&Waiting]) -> String {
        let first = line[0];
        let group = first.line.group.as_ref();
        group.map_or_else(|| first.key.to_string(), |group| group.key.clone())
    }

    #[test]
    fn a_year_of_evenings_brings_two_mails_a_week_at_most_and_few_new_lines() {
        let evenings = evenings();
        let mails = mailed(DAYS, |at| evenings[usize::try_from(at).unwrap()].clone());
        for three in mails.windows(3) {
            assert!(three[2] - three[0] >= WEEK_DAYS, "{mails:?}");
        }
        // Lines that weren't on the list on the evening before; what is in one group is one line, at each level.
        let (mut before, mut weeks) = (HashSet::new(), [0; 53]);
        for (at, waiting) in evenings.iter().enumerate() {
            let now: HashSet<_> = folded(waiting).iter().map(|line| line_key(line)).collect();
            weeks[at / 7] += now.difference(&before).count();
            before = now;
        }
        assert!(weeks.iter().all(|lines| *lines <= 3), "{weeks:?}");
    }
}
