//! The list of calls for scripts: an OpenAPI document, which `cargo test` writes.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Map, Value, json};
use utoipa::openapi::{ComponentsBuilder, OpenApiBuilder};

use super::{Answer, Body, CALLS, Call, Handler};
use crate::{admin, alarms, export};
use fluglog_base::declared::{Declared, Kind};
use fluglog_store::operations;
use fluglog_topics::{documents, equipment, flights, imports, logs, packs, quota, reminders, statistics};
use fluglog_web::multipart::Files;

const DOCUMENT: &str = "embed/api/openapi.json";

/// A number as people type it, and a coordinate.
const NUMBER: &str = "^([0-9]{1,9}([.,][0-9]{0,20})?|[.,][0-9]{1,20})$";
const DEGREES: &str = "^-?([0-9]{1,3}([.,][0-9]{0,20})?|[.,][0-9]{1,20})$";
const DATE: &str = "^[0-3][0-9]\\.[01][0-9]\\.(19|20)[0-9]{2}$";
const TIME: &str = "^[0-3][0-9]\\.[01][0-9]\\.(19|20)[0-9]{2} [0-2][0-9]:[0-5][0-9]$";
/// A UUID of version 4 or 7.
const NEW_ID: &str = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[47][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$";
const ONE_LINE: &str = "^[^\\u0000-\\u001f\\u007f-\\u009f]*$";
const LINES: &str = "^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$";

#[test]
fn the_document_for_scripts_is_written() {
    write(DOCUMENT, &lines(&document(), 3));
}

#[test]
fn the_document_describes_every_type_that_a_call_answers() {
    let document = document();
    let text = document.to_string();
    let described = document["components"]["schemas"].as_object().unwrap();
    for call in CALLS {
        for answer in call.answers {
            if let Body::Object(name) | Body::List(name) = answer.body {
                assert!(described.contains_key(name), "{} answers {name}", call.name);
            }
        }
    }
    for name in described.keys() {
        let reference = format!("\"#/components/schemas/{name}\"");
        assert!(text.contains(&reference), "nothing answers {name}");
    }
}

/// Writes what is generated from the list into the repository.
pub(super) fn write(path: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    // Tests beside this one may read it: they see the old file or the new one.
    let new = path.with_extension("new");
    std::fs::write(&new, text).unwrap();
    std::fs::rename(&new, &path).unwrap();
}

/// JSON whose objects stand in lines down to a depth: small, and still good to compare.
fn lines(value: &Value, depth: usize) -> String {
    match value.as_object() {
        Some(members) if depth > 0 => {
            let members = members
                .iter()
                .map(|(name, member)| format!("{}:{}", json!(name), lines(member, depth - 1)));
            let members: Vec<_> = members.collect();
            format!("{{\n{}\n}}", members.join(",\n"))
        }
        _ => value.to_string(),
    }
}

impl Call {
    /// Its own fields and the one that every change takes.
    pub(super) fn all_fields(&self) -> Vec<Declared> {
        let mut fields = self.fields.to_vec();
        if self.is_recorded() {
            fields.extend(operations::FIELDS);
        }
        fields
    }

    fn is_recorded(&self) -> bool {
        matches!(self.handler, Handler::Change(..) | Handler::Upload(..))
    }

    fn is_open_to_anyone(&self) -> bool {
        self.role() == "anyone"
    }

    /// Who may call it.
    fn role(&self) -> &'static str {
        match self.handler {
            Handler::Anyone(_) | Handler::AtOnce(..) | Handler::Waiting(_) => "anyone",
            Handler::Operator(_) => "operator",
            Handler::Admin(_) => "admin",
            _ => "pilot",
        }
    }

    pub(super) fn files(&self) -> Option<Files> {
        match self.handler {
            Handler::Upload(_, files, _) => Some(files),
            _ => None,
        }
    }

    fn statuses_of_refusals(&self) -> BTreeSet<u16> {
        let mut statuses = BTreeSet::from([400, 500, 503]);
        statuses.extend(self.refusals);
        if !self.is_open_to_anyone() {
            statuses.insert(401);
        }
        if self.is_recorded() {
            statuses.insert(409);
        }
        if self.is_of_admin_page() {
            statuses.extend([403, 404]);
        }
        if self.method == "POST" {
            statuses.extend([403, 413, 415]);
        }
        if self.all_fields().iter().any(|field| field.kind == Kind::Id) {
            statuses.insert(403);
        }
        statuses
    }
}

