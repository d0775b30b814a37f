//! Every call by every kind of user with every method. Calls, permissions and statuses come from the running program's
//! OpenAPI document; only valid requests are defined here.

use serde_json::{Value, json};

use crate::harness::calls::{BATTERY, COPTER, id_in, keys};
use crate::harness::client::{RequestBuilder, encode};
use crate::harness::{PASSWORD, Pilot, Server, document, pictures, wait};

/// Calls that make others fail come last, in this order.
const LAST: &[&str] = &[
    "DeleteBatteryReading",
    "DeleteBatterySet",
    "MapImportColumns",
    "AcceptImport",
    "DiscardImport",
    "StopShareDocument",
    "ShareDocument",
    "DeleteProof",
    "DeleteUserDocument",
    "DeleteLog",
    "DeleteImage",
    "DeleteInvitation",
    "DissolveSpace",
    "SaveProfile",
    "EndAccessToken",
    "ActivateEquipment",
    "DeactivateEquipment",
    "SaveCharging",
    "QuickCharge",
    "QuickStore",
    "SaveFlight",
    "CreateFlight",
    "AddFlight",
    "DeleteFlight",
    "ConfirmAdmin",
    "SavePassword",
    "LogOutFromEveryDevice",
    "Login",
    "Logout",
];

/// Calls about the pilot's own, or that take no id of a space's: only the matrix tests them, and `roles.rs` all others.
pub const OF_NO_SPACE: &[&str] = &[
    "AcceptImport",
    "AcceptSpaceInvitation",
    "AddProof",
    "ChangeEmail",
    "ConfirmEmail",
    "CreateAccessToken",
    "DeleteFlight",
    "DeleteImage",
    "DeleteProof",
    "DeleteUserDocument",
    "DiscardImport",
    "EditUserDocument",
    "EndAccessToken",
    "EndSession",
    "GetAccessTokens",
    "GetAdminState",
    "GetAllEquipments",
    "GetBatteryHints",
    "GetDetailedUser",
    "GetFlight",
    "GetFlightLogs",
    "GetFlightMonths",
    "GetFlightProfile",
    "GetFlightTrack",
    "GetFlights",
    "GetImage",
    "GetImagePreview",
    "GetImport",
    "GetImports",
    "GetJobTemplates",
    "GetLogbook",
    "GetLoginWays",
    "GetPhoto",
    "GetProofKinds",
    "GetProofPage",
    "GetProofs",
    "GetReminder",
    "GetReminders",
    "GetReview",
    "GetServerProblems",
    "GetSessions",
    "GetSpaces",
    "GetStatistics",
    "GetSticker",
    "GetUserDocuments",
    "GetVoltageDoubts",
    "LogOutFromEveryDevice",
    "MapImportColumns",
    "MendVoltages",
    "SaveContact",
    "SaveFlight",
    "SaveFlightLog",
    "SavePassword",
    "SaveProfile",
    "SaveProof",
    "SaveProofPages",
    "SaveReminder",
    "SendFeedback",
    "ShareDocument",
    "StopShareDocument",
    "Undo",
    "UploadImageForFlight",
    "UploadImport",
    "UploadUserDocument",
];

/// The first words of calls that delete or end something.
const ENDING: &[&str] = &[
    "Delete", "Discard", "Dissolve", "End", "Leave", "LogOut", "Remove", "Stop", "Undo",
];

/// A call from the document.
pub struct Call {
    pub name: String,
    pub method: String,
    pub operation: Value,
}

impl Call {
    /// The role that may make the call: "anyone", "pilot", "operator", or "admin", an operator who has confirmed with
    /// the password.
    pub fn role(&self) -> &str {
        self.operation["x-role"].as_str().unwrap()
    }

    /// Whether the call needs a session.
    fn is_for_pilots(&self) -> bool {
        !self.operation["security"].as_array().unwrap().is_empty()
    }

    /// Whether what the call changes is gone afterwards, as the first word of its name says.
    fn ends_something(&self) -> bool {
        ENDING.iter().any(|verb| self.name.starts_with(verb))
    }

    /// The statuses of success.
    fn successes(&self) -> Vec<u16> {
        let responses = self.operation["responses"].as_object().unwrap();
        let statuses = responses.keys().map(|status| status.parse().unwrap());
        statuses.filter(|status| (200..300).contains(status)).collect()
    }

