//! Every call of the API, in one list that says all about each: its name, who may call it, its fields, its answers. The
//! server answers by it; the document for scripts (`/app/api/openapi.json`) and the types of the user interface are
//! written from it.

use std::sync::Arc;

use warp::http::{Method, StatusCode};

use crate::admin::api as admin;
use crate::alarms::api as alarms;
use crate::export::api as export;
use fluglog_accounts::api as accounts;
use fluglog_accounts::guard::{Admin, Operator, Viewer};
use fluglog_accounts::operation::Operation;
use fluglog_app::App;
use fluglog_base::declared::Declared;
use fluglog_base::error::Result;
use fluglog_base::input::Fields;
use fluglog_store::operations::model::Object;
use fluglog_topics::documents::api as documents;
use fluglog_topics::equipment::stickers::api as stickers;
use fluglog_topics::feedback::api as feedback;
use fluglog_topics::flights::api as flights;
use fluglog_topics::imports::api as imports;
use fluglog_topics::logs::api as logs;
use fluglog_topics::packs::api as packs;
use fluglog_topics::quota::api as quota;
use fluglog_topics::reminders::api as reminders;
use fluglog_topics::statistics::api as statistics;
use fluglog_web::multipart::{Files, Upload as UploadedFile};
use fluglog_web::reply::Reply;
use fluglog_web::{ReplyFuture, Request};

/// One call of the API: `/app/api/{name}`.
pub struct Call {
    pub name: &'static str,
    /// Its purpose, in a sentence for authors of scripts.
    pub about: &'static str,
    pub method: Method,
    pub handler: Handler,
    pub fields: &'static [Declared],
    /// How it succeeds; usually as the first says.
    pub answers: &'static [Answer],
    /// The statuses with which it refuses, but for those that follow from its handler, method and fields.
    pub refusals: &'static [u16],
    /// Whether its answer is packed for a client that takes it.
    pub is_gzipped: bool,
    pub adds: Adds,
}

/// When a call adds records or files, for which a disk that is nearly full and a pilot without room have none left.
#[derive(Clone, Copy)]
pub enum Adds {
    Nothing,
    Always,
    Unless(&'static str),
}

/// The role of a call. A handler of a pilot's data takes the proof that there is one; to change it, the right to do so
/// once.
#[derive(Clone, Copy)]
pub enum Handler {
    Anyone(fn(&App, &Request) -> Result<Reply>),
    /// As `Anyone`. The first answers out of a few records, unless something has to be written or waited for.
    AtOnce(
        fn(&App, &Request) -> Result<Option<Reply>>,
        fn(&App, &Request) -> Result<Reply>,
    ),
    /// Reads a few records of a pilot: the answer is small.
    Record(Read),
    /// Reads a pilot's data, however much that is.
    Pilot(Read),
    /// Changes it, but never twice for the same `requestId`.
    Change(fn(&App, Operation, &Request) -> Result<Reply>, Now),
    /// As `Change`, with a multipart body with files.
    Upload(
        fn(&App, Operation, &Request, Vec<UploadedFile>) -> Result<Reply>,
        Files,
        Now,
    ),
    /// Changes it each time that it is sent.
    EachTime(fn(&App, Operation, &Request) -> Result<Reply>),
    /// Does what those who run the server may do in the browser; each time that it is sent.
    Operator(fn(&App, &Operator, &Request) -> Result<Reply>),
    /// The same, with the password shown a short while ago.
    Admin(fn(&Arc<App>, &Admin, &Request) -> Result<Reply>),
    /// Anyone may call; the handler waits without holding a thread.
    Waiting(fn(Arc<App>, Request) -> ReplyFuture),
}

/// Makes an answer out of a pilot's data.
pub type Read = fn(&App, &Viewer, &Request) -> Result<Reply>;

impl Call {
    /// Whether it is of the admin's page, which the settings may take away.
    #[must_use]
    pub fn is_of_admin_page(&self) -> bool {
        matches!(self.handler, Handler::Operator(_) | Handler::Admin(_))
    }

    /// The status with which it usually succeeds.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.answers.first().map_or(200, |answer| answer.status)
    }

    /// Whether it adds records or files when it has these fields.
    #[must_use]
    pub fn adds_with(&self, fields: &Fields) -> bool {
        match self.adds {
            Adds::Nothing => false,
            Adds::Always => true,
            Adds::Unless(field) => !fields.has(field),
        }
    }

