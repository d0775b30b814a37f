//! All calls of the API, joined from the topics. The server dispatches by the list; the OpenAPI document
//! (`/app/api/openapi.json`) and the types of the user interface are generated from it.

use crate::{admin, alarms, export};
use fluglog_accounts::call::Call;
use fluglog_topics::{
    documents, equipment, feedback, flights, imports, logbook, logs, maintenance, packs, quota, reminders, statistics,
    transfers,
};

/// The calls of each topic.
const TOPICS: &[&[Call]] = &[
    fluglog_accounts::api::CALLS,
    fluglog_accounts::spaces::api::CALLS,
    feedback::api::CALLS,
    packs::api::CALLS,
    equipment::stickers::api::CALLS,
    equipment::prior_flights::api::CALLS,
    reminders::api::CALLS,
    flights::api::CALLS,
    transfers::api::CALLS,
    imports::api::CALLS,
    documents::api::CALLS,
    documents::proofs::api::CALLS,
    logs::api::CALLS,
    maintenance::api::CALLS,
    statistics::api::CALLS,
    logbook::api::CALLS,
    quota::api::CALLS,
    export::api::CALLS,
    admin::api::CALLS,
    alarms::api::CALLS,
];

pub fn all() -> impl Iterator<Item = &'static Call> {
    TOPICS.iter().copied().flatten()
}

/// Finds a call by name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Call> {
    all().find(|call| call.name == name)
}

#[cfg(test)]
mod document;
#[cfg(test)]
mod types;

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_accounts::call::Handler;
    use fluglog_web::form;

    #[test]
    fn no_call_is_listed_twice() {
        let mut names: Vec<_> = all().map(|call| call.name).collect();
        let listed = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), listed);
    }

    #[test]
    fn each_call_has_a_budget_that_it_can_keep() {
        for call in all() {
            let budget = call.budget();
            let waits_in_order = budget.permits.windows(2).all(|pair| pair[0] < pair[1]);
            assert!(waits_in_order, "{}: {:?}", call.name, budget.permits);
            let is_open = !budget.is_of_pilot && !call.is_of_admin_page();
            if is_open {
                assert_eq!(
                    (budget.form_bytes, budget.file_bytes),
                    (form::SMALL_BYTES, 0),
                    "{}",
                    call.name
                );
            }
            // Such a request waits for nothing, because it is not known whose it is, or holds a place that others need.
            if is_open || matches!(call.handler, Handler::Record(_) | Handler::Pilot(_)) {
                assert!(budget.permits.is_empty(), "{}: {:?}", call.name, budget.permits);
            }
        }
    }
}
