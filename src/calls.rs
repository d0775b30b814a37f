//! Every call of the API, in one list.

use std::sync::Arc;

use warp::http::Method;

use crate::accounts::guard::Viewer;
use crate::app::App;
use crate::base::error::Result;
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

/// Who may call. A handler of a pilot's data takes the proof that there is one.
#[derive(Clone, Copy)]
pub enum Handler {
    Anyone(fn(&App, &Request) -> Result<Reply>),
    Pilot(fn(&App, &Viewer, &Request) -> Result<Reply>),
    /// Takes a multipart body with files.
    Upload(fn(&App, &Viewer, &Request, Vec<Upload>) -> Result<Reply>, Files),
    /// Anyone may call; the handler waits without holding a thread.
    Waiting(fn(Arc<App>, Request) -> Answering),
}

use Handler::{Anyone, Pilot, Waiting};

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
    post("SavePassword", Pilot(accounts::api::save_password)),
    post("LogOutFromEveryDevice", Pilot(accounts::api::log_out_from_every_device)),
    post("SendFeedback", Pilot(feedback::api::send_feedback)),

    post("GetEquipment", Pilot(equipment::api::get_equipment)),
    post("GetEquipments", Pilot(equipment::api::get_equipments)),
    get("GetAllEquipments", Pilot(equipment::api::get_all_equipments)),
    post("SaveNewEquipment", Pilot(equipment::api::save_new_equipment)),
    post("SaveEditEquipment", Pilot(equipment::api::save_edit_equipment)),
    post("DeactivateEquipment", Pilot(equipment::api::deactivate_equipment)),
    post("ActivateEquipment", Pilot(equipment::api::activate_equipment)),
    post("SaveCharging", Pilot(equipment::api::save_charging)),
    post("GetChargings", Pilot(equipment::api::get_chargings)),

    post("CreateFlight", Pilot(flights::api::create_flight)),
    post("GetFlight", Pilot(flights::api::get_flight)),
    post("GetFlights", Pilot(flights::api::get_flights)),
    post("SaveFlight", Pilot(flights::api::save_flight)),
    post("DeleteFlight", Pilot(flights::api::delete_flight)),

    post("SaveProfile", Handler::Upload(accounts::api::save_profile, accounts::api::PHOTO)),
    get("GetPhoto", Pilot(accounts::api::get_photo)),

    post("GetUserDocuments", Pilot(documents::api::get_user_documents)),
    post("UploadUserDocument", Handler::Upload(documents::api::upload_user_document, documents::api::ONE_FILE)),
    post("EditUserDocument", Pilot(documents::api::edit_user_document)),
    post("DeleteUserDocument", Pilot(documents::api::delete_user_document)),
    post("DownloadDocument", Pilot(documents::api::download_document)),
    post("ShareDocument", Pilot(documents::api::share_document)),
    post("StopShareDocument", Pilot(documents::api::stop_share_document)),
    get("SharedDocument", Anyone(documents::api::shared_document)),

    post("SaveEquipmentLog", Handler::Upload(logs::api::save_equipment_log, documents::api::ONE_FILE)),
    post("GetEquipmentLogs", Pilot(logs::api::get_equipment_logs)),
    post("SaveFlightLog", Handler::Upload(flights::api::save_flight_log, documents::api::ONE_FILE)),
    post("GetFlightLogs", Pilot(flights::api::get_flight_logs)),
    post("EditLog", Handler::Upload(logs::api::edit_log, documents::api::ONE_FILE)),
    post("DeleteLog", Pilot(logs::api::delete_log)),

    post("UploadImageForFlight", Handler::Upload(flights::api::upload_image_for_flight, flights::api::IMAGES)),
    post("DeleteImage", Pilot(flights::api::delete_image)),
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