    /// Its answer is packed for a client that takes it. Only for one that may be long and holds no secret that opens
    /// anything, such as the link of a share: how long the packed answer is would tell of it (BREACH).
    const fn gzipped(mut self) -> Call {
        self.is_gzipped = true;
        self
    }

    /// It only changes or deletes, or its records are over after a while: logins go on, whatever there is room for.
    const fn adds_nothing(mut self) -> Call {
        self.adds = Adds::Nothing;
        self
    }

    /// It changes what this field names, and adds what it doesn't name.
    const fn adds_unless(mut self, field: &'static str) -> Call {
        self.adds = Adds::Unless(field);
        self
    }
}

/// Shows the object of a request that was carried out before, as it is now.
pub type Now = fn(&App, &Viewer, Object) -> Result<Reply>;

/// How a call succeeds.
pub struct Answer {
    pub status: u16,
    pub body: Body,
}

/// The body of an answer.
pub enum Body {
    Empty,
    /// An id as plain text.
    Id,
    /// A JSON array of ids.
    Ids,
    /// An object of this type, as JSON.
    Object(&'static str),
    /// A JSON array of objects of this type.
    List(&'static str),
    Picture,
    /// A file that a browser can show: a PDF, a picture or a text.
    Shown,
    /// Any file, to be saved.
    File,
}

use Handler::{
    Admin as ForAdmin, Anyone, AtOnce, Change, EachTime, Operator as ForOperator, Pilot, Record, Upload, Waiting,
};

/// Every call.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    post("Login",
        "Logs in with a password. Without one it sends a mail and answers the number that its reader has to type.",
        Anyone(accounts::log_in), accounts::LOG_IN, &[json(202, "LoggedIn"), json(200, "LoginNumber")], &[401, 429])
            .adds_nothing(),
    post("CheckSession", "Who is logged in. Without a session a login token, from the field or the cookie, opens one.",
        AtOnce(accounts::show_session, accounts::check_session), accounts::SESSION, &[json(200, "CheckedSession")],
            &[401]).adds_nothing(),
    post("Logout", "Ends this session and the login token, also when there is none.",
        Anyone(accounts::log_out), accounts::SESSION, &[empty(200)], &[]).adds_nothing(),
    post("GetDetailedUser", "The profile.",
        Record(accounts::get_detailed_user), &[], &[json(200, "DetailedUser")], &[]),
    post("CheckLoginToken",
        "Waits up to 25 seconds until a login by mail is confirmed: 204 while it isn't. A browser that never asked \
         for one asks with this call.",
        Waiting(accounts::check_login_token),
        accounts::CHECK_LOGIN_TOKEN, &[json(202, "LoggedIn"), empty(204)], &[410, 429]),
    post("GetLoginRequest", "Which browser asked to be logged in by mail.",
        Anyone(accounts::get_login_request), accounts::GET_LOGIN_REQUEST, &[json(200, "LoginRequest")], &[410])
            .adds_nothing(),
    post("ConfirmLogin", "Confirms a login by mail.",
        Anyone(accounts::confirm_login), accounts::CONFIRM_LOGIN, &[empty(200)], &[410]).adds_nothing(),
    post("DenyLogin",
        "Ends every login by mail that waits for the same e-mail address. For an hour only browsers that its pilot has \
         logged in with can ask for one, but for those that had asked.",
        Anyone(accounts::deny_login), accounts::GET_LOGIN_REQUEST, &[empty(200)], &[410]).adds_nothing(),
    post("RegistrationAndVerification", "Sends a mail with a code, which `Verification` takes from the same browser.",
        Anyone(accounts::register), accounts::REGISTER, &[empty(200)], &[409, 429]),
    post("Verification", "Makes the account and logs in.",
        Anyone(accounts::verify), accounts::VERIFY, &[json(201, "SessionUser")], &[409, 410]),
    get("GetSetupState", "Whether there is no account yet. The address that the server printed at its start makes the \
        first.",
        Anyone(accounts::get_setup_state), &[], &[json(200, "SetupState")], &[]).adds_nothing(),
    post("CheckSetupLink", "Whether a token makes the first account.",
        Anyone(accounts::check_setup_link), accounts::ONE_LINK, &[json(200, "SetupState")], &[410]).adds_nothing(),
    post("CreateFirstAccount",
        "Makes the first account, that of an operator, and logs in. The token is that of the address that the server \
         printed.",
        Anyone(accounts::create_first_account), accounts::NEW_ACCOUNT, &[json(201, "SessionUser")], &[409, 410]),
    post("GetInvitation", "What an invitation by the admin says.",
        Anyone(accounts::get_invitation), accounts::ONE_LINK, &[json(200, "Invitation")], &[410]).adds_nothing(),
    post("AcceptInvitation", "Makes the account that an invitation is for, and logs in.",
        Anyone(accounts::accept_invitation), accounts::NEW_ACCOUNT, &[json(201, "SessionUser")], &[409, 410]),
    post("GetPasswordReset", "Whose password a link of the admin sets.",
        Anyone(accounts::get_password_reset), accounts::ONE_LINK, &[json(200, "PasswordReset")], &[410]).adds_nothing(),
    post("ResetPassword", "Sets the password by a link of the admin, ends every login and logs in.",
        Anyone(accounts::reset_password), accounts::RESET_PASSWORD, &[json(201, "SessionUser")], &[410]).adds_nothing(),
    post("ChangeEmail", "Sends a mail to another address of the pilot. Its link changes the address.",
        EachTime(accounts::change_email), accounts::CHANGE_EMAIL, &[empty(200)], &[409, 429]),
    post("GetNewAddress", "The address that a mailed link is for.",
        Anyone(accounts::get_new_address), accounts::ONE_LINK, &[json(200, "NewAddress")], &[410]).adds_nothing(),
    post("ConfirmEmail", "Changes the address of the pilot to the one that got the link.",
        EachTime(accounts::confirm_email), accounts::ONE_LINK, &[empty(200)], &[409, 410]).adds_nothing(),
    post("SavePassword", "Sets the password and ends every other login, and what other browsers are known by.",
        EachTime(accounts::save_password), accounts::SAVE_PASSWORD, &[empty(200)], &[]).adds_nothing(),
    post("LogOutFromEveryDevice", "Ends every login, this one too.",
        EachTime(accounts::log_out_from_every_device), &[], &[empty(200)], &[]).adds_nothing(),
    post("GetLoginWays", "Whether the pilot has a password.",
        Record(accounts::get_login_ways), &[], &[json(200, "LoginWays")], &[]),
    post("GetSessions", "Where the pilot is logged in: this browser first, then the one that was seen last.",
        Pilot(accounts::get_sessions), &[], &[list(200, "DeviceSession")], &[]),
    post("EndSession", "Ends the login of one browser, and what all but this one are known by.",
        Change(accounts::end_session, nothing), accounts::END_SESSION, &[empty(200)], &[]).adds_nothing(),
    post("SendFeedback", "Tells the admin what a pilot thinks of the program.",
        Change(feedback::send_feedback, nothing), fluglog_topics::feedback::FIELDS, &[empty(201)], &[429]),