fn info() -> Value {
    json!({
        "title": "Fluglog",
        "version": env!("CARGO_PKG_VERSION"),
        "summary": "The calls of the user interface, for scripts.",
        "description": "A refusal is one German sentence that may be shown as it is. In a form an empty field counts \
            as absent. Numbers are sent as they are typed, with a point or a comma. An id that doesn't exist is \
            answered like someone else's: 403.",
        "license": {"name": "MIT", "identifier": "MIT"},
    })
}

/// The types of the admin's page.
fn of_admin_page(components: ComponentsBuilder) -> ComponentsBuilder {
    components
        .schema_from::<fluglog_accounts::model::AdminProof>()
        .schema_from::<admin::model::AdminOverview>()
        .schema_from::<admin::model::AdminProblem>()
        .schema_from::<admin::model::AdminPart>()
        .schema_from::<admin::model::AdminAccount>()
        .schema_from::<admin::model::AdminLink>()
        .schema_from::<admin::model::AdminBackups>()
        .schema_from::<admin::model::AdminArchive>()
        .schema_from::<admin::model::AdminTarget>()
        .schema_from::<admin::model::AdminOutcome>()
        .schema_from::<admin::model::AdminMails>()
        .schema_from::<admin::model::AdminWaitingMail>()
        .schema_from::<admin::model::AdminKeptMail>()
        .schema_from::<admin::model::AdminFeedback>()
        .schema_from::<admin::model::AdminSetting>()
        .schema_from::<admin::model::AdminLogLine>()
        .schema_from::<admin::model::AdminLogKind>()
}

fn of_equipment(components: ComponentsBuilder) -> ComponentsBuilder {
    components
        .schema_from::<packs::records::charging::details::ChargingDetails>()
        .schema_from::<packs::records::charging::model::Charging>()
        .schema_from::<packs::records::charging::model::Chargings>()
        .schema_from::<packs::wire::AllEquipments>()
        .schema_from::<packs::wire::Equipment>()
        .schema_from::<packs::attention::PackHint>()
        .schema_from::<flights::suspect_voltages::model::VoltageDoubt>()
        .schema_from::<packs::hints::BatteryHint>()
        .schema_from::<packs::hints::Level>()
        .schema_from::<packs::hints::Light>()
        .schema_from::<packs::hints::Rule>()
        .schema_from::<reminders::model::Reminder>()
        .schema_from::<packs::passport::BatteryPassport>()
        .schema_from::<equipment::stickers::model::Sticker>()
        .schema_from::<equipment::stickers::model::Label>()
        .schema_from::<packs::passport::PackFlight>()
        .schema_from::<packs::passport::PassportDeed>()
        .schema_from::<packs::passport::PassportEntry>()
        .schema_from::<equipment::profile::Profile>()
        .schema_from::<packs::records::readings::model::BatteryReading>()
        .schema_from::<packs::records::sets::model::BatterySet>()
        .schema_from::<packs::records::sets::model::SetName>()
        .schema_from::<packs::aging::CapacityPoint>()
        .schema_from::<packs::aging::Trend>()
        .schema_from::<packs::state::PackState>()
}

