//! Whether anybody still waits for a piece of work. Knows no work.

use std::sync::{Arc, Weak};

/// Somebody waits for some work until this is dropped.
#[derive(Default)]
pub struct Waiter(Arc<()>);

/// The wait as the work sees it.
#[derive(Clone)]
pub struct Waiting(Option<Weak<()>>);

impl Waiter {
    /// The view of it that the work is given.
    #[must_use]
    pub fn waiting(&self) -> Waiting {
        Waiting(Some(Arc::downgrade(&self.0)))
    }
}

impl Waiting {
    /// Of work that is done whoever waits.
    #[must_use]
    pub fn in_any_case() -> Waiting {
        Waiting(None)
    }

    /// Whether the work is for nobody.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.0.as_ref().is_some_and(|waiter| waiter.strong_count() == 0)
    }
}
