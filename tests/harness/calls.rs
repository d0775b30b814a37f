//! The calls of the API as methods, where these read better than fields.

use serde_json::{Value, json};

use super::PASSWORD;
use super::answer::Answer;
use super::client::Pilot;

/// The codes of the kinds of equipment.
pub const COPTER: u8 = 0;
pub const BATTERY: u8 = 1;
pub const GOGGLES: u8 = 2;
pub const TRANSMITTER: u8 = 3;
pub const VIDEO_CAMERA: u8 = 4;

impl Pilot {
    #[track_caller]
    pub fn log_in(&self, email: &str, password: &str) -> Answer {
        self.post("Login", &[("email", email), ("password", password)])
    }

    #[track_caller]
    pub fn log_in_and_stay(&self, email: &str, password: &str) -> Answer {
        self.post(
            "Login",
            &[("email", email), ("password", password), ("rememberMe", "true")],
        )
    }

    /// Logs in with another browser and returns the id of that login.
    #[track_caller]
    pub fn log_in_elsewhere(&self) -> String {
        let user = self.post_empty("GetDetailedUser").expect_status(200).json();
        let other = self.another_tab();
        other.forget_cookie("session");
        let email = user["email"].as_str().expect("an address");
        other.log_in(email, PASSWORD).expect_status(202);
        let list = self.post_empty("GetSessions").expect_status(200).json();
        let mut list = list.as_array().expect("a list").iter();
        id_in(list.find(|session| session["current"] == false).expect("another login"))
    }

    /// Asks for a login by mail; returns the number for the browser.
    #[track_caller]
    pub fn ask_for_login(&self, email: &str) -> String {
        let number = self.post("Login", &[("email", email)]).expect_status(200).json();
        number["number"].as_str().expect("a number").to_owned()
    }

    #[track_caller]
    pub fn check_login_token(&self, email: &str) -> Answer {
        self.post("CheckLoginToken", &[("email", email)])
    }

    #[track_caller]
    pub fn confirm_login(&self, token: &str, number: &str) -> Answer {
        self.post("ConfirmLogin", &[("token", token), ("number", number)])
    }

    #[track_caller]
    pub fn register(&self, email: &str, nickname: &str) -> Answer {
        self.post(
            "RegistrationAndVerification",
            &[("email", email), ("nickname", nickname)],
        )
    }

    #[track_caller]
    pub fn verify(&self, code: &str) -> Answer {
        self.post("Verification", &[("code", code)])
    }

    #[track_caller]
    pub fn save_password(&self, password: &str, repeated: &str) -> Answer {
        self.post("SavePassword", &[("password", password), ("repeatPassword", repeated)])
    }

    #[track_caller]
    pub fn check_session(&self) -> Answer {
        self.post_empty("CheckSession")
    }

    /// The id of the open flight, or null.
    #[track_caller]
    pub fn open_flight(&self) -> Value {
        self.check_session().expect_status(200).json()["openFlight"].clone()
    }
}

impl Pilot {
    #[track_caller]
    pub fn save_new_equipment(&self, equipment: &Value) -> Answer {
        self.post("SaveNewEquipment", &[("equipment", &equipment.to_string())])
    }

    #[track_caller]
    pub fn save_edit_equipment(&self, equipment: &Value) -> Answer {
        self.post("SaveEditEquipment", &[("equipment", &equipment.to_string())])
    }

    /// Adds an item with only a name; returns its id.
    #[track_caller]
    pub fn item(&self, kind: u8, name: &str) -> String {
        self.item_with(&json!({"type": kind, "name": name}))
    }

    /// Adds an item with these fields; returns its id.
    #[track_caller]
    pub fn item_with(&self, equipment: &Value) -> String {
        id_in(&self.save_new_equipment(equipment).expect_status(200).json())
    }

    /// Adds batteries one after another until the connection breaks; returns the names of the confirmed ones.
    pub fn add_until_the_server_is_gone(&self, worker: u32) -> Vec<String> {
        let mut confirmed = Vec::new();
        for number in 0.. {
            let name = format!("Akku {worker}-{number}");
            let battery = json!({"type": BATTERY, "name": name}).to_string();
            let question = self
                .ask("POST", "/app/api/SaveNewEquipment")
                .form(&[("equipment", &battery)]);
            match question.try_to_send() {
                Some(answer) => drop(answer.expect_status(200)),
                None => break,
            }
            confirmed.push(name);
        }
        confirmed
    }

    #[track_caller]
    pub fn equipment(&self, id: &str) -> Value {
        self.post("GetEquipment", &[("dpfId", id)]).expect_status(200).json()
    }

    #[track_caller]
    pub fn equipments(&self, kind: u8, deactivated: bool) -> Vec<Value> {
        let fields = [("type", kind.to_string()), ("deactivated", deactivated.to_string())];
        let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
        let list = self.post("GetEquipments", &fields).expect_status(200).json();
        list.as_array().expect("a list").clone()
    }

    #[track_caller]
    pub fn all_equipments(&self) -> Value {
        self.get("/app/api/GetAllEquipments").expect_status(200).json()
    }

    /// Saves a charging of a battery; a `dpfId` in the fields selects an existing one.
    #[track_caller]
    pub fn save_charging(&self, battery: &str, fields: &[(&str, &str)]) -> Answer {
        self.post("SaveCharging", &[&[("battery", battery)], fields].concat())
    }