    pub fn takes_files(&self) -> bool {
        !self.operation["requestBody"]["content"]["multipart/form-data"].is_null()
    }

    pub fn takes_file(&self, field: &str) -> bool {
        let form = &self.operation["requestBody"]["content"]["multipart/form-data"]["schema"];
        let schema = &form["properties"][field];
        !schema["contentMediaType"].is_null() || !schema["items"]["contentMediaType"].is_null()
    }
}

/// Every call of the running program, in an order in which each succeeds for Anna.
pub fn calls(server: &Server) -> Vec<Call> {
    let document = server.stranger().get(document::PATH).expect_status(200).json();
    let mut calls: Vec<_> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, methods)| {
            let name = path.strip_prefix("/app/api/").unwrap();
            methods.as_object().unwrap().iter().map(|(method, operation)| Call {
                name: name.to_owned(),
                method: method.to_uppercase(),
                operation: operation.clone(),
            })
        })
        .collect();
    assert!(calls.len() >= 52, "only {} calls", calls.len());
    // Calls that only read come first.
    calls.sort_by_key(|call| {
        let last = LAST.iter().position(|name| *name == call.name);
        (last.map_or(0, |at| at + 1), !call.name.starts_with("Get"))
    });
    calls
}

/// A table with one flight.
pub const TABLE: &[u8] = b"Datum;Dauer\n04.03.2025;7\n";

/// Ids of Anna's objects.
pub struct Hers {
    pub copter: String,
    pub battery: String,
    pub retired: String,
    pub finished: String,
    pub open: String,
    pub document: String,
    /// A job of the copter, one to delete, one that was done, and the run of that.
    pub jobs: [String; 4],
    /// A proof, and a page of it.
    pub proof: String,
    pub page: String,
    pub token: String,
    pub log: String,
    pub image: String,
    pub photo: String,
    pub login: String,
    pub access_token: String,
    pub import: String,
    pub reading: String,
    /// A second battery, and a set of two others.
    pub second: String,
    pub set: String,
    /// The request id of a `QuickStore`.
    pub said: String,
    /// The code of the copter's sticker.
    pub sticker: String,
    /// A club that Anna alone is a member of, her membership, and an invitation into it.
    pub space: String,
    pub member: String,
    pub invitation: String,
}

/// The request of a call.
#[derive(Clone, Default)]
pub struct Sent {
    pub fields: Vec<(String, String)>,
    /// Field and content of each file.
    pub files: Vec<(String, Vec<u8>)>,
}

fn fields(fields: &[(&str, &str)]) -> Sent {
    let fields = fields
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Sent {
        fields: fields.collect(),
        files: vec![],
    }
}

fn with_file(sent: Sent, field: &str, content: &[u8]) -> Sent {
    Sent {
        files: vec![(field.to_owned(), content.to_vec())],
        ..sent
    }
}