fn schemas() -> Value {
    let components = of_equipment(of_admin_page(ComponentsBuilder::new()))
        .schema_from::<fluglog_accounts::model::DetailedUser>()
        .schema_from::<fluglog_accounts::model::CheckedSession>()
        .schema_from::<fluglog_accounts::model::LoggedIn>()
        .schema_from::<fluglog_accounts::model::LoginNumber>()
        .schema_from::<fluglog_accounts::model::LoginRequest>()
        .schema_from::<fluglog_accounts::model::LoginWays>()
        .schema_from::<fluglog_accounts::model::AdminState>()
        .schema_from::<fluglog_accounts::model::DeviceSession>()
        .schema_from::<fluglog_accounts::model::SessionUser>()
        .schema_from::<fluglog_accounts::model::SetupState>()
        .schema_from::<fluglog_accounts::model::Invitation>()
        .schema_from::<fluglog_accounts::model::PasswordReset>()
        .schema_from::<fluglog_accounts::model::NewAddress>()
        .schema_from::<alarms::ExplainedProblem>()
        .schema_from::<documents::model::Document>()
        .schema_from::<documents::model::Share>()
        .schema_from::<export::model::ExportSize>()
        .schema_from::<quota::model::StorageUsage>()
        .schema_from::<flights::model::Flight>()
        .schema_from::<flights::model::FlightItem>()
        .schema_from::<flights::model::FlightRow>()
        .schema_from::<flights::model::FlightFields>()
        .schema_from::<flights::origin::model::FlightProfile>()
        .schema_from::<flights::origin::model::FlightTrack>()
        .schema_from::<imports::model::Import>()
        .schema_from::<imports::model::ImportColumn>()
        .schema_from::<imports::model::ImportFile>()
        .schema_from::<imports::model::ImportRow>()
        .schema_from::<imports::model::OmittedPart>()
        .schema_from::<imports::model::Proposal>()
        .schema_from::<imports::model::Twin>()
        .schema_from::<imports::model::Belongings>()
        .schema_from::<imports::model::Accepted>()
        .schema_from::<imports::model::Moved>()
        .schema_from::<flights::model::Payload>()
        .schema_from::<logs::model::EquipmentLogs>()
        .schema_from::<logs::model::FlightLogs>()
        .schema_from::<logs::model::Log>()
        .schema_from::<logs::model::LogDocument>()
        .schema_from::<statistics::model::FlightMonth>()
        .schema_from::<statistics::review::BestFlight>()
        .schema_from::<statistics::review::Review>()
        .schema_from::<statistics::review::ReviewDay>()
        .schema_from::<statistics::review::ReviewPart>()
        .schema_from::<statistics::review::ReviewParts>()
        .schema_from::<statistics::review::ReviewYear>()
        .schema_from::<statistics::model::Statistics>()
        .build();
    let answers = serde_json::to_value(OpenApiBuilder::new().components(Some(components)).build()).unwrap();
    let mut schemas = answers["components"]["schemas"].clone();
    for schema in schemas.as_object_mut().unwrap().values_mut() {
        require_all(schema);
    }
    schemas
}

fn document() -> Value {
    let paths: Map<_, _> = CALLS
        .iter()
        .map(|call| {
            let method = call.method.as_str().to_lowercase();
            (format!("/app/api/{}", call.name), json!({ method: operation(call) }))
        })
        .collect();
    json!({
        "openapi": "3.1.0",
        "info": info(),
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": schemas(),
            "responses": refusals(),
            "securitySchemes": {
                "session": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "session",
                    "description": "What `Login` sets. Over https its name is `__Host-session`.",
                },
            },
        },
    })
}

/// Answers have all their fields; those without a value are null.
fn require_all(schema: &mut Value) {
    let Some(object) = schema.as_object_mut() else { return };
    for part in object
        .get_mut("allOf")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        require_all(part);
    }
    if let Some(properties) = object.get("properties").and_then(Value::as_object) {
        let names: Vec<_> = properties.keys().cloned().collect();
        object.insert("required".to_owned(), json!(names));
    }
}