    post("GetEquipment", "One item.",
        Record(packs::get_equipment), packs::ONE, &[json(200, "Equipment")], &[]),
    post("GetEquipments", "The items of a kind in use, or the retired ones, sorted by name.",
        Pilot(packs::get_equipments), packs::LIST, &[list(200, "Equipment")], &[]).gzipped(),
    get("GetAllEquipments", "All items in use.",
        Pilot(packs::get_all_equipments), &[], &[json(200, "AllEquipments")], &[]).gzipped(),
    post("SaveNewEquipment", "Adds an item. Fields that its kind doesn't have are ignored.",
        Change(packs::save_new_equipment, packs::item_now), packs::NEW, &[json(200, "Equipment")], &[409]),
    post("SaveEditEquipment", "Changes an item. What isn't sent stays, what is empty is cleared.",
        Change(packs::save_edit_equipment, packs::item_now), packs::EDIT, &[json(200, "Equipment")], &[409])
            .adds_nothing(),
    post("DeactivateEquipment", "Retires an item.",
        Change(packs::deactivate_equipment, packs::item_now),
        packs::DEACTIVATE, &[json(200, "Equipment")], &[409]).adds_nothing(),
    post("ActivateEquipment", "Takes a retired item into use again.",
        Change(packs::activate_equipment, packs::item_now), packs::ONE, &[json(200, "Equipment")], &[409])
            .adds_nothing(),
    post("SaveCharging",
        "Starts a charging, finishes it or changes it: the one of `dpfId`, or else a new one. What isn't sent of an \
         old one stays.",
        Change(packs::save_charging, packs::charging_now),
        packs::SAVE_CHARGING, &[json(200, "Charging")], &[409]).adds_unless("dpfId"),
    post("SaveBatteryProfile", "Changes what a battery is made of. What isn't sent stays, what is empty is cleared.",
        Change(packs::save_battery_profile, packs::item_now),
        packs::SAVE_PROFILE, &[json(200, "Equipment")], &[]).adds_nothing(),
    post("QuickCharge",
        "Says that batteries were charged full, now or at `time`: ids with `;` between. An open charging is finished, \
         else a finished one is recorded. `voltage` is that before, where nobody knows it.",
        Change(packs::quick_charge, nothing), packs::QUICK, &[empty(200)], &[409]),
    post("QuickStore", "As `QuickCharge`, of batteries that were brought to the voltage to be stored with.",
        Change(packs::quick_store, nothing), packs::QUICK, &[empty(200)], &[409]),
    post("Undo",
        "Takes back a `QuickCharge` or `QuickStore` within 60 seconds: `undo` is its `requestId`.",
        Change(packs::undo, nothing), packs::UNDO, &[empty(200)], &[409]).adds_nothing(),
    post("GetBatteryPassport",
        "All that is known of a battery: its state, what it waits for, its readings and how it ages, and its life, the \
         newest first: one page of `limit` entries that come after `before`, or 100.",
        Pilot(packs::get_battery_passport), packs::PASSPORT, &[json(200, "BatteryPassport")], &[]).gzipped(),
    post("GetBatteryHints",
        "What the batteries in use wait for, the gravest first, without those that their pilot put off.",
        Pilot(packs::get_battery_hints), &[], &[list(200, "PackHint")], &[]).gzipped(),
    post("SaveBatterySet",
        "Changes a set of batteries, or adds one: 2 to 8 ids with `;` between. What isn't sent of an old one stays.",
        Change(packs::save_battery_set, packs::set_now),
        packs::SAVE_SET, &[json(200, "BatterySet")], &[409]).adds_unless("set"),
    post("DeleteBatterySet", "Deletes a set; its batteries stay.",
        Change(packs::delete_battery_set, nothing), packs::DELETE_SET, &[empty(200)], &[]).adds_nothing(),
    post("SnoozeBattery",
        "Puts off what a battery waits for by so many days; 0: no longer. Its light stays as it is.",
        Change(packs::snooze_battery, nothing), packs::SNOOZE, &[empty(200)], &[]).adds_nothing(),
    post("GetReminder", "Whether the pilot wants a mail when packs wait for something.",
        Pilot(reminders::get_reminder), &[], &[json(200, "Reminder")], &[]),
    post("SaveReminder",
        "Begins or ends mails about packs: one a day at most, in the evening, when a pack became worse.",
        Change(reminders::save_reminder, reminders::reminder_now), reminders::SAVE, &[json(200, "Reminder")], &[])
            .adds_nothing(),
    post("SaveBatteryReading",
        "Adds a reading of a battery: lists have `;` between their values, one for each cell. It is of now, unless \
         `time` says so.",
        Change(packs::save_battery_reading, packs::reading_now),
        packs::SAVE_READING, &[json(201, "BatteryReading")], &[409]),
    post("EditBatteryReading", "Changes a reading. What isn't sent stays, what is empty is cleared.",
        Change(packs::edit_battery_reading, packs::reading_now),
        packs::EDIT_READING, &[json(200, "BatteryReading")], &[]).adds_nothing(),
    post("DeleteBatteryReading", "Deletes a reading.",
        Change(packs::delete_battery_reading, nothing), packs::DELETE_READING, &[empty(200)], &[])
            .adds_nothing(),
    post("SaveSticker",
        "Gives an item a sticker, and a number if it has none. One that it has stays, unless `renew` says otherwise: \
         then the old one leads nowhere any more.",
        Change(stickers::save_sticker, stickers::sticker_now), stickers::SAVE, &[json(200, "Sticker")], &[]),
    post("GetSticker", "The item that a sticker is on. 403 with a sentence for whoever finds another pilot's.",
        Record(packs::get_sticker), packs::STICKER, &[json(200, "Equipment")], &[]),
    post("GetLabels", "Stickers of items as they are printed: ids with `;` between.",
        Pilot(stickers::get_labels), stickers::LABELS, &[list(200, "Label")], &[]).gzipped(),
    post("GetChargings", "The chargings of a battery, the newest first.",
        Pilot(packs::get_chargings), packs::CHARGINGS, &[json(200, "Chargings")], &[]).gzipped(),