/// A valid request by Anna.
pub fn sent(call: &str, hers: &Hers) -> Sent {
    let email = ("email", "anna@example.org");
    let log = [("info", "b"), ("time", "01.03.2026 09:05")];
    let log_of = |subject: &str| fields(&[&[("dpfId", subject)][..], &log].concat());
    let picture = pictures::jpeg(20, 10);
    match call {
        "CheckLoginToken" => fields(&[email]),
        "ConfirmLogin" => fields(&[("token", "unknown"), ("number", "11")]),
        "GetLoginRequest" | "DenyLogin" => fields(&[("token", "unknown")]),
        "Login" => fields(&[email, ("password", PASSWORD)]),
        "RegistrationAndVerification" => fields(&[email, ("nickname", "Anna")]),
        "SendFeedback" => fields(&[("message", "Gut"), ("rate", "9")]),
        "SaveProfile" => with_file(fields(&[("firstname", "a")]), "photo", &picture),
        "ActivateEquipment" => fields(&[("dpfId", &hers.retired)]),
        "DeactivateEquipment" => fields(&[("dpfId", &hers.retired), ("info", "verkauft")]),
        "GetEquipment" | "GetEquipmentLogs" => fields(&[("dpfId", &hers.copter)]),
        "SaveEquipmentLog" => log_of(&hers.copter),

        "AddFlight" => fields(&[
            (
                "config",
                &json!({"copter": hers.copter, "payloads": [{"name": "Sender", "weight": 12}]}).to_string(),
            ),
            ("flight", &json!({"startTime": "01.03.2026 09:05"}).to_string()),
        ]),
        "CreateFlight" => fields(&[
            (
                "config",
                &json!({"copter": hers.copter, "payloads": [{"name": "Sender", "weight": 12}]}).to_string(),
            ),
            ("flight", &json!({"location": "Elbe"}).to_string()),
        ]),
        "DeleteFlight" | "GetFlightLogs" | "GetFlightProfile" | "GetFlightTrack" => {
            fields(&[("dpfId", &hers.finished)])
        }
        "MendVoltages" => fields(&[("keep", &hers.finished)]),
        "GetFlight" => fields(&[("dpfId", &hers.open)]),
        "SaveFlight" => fields(&[
            ("flight", &json!({"dpfId": hers.open}).to_string()),
            ("endFlight", "true"),
        ]),
        "SaveFlightLog" => with_file(log_of(&hers.finished), "file", b"b"),
        "DeleteImage" => fields(&[("uuid", &hers.image), ("flight", &hers.finished)]),
        "GetImage" | "GetImagePreview" => fields(&[("uuid", &hers.image)]),
        "UploadImageForFlight" => with_file(fields(&[("flight", &hers.finished)]), "files", &picture),

        "UploadImport" | "GetImport" | "DiscardImport" | "MapImportColumns" | "AcceptImport" => {
            sent_about_imports(call, hers)
        }

        "DeleteUserDocument" | "DownloadDocument" | "GetDocument" | "ShareDocument" => {
            fields(&[("dpfId", &hers.document)])
        }
        "EditUserDocument" => fields(&[("dpfId", &hers.document), ("description", "b")]),
        "SharedDocument" | "GetSharedDocument" | "DownloadSharedDocument" | "StopShareDocument" => {
            fields(&[("token", &hers.token)])
        }
        "UploadUserDocument" => with_file(Sent::default(), "file", b"b"),
        "DeleteLog" => fields(&[("dpfId", &hers.log)]),
        "EditLog" => log_of(&hers.log),
        _ => sent_about_logins(call, hers)
            .or_else(|| sent_about_proofs(call, hers))
            .or_else(|| sent_about_gear(call, hers))
            .or_else(|| sent_about_spaces(call, hers))
            .unwrap_or_else(|| sent_by_link(call)),
    }
}

/// A valid request about Anna's ways in.
fn sent_about_logins(call: &str, hers: &Hers) -> Option<Sent> {
    Some(match call {
        "SavePassword" => fields(&[("password", PASSWORD), ("repeatPassword", PASSWORD)]),
        "EndSession" => fields(&[("dpfId", &hers.login)]),
        "GetPhoto" => fields(&[("uuid", &hers.photo)]),
        "Verification" => fields(&[("code", "123456")]),
        "CreateAccessToken" => fields(&[("name", "Skript"), ("days", "30")]),
        "EndAccessToken" => fields(&[("dpfId", &hers.access_token)]),
        _ => return None,
    })
}