    /// The history of a battery.
    #[track_caller]
    pub fn chargings(&self, battery: &str) -> Vec<Value> {
        let history = self
            .post("GetChargings", &[("battery", battery)])
            .expect_status(200)
            .json();
        history["chargings"].as_array().expect("a list").clone()
    }

    /// Adds a reading of a battery; returns its id.
    #[track_caller]
    pub fn reading(&self, battery: &str, fields: &[(&str, &str)]) -> String {
        let saved = self.post("SaveBatteryReading", &[&[("battery", battery)], fields].concat());
        id_in(&saved.expect_status(201).json())
    }

    #[track_caller]
    pub fn deactivate(&self, id: &str, reason: &str) -> Answer {
        self.post("DeactivateEquipment", &[("dpfId", id), ("info", reason)])
    }

    #[track_caller]
    pub fn activate(&self, id: &str) -> Answer {
        self.post("ActivateEquipment", &[("dpfId", id)])
    }
}

impl Pilot {
    #[track_caller]
    pub fn create_flight(&self, config: &Value) -> Answer {
        self.post("CreateFlight", &[("config", &config.to_string())])
    }

    /// Starts a flight with only a copter; returns its id.
    #[track_caller]
    pub fn take_off(&self, copter: &str) -> String {
        self.take_off_with(copter, &[], &json!([]))
    }

    #[track_caller]
    pub fn take_off_with(&self, copter: &str, equipments: &[&str], payloads: &Value) -> String {
        let config = json!({"copter": copter, "equipments": equipments, "payloads": payloads});
        self.create_flight(&config).expect_status(200).text()
    }

    #[track_caller]
    pub fn save_flight(&self, flight: &Value) -> Answer {
        self.post("SaveFlight", &[("flight", &flight.to_string()), ("endFlight", "false")])
    }

    #[track_caller]
    pub fn finish_flight(&self, flight: &Value) -> Answer {
        self.post("SaveFlight", &[("flight", &flight.to_string()), ("endFlight", "true")])
    }

    /// Makes a complete flight, from choosing equipment to finishing; returns its id. `fields` has no id.
    #[track_caller]
    pub fn fly(&self, copter: &str, equipments: &[&str], fields: &Value) -> String {
        let id = self.take_off_with(copter, equipments, &json!([]));
        self.finish_flight(&with_id(fields, &id)).expect_status(200);
        id
    }

    #[track_caller]
    pub fn get_flight(&self, id: &str) -> Answer {
        self.post("GetFlight", &[("dpfId", id)])
    }

    #[track_caller]
    pub fn flight(&self, id: &str) -> Value {
        self.get_flight(id).expect_status(200).json()
    }

    #[track_caller]
    pub fn delete_flight(&self, id: &str) -> Answer {
        self.post("DeleteFlight", &[("dpfId", id)])
    }

    /// The rows of the list of flights; none if the answer is 204.
    #[track_caller]
    pub fn flights(&self) -> Vec<Value> {
        rows(self.post_empty("GetFlights"))
    }

    #[track_caller]
    pub fn flights_page(&self, fields: &[(&str, &str)]) -> Vec<Value> {
        rows(self.post("GetFlights", fields))
    }

    #[track_caller]
    pub fn statistics(&self) -> Value {
        self.post_empty("GetStatistics").expect_status(200).json()
    }

    /// The flights grouped by month.
    #[track_caller]
    pub fn flight_months(&self) -> Value {
        self.post_empty("GetFlightMonths").expect_status(200).json()
    }

    /// All data that calls show this pilot.
    #[track_caller]
    pub fn everything(&self) -> Value {
        let flights: Vec<_> = self.flights().iter().map(|row| self.flight(&id_in(row))).collect();
        let active = self.all_equipments();
        let retired: Vec<_> = (COPTER..=VIDEO_CAMERA)
            .flat_map(|kind| self.equipments(kind, true))
            .collect();
        let batteries = active["batteries"].as_array().into_iter().flatten().chain(&retired);
        let batteries = batteries.filter(|item| item["type"] == BATTERY);
        let chargings: Vec<_> = batteries.map(|item| self.chargings(&id_in(item))).collect();
        json!({
            "user": self.post_empty("GetDetailedUser").expect_status(200).json(),
            "session": self.check_session().expect_status(200).json(),
            "active": active,
            "retired": retired,
            "chargings": chargings,
            "flights": flights,
            "statistics": self.statistics(),
            "documents": self.documents(),
            "proofs": self.proofs(),
        })
    }
}

/// A copy of the object with `dpfId`.
pub fn with_id(fields: &Value, id: &str) -> Value {
    let mut object = fields.clone();
    object["dpfId"] = json!(id);
    object
}

#[track_caller]
pub fn id_in(object: &Value) -> String {
    let id = object["dpfId"].as_str().unwrap_or_default();
    assert!(!id.is_empty(), "no dpfId in {object}");
    id.to_owned()
}

/// The names of an object's fields, sorted.
pub fn keys(object: &Value) -> Vec<&str> {
    let mut keys: Vec<_> = object
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    keys.sort_unstable();
    keys
}

#[track_caller]
fn rows(answer: Answer) -> Vec<Value> {
    if answer.status == 204 {
        assert!(answer.body.is_empty(), "204 has no body");
        return Vec::new();
    }
    let rows = answer.expect_status(200).json().as_array().expect("a list").clone();
    assert!(!rows.is_empty(), "an empty list is answered with 204");
    rows
}
