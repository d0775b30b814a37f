//! The names and the photo of a user. A photo is stored as a small upright JPEG only.

use super::guard::Viewer;
use super::model::{SessionUser, checked_nickname};
use super::operation::{Operation, Outcome};
use super::sessions;
use super::table::{self, ContactRecord, PhotoRecord};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{Blob, BlobId};
use fluglog_base::input::Change;
use fluglog_store::blobs::{BlobWriter, UncommittedBlobs};
use fluglog_store::operations::model::Object;

/// The name of the photo's form field.
pub(crate) const PHOTO_FIELD: &str = "photo";

pub(crate) struct ProfileChange {
    pub nickname: Change<String>,
    pub firstname: Change<String>,
    pub lastname: Change<String>,
    pub photo: PhotoChange,
}

pub(crate) enum PhotoChange {
    Keep,
    Remove,
    Replace(BlobWriter),
}

/// Changes the names and the photo of the viewer.
///
/// # Errors
/// A nickname that breaks a rule. The photo is no picture ([`fluglog_picture::prepare`]), or the disk or the database
/// fails; then nothing is changed.
pub fn save(app: &App, operation: Operation, change: ProfileChange) -> Result<SessionUser> {
    let id = operation.viewer().user();
    let nickname = match &change.nickname {
        Change::Keep => Change::Keep,
        Change::Set(nickname) => Change::Set(checked_nickname(nickname)?),
    };
    let mut unnamed = UncommittedBlobs::new(&app.blobs);
    let removes = !matches!(change.photo, PhotoChange::Keep);
    let photo = match change.photo {
        PhotoChange::Replace(file) => {
            let requester = operation.requester();
            let picture = fluglog_picture::prepare(
                &app.picture_memory,
                &requester,
                PHOTO_FIELD,
                &mut file.read()?,
                file.bytes(),
            )?;
            Some(unnamed.write(&picture.preview)?)
        }
        PhotoChange::Keep | PhotoChange::Remove => None,
    };
    let (firstname, lastname) = (change.firstname, change.lastname);
    let stored = operation.write(&app.store, move |writer| {
        let mut user = table::present(writer, id)?;
        nickname.apply(&mut user.nickname);
        firstname.apply(&mut user.firstname);
        lastname.apply(&mut user.lastname);
        writer.put(id.key(), &user)?;
        let mut gone = None;
        if removes {
            gone = table::photo(writer, id)?;
            match photo {
                Some(blob) => writer.put(id.key(), &PhotoRecord { blob: blob.into() })?,
                None => writer.remove::<PhotoRecord>(id.key())?,
            }
        }
        Ok(Outcome::new(
            Object::NONE,
            (sessions::session_user_of(writer, id, &user)?, gone),
        ))
    });
    let (user, gone) = unnamed.settle(stored)?;
    app.blobs.remove_all(gone.map(|gone: Blob| gone.id));
    Ok(user)
}

/// Stores how finders of the pilot's equipment reach the pilot; an empty text removes the contact.
pub(crate) fn save_contact(app: &App, operation: Operation, contact: String) -> Result<()> {
    let id = operation.viewer().user();
    operation.write(&app.store, move |writer| {
        match contact.as_str() {
            "" => writer.remove::<ContactRecord>(id.key())?,
            text => writer.put(id.key(), &ContactRecord { text: text.to_owned() })?,
        }
        Ok(Outcome::new(Object::NONE, ()))
    })
}

/// Returns the viewer's photo if its blob is still this one.
///
/// # Errors
/// [`Error::NotFound`] otherwise.
pub fn photo(app: &App, viewer: &Viewer, blob: BlobId) -> Result<Blob> {
    let current = app.store.read(|data| table::photo(data, viewer.user()))?;
    current.filter(|current| current.id == blob).ok_or(Error::NotFound)
}
