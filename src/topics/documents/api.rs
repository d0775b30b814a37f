//! HTTP handlers of the document calls, without rules. `calls.rs` declares what each call takes and answers.

use warp::http::StatusCode;

use super::model::{DESCRIPTION, Document, MAX_DOCUMENT_BYTES, NEW_DESCRIPTION, StoredDocument};
use super::shared_pages;
use fluglog_accounts::call::{self, Answer, Call, Handler};
use fluglog_accounts::guard::Viewer;
use fluglog_accounts::operation::Operation;
use fluglog_app::App;
use fluglog_base::declared::Declared;
use fluglog_base::error::{Error, Result};
use fluglog_base::field::{Field, Required};
use fluglog_base::id::DocumentId;
use fluglog_base::page::{LIMIT, Page};
use fluglog_base::text;
use fluglog_store::operations::model::Object;
use fluglog_web::listing::LazyList;
use fluglog_web::multipart::{Files, Upload};
use fluglog_web::reply::{self, Reply};
use fluglog_web::{Request, link_base};
use fluglog_web::{content::Content, download, download::InlineKind};

/// The calls of this topic.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    Call::post("GetUserDocuments", "The documents, the newest first.",
        Handler::Pilot(get_user_documents), LIST, &[Answer::list(200, "Document")], &[]),
    Call::post("UploadUserDocument", "Adds a document.",
        Handler::Upload(upload_user_document, ONE_FILE, document_now), UPLOAD, &[Answer::json(201, "Document")], &[]),
    Call::post("EditUserDocument", "Changes the description of a document.",
        Handler::Change(edit_user_document, document_now), EDIT, &[Answer::json(200, "Document")], &[]).adds_nothing(),
    Call::post("DeleteUserDocument", "Deletes a document.",
        Handler::Change(delete_user_document, call::nothing), ONE, &[Answer::empty(200)], &[]).adds_nothing(),
    Call::post("DownloadDocument",
        "The file of a document, also of one that belongs to a log.",
        Handler::Pilot(download_document), ONE, &[Answer::file()], &[]),
    Call::get("GetDocument",
        "The file of a document to be shown in a window of its own: a PDF, a picture or a text. 415 for any other \
         kind.",
        Handler::Pilot(get_document), ONE, &[Answer::shown()], &[415]),
    Call::post("ShareDocument",
        "Shares a document for an hour at most, by a link and its QR code.",
        Handler::EachTime(share_document), ONE, &[Answer::json(200, "Share")], &[]),
    Call::post("StopShareDocument", "Ends a share.",
        Handler::Change(stop_share_document, call::nothing), ONE_SHARE, &[Answer::empty(200)], &[]).adds_nothing(),
    Call::get("SharedDocument",
        "The file of a document that is shared, for anyone. A browser that opens the address gets a page about it.",
        Handler::Anyone(shared_document), ONE_SHARE, &[Answer::file_or_page()], &[410])
        .adds_nothing().ending_with_page(),
    Call::get("GetSharedDocument",
        "The file of a document that is shared, to be shown in a window of its own. 415 as with GetDocument.",
        Handler::Anyone(get_shared_document), ONE_SHARE, &[Answer::shown()], &[410, 415])
        .adds_nothing().ending_with_page(),
    Call::get("DownloadSharedDocument", "The file of a document that is shared, also for a browser.",
        Handler::Anyone(download_shared_document), ONE_SHARE, &[Answer::file()], &[410])
        .adds_nothing().ending_with_page(),
];

const ID: Required<DocumentId> = Field::id("dpfId").required(text::FIELD_MISSING);
const NEW_ID: Field<DocumentId> = Field::new_id("dpfId");
const BEFORE: Field<DocumentId> = Field::id("before");
const TOKEN: Required<String> = Field::token("token").required(text::FIELD_MISSING);

/// Documents up to this size are verified against their digest before the first byte is sent. Larger ones are verified
/// while they are sent, and the last piece is held back until then.
const MAX_VERIFIED_FIRST_BYTES: u64 = 1024 * 1024;

/// Fields of calls about one document.
const ONE: &[Declared] = &[ID.declared()];
/// Fields of `GetUserDocuments`.
const LIST: &[Declared] = &[LIMIT.declared(), BEFORE.declared()];
/// Fields of calls about one share.
const ONE_SHARE: &[Declared] = &[TOKEN.declared()];
/// Fields of `UploadUserDocument`.
const UPLOAD: &[Declared] = &[NEW_ID.declared(), DESCRIPTION.declared()];
/// Fields of `EditUserDocument`.
const EDIT: &[Declared] = &[ID.declared(), NEW_DESCRIPTION.declared()];

/// The file of a call that requires one.
const ONE_FILE: Files = Files {
    field: "file",
    missing: Some(text::FILE_MISSING),
    most: 1,
    too_many: text::TOO_MANY_FILES,
    most_bytes: MAX_DOCUMENT_BYTES,
    too_large: text::FILE_TOO_LARGE,
};

