//! When something was done: the time on the pilot's clock and, so that it may be one of any zone, its instant. What
//! waited for a network is sent later, with the time at which it was done.

use fluglog_app::App;
use fluglog_base::error::Result;
use fluglog_base::field::Field;
use fluglog_base::input::Fields;
use fluglog_base::text;
use fluglog_base::time::{Instant, WallTime};

pub const TIME: Field<WallTime> = Field::time("time");
/// The instant of [`TIME`].
pub const INSTANT: Field<Instant> = Field::instant("instant");

/// A time may be this much in the future, because the clocks of phones and servers differ.
const MAX_AHEAD_MINUTES: i64 = 5;

/// Returns the fields, whose `time` is one of any zone if its instant is sent, and else of the server's clock.
pub(crate) fn with_zone(fields: &Fields) -> Result<Fields> {
    let is_of_any_zone = INSTANT.read(fields)?.is_some();
    Ok(fields.clone().in_zone(fields.zone().filter(|_| !is_of_any_zone)))
}

/// Reads when something was done; now, unless `time` is sent.
pub(crate) fn past_time(app: &App, fields: &Fields) -> Result<WallTime> {
    let (time, instant) = (TIME.read(fields)?, INSTANT.read(fields)?);
    let now = app.clock.now();
    let here = instant.map(|instant| app.clock.wall_time_at(instant.unix_seconds()));
    let here = here.or(time).unwrap_or(now);
    if now.plus_minutes(MAX_AHEAD_MINUTES).is_some_and(|latest| here > latest) {
        return Err(TIME.invalid(text::TIME_IN_FUTURE));
    }
    Ok(time.unwrap_or(here))
}