/// A valid request about Anna's proofs.
fn sent_about_proofs(call: &str, hers: &Hers) -> Option<Sent> {
    let proof = [("dpfId", hers.proof.as_str())];
    let entries = json!({"dpfId": hers.proof, "number": "7", "until": "31.12.2098"}).to_string();
    let picture = pictures::jpeg(20, 10);
    let sent = match call {
        "AddProof" => with_file(fields(&[("proof", r#"{"kind": 4}"#)]), "files", b"b"),
        "SaveProof" => fields(&[("proof", &entries)]),
        "SaveProofPages" => with_file(fields(&proof), "files", &picture),
        "DeleteProof" => fields(&proof),
        "GetProofPage" => fields(&[proof[0], ("page", &hers.page)]),
        _ => return None,
    };
    Some(sent)
}

/// A valid request about Anna's club.
fn sent_about_spaces(call: &str, hers: &Hers) -> Option<Sent> {
    let (space, member) = (("space", hers.space.as_str()), ("member", hers.member.as_str()));
    let sent = match call {
        "SaveSpace" => fields(&[("kind", "2"), ("name", "MFC Milan")]),
        "GetMembers" | "GetInvitations" | "SaveInvitation" | "LeaveSpace" | "DissolveSpace" => fields(&[space]),
        "SaveMember" => fields(&[space, member, ("role", "4")]),
        "RemoveMember" => fields(&[space, member]),
        "DeleteInvitation" => fields(&[space, ("dpfId", &hers.invitation)]),
        _ => return None,
    };
    Some(sent)
}

/// A valid request about Anna's equipment.
fn sent_about_gear(call: &str, hers: &Hers) -> Option<Sent> {
    let battery = ("battery", hers.battery.as_str());
    let item = |item: &Value| fields(&[("equipment", &item.to_string())]);
    let sent = match call {
        "GetChargings" => fields(&[battery]),
        "GetBatteryPassport" => fields(&[("dpfId", &hers.battery)]),
        "SaveCharging" => fields(&[
            battery,
            ("chargeStartTime", "10.05.2026 18:00"),
            ("fromVoltage", "14,8"),
            ("chargeEndTime", "10.05.2026 19:00"),
            ("toVoltage", "16,8"),
            ("charged", "900"),
            ("measuredCapacity", "1200"),
        ]),
        "SaveBatteryReading" => fields(&[
            battery,
            ("time", "09.05.2026 17:00"),
            ("cellVoltages", "3,82;3,81;3,82;3,82"),
        ]),
        "GetEquipments" => fields(&[("type", "0"), ("deactivated", "false")]),
        "SaveBatterySet" => fields(&[
            ("name", "Kurz"),
            ("members", &[&*hers.battery, &*hers.second].join(";")),
        ]),
        "DeleteBatterySet" => fields(&[("set", &hers.set)]),
        "Undo" => fields(&[("undo", &hers.said)]),
        "SaveReminder" => fields(&[("on", "true")]),
        "SnoozeBattery" => fields(&[("dpfId", &hers.battery), ("days", "3")]),
        "EditBatteryReading" => fields(&[battery, ("dpfId", &hers.reading), ("temperature", "18")]),
        "DeleteBatteryReading" => fields(&[battery, ("dpfId", &hers.reading)]),
        "QuickCharge" | "QuickStore" => fields(&[battery, ("time", "09.05.2026 18:00"), ("voltage", "14,8")]),
        "SaveSticker" => fields(&[("dpfId", &hers.copter)]),
        "GetSticker" => fields(&[("code", &hers.sticker)]),
        "GetLabels" | "GetLogbook" | "GetLogbookPreview" => fields(&[("equipment", &hers.copter)]),
        "GetPriorFlights" => fields(&[("dpfId", &hers.copter)]),
        "SavePriorFlights" => fields(&[("dpfId", &hers.copter), ("prior", r#"{"flights": 900}"#)]),
        "GetMaintenance" => fields(&[("dpfId", &hers.copter)]),
        "SaveJob" | "DeleteJob" | "CompleteJob" | "SkipJob" | "PutOffJob" | "PauseJob" | "GetJobRuns"
        | "DeleteJobRun" => sent_about_jobs(call, hers),
        "SaveContact" => fields(&[("text", "0170 1234567")]),
        "SaveBatteryProfile" => fields(&[battery, ("profile", r#"{"cells": 4}"#)]),
        "SaveEditEquipment" => item(&json!({"dpfId": hers.copter, "name": "Milan", "profile": {}})),
        "FreeEquipment" | "MoveEquipment" | "GetMovePreview" | "GetSharedUses" => fields(&[("dpfId", &hers.second)]),
        "SaveNewEquipment" => item(&json!({"type": COPTER, "name": "Falke", "profile": {}})),
        _ => return sent_about_proofs(call, hers),
    };
    Some(sent)
}

/// A valid request about the maintenance of Anna's copter.
fn sent_about_jobs(call: &str, hers: &Hers) -> Sent {
    let [job, doomed, done, run] = &hers.jobs;
    let of = |job: &str| [("dpfId", hers.copter.clone()), ("jobId", job.to_owned())];
    let with = |job: &str, more: &[(&str, &str)]| {
        let all = of(job);
        let all = all.iter().map(|(name, value)| (*name, value.as_str()));
        fields(&all.chain(more.iter().copied()).collect::<Vec<_>>())
    };
    match call {
        "SaveJob" => with(job, &[("job", r#"{"title": "Propeller", "flights": 20}"#)]),
        "DeleteJob" => with(doomed, &[]),
        "CompleteJob" => with(job, &[("info", "getauscht"), ("again", "true")]),
        "SkipJob" => with(job, &[("info", "Winter")]),
        "PutOffJob" => with(job, &[("flights", "5")]),
        "PauseJob" => with(job, &[("on", "true")]),
        "DeleteJobRun" => with(done, &[("run", run)]),
        _ => with(job, &[]),
    }
}

/// Adds three jobs to an item, of which the last was done; returns them and the run.
pub fn jobs_of(pilot: &Pilot, item: &str) -> [String; 4] {
    let [job, doomed, done] = ["Propeller", "Irrtum", "Firmware"].map(|title| {
        let entries = json!({"title": title, "flights": 10}).to_string();
        let saved = pilot.post("SaveJob", &[("dpfId", item), ("job", &entries)]);
        saved.expect_status(200).json()["jobId"].as_str().unwrap().to_owned()
    });
    let completed = pilot.upload("CompleteJob", &[("dpfId", item), ("jobId", &done)], &[]);
    let run = completed.expect_status(201).json()["run"].as_str().unwrap().to_owned();
    [job, doomed, done, run]
}

/// A valid request for calls that give access to an account, except for the token.
fn sent_by_link(call: &str) -> Sent {
    let (token, email) = (("token", "unknown"), ("email", "neu@example.org"));
    let (password, hers) = (("password", PASSWORD), ("email", "anna@example.org"));
    match call {
        "CreateFirstAccount" | "AcceptInvitation" | "RegisterByInvitation" => {
            fields(&[token, email, ("nickname", "Neu"), password])
        }
        "GetSpaceInvitation" | "AcceptSpaceInvitation" => fields(&[token]),
        "CheckSetupLink" | "GetInvitation" | "GetPasswordReset" | "GetNewAddress" | "ConfirmEmail" => fields(&[token]),
        "ResetPassword" => fields(&[token, password, ("repeatPassword", PASSWORD)]),
        "ChangeEmail" => fields(&[email]),
        "ConfirmAdmin" => fields(&[password]),
        "MailAdminNumber" | "CheckAdminNumber" => Sent::default(),
        "ChangeAccount" | "LogOutAccount" | "ResetAccount" | "SendTestMail" | "GetSpacesOfAccount" => fields(&[hers]),
        "SaveQuota" => fields(&[hers, ("quota", "2 GB")]),
        "DeleteAccount" => fields(&[hers, ("typed", hers.1)]),
        "CheckBackup" => fields(&[("name", "fluglog-20260101-000000.tar")]),
        // Calls without required fields; if one is missing here, status 400 fails the test.
        _ => Sent::default(),
    }
}

fn sent_about_imports(call: &str, hers: &Hers) -> Sent {
    match call {
        "UploadImport" => with_file(Sent::default(), "files", TABLE),
        "GetImport" | "DiscardImport" => fields(&[("dpfId", &hers.import)]),
        "MapImportColumns" => fields(&[
            ("dpfId", &hers.import),
            ("file", "0"),
            (
                "mapping",
                r#"{"columns": {"0": "date"}, "separator": ";", "decimal": ",", "dateOrder": "dmy"}"#,
            ),
        ]),
        "AcceptImport" => fields(&[
            ("dpfId", &hers.import),
            ("choices", r#"[{"key": "0-0", "action": "skip"}]"#),
        ]),
        _ => Sent::default(),
    }
}

/// The status of calls whose answer differs between users, or isn't a success.
fn answered(call: &str, who: &str) -> Option<u16> {
    match (call, who) {
        ("GetLoginRequest" | "ConfirmLogin" | "DenyLogin" | "Verification", _) => Some(410),
        ("CheckSetupLink" | "CreateFirstAccount" | "AcceptInvitation" | "GetInvitation", _) => Some(410),
        ("GetPasswordReset" | "ResetPassword" | "GetNewAddress", _) => Some(410),
        ("GetSpaceInvitation" | "RegisterByInvitation", _) | ("AcceptSpaceInvitation", "Anna" | "Ben") => Some(410),
        // She is the last member.
        ("LeaveSpace" | "RemoveMember", "Anna") => Some(409),
        ("ConfirmEmail", "Anna" | "Ben") => Some(410),
        // Anna has a password.
        ("MailAdminNumber" | "CheckAdminNumber", "Anna") => Some(409),
        ("RegistrationAndVerification", _) => Some(409),
        ("CheckSession", "a stranger") => Some(401),
        ("CheckLoginToken", _) => Some(204),
        ("GetFlights", "Ben") => Some(204),
        ("Login", _) => Some(202),
        ("GetFlights", _) => Some(200),
        ("AddFlight", "Anna") => Some(201),
        _ => None,
    }
}

/// Adds a second battery and a set of two others; returns their ids and the request id of a `QuickStore`.
pub fn packs_together(pilot: &Pilot) -> [String; 3] {
    let [second, third, fourth] = ["Akku 7", "Akku 8", "Akku 9"].map(|name| pilot.item(BATTERY, name));
    let members = [third, fourth].join(";");
    let set = pilot.post("SaveBatterySet", &[("name", "Lang"), ("members", &members)]);
    let said = "0198b6f0-3333-7000-8000-00000000000d";
    store(pilot, &second, said);
    [second, id_in(&set.expect_status(200).json()), said.to_owned()]
}

fn store(pilot: &Pilot, battery: &str, request: &str) {
    let stored = [("battery", battery), ("voltage", "14,8"), ("requestId", request)];
    pilot.post("QuickStore", &stored).expect_status(200);
}

/// Makes a club and an invitation into it; returns the ids of the club, of the membership and of the invitation.
fn club(pilot: &Pilot) -> [String; 3] {
    let made = pilot.post("SaveSpace", &[("kind", "2"), ("name", "MFC Falke")]);
    let space = id_in(&made.expect_status(200).json());
    let invitation = pilot.post("SaveInvitation", &[("space", &space)]).expect_status(201);
    let members = pilot.post("GetMembers", &[("space", &space)]).expect_status(200).json();
    let [member, invitation] = [id_in(&members[0]), id_in(&invitation.json())];
    [space, member, invitation]
}

pub fn anna_s_things(anna: &Pilot) -> Hers {
    let (copter, retired) = (anna.item(COPTER, "Falke"), anna.item(COPTER, "Wrack"));
    anna.deactivate(&retired, "verloren").expect_status(200);
    let finished = anna.fly(&copter, &[], &json!({"flightTime": 5}));
    let open = anna.take_off(&copter);
    let document = anna.document("a.txt", b"geheim");
    let share = anna
        .post("ShareDocument", &[("dpfId", &document)])
        .expect_status(200)
        .json();
    let log = [
        ("dpfId", finished.as_str()),
        ("info", "geheim"),
        ("time", "01.03.2026 09:05"),
    ];
    let log = anna.upload("SaveFlightLog", &log, &[]).expect_status(201).json();
    let picture = pictures::jpeg(20, 10);
    let user = anna
        .upload("SaveProfile", &[], &[("photo", "a.jpg", &picture)])
        .expect_status(201)
        .json();
    let photo = user["photo"].as_str().unwrap().split('=').nth(1).unwrap().to_owned();
    let proof = anna.proof("b.jpg", &picture, &json!({"kind": 1, "until": "31.12.2099"}));
    let battery = anna.item(BATTERY, "Akku");
    let reading = anna.reading(&battery, &[("voltage", "15,2"), ("time", "08.05.2026 17:00")]);
    let [second, set, said] = packs_together(anna);
    let import = anna.upload("UploadImport", &[], &[("files", "Heft.csv", TABLE)]);
    let sticker = anna
        .post("SaveSticker", &[("dpfId", &copter)])
        .expect_status(200)
        .json();
    let [space, member, invitation] = club(anna);
    Hers {
        jobs: jobs_of(anna, &copter),
        space,
        member,
        invitation,
        sticker: sticker["code"].as_str().unwrap().to_owned(),
        import: id_in(&import.expect_status(201).json()),
        login: anna.log_in_elsewhere(),
        access_token: anna.access_token_id(),
        battery,
        reading,
        second,
        set,
        said,
        copter,
        retired,
        document,
        proof: id_in(&proof),
        page: proof["pages"][0].as_str().unwrap().to_owned(),
        token: share["token"].as_str().unwrap().to_owned(),
        log: id_in(&log),
        image: anna.add_images(&finished, &[&picture]).remove(0),
        photo,
        finished,
        open,
    }
}

/// A call by one kind of user.
pub fn question<'p>(pilot: &'p Pilot, call: &Call, sent: &Sent) -> RequestBuilder<'p> {
    let fields: Vec<_> = sent
        .fields
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let path = format!("/app/api/{}", call.name);
    if call.takes_files() {
        let files = sent
            .files
            .iter()
            .map(|(field, content)| (field.as_str(), "a.jpg", content.as_slice()));
        return pilot.upload_question(&call.name, &fields, &files.collect::<Vec<_>>());
    }
    match (call.method.as_str(), fields.is_empty()) {
        ("GET", _) => pilot.ask("GET", &format!("{path}?{}", encode(&fields))),
        (method, true) => pilot.ask(method, &path),
        (method, false) => pilot.ask(method, &path).form(&fields),
    }
}

#[track_caller]
fn ask(pilot: &Pilot, call: &Call, hers: &Hers, who: &str) {
    let sent = sent(&call.name, hers);
    let ids = [&hers.copter, &hers.battery, &hers.retired, &hers.finished, &hers.open];
    let more = [
        &hers.document,
        &hers.proof,
        &hers.jobs[0],
        &hers.token,
        &hers.log,
        &hers.image,
        &hers.photo,
        &hers.login,
        &hers.access_token,
        &hers.import,
        &hers.reading,
        &hers.second,
        &hers.set,
        &hers.said,
        &hers.sticker,
        &hers.space,
        &hers.invitation,
    ];
    let mut things = ids.into_iter().chain(more);
    let is_about_hers = things.any(|id| sent.fields.iter().any(|(_, value)| value.contains(id.as_str())));
    let statuses = match who {
        "a stranger" if call.is_for_pilots() => vec![401],
        // Anna's account is the first, so an operator's. `admin.rs` tests confirmed operators.
        "Anna" if call.role() == "admin" => vec![403],
        "Ben" if ["operator", "admin"].contains(&call.role()) => vec![403],
        "Ben" if call.is_for_pilots() && is_about_hers => vec![403],
        _ => answered(&call.name, who).map_or_else(|| call.successes(), |status| vec![status]),
    };
    let [status] = statuses[..] else {
        panic!("{}: which of {statuses:?} does {who} get?", call.name);
    };
    let answer = question(pilot, call, &sent).send();
    assert_eq!(answer.status, status, "{} for {who}: {}", call.name, answer.text());
    match status {
        401 => drop(answer.expect_not_logged_in()),
        403 if who == "Anna" => drop(answer.expect_refusal(403, "Bitte Passwort erneut eingeben.")),
        403 if call.name == "GetSticker" => {
            drop(answer.expect_refusal(403, "Dieser Aufkleber gehört zu einem anderen Konto."));
        }
        403 => drop(answer.expect_no_access()),
        _ => {}
    }
}

/// Makes a pilot's objects, then each call that adds or changes something and isn't in `without`; returns the objects.
pub fn fill(server: &Server, pilot: &Pilot, without: &[&str]) -> Hers {
    let hers = anna_s_things(pilot);
    for call in calls(server) {
        let is_change = call.role() == "pilot" && !call.name.starts_with("Get");
        if is_change && !call.ends_something() && !without.contains(&call.name.as_str()) {
            ask(pilot, &call, &hers, "Anna");
        }
    }
    hers
}

#[test]
fn every_call_answers_everybody_as_it_must() {
    let server = Server::start();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let hers = anna_s_things(&anna);
    let before = anna.everything();
    let calls = calls(&server);
    for call in &calls {
        // A browser for each call: Login and Logout must not affect the next call.
        ask(&server.stranger(), call, &hers, "a stranger");
        let tab = if call.name == "Logout" {
            server.stranger()
        } else {
            ben.another_tab()
        };
        match call.name.as_str() {
            "Login" => {}
            // Ends all sessions except the calling browser's.
            "SavePassword" => ask(&ben, call, &hers, "Ben"),
            _ => ask(&tab, call, &hers, "Ben"),
        }
    }
    assert_eq!(anna.everything(), before, "strangers and Ben changed what is Anna's");
    // Undoing is possible for a minute after the change.
    let (undo, others): (Vec<_>, Vec<_>) = calls.iter().partition(|call| call.name == "Undo");
    let said = "0198b6f0-3333-7000-8000-00000000000e".to_owned();
    store(&anna, &hers.second, &said);
    let hers = Hers { said, ..hers };
    for call in undo.into_iter().chain(others) {
        ask(&anna, call, &hers, "Anna");
    }
}

#[test]
fn no_call_takes_another_method() {
    let server = Server::start();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    anna_s_things(&anna);
    let before = anna.everything();
    let stranger = server.stranger();
    for call in calls(&server) {
        for method in ["GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] {
            if method == call.method {
                continue;
            }
            for (who, pilot) in [("a stranger", &stranger), ("Anna", &anna), ("Ben", &ben)] {
                let answer = pilot.ask(method, &format!("/app/api/{}", call.name)).send();
                assert_eq!(
                    answer.status,
                    405,
                    "{method} {} for {who}: {}",
                    call.name,
                    answer.text()
                );
                assert_eq!(
                    answer.header("allow"),
                    Some(call.method.as_str()),
                    "{method} {}",
                    call.name
                );
            }
        }
    }
    assert_eq!(anna.everything(), before);
}

#[test]
fn a_put_with_the_right_fields_is_still_no_post() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let copter = anna.item(COPTER, "Falke");
    let before = anna.everything();
    let fields = [("dpfId", copter.as_str()), ("info", "verloren")];
    for method in ["PUT", "PATCH", "DELETE"] {
        let question = anna.ask(method, "/app/api/DeactivateEquipment");
        if method == "DELETE" {
            question.send().expect_status(405);
        } else {
            question.form(&fields).send().expect_status(405);
        }
    }
    assert_eq!(anna.everything(), before);
}

#[test]
fn what_anybody_may_ask_writes_nothing() {
    let server = Server::start();
    let hers = anna_s_things(&server.pilot("anna"));
    let written = || {
        let database = std::fs::metadata(server.directory().join("fluglog.redb")).unwrap();
        (database.modified().unwrap(), database.len())
    };
    let before = wait::until("the work before is over", || {
        let before = written();
        server.stranger().get("/app/health").expect_status(200);
        (written() == before).then_some(before)
    });
    let mut asked = 0;
    for call in calls(&server).iter().filter(|call| !call.is_for_pilots()) {
        let sent = match call.name.as_str() {
            "Login" => fields(&[("email", "anna@example.org"), ("password", "Rotorblatt-18")]),
            "Logout" => fields(&[("token", &"cd".repeat(32))]),
            name => sent(name, &hers),
        };
        for _ in 0..2 {
            let stranger = server.stranger();
            // Without its cookie, `CheckLoginToken` begins a login by mail.
            for cookie in ["session", "login", "device", "loginRequest", "registration"] {
                stranger.plant_cookie(cookie, &"ab".repeat(32));
            }
            question(&stranger, call, &sent).send();
            assert_eq!(written(), before, "{}", call.name);
        }
        asked += 1;
    }
    assert!(asked >= 14, "only {asked} calls");
}

#[test]
fn reading_calls_change_nothing() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let hers = anna_s_things(&anna);
    let before = anna.everything();
    let database = || std::fs::read(server.directory().join("fluglog.redb")).unwrap();
    let bytes = database();
    for path in [
        "/",
        "/app/",
        "/app/health",
        "/app/legal/impressum.txt",
        "/app/api/GetAllEquipments",
        "/app/assets/x",
    ] {
        anna.get(path);
    }
    for call in calls(&server).iter().filter(|call| call.name.starts_with("Get")) {
        ask(&anna, call, &hers, "Anna");
    }
    assert!(bytes == database(), "the database file changed");
    assert_eq!(anna.everything(), before);
    assert_eq!(
        keys(&before),
        [
            "active",
            "chargings",
            "documents",
            "flights",
            "proofs",
            "retired",
            "session",
            "statistics",
            "user"
        ]
    );
}