/// The file of a call where it is optional.
pub(crate) const OPTIONAL_FILE: Files = Files {
    missing: None,
    ..ONE_FILE
};

fn get_user_documents(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let page = Page::read(&request.fields, &BEFORE)?;
    let ids = page.of(super::ids(app, viewer)?, |id| *id)?;
    let (viewer, clock, mut documents) = (*viewer, app.clock.clone(), LazyList::of(&app.store, ids));
    Reply::json_list(&[(); 0], move |most| {
        let found = documents.next(most, |data, ids| super::load(data, &viewer, ids))?;
        let shown = found.into_iter().map(|document| Document::new(document, &clock));
        Ok(shown.collect())
    })
}

fn upload_user_document(app: &App, operation: Operation, request: &Request, uploads: Vec<Upload>) -> Result<Reply> {
    let id = NEW_ID.read(&request.fields)?.unwrap_or_else(DocumentId::fresh);
    let viewer = operation.viewer();
    let sha256 = uploads.first().map(|file| file.content.sha256());
    let document = match app.store.read(|data| super::find_existing(data, &viewer, id, sha256))? {
        Some(there) => there,
        None => {
            let description = DESCRIPTION.read(&request.fields)?.unwrap_or_default();
            let file = uploads.into_iter().next().ok_or_else(|| ONE_FILE.missing_error())?;
            super::add(app, operation, id, file.name, file.content, description)?
        }
    };
    Reply::json(StatusCode::CREATED, &Document::new(document, &app.clock))
}

fn edit_user_document(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let id = ID.read(&request.fields)?;
    let description = NEW_DESCRIPTION.read(&request.fields)?;
    let document = super::describe(app, operation, id, description)?;
    Reply::json(StatusCode::OK, &Document::new(document, &app.clock))
}

/// The document after `UploadUserDocument` and `EditUserDocument`.
fn document_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    let document = super::get(app, viewer, DocumentId::from_key(object.id))?;
    Reply::json(StatusCode::OK, &Document::new(document, &app.clock))
}

fn delete_user_document(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    super::delete(app, operation, ID.read(&request.fields)?)?;
    Ok(Reply::empty(StatusCode::OK))
}

fn download_document(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    sent(app, &super::get(app, viewer, ID.read(&request.fields)?)?)
}

fn get_document(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    shown(app, &super::get(app, viewer, ID.read(&request.fields)?)?)
}

fn share_document(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let base = link_base::base_for(app, &request.client);
    let share = super::share(app, operation, ID.read(&request.fields)?, &base)?;
    Reply::json(StatusCode::OK, &share)
}

fn stop_share_document(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    super::stop_share(app, operation, &TOKEN.read(&request.fields)?)?;
    Ok(Reply::empty(StatusCode::OK))
}

fn shared_document(app: &App, request: &Request) -> Result<Reply> {
    let token = TOKEN.read(&request.fields)?;
    shared(app, request, |document| match request.wants_page {
        true => Ok(shared_pages::of_document(document, &token)),
        false => sent(app, document),
    })
}

fn get_shared_document(app: &App, request: &Request) -> Result<Reply> {
    shared(app, request, |document| shown(app, document))
}

fn download_shared_document(app: &App, request: &Request) -> Result<Reply> {
    shared(app, request, |document| sent(app, document))
}

/// Answers with a shared document. An ended share is a page for browsers.
fn shared(app: &App, request: &Request, answer: impl FnOnce(&StoredDocument) -> Result<Reply>) -> Result<Reply> {
    match super::shared(app, &TOKEN.read(&request.fields)?) {
        Err(ended @ Error::Gone(_)) if request.wants_page => Ok(shared_pages::of_end(&ended)),
        document => answer(&document?),
    }
}

fn shown(app: &App, document: &StoredDocument) -> Result<Reply> {
    let kind =
        InlineKind::from_extension(&document.name).ok_or_else(|| Error::UnsupportedFile(text::NOT_SHOWN.to_owned()))?;
    Ok(download::inline(content(app, document)?, &document.name, kind))
}

fn sent(app: &App, document: &StoredDocument) -> Result<Reply> {
    Ok(download::attachment(
        Reply::file(reply::OCTET_STREAM, content(app, document)?),
        &document.name,
    ))
}

fn content(app: &App, document: &StoredDocument) -> Result<Content> {
    let blob = &document.blob;
    let content = match document.bytes {
        ..=MAX_VERIFIED_FIRST_BYTES => Content::verified(app.blobs.read_verified(blob)?),
        _ => {
            let (file, bytes) = app.blobs.read(blob.id)?;
            Content::verified_while_sent(file, bytes, blob.sha256)
        }
    };
    if content.bytes != document.bytes {
        return Err(Error::Internal(format!("blob {} has {} bytes", blob.id, content.bytes)));
    }
    Ok(content)
}
