use super::*;
use fluglog_base::input::Fields;
use std::collections::HashSet;

#[test]
fn each_template_has_its_name_its_items_and_its_source() {
    let all = templates(None);
    let names: HashSet<_> = all.iter().map(|template| &template.template).collect();
    assert_eq!(names.len(), all.len());
    for template in &all {
        assert!(
            !template.types.is_empty() && !template.source.is_empty(),
            "{}",
            template.title
        );
        assert!(template.title.chars().count() <= 200 && template.template.len() <= 40);
        let limits = &template.limits;
        assert!(
            limits.cycles.is_none() || template.types == [Kind::Battery],
            "{}",
            template.title
        );
    }
    let of_copters = templates(Some(Kind::Copter));
    assert!(of_copters.iter().all(|template| template.types.contains(&Kind::Copter)));
    assert!(of_copters.len() > 5 && of_copters.len() < all.len());
}

/// A job of a copter whose flights a test counts itself.
pub(crate) struct TestJob {
    copter: u128,
    job: Job,
    counted: Counted,
}

/// Returns the jobs of a copter from the first four templates for copters.
pub(crate) fn four_jobs(copter: u128, today: Date) -> Vec<TestJob> {
    let since = WallTime::from_minutes(i64::from(today.days()) * DAY_MINUTES).unwrap();
    let of_copters = templates::ALL
        .iter()
        .filter(|template| template.kinds == [Kind::Copter]);
    let jobs = of_copters.take(4).zip(1..).map(|(template, number)| {
        let form = serde_json::json!({
            "title": template.title,
            "hours": template.hours,
            "flights": template.flights,
            "days": template.days,
        });
        let changes = model::EntryChanges::read(&Fields::from_json(&form.to_string()).unwrap()).unwrap();
        let item = (EquipmentId::from_key(copter), Kind::Copter);
        let job = Job::new(JobId::from_key(copter * 100 + number), item, &changes, since, 0).unwrap();
        TestJob {
            copter,
            job,
            counted: Counted::default(),
        }
    });
    jobs.collect()
}

impl TestJob {
    pub(crate) fn fly(&mut self, copter: u128, flights: i64, minutes: i64) {
        if copter == self.copter {
            self.counted.flights += flights;
            self.counted.milliminutes += flights * minutes * 1000;
        }
    }

    pub(crate) fn due(&self, today: Date) -> Option<DueJob> {
        let present = Present {
            counted: self.counted,
            cycles: None,
            usage: Counted::default(),
            today,
            is_retired: false,
        };
        let standing = standing(&self.job, &present);
        (standing.level > Light::Green).then(|| DueJob {
            item: self.job.item,
            name: format!("Copter {}", self.copter),
            kind: Kind::Copter,
            job: self.job.id,
            title: self.job.entries.title.clone(),
            is_overdue: standing.level == Light::Red,
            text: standing.text,
        })
    }

    pub(crate) fn complete(&mut self, today: Date) {
        let time = WallTime::from_minutes(i64::from(today.days()) * DAY_MINUTES).unwrap();
        self.job.restart(model::RunKind::Done, time);
        self.counted = Counted::default();
    }
}
