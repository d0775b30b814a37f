//! All tables on one page. Owner first in every key of a pilot's data, so that one pilot's data is one range.
//!
//! The shape of a table's records stands with the record that names it (`Record::TABLE`), in the `table.rs` of its
//! topic. An index holds keys only; it is a pure function of the records and is written by the same function as they
//! are.

use super::rows::Rows;
use super::table::{Index, Table};

/// The tables of what pilots store, and that doesn't follow from other records.
pub const OWNED: [&dyn Rows; 16] = [
    &FEEDBACK,
    &EQUIPMENT,
    &EQUIPMENT_PROFILES,
    &BATTERY_READINGS,
    &BATTERY_SETS,
    &STICKERS,
    &CHARGINGS,
    &CHARGING_DETAILS,
    &FLIGHTS,
    &FLIGHT_TRACKS,
    &FLIGHT_PROFILES,
    &PHOTOS,
    &CONTACTS,
    &DOCUMENTS,
    &LOGS,
    &IMAGES,
];

/// Declares tables and indexes, and the list of all of them.
macro_rules! schema {
    ($($(#[$about:meta])* $name:ident: $kind:ident<$key:ty> = $text:literal;)*) => {
        $($(#[$about])* pub const $name: $kind<$key> = $kind::new($text);)*

        /// Every table and index, in the order of an archive.
        pub const ALL: &[&dyn Rows] = &[$(&$name),*];
    };
}

schema! {
    /// `0` → the schema number and the version of Fluglog that wrote it.
    META: Table<u128> = "meta";

    /// `0` → the last backup
    BACKUPS: Table<u128> = "backups";

    /// user → account
    USERS: Table<u128> = "users";
    /// digest of the folded e-mail address → user
    USERS_BY_EMAIL: Table<(u128, u128)> = "users_by_email";
    /// digest of the session cookie → session
    SESSIONS: Table<(u128, u128)> = "sessions";
    /// digest of the persistent login token → login token
    LOGIN_TOKENS: Table<(u128, u128)> = "login_tokens";
    /// (user, digest of the device cookie) → a browser that the user has logged in with
    DEVICES: Table<(u128, u128, u128)> = "devices";
    /// digest of the cookie → the login by mail that waits for its confirmation
    LOGIN_REQUESTS: Table<(u128, u128)> = "login_requests";
    /// digest of the token in a mailed link → the login that it confirms
    LOGIN_LINKS: Table<(u128, u128)> = "login_links";
    /// digest of the cookie → the registration that waits for its code
    REGISTRATIONS: Table<(u128, u128)> = "registrations";
    /// digest of the token in a link → what it is good for, once
    ACCOUNT_LINKS: Table<(u128, u128)> = "account_links";
    /// (digest of the folded e-mail address, 0 logins | 1 codes | 2 logins of known browsers | 3 notices | 4 new
    /// addresses) → the letters that wait, or when the last mail was sent
    MAILS: Table<(u128, u128, u8)> = "mails";
    /// (user, feedback) → what a pilot thinks of the program
    FEEDBACK: Table<(u128, u128)> = "feedback";
    /// user → the flight that isn't finished yet
    OPEN_FLIGHTS: Table<u128> = "open_flights";

    /// (user, 0 a request | 1 a spent id, the id) → when and by which call it was carried out or spent
    REQUESTS: Table<(u128, u8, u128)> = "requests";
    /// (user, sequence, 0 a request | 1 a spent id, the id)
    REQUESTS_BY_AGE: Index<(u128, i64, u8, u128)> = "requests_by_age";

    /// (user, item) → item of equipment
    EQUIPMENT: Table<(u128, u128)> = "equipment";
    /// (user, item) → what its flights add up to
    EQUIPMENT_TOTALS: Table<(u128, u128)> = "equipment_totals";
    /// (user, item, flight) → what that flight did to the item
    EQUIPMENT_USES: Table<(u128, u128, u128)> = "equipment_uses";
    /// (user, item, 0 every use | 1 those with a voltage | 2 those with an end voltage, start in minutes, flight)
    EQUIPMENT_USES_BY_START: Index<(u128, u128, u8, i64, u128)> = "equipment_uses_by_start";
    /// (user, battery, charging) → charging
    CHARGINGS: Table<(u128, u128, u128)> = "chargings";
    /// (user, battery) → what its chargings add up to
    CHARGING_TOTALS: Table<(u128, u128)> = "charging_totals";
    /// (user, request) → the chargings that it changed, as they were before
    UNDOS: Table<(u128, u128)> = "undos";
    /// (user, battery, charging) → the charger's own figures
    CHARGING_DETAILS: Table<(u128, u128, u128)> = "charging_details";
    /// (user, item) → its number, and what a battery is made of
    EQUIPMENT_PROFILES: Table<(u128, u128)> = "equipment_profiles";
    /// (user, battery, reading) → voltages and inner resistances of its cells
    BATTERY_READINGS: Table<(u128, u128, u128)> = "battery_readings";
    /// (user, set) → batteries that fly together
    BATTERY_SETS: Table<(u128, u128)> = "battery_sets";
    /// (user, battery) → until when its pilot wants no reminder of it
    BATTERY_SNOOZES: Table<(u128, u128)> = "battery_snoozes";
    /// (user, battery) → what its chargings, readings and flights tell of its health
    BATTERY_HEALTH: Table<(u128, u128)> = "battery_health";
    /// user who wants mails about batteries → of which they were told
    REMINDERS: Table<u128> = "reminders";
    /// (user, item) → the code of its sticker
    STICKERS: Table<(u128, u128)> = "stickers";
    /// (code, user, item)
    STICKERS_BY_CODE: Index<(u128, u128, u128)> = "stickers_by_code";

    /// (user, flight) → flight
    FLIGHTS: Table<(u128, u128)> = "flights";
    /// (user, start in minutes, flight)
    FLIGHTS_BY_START: Index<(u128, i64, u128)> = "flights_by_start";
    /// (user, year, 0 all flights | item) → what they add up to
    FLIGHT_YEARS: Table<(u128, u32, u128)> = "flight_years";
    /// (user, 0 all flights | copter | place, year) → what one looks back on
    FLIGHT_REVIEWS: Table<(u128, u128, u32)> = "flight_reviews";
    /// (user, 0 all flights | copter | place, 0 a place | 1 a copter | 2 a battery, year, that) → how many of these
    /// flights were there or with it
    FLIGHT_SHARES: Table<(u128, u128, u8, u32, u128)> = "flight_shares";
    /// (user, flight) → why its voltages may not be those of its pack
    FLIGHT_DOUBTS: Table<(u128, u128)> = "flight_doubts";
    /// (user, flight, digest of a file, part of it) → what of the file the flight was made of
    FLIGHT_SOURCES: Table<(u128, u128, u128, u32)> = "flight_sources";
    /// (user, digest of a file, part of it, flight)
    FLIGHTS_BY_SOURCE: Index<(u128, u128, u32, u128)> = "flights_by_source";
    /// (user, flight) → where it flew
    FLIGHT_TRACKS: Table<(u128, u128)> = "flight_tracks";
    /// (user, flight) → height, speed, voltage, current and position over its time
    FLIGHT_PROFILES: Table<(u128, u128)> = "flight_profiles";

    /// (user, import) → files that are looked through, and the flights in them
    IMPORTS: Table<(u128, u128)> = "imports";
    /// (user, import, flight in it) → where that flew
    IMPORT_TRACKS: Table<(u128, u128, u32)> = "import_tracks";
    /// (user, import, flight in it) → the profile of that
    IMPORT_PROFILES: Table<(u128, u128, u32)> = "import_profiles";
    /// (user, import, file in it, flight in that) → what the export of another Fluglog says about that flight
    IMPORT_COPIES: Table<(u128, u128, u32, u32)> = "import_copies";
    /// (user, digest of a table's headings) → what its columns mean
    IMPORT_MAPPINGS: Table<(u128, u128)> = "import_mappings";
    /// (user, digest of a file in the admin's folder) → when it was looked through
    IMPORT_DROPS: Table<(u128, u128)> = "import_drops";
    /// (user, digest of a name or serial number in files) → the item that it means
    EQUIPMENT_ALIASES: Table<(u128, u128)> = "equipment_aliases";

    /// user → photo
    PHOTOS: Table<u128> = "photos";
    /// user → how finders of the pilot's gear reach them
    CONTACTS: Table<u128> = "contacts";
    /// user → how much room the user may have, instead of what the settings give each
    QUOTAS: Table<u128> = "quotas";
    /// user → what was changed by a session that hadn't shown the password before
    UNPROVEN: Table<u128> = "unproven";
    /// (user, document) → document, of the store or of a log
    DOCUMENTS: Table<(u128, u128)> = "documents";
    /// digest of the token of a share → share
    SHARES: Table<(u128, u128)> = "shares";
    /// (user, log) → log
    LOGS: Table<(u128, u128)> = "logs";
    /// (user, item or flight, time in minutes, log)
    LOGS_BY_TIME: Index<(u128, u128, i64, u128)> = "logs_by_time";
    /// (user, image) → image of a flight
    IMAGES: Table<(u128, u128)> = "images";
    /// (user, flight, place among its images, image)
    IMAGES_BY_PLACE: Index<(u128, u128, u32, u128)> = "images_by_place";
}