    post("CreateFlight",
        "Opens a flight, which starts now unless `startTime` says otherwise, with what is known of it, and answers its \
         id.",
        Change(flights::create_flight, flights::id_now), flights::CREATE, &[id(200)], &[409]),
    post("GetFlight", "One flight.",
        Record(flights::get_flight), flights::ONE, &[json(200, "Flight")], &[]).gzipped(),
    post("GetFlights",
        "The flights, the newest start first: all, or one page of `limit` flights that come after `before`; with \
         `equipment` only those that this item was on. 204 when there are none.",
        Pilot(flights::get_flights), flights::LIST, &[list(200, "FlightRow"), empty(204)], &[]).gzipped(),
    post("AddFlight", "Adds a flight that is over; 200 when it is there already, or was open.",
        Change(flights::add_flight, flights::flight_now),
        flights::ADD, &[json(201, "Flight"), json(200, "Flight")], &[409]),
    post("SaveFlight",
        "Changes a flight and, with `endFlight`, finishes it. What isn't sent stays, what is empty is cleared.",
        Change(flights::save_flight, flights::flight_now), flights::SAVE, &[json(200, "Flight")], &[409])
            .adds_nothing(),
    post("DeleteFlight", "Deletes a flight with its images, logs and chargings.",
        Change(flights::delete_flight, nothing), flights::ONE, &[empty(200)], &[]).adds_nothing(),

