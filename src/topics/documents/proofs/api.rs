//! HTTP handlers of the proof calls, without rules. `CALLS` declares what each call takes and answers.

use warp::http::StatusCode;

use super::model::{ENTRIES, MAX_PAGES, MAX_PAGES_BYTES, ProofChanges};
use super::{FILES, NewProof};
use crate::documents::model::{DESCRIPTION, MAX_DOCUMENT_BYTES};
use fluglog_accounts::call::{self, Answer, Call, Handler};
use fluglog_accounts::guard::Viewer;
use fluglog_accounts::operation::Operation;
use fluglog_app::App;
use fluglog_base::declared::{Declared, joined};
use fluglog_base::error::Result;
use fluglog_base::field::{Field, Required};
use fluglog_base::id::{DocumentId, PageId};
use fluglog_base::input::Fields;
use fluglog_base::limits::permits::Kind;
use fluglog_base::text;
use fluglog_store::operations::model::Object;
use fluglog_web::Request;
use fluglog_web::multipart::{Files, Upload};
use fluglog_web::reply::Reply;
use fluglog_web::{content::Content, download};

/// The calls of this topic.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    Call::post("GetProofs",
        "The documents that prove something, the gravest first, with what they prove and until when.",
        Handler::Pilot(get_proofs), &[], &[Answer::list(200, "Proof")], &[]).gzipped(),
    Call::post("GetProofKinds",
        "The kinds of proofs, with what is proposed for each.",
        Handler::Pilot(get_proof_kinds), &[], &[Answer::list(200, "ProofRules")], &[]).gzipped(),
    Call::post("AddProof",
        "Adds a document and what it proves. The first file is the document, the others are pictures of its pages; \
         without any, a document that is a picture is its own page.",
        Handler::Upload(add_proof, DOCUMENT_AND_PAGES, proof_now), ADD, &[Answer::json(201, "Proof")], &[])
        .waits_for(&[Kind::Picture]),
    Call::post("SaveProof",
        "Changes what a document proves, or says it for the first time. What isn't sent stays, what is empty is \
         cleared.",
        Handler::Change(save_proof, proof_now), SAVE, &[Answer::json(200, "Proof")], &[])
        .waits_for(&[Kind::Picture]),
    Call::post("SaveProofPages",
        "Replaces the pictures of a proof's pages.",
        Handler::Upload(save_proof_pages, PAGES, proof_now), ONE, &[Answer::json(200, "Proof")], &[])
        .waits_for(&[Kind::Picture]),
    Call::post("DeleteProof",
        "Makes a proof an ordinary document again.",
        Handler::Change(delete_proof, call::nothing), ONE, &[Answer::empty(200)], &[]).adds_nothing(),
    Call::get("GetProofPage", "The picture of a page of a proof.",
        Handler::Pilot(get_proof_page), ONE_PAGE, &[Answer::picture()], &[]),
];

const ID: Required<DocumentId> = Field::id("dpfId").required(text::FIELD_MISSING);
const NEW_ID: Field<DocumentId> = Field::new_id("dpfId");
const PAGE: Required<PageId> = Field::id("page").required(text::FIELD_MISSING);
const NEW: Required<Fields> = Field::object("proof", ENTRIES).required(text::FIELD_MISSING);
const CHANGED: Required<Fields> =
    Field::object("proof", joined!(&[ID.declared()], ENTRIES)).required(text::FIELD_MISSING);

/// Fields of a call about one proof.
const ONE: &[Declared] = &[ID.declared()];
const ADD: &[Declared] = &[NEW_ID.declared(), DESCRIPTION.declared(), NEW.declared()];
const SAVE: &[Declared] = &[CHANGED.declared()];
const ONE_PAGE: &[Declared] = &[ID.declared(), PAGE.declared()];

/// The files of `SaveProofPages`.
const PAGES: Files = Files {
    field: FILES,
    missing: None,
    most: MAX_PAGES,
    too_many: text::PROOF_TOO_MANY_PAGES,
    most_bytes: MAX_PAGES_BYTES,
    too_large: text::PROOF_PAGES_TOO_LARGE,
};

/// The files of `AddProof`.
const DOCUMENT_AND_PAGES: Files = Files {
    missing: Some(text::FILE_MISSING),
    most: 1 + MAX_PAGES,
    most_bytes: MAX_DOCUMENT_BYTES + MAX_PAGES_BYTES,
    too_large: text::FILE_TOO_LARGE,
    ..PAGES
};

fn get_proofs(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::list(app, viewer)?)
}

fn get_proof_kinds(app: &App, _viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::rules(app))
}

fn add_proof(app: &App, operation: Operation, request: &Request, uploads: Vec<Upload>) -> Result<Reply> {
    let mut files = uploads.into_iter();
    let new = NewProof {
        id: NEW_ID.read(&request.fields)?.unwrap_or_else(DocumentId::fresh),
        description: DESCRIPTION.read(&request.fields)?.unwrap_or_default(),
        changes: ProofChanges::read(&NEW.read(&request.fields)?)?,
        file: files.next().ok_or_else(|| DOCUMENT_AND_PAGES.missing_error())?,
        pages: files.collect(),
    };
    Reply::json(StatusCode::CREATED, &super::add(app, operation, new)?)
}

fn save_proof(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let form = CHANGED.read(&request.fields)?;
    let proof = super::save(app, operation, ID.read(&form)?, ProofChanges::read(&form)?)?;
    Reply::json(StatusCode::OK, &proof)
}

fn save_proof_pages(app: &App, operation: Operation, request: &Request, uploads: Vec<Upload>) -> Result<Reply> {
    let proof = super::save_pages(app, operation, ID.read(&request.fields)?, &uploads)?;
    Reply::json(StatusCode::OK, &proof)
}

/// The proof after `AddProof`, `SaveProof` and `SaveProofPages`.
fn proof_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    let proof = super::get(app, viewer, DocumentId::from_key(object.id))?;
    Reply::json(StatusCode::OK, &proof)
}

fn delete_proof(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    super::delete(app, operation, ID.read(&request.fields)?)?;
    Ok(Reply::empty(StatusCode::OK))
}

fn get_proof_page(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let page = super::page(app, viewer, ID.read(&request.fields)?, PAGE.read(&request.fields)?)?;
    let content = Content::verified(app.blobs.read_verified(&page.blob)?);
    Ok(download::picture(content, page.format.media_type()))
}
