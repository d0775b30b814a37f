//! Every call of the API, in one list.

use std::sync::Arc;

use warp::http::{Method, StatusCode};

use crate::accounts::guard::Viewer;
use crate::accounts::operation::Operation;
use crate::app::App;
use crate::base::error::Result;
use crate::operations::Object;
use crate::web::multipart::{Files, Upload};
use crate::web::reply::Reply;
use crate::web::{Answering, Request};
use crate::{accounts, documents, equipment, feedback, flights, logs, statistics};

/// One call of the API: `/app/api/{name}`.
pub struct Call {
    pub name: &'static str,
    pub method: Method,
    pub handler: Handler,
}

/// Who may call, and what for. A handler of a pilot's data takes the proof that there is one; to change it, the right to do so once.
#[derive(Clone, Copy)]
pub enum Handler {
    Anyone(fn(&App, &Request) -> Result<Reply>),
    /// Reads a pilot's data.
    Pilot(fn(&App, &Viewer, &Request) -> Result<Reply>),
    /// Changes it, but never twice for the same `requestId`.
    Change {
        run: fn(&App, Operation, &Request) -> Result<Reply>,
        repeat: Repeat,
    },
    /// As `Change`, with a multipart body with files.
    Upload {
        run: fn(&App, Operation, &Request, Vec<Upload>) -> Result<Reply>,
        files: Files,
        repeat: Repeat,
    },
    /// Changes it each time that it is sent.
    EachTime(fn(&App, Operation, &Request) -> Result<Reply>),
    /// Anyone may call; the handler waits without holding a thread.
    Waiting(fn(Arc<App>, Request) -> Answering),
}

/// Shows an object as it is now.
pub type Now = fn(&App, &Viewer, Object) -> Result<Reply>;

/// What a request is answered with that was carried out before.
#[derive(Clone, Copy)]
pub struct Repeat {
    /// The status when it is carried out.
    pub status: StatusCode,
    /// The object as it is now.
    pub now: Now,
}

use Handler::{Anyone, EachTime, Pilot, Waiting};

/// Every call.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    post("Login", Anyone(accounts::api::log_in)),
    post("CheckSession", Anyone(accounts::api::check_session)),
    post("Logout", Anyone(accounts::api::log_out)),
    post("GetDetailedUser", Pilot(accounts::api::get_detailed_user)),
    post("CheckLoginToken", Waiting(accounts::api::check_login_token)),
    post("GetLoginRequest", Anyone(accounts::api::get_login_request)),
    post("ConfirmLogin", Anyone(accounts::api::confirm_login)),
    post("RegistrationAndVerification", Anyone(accounts::api::register)),
    post("Verification", Anyone(accounts::api::verify)),
    post("SavePassword", EachTime(accounts::api::save_password)),
    post("LogOutFromEveryDevice", EachTime(accounts::api::log_out_from_every_device)),
    change("SendFeedback", feedback::api::send_feedback, StatusCode::CREATED, nothing),

    post("GetEquipment", Pilot(equipment::api::get_equipment)),
    post("GetEquipments", Pilot(equipment::api::get_equipments)),
    get("GetAllEquipments", Pilot(equipment::api::get_all_equipments)),
    change("SaveNewEquipment", equipment::api::save_new_equipment, StatusCode::OK, equipment::api::item_now),
    change("SaveEditEquipment", equipment::api::save_edit_equipment, StatusCode::OK, equipment::api::item_now),
    change("DeactivateEquipment", equipment::api::deactivate_equipment, StatusCode::OK, equipment::api::item_now),
    change("ActivateEquipment", equipment::api::activate_equipment, StatusCode::OK, equipment::api::item_now),
    change("SaveCharging", equipment::api::save_charging, StatusCode::OK, equipment::api::charging_now),
    post("GetChargings", Pilot(equipment::api::get_chargings)),

    change("CreateFlight", flights::api::create_flight, StatusCode::OK, flights::api::id_now),
    post("GetFlight", Pilot(flights::api::get_flight)),
    post("GetFlights", Pilot(flights::api::get_flights)),
    change("AddFlight", flights::api::add_flight, StatusCode::CREATED, flights::api::flight_now),
    change("SaveFlight", flights::api::save_flight, StatusCode::OK, flights::api::flight_now),
    change("DeleteFlight", flights::api::delete_flight, StatusCode::OK, nothing),

    upload("SaveProfile", accounts::api::save_profile, accounts::api::PHOTO, StatusCode::CREATED, accounts::api::profile_now),
    get("GetPhoto", Pilot(accounts::api::get_photo)),

    post("GetUserDocuments", Pilot(documents::api::get_user_documents)),
    upload("UploadUserDocument", documents::api::upload_user_document, documents::api::ONE_FILE, StatusCode::CREATED, documents::api::document_now),
    change("EditUserDocument", documents::api::edit_user_document, StatusCode::OK, documents::api::document_now),
    change("DeleteUserDocument", documents::api::delete_user_document, StatusCode::OK, nothing),
    post("DownloadDocument", Pilot(documents::api::download_document)),
    post("ShareDocument", EachTime(documents::api::share_document)),
    change("StopShareDocument", documents::api::stop_share_document, StatusCode::OK, nothing),
    get("SharedDocument", Anyone(documents::api::shared_document)),

    upload("SaveEquipmentLog", logs::api::save_equipment_log, documents::api::ONE_FILE, StatusCode::CREATED, logs::api::log_now),
    post("GetEquipmentLogs", Pilot(logs::api::get_equipment_logs)),
    upload("SaveFlightLog", flights::api::save_flight_log, documents::api::ONE_FILE, StatusCode::CREATED, logs::api::log_now),
    post("GetFlightLogs", Pilot(flights::api::get_flight_logs)),
    upload("EditLog", logs::api::edit_log, documents::api::ONE_FILE, StatusCode::OK, logs::api::log_now),
    change("DeleteLog", logs::api::delete_log, StatusCode::OK, nothing),

    upload("UploadImageForFlight", flights::api::upload_image_for_flight, flights::api::IMAGES, StatusCode::CREATED, flights::api::images_now),
    change("DeleteImage", flights::api::delete_image, StatusCode::OK, flights::api::images_now),
    get("GetImage", Pilot(flights::api::get_image)),
    get("GetImagePreview", Pilot(flights::api::get_image_preview)),

    post("GetStatistics", Pilot(statistics::api::get_statistics)),
    post("GetFlightMonths", Pilot(statistics::api::get_flight_months)),
];

const fn post(name: &'static str, handler: Handler) -> Call {
    Call {
        name,
        method: Method::POST,
        handler,
    }
}

const fn change(
    name: &'static str,
    run: fn(&App, Operation, &Request) -> Result<Reply>,
    status: StatusCode,
    now: Now,
) -> Call {
    let repeat = Repeat { status, now };
    post(name, Handler::Change { run, repeat })
}

const fn upload(
    name: &'static str,
    run: fn(&App, Operation, &Request, Vec<Upload>) -> Result<Reply>,
    files: Files,
    status: StatusCode,
    now: Now,
) -> Call {
    let repeat = Repeat { status, now };
    post(name, Handler::Upload { run, files, repeat })
}

/// Of what is deleted or sent away nothing is shown.
fn nothing(_app: &App, _viewer: &Viewer, _object: Object) -> Result<Reply> {
    Ok(Reply::empty(StatusCode::OK))
}

const fn get(name: &'static str, handler: Handler) -> Call {
    Call {
        name,
        method: Method::GET,
        handler,
    }
}

/// The call of this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Call> {
    CALLS.iter().find(|call| call.name == name)
}

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
