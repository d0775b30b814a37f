//! All tables on one page. Owner first in every key of a pilot's data, so that one pilot's data is one range.
//!
//! The shape of a table's records stands with the record that names it (`Record::TABLE`), in the `table.rs` of its topic. An index holds keys
//! only; it is a pure function of the records and is written by the same function as they are.

use super::table::{Index, Table};

/// `0` → the schema number and the version of Fluglog that wrote it.
pub const META: Table<u128> = Table::new("meta");

/// `0` → the last backup
pub const BACKUPS: Table<u128> = Table::new("backups");

/// user → account
pub const USERS: Table<u128> = Table::new("users");
/// digest of the folded e-mail address → user
pub const USERS_BY_EMAIL: Table<(u128, u128)> = Table::new("users_by_email");
/// digest of the session cookie → session
pub const SESSIONS: Table<(u128, u128)> = Table::new("sessions");
/// digest of the persistent login token → login token
pub const LOGIN_TOKENS: Table<(u128, u128)> = Table::new("login_tokens");
/// digest of the cookie → the login by mail that waits for its confirmation
pub const LOGIN_REQUESTS: Table<(u128, u128)> = Table::new("login_requests");
/// digest of the token in a mailed link → the login that it confirms
pub const LOGIN_LINKS: Table<(u128, u128)> = Table::new("login_links");
/// digest of the cookie → the registration that waits for its code
pub const REGISTRATIONS: Table<(u128, u128)> = Table::new("registrations");
/// (digest of the folded e-mail address, 0 a login | 1 a code) → the mail that waits to be sent, or when the last one was
pub const MAILS: Table<(u128, u128, u8)> = Table::new("mails");
/// (user, feedback) → what a pilot thinks of the program
pub const FEEDBACK: Table<(u128, u128)> = Table::new("feedback");
/// user → the flight that isn't finished yet
pub const OPEN_FLIGHTS: Table<u128> = Table::new("open_flights");

/// (user, 0 a request | 1 a spent id, the id) → when and by which call it was carried out or spent
pub const REQUESTS: Table<(u128, u8, u128)> = Table::new("requests");
/// (user, sequence, 0 a request | 1 a spent id, the id)
pub const REQUESTS_BY_AGE: Index<(u128, i64, u8, u128)> = Index::new("requests_by_age");

/// (user, item) → item of equipment
pub const EQUIPMENT: Table<(u128, u128)> = Table::new("equipment");
/// (user, item) → what its flights add up to
pub const EQUIPMENT_TOTALS: Table<(u128, u128)> = Table::new("equipment_totals");
/// (user, item, flight) → what that flight did to the item
pub const EQUIPMENT_USES: Table<(u128, u128, u128)> = Table::new("equipment_uses");
/// (user, item, 0 every use | 1 those with a voltage | 2 those with an end voltage, start in minutes, flight)
pub const EQUIPMENT_USES_BY_START: Index<(u128, u128, u8, i64, u128)> = Index::new("equipment_uses_by_start");
/// (user, battery, charging) → charging
pub const CHARGINGS: Table<(u128, u128, u128)> = Table::new("chargings");
/// (user, battery) → what its chargings add up to
pub const CHARGING_TOTALS: Table<(u128, u128)> = Table::new("charging_totals");

/// (user, flight) → flight
pub const FLIGHTS: Table<(u128, u128)> = Table::new("flights");
/// (user, start in minutes, flight)
pub const FLIGHTS_BY_START: Index<(u128, i64, u128)> = Index::new("flights_by_start");

/// user → photo
pub const PHOTOS: Table<u128> = Table::new("photos");
/// (user, document) → document, of the store or of a log
pub const DOCUMENTS: Table<(u128, u128)> = Table::new("documents");
/// digest of the token of a share → share
pub const SHARES: Table<(u128, u128)> = Table::new("shares");
/// (user, log) → log
pub const LOGS: Table<(u128, u128)> = Table::new("logs");
/// (user, item or flight, time in minutes, log)
pub const LOGS_BY_TIME: Index<(u128, u128, i64, u128)> = Index::new("logs_by_time");
/// (user, image) → image of a flight
pub const IMAGES: Table<(u128, u128)> = Table::new("images");
/// (user, flight, place among its images, image)
pub const IMAGES_BY_PLACE: Index<(u128, u128, u32, u128)> = Index::new("images_by_place");