    post("GetVoltageDoubts",
        "The flights from files with voltages that aren't those of their packs, the newest start first, and what is \
         right as far as a file tells it.",
        Pilot(flights::get_voltage_doubts), &[], &[list(200, "VoltageDoubt")], &[]).gzipped(),
    post("MendVoltages",
        "Gives 200 of these flights the voltages that their files tell, and answers what is left. With `takeBack` \
         those that were mended have the old ones again; with `keep` the voltages of this flight stay as they are.",
        Change(flights::repair_voltages, flights::voltage_doubts_now), flights::MEND, &[list(200, "VoltageDoubt")], &[])
            .adds_nothing(),

    post("GetFlightTrack", "Where a flight flew, and the files that it comes from.",
        Pilot(flights::get_flight_track), flights::ONE, &[json(200, "FlightTrack")], &[]).gzipped(),

    post("GetFlightProfile",
        "Height, speed, voltage, current and position over the time of a flight, from its file: at most 1,000 rows, \
         with every extreme.",
        Pilot(imports::get_flight_profile), imports::PROFILE, &[json(200, "FlightProfile")], &[]).gzipped(),

    post("UploadImport",
        "Looks through logs of radios, drones and apps, and proposes the flights in them. `dpfId` is null when there \
         is none.",
        Upload(imports::upload_import, imports::FILES, imports::import_now), &[], &[json(201, "Import")], &[409]),
    post("GetImports", "The imports that wait to be accepted, the newest first.",
        Pilot(imports::get_imports), &[], &[list(200, "ImportRow")], &[]).gzipped(),
    post("GetImport", "One import that waits to be accepted. `shifts`, a JSON object, moves the times of files by \
        minutes for this look.",
        Pilot(imports::get_import), imports::GET, &[json(200, "Import")], &[409]).gzipped(),
    post("MapImportColumns", "Reads a table anew. `mapping` is JSON: what its columns mean, their units, separator, \
        decimal sign, order of dates.",
        Change(imports::map_import_columns, imports::import_now), imports::MAP, &[json(200, "Import")], &[409])
            .adds_nothing(),
    post("AcceptImport", "Takes over what `choices`, a JSON array, says of each proposal: all of it or nothing.",
        Change(imports::accept_import, imports::accepted_now), imports::ACCEPT, &[json(200, "Accepted")], &[409]),
    post("DiscardImport", "Discards an import with its files.",
        Change(imports::discard_import, nothing), imports::ONE, &[empty(200)], &[]).adds_nothing(),

