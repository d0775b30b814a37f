//! A believable pilot for looking around: one user and a year of flights up to today, with everything that gathers around them. Made
//! through the same functions as everything else, so that nothing in the demo is what a pilot couldn't have entered.
//!
//! The app's clock is put back and follows what it makes: an item is retired and a document uploaded on a day of that year. The same
//! day makes the same demo, but for ids.

mod chance;
mod hangar;
mod landscape;
mod paper;
mod papers;
mod pictures;
mod year;

use crate::accounts::administration;
use crate::accounts::guard::{self, Viewer};
use crate::accounts::operation::Operation;
use crate::app::App;
use crate::base::error::Result;
use crate::base::time::{Clock, WallTime};

/// Who logs in to the demo.
pub const EMAIL: &str = "demo@example.org";
pub const PASSWORD: &str = "fluglog-demo";
const NICKNAME: &str = "Luftikus";

const DAYS: i64 = 365;
const MINUTES_PER_DAY: i64 = 24 * 60;

/// What was made, counted.
#[derive(Debug, Default)]
pub struct Made {
    pub items: usize,
    pub flights: usize,
    pub images: usize,
    pub logs: usize,
    pub documents: usize,
}

/// The pilot whose year it is, and how late it is there.
struct Pilot {
    app: App,
    viewer: Viewer,
    now: WallTime,
    now_unix_seconds: i64,
}

impl Pilot {
    /// The right to one change.
    fn operation(&self) -> Operation {
        Operation::unrecorded(self.viewer)
    }

    /// So many minutes after midnight, so many days ago.
    fn time(&self, days_ago: i64, minute: i64) -> WallTime {
        let midnight = self.now.minutes() - self.now.minutes().rem_euclid(MINUTES_PER_DAY);
        WallTime::from_minutes(midnight - days_ago * MINUTES_PER_DAY + minute).unwrap_or(self.now)
    }

    /// The day so many days ago, as the forms take it.
    fn date(&self, days_ago: i64) -> String {
        self.time(days_ago, 0).date().to_string()
    }

    /// Puts the clock to a time; an hour more or less where the zone changed to or from summer time since.
    fn go_to(&self, time: WallTime) {
        let then = self.now_unix_seconds - (self.now.minutes() - time.minutes()) * 60;
        self.app.clock.advance(then - self.app.clock.unix_seconds());
    }
}

/// Fills an empty database.
///
/// # Errors
/// An unwritable database or disk.
pub fn fill(mut app: App) -> Result<Made> {
    let now = app.clock.now();
    let now_unix_seconds = app.clock.unix_seconds();
    app.clock = Clock::fixed(now_unix_seconds - DAYS * MINUTES_PER_DAY * 60, app.config.time_zone);
    administration::add_user(&app, EMAIL, NICKNAME, Some(PASSWORD))?;
    app.clock.advance(now_unix_seconds - app.clock.unix_seconds());
    let viewer = app.store.read(|data| guard::named_by_admin(data, EMAIL))?;
    let pilot = Pilot {
        app,
        viewer,
        now,
        now_unix_seconds,
    };
    let hangar = hangar::equip(&pilot)?;
    let flights = year::fly(&pilot, &hangar)?;
    let images = pictures::take(&pilot, &flights)?;
    let (logs, documents) = papers::file(&pilot, &hangar, &flights)?;
    hangar::retire(&pilot, &hangar)?;
    Ok(Made {
        items: hangar.items,
        flights: flights.len(),
        images,
        logs,
        documents,
    })
}
