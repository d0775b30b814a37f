//! Document calls: HTTP in and out, no rules.

use warp::http::StatusCode;

use super::model::{self, DOCUMENT_MOST_BYTES, Document, StoredDocument};
use crate::accounts::guard::Viewer;
use crate::accounts::operation::Operation;
use crate::app::App;
use crate::base::error::{Error, Result};
use crate::base::id::DocumentId;
use crate::base::input::Fields;
use crate::base::text;
use crate::operations::Object;
use crate::web::download::{self, Content};
use crate::web::multipart::{Files, Upload, only_file};
use crate::web::reply::Reply;
use crate::web::{Request, link_base};

/// The file of a call that takes one document.
pub const ONE_FILE: Files = Files {
    field: "file",
    most: 1,
    too_many: text::TOO_MANY_FILES,
    most_bytes: DOCUMENT_MOST_BYTES,
    too_large: text::FILE_TOO_LARGE,
};

/// `GetUserDocuments` → the documents of the store.
pub fn get_user_documents(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    let documents: Vec<_> = super::list(app, viewer)?
        .into_iter()
        .map(|document| Document::new(document, &app.clock))
        .collect();
    Reply::json(StatusCode::OK, &documents)
}

/// `UploadUserDocument`: file, description → 201 with the document.
pub fn upload_user_document(app: &App, operation: Operation, request: &Request, uploads: Vec<Upload>) -> Result<Reply> {
    let description = model::read_description(&request.fields)?;
    let file = only_file(uploads, ONE_FILE.field)?;
    let document = super::add(app, operation, file.name, file.content, description)?;
    Reply::json(StatusCode::CREATED, &Document::new(document, &app.clock))
}

/// `EditUserDocument`: dpfId, description → the document.
pub fn edit_user_document(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let id = id(&request.fields)?;
    let description = model::read_new_description(&request.fields)?;
    let document = super::describe(app, operation, id, description)?;
    Reply::json(StatusCode::OK, &Document::new(document, &app.clock))
}

/// A document as it is now, after `UploadUserDocument` and `EditUserDocument`.
pub fn document_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    let document = super::get(app, viewer, DocumentId::from_key(object.0))?;
    Reply::json(StatusCode::OK, &Document::new(document, &app.clock))
}

/// `DeleteUserDocument`: dpfId → 200.
pub fn delete_user_document(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    super::delete(app, operation, id(&request.fields)?)?;
    Ok(Reply::empty(StatusCode::OK))
}

/// `DownloadDocument`: dpfId → the file.
pub fn download_document(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    sent(app, &super::get(app, viewer, id(&request.fields)?)?)
}

/// `ShareDocument`: dpfId → the token and its QR code.
pub fn share_document(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let base = link_base::for_client(app, &request.client);
    let share = super::share(app, operation, id(&request.fields)?, &base)?;
    Reply::json(StatusCode::OK, &share)
}

/// `StopShareDocument`: token → 200.
pub fn stop_share_document(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    super::stop_share(app, operation, request.fields.required("token")?)?;
    Ok(Reply::empty(StatusCode::OK))
}

/// `SharedDocument`: token → the file, for anyone.
pub fn shared_document(app: &App, request: &Request) -> Result<Reply> {
    sent(app, &super::shared(app, request.fields.required("token")?)?)
}

fn sent(app: &App, document: &StoredDocument) -> Result<Reply> {
    let (file, bytes) = app.blobs.read(document.blob.id)?;
    if bytes != document.bytes {
        return Err(Error::Internal(format!("blob {} has {bytes} bytes", document.blob.id)));
    }
    Ok(download::attachment(Content { file, bytes }, &document.name))
}

fn id(fields: &Fields) -> Result<DocumentId> {
    DocumentId::parse(fields.required("dpfId")?).ok_or(Error::NotYours)
}