    post("SaveProfile", "Changes the names and the photo. What isn't sent stays, a name that is empty is cleared.",
        Upload(accounts::save_profile, accounts::PHOTO, accounts::profile_now),
        accounts::SAVE_PROFILE, &[json(201, "SessionUser")], &[]).adds_nothing(),
    post("SaveContact",
        "Says how finders of gear reach the pilot: on its stickers, and told to others who scan one. Empty: not at \
         all.",
        Change(accounts::save_contact, nothing), accounts::SAVE_CONTACT, &[empty(200)], &[]).adds_nothing(),
    get("GetPhoto", "The photo.",
        Pilot(accounts::get_photo), accounts::GET_PHOTO, &[picture()], &[]),

    post("GetUserDocuments", "The documents, the newest first.",
        Pilot(documents::get_user_documents), documents::LIST, &[list(200, "Document")], &[]),
    post("UploadUserDocument", "Adds a document.",
        Upload(documents::upload_user_document, documents::ONE_FILE, documents::document_now),
        documents::UPLOAD, &[json(201, "Document")], &[]),
    post("EditUserDocument", "Changes the description of a document.",
        Change(documents::edit_user_document, documents::document_now), documents::EDIT, &[json(200, "Document")], &[])
            .adds_nothing(),
    post("DeleteUserDocument", "Deletes a document.",
        Change(documents::delete_user_document, nothing), documents::ONE, &[empty(200)], &[]).adds_nothing(),
    post("DownloadDocument", "The file of a document, also of one that belongs to a log.",
        Pilot(documents::download_document), documents::ONE, &[file()], &[]),
    get("GetDocument",
        "The file of a document to be shown in a window of its own: a PDF, a picture or a text. 415 for any other \
         kind.",
        Pilot(documents::get_document), documents::ONE, &[shown()], &[415]),
    post("ShareDocument", "Shares a document for an hour at most, by a link and its QR code.",
        EachTime(documents::share_document), documents::ONE, &[json(200, "Share")], &[]),
    post("StopShareDocument", "Ends a share.",
        Change(documents::stop_share_document, nothing), documents::ONE_SHARE, &[empty(200)], &[]).adds_nothing(),
    get("SharedDocument", "The file of a document that is shared, for anyone.",
        Anyone(documents::shared_document), documents::ONE_SHARE, &[file()], &[410]).adds_nothing(),

    post("SaveEquipmentLog", "Adds a log to an item.",
        Upload(logs::save_equipment_log, documents::OPTIONAL_FILE, logs::log_now),
        logs::SAVE, &[json(201, "Log")], &[]),
    post("GetEquipmentLogs", "The logs of an item, the newest first.",
        Pilot(logs::get_equipment_logs), logs::OF_ITEM, &[json(200, "EquipmentLogs")], &[]).gzipped(),
    post("SaveFlightLog", "Adds a log to a flight.",
        Upload(flights::save_flight_log, documents::OPTIONAL_FILE, logs::log_now),
        flights::SAVE_LOG, &[json(201, "Log")], &[]),
    post("GetFlightLogs", "The logs of a flight, the newest first.",
        Pilot(flights::get_flight_logs), flights::LOGS, &[json(200, "FlightLogs")], &[]).gzipped(),
    post("EditLog", "Changes a log of an item or a flight.",
        Upload(logs::edit_log, documents::OPTIONAL_FILE, logs::log_now), logs::EDIT, &[json(200, "Log")], &[])
            .adds_nothing(),
    post("DeleteLog", "Deletes a log with its document.",
        Change(logs::delete_log, nothing), logs::ONE, &[empty(200)], &[]).adds_nothing(),

    post("UploadImageForFlight", "Adds images to a flight and answers the ids of all it has.",
        Upload(flights::upload_image_for_flight, flights::IMAGES, flights::images_now),
        flights::UPLOAD_IMAGES, &[ids(201)], &[]),
    post("DeleteImage", "Deletes an image and answers the ids of the others.",
        Change(flights::delete_image, flights::images_now), flights::ONE_IMAGE_OF_FLIGHT, &[ids(200)], &[])
            .adds_nothing(),
    get("GetImage", "An image.",
        Pilot(flights::get_image), flights::ONE_IMAGE, &[picture()], &[]),
    get("GetImagePreview", "An image, at most 480 pixels wide and high.",
        Pilot(flights::get_image_preview), flights::ONE_IMAGE, &[picture()], &[]),

