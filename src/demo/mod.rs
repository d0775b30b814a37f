//! A believable pilot for trying out the app: one user and a year of flights up to today, with everything that belongs
//! to them. Made through the functions that the API uses, so the demo contains nothing that a pilot couldn't have
//! entered.
//!
//! The app's clock is set back and follows the events, so that items are retired and documents uploaded on their days
//! in that year. Demos made on the same day differ only in ids.

mod course;
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
    // The account is added today; otherwise the server would complain about a year without backups.
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
