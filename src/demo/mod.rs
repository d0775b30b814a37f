//! A believable pilot for looking around: one user and a year of flights up to today, with everything that gathers
//! around them. Made through the same functions as everything else, so that nothing in the demo is what a pilot
//! couldn't have entered.
//!
//! The app's clock is put back and follows what it makes: an item is retired and a document uploaded on a day of that
//! year. The same day makes the same demo, but for ids.

mod hangar;
mod papers;
mod pictures;
mod pilot;
mod views;
mod year;

use fluglog_accounts::administration::{self, ChangeError};
use fluglog_accounts::guard;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::time::Clock;

use pilot::Pilot;

/// The demo pilot's e-mail.
pub const EMAIL: &str = "demo@example.org";
pub const PASSWORD: &str = "fluglog-demo";
const NICKNAME: &str = "Luftikus";

/// Counts of the objects that were made.
#[derive(Debug, Default)]
pub struct Counts {
    pub items: usize,
    pub flights: usize,
    pub images: usize,
    pub logs: usize,
    pub documents: usize,
}

/// Fills an empty database.
///
/// # Errors
/// An unwritable database or disk.
pub fn fill(mut app: App) -> Result<Counts> {
    let now = app.clock.now();
    let now_unix_seconds = app.clock.unix_seconds();
    // Today, so that nobody misses the backups of a year.
    app.clock = Clock::fixed(now_unix_seconds, app.config.time_zone);
    administration::add_user(&app, EMAIL, NICKNAME, Some(PASSWORD), false).map_err(|unchanged| match unchanged {
        ChangeError::Rule(rule) => rule.into(),
        ChangeError::LastOperator => Error::Internal("a new user is no operator".to_owned()),
        ChangeError::Failed(error) => error,
    })?;
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
    Ok(Counts {
        items: hangar.items,
        flights: flights.len(),
        images,
        logs,
        documents,
    })
}