    post("GetStatistics", "The figures of all finished flights, each as a text.",
        Pilot(statistics::get_statistics), &[], &[json(200, "Statistics")], &[]).gzipped(),
    post("GetFlightMonths",
        "What was flown in each month from the first to the last, the oldest first; with `equipment` only with this \
         item.",
        Pilot(statistics::get_flight_months), statistics::MONTHS, &[list(200, "FlightMonth")], &[]).gzipped(),
    post("GetReview",
        "What the pilot looks back on: days, months, records, places, copters and packs of a `year`, or of all time; \
         with `copter` or `place` of these flights only.",
        Pilot(statistics::get_review), statistics::REVIEW, &[json(200, "Review")], &[]).gzipped(),

    post("GetStorageUsage", "How many bytes the pilot's records and files have, and how many they may have.",
        Pilot(quota::get_storage_usage), &[], &[json(200, "StorageUsage")], &[]),

    post("GetExportSize", "About how many bytes the export of the pilot has, if its download may begin now.",
        Pilot(export::get_export_size), &[], &[json(200, "ExportSize")], &[409]),
    get("GetExport",
        "All data of the pilot as a ZIP: tables, the same as JSON, tracks, and unless `withoutFiles` images and \
         documents. Of a \
         pilot one download runs at a time, of all pilots two.",
        Pilot(export::get_export), export::EXPORT, &[file()], &[409]),


    post("GetAdminState", "Whether the pilot runs the server, and may do so in the browser now.",
        Pilot(accounts::get_admin_state), &[], &[json(200, "AdminState")], &[]),
    post("ConfirmAdmin",
        "Shows the password of who runs the server once more: for 15 minutes all calls of the admin's page work in \
         this session.",
        ForOperator(accounts::confirm_admin), accounts::CONFIRM_ADMIN, &[json(200, "AdminState")], &[409, 429]),
    post("MailAdminNumber",
        "For an operator whose `proof` is a mail: it has a link, behind which this number is typed within 10 minutes.",
        ForOperator(accounts::mail_admin_number), &[], &[json(200, "LoginNumber")], &[409, 429]),
    post("CheckAdminNumber",
        "Whether the number was typed; once it was, the operator counts as confirmed as by `ConfirmAdmin`.",
        ForOperator(accounts::check_admin_number), &[], &[json(200, "AdminState")], &[409, 410]),
    post("GetAdminOverview", "How the server is, and what is wrong with it.",
        ForAdmin(admin::get_admin_overview), &[], &[json(200, "AdminOverview")], &[]),
    post("GetAdminAccounts", "All accounts, by address, with nothing of what is in them.",
        ForAdmin(admin::get_admin_accounts), &[], &[list(200, "AdminAccount")], &[]),
    post("InviteAccount", "A link to make an account by, once, for 7 days unless `days` says otherwise.",
        ForAdmin(admin::invite_account), admin::INVITE, &[json(201, "AdminLink")], &[]),
    post("ResetAccount", "A link by which a user sets a password, once; with `byMail` it goes to the user.",
        ForAdmin(admin::reset_account), admin::RESET, &[json(201, "AdminLink")], &[409]),
    post("ChangeAccount", "Locks or unlocks an account; gives or takes the right to run the server.",
        ForAdmin(admin::change_account), admin::CHANGE, &[empty(200)], &[409]),
    post("SaveQuota",
        "How much room an account may have: a size such as `2 GB`, `0` without a limit, empty as the settings say.",
        ForAdmin(admin::save_quota), admin::SAVE_QUOTA, &[empty(200)], &[409]),
    post("LogOutAccount", "Ends every login of an account.",
        ForAdmin(admin::log_out_account), admin::ONE, &[empty(200)], &[409]),
    post("DeleteAccount", "Deletes an account with everything in it. `typed` is its e-mail address once more.",
        ForAdmin(admin::delete_account), admin::DELETE, &[empty(200)], &[409]),
    post("GetBackups", "Where backups go, those that lie there, and how the last ones went.",
        ForAdmin(admin::get_backups), &[], &[json(200, "AdminBackups")], &[]),
    post("MakeBackup", "Begins a backup where the last one went; `busy` tells how long it takes.",
        ForAdmin(admin::make_backup), &[], &[json(200, "AdminBackups")], &[409]),
    post("CheckBackup", "Begins to read an archive to its end; `busy` tells how long it takes.",
        ForAdmin(admin::check_backup), admin::ARCHIVE, &[json(200, "AdminBackups")], &[409]),
    get("DownloadBackup", "An archive of everything as it is now, as `fluglog backup` makes it.",
        ForAdmin(admin::download_backup), &[], &[file()], &[409]),
    post("SendTestMail", "Sends a mail by the settings as they are in the file now.",
        ForAdmin(admin::send_test_mail), admin::ONE, &[json(200, "AdminOutcome")], &[]),
    post("GetOutbox", "Mails that wait for the mail server or lie in the outbox, without their texts.",
        ForAdmin(admin::get_outbox), &[], &[json(200, "AdminMails")], &[]),
    post("ResendMails", "Has the mails tried again now whose last try failed.",
        ForAdmin(admin::resend_mails), &[], &[empty(200)], &[]),
    post("GetAdminFeedback", "What pilots think of the program, the newest first.",
        ForAdmin(admin::get_admin_feedback), &[], &[list(200, "AdminFeedback")], &[]),
    post("GetAdminSettings", "The settings in force, and where each comes from. Secrets are left out.",
        ForAdmin(admin::get_admin_settings), &[], &[list(200, "AdminSetting")], &[]),
    post("GetAdminLog", "The last refusals, deeds of operators and errors since the start, the newest first.",
        ForAdmin(admin::get_admin_log), &[], &[list(200, "AdminLogLine")], &[]),
    post("GetServerProblems", "What is wrong with the server and what mends it; empty for those who don't run it.",
        Pilot(alarms::get_server_problems), &[], &[list(200, "ServerProblem")], &[]),
];