fn operation(call: &Call) -> Value {
    let mut operation = json!({
        "operationId": call.name,
        "summary": call.about,
        "security": if call.is_open_to_anyone() { json!([]) } else { json!([{"session": []}]) },
        // "operator" runs the server, "admin" has shown the password as well.
        "x-role": call.role(),
        "responses": responses(call),
    });
    let fields = call.all_fields();
    if call.method == "GET" {
        let parameters = fields.iter().map(|field| {
            json!({"name": field.name, "in": "query", "required": field.is_required, "schema": field_schema(field)})
        });
        let parameters: Vec<_> = parameters.collect();
        if !parameters.is_empty() {
            operation["parameters"] = json!(parameters);
        }
    } else if !fields.is_empty() {
        operation["requestBody"] = body(call, &fields);
    }
    operation
}

fn body(call: &Call, fields: &[Declared]) -> Value {
    let mut form = object(fields, false);
    let mut content_type = "application/x-www-form-urlencoded";
    let mut is_required = fields.iter().any(|field| field.is_required);
    if let Some(files) = call.files() {
        content_type = "multipart/form-data";
        form["properties"][files.field] = files_schema(&files);
        if files.missing.is_some() {
            is_required = true;
            let required = form["required"].as_array().cloned().unwrap_or_default();
            form["required"] = json!([&required[..], &[json!(files.field)]].concat());
        }
    }
    let mut media = json!({ "schema": form });
    let in_json = fields.iter().filter(|field| matches!(field.kind, Kind::Object { .. }));
    let encoding: Map<_, _> = in_json
        .map(|field| (field.name.to_owned(), json!({"contentType": "application/json"})))
        .collect();
    if !encoding.is_empty() {
        media["encoding"] = json!(encoding);
    }
    json!({"required": is_required, "content": {content_type: media}})
}

fn files_schema(files: &Files) -> Value {
    let file = json!({"type": "string", "contentMediaType": "application/octet-stream"});
    let bytes = files.most_bytes;
    if files.most == 1 {
        let mut file = file;
        file["description"] = json!(format!("At most {bytes} bytes."));
        return file;
    }
    json!({
        "type": "array",
        "maxItems": files.most,
        "items": file,
        "description": format!("At most {bytes} bytes together."),
    })
}

/// An object of these fields. In JSON a field that isn't required may be null, which clears it.
fn object(fields: &[Declared], is_json: bool) -> Value {
    let properties: Map<_, _> = fields
        .iter()
        .map(|field| {
            let mut schema = field_schema(field);
            if is_json && !field.is_required {
                let types = match schema["type"].take() {
                    Value::Array(types) => types,
                    one => vec![one],
                };
                schema["type"] = json!([&types[..], &[json!("null")]].concat());
            }
            (field.name.to_owned(), schema)
        })
        .collect();
    let required: Vec<_> = fields
        .iter()
        .filter(|field| field.is_required)
        .map(|field| field.name)
        .collect();
    let mut object = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        object["required"] = json!(required);
    }
    object
}

/// A text that has to be there has a character.
fn field_schema(field: &Declared) -> Value {
    let mut schema = schema(field.kind);
    if field.is_required && matches!(field.kind, Kind::Token | Kind::Line { .. } | Kind::Lines { .. }) {
        schema["minLength"] = json!(1);
    }
    schema
}

fn schema(kind: Kind) -> Value {
    match kind {
        Kind::Token => json!({"type": "string"}),
        Kind::Exact {
            min_characters,
            max_characters,
        } => json!({"type": "string", "minLength": min_characters, "maxLength": max_characters}),
        Kind::Line { max_characters } => json!({"type": "string", "maxLength": max_characters, "pattern": ONE_LINE}),
        Kind::Lines { max_characters } => json!({"type": "string", "maxLength": max_characters, "pattern": LINES}),
        Kind::Id => json!({"type": "string", "format": "uuid"}),
        Kind::NewId => json!({"type": "string", "format": "uuid", "pattern": NEW_ID}),
        Kind::Number => {
            json!({"type": ["number", "string"], "minimum": 0, "exclusiveMaximum": 1_000_000_000, "pattern": NUMBER})
        }
        Kind::Integer { least, most } => json!({"type": "integer", "minimum": least, "maximum": most}),
        Kind::Degrees { most } => {
            let least = -i64::from(most);
            json!({"type": ["number", "string"], "minimum": least, "maximum": most, "pattern": DEGREES})
        }
        Kind::Date => json!({"type": "string", "pattern": DATE, "examples": ["10.05.2026"]}),
        Kind::Time => json!({"type": "string", "pattern": TIME, "examples": ["10.05.2026 18:05"]}),
        Kind::Boolean => json!({"type": "boolean"}),
        Kind::Object { members } => object(members, true),
        Kind::Ids { most } => json!({"type": "array", "maxItems": most, "items": schema(Kind::Id)}),
        Kind::NewIds { most } => json!({"type": "array", "maxItems": most, "items": schema(Kind::NewId)}),
        Kind::Objects { most, members } => json!({"type": "array", "maxItems": most, "items": object(members, true)}),
    }
}

