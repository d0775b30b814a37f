//! Budgets of the server's own tasks, which no request begins. Code that starts or runs a task, or writes for it, takes
//! the bounds from the task's row here. Knows nothing of the work of a task.

use std::time::Duration;

use super::permits::Kind;

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);

/// A task that runs as long as the server does, or once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Sends mails.
    Mails,
    /// Tells pilots in the evening what waits.
    Reminders,
    /// Looks for problems of the server.
    Problems,
    /// Removes records that are over.
    Expired,
    /// Removes files that no record names.
    Orphans,
    /// Goes on with deletions of accounts and spaces.
    Deletions,
    /// Checks voltages that an earlier version imported.
    Voltages,
    /// Imports what is put into the admin's folder.
    ImportFolder,
    /// Renews the certificate.
    Certificate,
    /// Returns memory of password hashing.
    HashMemory,
    /// Tells systemd that the server works.
    Watchdog,
    /// Answers monitors.
    Metrics,
    /// Answers the admin's commands, backups among them.
    Commands,
}

/// Limits of one task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Time between two rounds. `None`: it runs once, when something asks for it, or as a setting says.
    pub every: Option<Duration>,
    /// Most processor time of one of its transactions, in which everybody's changes wait. Each takes a hundredth of it
    /// on a PC.
    pub writer: Duration,
    /// Most records that one of its transactions changes, and most answers that it gives at once.
    pub at_once: usize,
    /// The kinds of permits that it may wait for, in the order in which it may. Its evaluations take turns with those
    /// of the pilots.
    pub permits: &'static [Kind],
}

impl Task {
    pub const ALL: [Task; 13] = [
        Task::Mails,
        Task::Reminders,
        Task::Problems,
        Task::Expired,
        Task::Orphans,
        Task::Deletions,
        Task::Voltages,
        Task::ImportFolder,
        Task::Certificate,
        Task::HashMemory,
        Task::Watchdog,
        Task::Metrics,
        Task::Commands,
    ];

    #[must_use]
    pub const fn budget(self) -> Budget {
        match self {
            Task::Mails => Budget::of(None),
            // The evaluation runs outside the writer; a transaction records the reminders of one pilot.
            Task::Reminders => Budget::of(Some(MINUTE.saturating_mul(5))),
            Task::Problems => Budget::of(Some(HOUR)),
            Task::Expired => Budget {
                at_once: 200,
                ..Budget::of(Some(MINUTE.saturating_mul(10)))
            },
            // Reads all data, and changes no record.
            Task::Orphans => Budget {
                at_once: 0,
                ..Budget::of(Some(HOUR.saturating_mul(24)))
            },
            Task::Deletions => Budget {
                at_once: 1000,
                ..Budget::of(Some(MINUTE.saturating_mul(10)))
            },
            Task::Voltages => Budget {
                permits: &[Kind::Evaluation],
                ..Budget::of(None)
            },
            // The imports are writes of the pilot whose files they are.
            Task::ImportFolder => Budget {
                permits: &[Kind::Evaluation, Kind::Picture],
                ..Budget::of(None)
            },
            Task::Certificate => Budget {
                at_once: 0,
                ..Budget::of(Some(HOUR.saturating_mul(12)))
            },
            Task::HashMemory => Budget {
                at_once: 0,
                ..Budget::of(Some(SECOND.saturating_mul(15)))
            },
            Task::Watchdog => Budget {
                at_once: 0,
                ..Budget::of(None)
            },
            Task::Metrics => Budget {
                at_once: 8,
                ..Budget::of(None)
            },
            // A backup, an export and a question; more commands wait for one of them.
            Task::Commands => Budget {
                at_once: 16,
                permits: &[Kind::Evaluation, Kind::Picture],
                ..Budget::of(None)
            },
        }
    }
}

impl Budget {
    /// A task that changes a record at a time and waits for nothing.
    const fn of(every: Option<Duration>) -> Budget {
        Budget {
            every,
            writer: SECOND,
            at_once: 1,
            permits: &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_task_keeps_others_from_their_work() {
        for task in Task::ALL {
            let budget = task.budget();
            assert!(budget.writer <= SECOND && budget.at_once <= 1000, "{task:?}");
            assert!(budget.every.is_none_or(|every| every >= 10 * SECOND), "{task:?}");
            assert!(budget.permits.windows(2).all(|pair| pair[0] < pair[1]), "{task:?}");
            // Answers are for those who ask.
            assert!(!budget.permits.contains(&Kind::Answer), "{task:?}");
        }
    }
}
