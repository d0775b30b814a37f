//! All tables on one page. Every key of a pilot's data begins with the owner, so that one pilot's data is one range.
//!
//! The shape of a table's records is defined by the record that names the table (`Record::TABLE`), in its topic's
//! `table.rs`. An index contains only keys; it is a pure function of the records, written by the function that writes
//! them.

use super::rows::Rows;
use super::table::{Index, Item, Owner, Scope, Table};

/// Returns the tables with what owners store, without derived data.
pub fn of_owners() -> impl Iterator<Item = &'static dyn Rows> {
    ALL.iter().copied().filter(|table| table.scope() == Scope::OwnerContent)
}

/// Declares tables and indexes, each with its scope, and a list of them all.
macro_rules! schema {
    ($($(#[$about:meta])* $name:ident: $kind:ident<$key:ty> = $text:literal, $scope:ident;)*) => {
        $($(#[$about])* pub const $name: $kind<$key> = $kind::new($text, Scope::$scope);)*

        /// All tables and indexes, in the order of an archive.
        pub const ALL: &[&dyn Rows] = &[$(&$name),*];
    };
}

schema! {
    /// `0` → schema number, and the version of Fluglog that wrote the database
    META: Table<u128> = "meta", Global;

    /// `0` → the last backup
    BACKUPS: Table<u128> = "backups", Global;

    /// user or space → since when it is being deleted
    DELETIONS: Table<u128> = "deletions", Global;

    /// user → account
    USERS: Table<u128> = "users", Global;
    /// digest of the normalized e-mail address → user
    USERS_BY_EMAIL: Table<(u128, u128)> = "users_by_email", Global;
    /// digest of the session cookie → session
    SESSIONS: Table<(u128, u128)> = "sessions", Global;
    /// digest of the persistent login token → login token
    LOGIN_TOKENS: Table<(u128, u128)> = "login_tokens", Global;
    /// digest of the personal access token → what a script may do with it
    ACCESS_TOKENS: Table<(u128, u128)> = "access_tokens", Global;
    /// (user, digest of the device cookie) → a browser with which the user has logged in
    DEVICES: Table<(Owner, u128, u128)> = "devices", OwnerState;
    /// digest of the cookie → pending login by mail
    LOGIN_REQUESTS: Table<(u128, u128)> = "login_requests", Global;
    /// digest of the token in a mailed link → the login that it confirms
    LOGIN_LINKS: Table<(u128, u128)> = "login_links", Global;
    /// digest of the cookie → pending registration
    REGISTRATIONS: Table<(u128, u128)> = "registrations", Global;
    /// digest of the token in a link → the single use that it permits
    ACCOUNT_LINKS: Table<(u128, u128)> = "account_links", Global;
    /// (digest of the normalized e-mail address, 0 logins | 1 codes | 2 logins of known browsers | 3 notices | 4 new
    /// addresses) → the letters that wait, or when the last mail was sent
    MAILS: Table<(u128, u128, u8)> = "mails", Global;
    /// (user, feedback) → a pilot's feedback on the program
    FEEDBACK: Table<(Owner, u128)> = "feedback", OwnerContent;

    /// space → a household or club
    SPACES: Table<u128> = "spaces", Global;
    /// (space, user) → the user's membership, also one that has ended
    MEMBERSHIPS: Table<(Owner, u128)> = "memberships", OwnerState;
    /// (user, 0 a membership | 1 one that has ended, space)
    SPACES_OF_USER: Index<(u128, u8, u128)> = "spaces_of_user", OwnerState;
    /// digest of the token in a link → an invitation into a space
    INVITATIONS: Table<(u128, u128)> = "invitations", Global;

    /// user → the flight in progress
    OPEN_FLIGHTS: Table<u128> = "open_flights", OwnerState;

    /// (user, 0 a request | 1 a spent id, the id) → when and by which call it was carried out or spent
    REQUESTS: Table<(Owner, u8, u128)> = "requests", OwnerState;
    /// (user, sequence, 0 a request | 1 a spent id, the id)
    REQUESTS_BY_AGE: Index<(Owner, i64, u8, u128)> = "requests_by_age", OwnerState;

    /// (user, item) → item of equipment
    EQUIPMENT: Table<(Owner, Item)> = "equipment", OwnerContent;
    /// (user, item) → totals over its flights
    EQUIPMENT_TOTALS: Table<(Owner, Item)> = "equipment_totals", OwnerState;
    /// (user, item, flight) → the item's use in that flight
    EQUIPMENT_USES: Table<(Owner, Item, u128)> = "equipment_uses", OwnerState;
    /// (user, item, 0 every use | 1 uses with a voltage | 2 uses with an end voltage, start in minutes, flight)
    EQUIPMENT_USES_BY_START: Index<(Owner, Item, u8, i64, u128)> = "equipment_uses_by_start", OwnerState;
    /// (owner, item, flight) → the pilot, where the item isn't the pilot's own
    SHARED_USES: Table<(Owner, Item, u128)> = "shared_uses", OwnerContent;
    /// (space, item, 0 a charging | 1 a reading | 2 a log, that) → the member who wrote it
    ENTRY_AUTHORS: Table<(Owner, Item, u8, u128)> = "entry_authors", OwnerContent;
    /// (user, battery, charging) → charging
    CHARGINGS: Table<(Owner, Item, u128)> = "chargings", OwnerContent;
    /// (user, battery) → totals over its chargings
    CHARGING_TOTALS: Table<(Owner, Item)> = "charging_totals", OwnerState;
    /// (user, request) → previous state of the chargings that it changed
    UNDOS: Table<(Owner, u128)> = "undos", OwnerState;
    /// (user, battery, charging) → the charger's own figures
    CHARGING_DETAILS: Table<(Owner, Item, u128)> = "charging_details", OwnerContent;
    /// (user, item) → its number, and a battery's chemistry and cells
    EQUIPMENT_PROFILES: Table<(Owner, Item)> = "equipment_profiles", OwnerContent;
    /// (user, 0 the pilot | item) → what was flown before Fluglog
    PRIOR_USES: Table<(Owner, Item)> = "prior_uses", OwnerContent;
    /// (user, battery, reading) → voltages and internal resistances of its cells
    BATTERY_READINGS: Table<(Owner, Item, u128)> = "battery_readings", OwnerContent;
    /// (user, set) → batteries that fly together
    BATTERY_SETS: Table<(Owner, u128)> = "battery_sets", OwnerContent;
    /// (user, battery) → until when its reminders are snoozed
    BATTERY_SNOOZES: Table<(Owner, Item)> = "battery_snoozes", OwnerState;
    /// (user, battery) → its health, computed from its chargings, readings and flights
    BATTERY_HEALTH: Table<(Owner, Item)> = "battery_health", OwnerState;
    /// user who wants mails about what waits → the packs, jobs and proofs already mentioned, and the days of the last
    /// mails
    REMINDERS: Table<u128> = "reminders", OwnerState;
    /// (user, item) → the code of its sticker
    STICKERS: Table<(Owner, Item)> = "stickers", OwnerContent;
    /// (code, user, item)
    STICKERS_BY_CODE: Index<(u128, u128, u128)> = "stickers_by_code", Global;

    /// (user, flight) → flight
    FLIGHTS: Table<(Owner, u128)> = "flights", OwnerContent;
    /// (user, start in minutes, flight)
    FLIGHTS_BY_START: Index<(Owner, i64, u128)> = "flights_by_start", OwnerState;
    /// (user, flight, item) → the owner of an item that isn't the pilot's own, and its name as it was
    BORROWED_PARTS: Table<(Owner, u128, u128)> = "borrowed_parts", OwnerContent;
    /// (user, year, 0 all flights | item) → totals
    FLIGHT_YEARS: Table<(Owner, u32, u128)> = "flight_years", OwnerState;
    /// (user, 0 all flights | copter | place, year) → the year in review
    FLIGHT_REVIEWS: Table<(Owner, u128, u32)> = "flight_reviews", OwnerState;
    /// (user, 0 all flights | copter | place, 0 a place | 1 a copter | 2 a battery, year, that) → number of these
    /// flights there or with it
    FLIGHT_SHARES: Table<(Owner, u128, u8, u32, u128)> = "flight_shares", OwnerState;
    /// (user, flight) → why its voltages may not be those of its pack
    SUSPECT_VOLTAGES: Table<(Owner, u128)> = "flight_doubts", OwnerState;
    /// (user, flight, digest of a file, part of it) → what the flight took from the file
    FLIGHT_SOURCES: Table<(Owner, u128, u128, u32)> = "flight_sources", OwnerContent;
    /// (user, digest of a file, part of it, flight)
    FLIGHTS_BY_SOURCE: Index<(Owner, u128, u32, u128)> = "flights_by_source", OwnerState;
    /// (user, flight) → its track
    FLIGHT_TRACKS: Table<(Owner, u128)> = "flight_tracks", OwnerContent;
    /// (user, flight) → altitude, speed, voltage, current and position over time
    FLIGHT_PROFILES: Table<(Owner, u128)> = "flight_profiles", OwnerContent;

    /// (user, import) → the files of an import in progress, and the flights in them
    IMPORTS: Table<(Owner, u128)> = "imports", OwnerState;
    /// (user, import, flight in it) → track of that flight
    IMPORT_TRACKS: Table<(Owner, u128, u32)> = "import_tracks", OwnerState;
    /// (user, import, flight in it) → profile of that flight
    IMPORT_PROFILES: Table<(Owner, u128, u32)> = "import_profiles", OwnerState;
    /// (user, import, file in it, flight in that) → what another Fluglog's export says about that flight
    IMPORT_FOREIGN_FLIGHTS: Table<(Owner, u128, u32, u32)> = "import_copies", OwnerState;
    /// (user, digest of a table's headings) → the meaning of its columns
    IMPORT_MAPPINGS: Table<(Owner, u128)> = "import_mappings", OwnerState;
    /// (user, digest of a file in the admin's folder) → when it was scanned
    IMPORT_DROPS: Table<(Owner, u128)> = "import_drops", OwnerState;
    /// (user, digest of a name or serial number in files) → the item that it stands for
    EQUIPMENT_ALIASES: Table<(Owner, u128)> = "equipment_aliases", OwnerContent;

    /// user → photo
    PHOTOS: Table<u128> = "photos", OwnerContent;
    /// user → contact shown to finders of the pilot's equipment
    CONTACTS: Table<u128> = "contacts", OwnerContent;
    /// user → the user's own quota, overriding the setting
    QUOTAS: Table<u128> = "quotas", OwnerState;
    /// user → unverified changes, by a session that hadn't confirmed the password
    UNVERIFIED: Table<u128> = "unproven", OwnerState;
    /// (user, document) → document, of the user or of a log
    DOCUMENTS: Table<(Owner, u128)> = "documents", OwnerContent;
    /// (user, document) → what the document proves, and pictures of its pages
    PROOFS: Table<(Owner, u128)> = "proofs", OwnerContent;
    /// digest of the token of a share → share
    SHARES: Table<(u128, u128)> = "shares", Global;
    /// (user, log) → log
    LOGS: Table<(Owner, u128)> = "logs", OwnerContent;
    /// (user, item or flight, time in minutes, log)
    LOGS_BY_TIME: Index<(Owner, Item, i64, u128)> = "logs_by_time", OwnerState;
    /// (user, item, job) → a job of the item's maintenance
    JOBS: Table<(Owner, Item, u128)> = "jobs", OwnerContent;
    /// (user, item, job, minute, run) → a time that the job was done or skipped
    JOB_RUNS: Table<(Owner, Item, u128, i64, u128)> = "job_runs", OwnerContent;
    /// (user, item, job) → what the item's flights have added since the job counts
    JOB_COUNTERS: Table<(Owner, Item, u128)> = "job_counters", OwnerState;
    /// (user, image) → image of a flight
    IMAGES: Table<(Owner, u128)> = "images", OwnerContent;
    /// (user, flight, place among its images, image)
    IMAGES_BY_PLACE: Index<(Owner, u128, u32, u128)> = "images_by_place", OwnerState;
}