const fn post(
    name: &'static str,
    about: &'static str,
    handler: Handler,
    fields: &'static [Declared],
    answers: &'static [Answer],
    refusals: &'static [u16],
) -> Call {
    call(Method::POST, name, about, handler, fields, answers, refusals)
}

const fn get(
    name: &'static str,
    about: &'static str,
    handler: Handler,
    fields: &'static [Declared],
    answers: &'static [Answer],
    refusals: &'static [u16],
) -> Call {
    call(Method::GET, name, about, handler, fields, answers, refusals)
}

const fn call(
    method: Method,
    name: &'static str,
    about: &'static str,
    handler: Handler,
    fields: &'static [Declared],
    answers: &'static [Answer],
    refusals: &'static [u16],
) -> Call {
    let adds = match handler {
        Handler::Record(_) | Handler::Pilot(_) | Handler::Operator(_) | Handler::Admin(_) | Handler::Waiting(_) => {
            Adds::Nothing
        }
        _ => Adds::Always,
    };
    Call {
        name,
        about,
        method,
        handler,
        fields,
        answers,
        refusals,
        is_gzipped: false,
        adds,
    }
}

const fn empty(status: u16) -> Answer {
    let body = Body::Empty;
    Answer { status, body }
}

const fn json(status: u16, type_name: &'static str) -> Answer {
    let body = Body::Object(type_name);
    Answer { status, body }
}

const fn list(status: u16, type_name: &'static str) -> Answer {
    let body = Body::List(type_name);
    Answer { status, body }
}

const fn ids(status: u16) -> Answer {
    let body = Body::Ids;
    Answer { status, body }
}

const fn id(status: u16) -> Answer {
    let body = Body::Id;
    Answer { status, body }
}

const fn picture() -> Answer {
    let body = Body::Picture;
    Answer { status: 200, body }
}

const fn shown() -> Answer {
    let body = Body::Shown;
    Answer { status: 200, body }
}

const fn file() -> Answer {
    let body = Body::File;
    Answer { status: 200, body }
}

/// Of what is deleted or sent away nothing is shown.
fn nothing(_app: &App, _viewer: &Viewer, _object: Object) -> Result<Reply> {
    Ok(Reply::empty(StatusCode::OK))
}

/// The call of this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Call> {
    CALLS.iter().find(|call| call.name == name)
}

#[cfg(test)]
mod document;
#[cfg(test)]
mod types;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_call_is_listed_twice() {
        let mut names: Vec<_> = CALLS.iter().map(|call| call.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), CALLS.len());
    }
}
