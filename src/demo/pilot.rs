//! The pilot of the demo, and the calendar of the year.

use fluglog_accounts::guard::Viewer;
use fluglog_accounts::operation::Operation;
use fluglog_app::App;
use fluglog_base::time::WallTime;

pub(crate) const DAYS: i64 = 365;
pub const MINUTES_PER_DAY: i64 = 24 * 60;

/// The demo pilot, and the pilot's current time.
pub struct Pilot {
    pub app: App,
    pub viewer: Viewer,
    pub now: WallTime,
    pub now_unix_seconds: i64,
}

impl Pilot {
    pub fn operation(&self) -> Operation {
        Operation::not_idempotent(self.viewer)
    }

    /// The time `minute` minutes after midnight, `days_ago` days ago.
    pub fn time(&self, days_ago: i64, minute: i64) -> WallTime {
        let midnight = self.now.minutes() - self.now.minutes().rem_euclid(MINUTES_PER_DAY);
        WallTime::from_minutes(midnight - days_ago * MINUTES_PER_DAY + minute).unwrap_or(self.now)
    }

    /// The date `days_ago` days ago, as forms expect it.
    pub fn date(&self, days_ago: i64) -> String {
        self.time(days_ago, 0).date().to_string()
    }

    /// Sets the clock to a time; off by an hour if the clocks have changed for summer time since.
    pub(crate) fn go_to(&self, time: WallTime) {
        let then = self.now_unix_seconds - (self.now.minutes() - time.minutes()) * 60;
        self.app.clock.advance(then - self.app.clock.unix_seconds());
    }
}