fn responses(call: &Call) -> Value {
    let mut responses = Map::new();
    for Answer { status, body } in call.answers {
        let mut response = json!({"description": description(*status)});
        if let Some(content) = content(body) {
            response["content"] = content;
        }
        responses.insert(status.to_string(), response);
    }
    for status in call.statuses_of_refusals() {
        let refusal = json!({"$ref": format!("#/components/responses/{status}")});
        responses.insert(status.to_string(), refusal);
    }
    json!(responses)
}

fn content(body: &Body) -> Option<Value> {
    let of_type = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    let in_json = |schema: Value| json!({"application/json": {"schema": schema}});
    match body {
        Body::Empty => None,
        Body::Id => Some(json!({"text/plain": {"schema": schema(Kind::Id)}})),
        Body::Ids => Some(in_json(json!({"type": "array", "items": schema(Kind::Id)}))),
        Body::Object(name) => Some(in_json(of_type(name))),
        Body::List(name) => Some(in_json(json!({"type": "array", "items": of_type(name)}))),
        Body::Picture => Some(json!({"image/jpeg": {}, "image/png": {}, "image/webp": {}, "image/gif": {}})),
        Body::Shown => Some(json!({
            "application/pdf": {}, "image/jpeg": {}, "image/png": {}, "image/webp": {}, "image/gif": {},
            "text/plain": {}
        })),
        Body::File => Some(json!({"application/octet-stream": {}})),
    }
}

fn description(status: u16) -> &'static str {
    match status {
        200 => "Done.",
        201 => "Made.",
        202 => "Logged in.",
        204 => "Nothing yet.",
        400 => "The request breaks a rule; the header `X-Field` names the field.",
        401 => "Nobody is logged in, or the login is refused.",
        403 => "Not the pilot's, not offered here, asked by another site, or the password is to be shown again.",
        404 => "The settings take the admin's page away (`admin_ui`).",
        409 => "Doesn't fit what is stored by now, or the `requestId` was used for another call.",
        410 => "Over: a link, a code or a share that was good once, or never.",
        413 => "Larger than its limit.",
        415 => "A body or a file of another kind.",
        429 => "Too many tries; the header `Retry-After` says for how many seconds.",
        500 => "A defect, or damaged data.",
        503 => "The server can't answer now, or the disk is full.",
        _ => panic!("no description of {status}"),
    }
}

fn refusals() -> Value {
    let statuses: BTreeSet<_> = CALLS.iter().flat_map(Call::statuses_of_refusals).collect();
    let refusals: Map<_, _> = statuses
        .into_iter()
        .map(|status| {
            let sentence = json!({"text/plain": {"schema": {"type": "string"}}});
            let mut refusal = json!({"description": description(status), "content": sentence});
            let header = |schema: Value| json!({ "schema": schema });
            match status {
                400 => refusal["headers"] = json!({"X-Field": header(json!({"type": "string"}))}),
                429 | 503 => refusal["headers"] = json!({"Retry-After": header(json!({"type": "integer"}))}),
                _ => {}
            }
            (status.to_string(), refusal)
        })
        .collect();
    json!(refusals)
}
