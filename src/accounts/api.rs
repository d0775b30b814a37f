//! Account calls: HTTP in and out, no rules.

use warp::http::StatusCode;

use super::guard::{self, Viewer};
use super::profile::{self, PHOTO_FIELD, PhotoChange, ProfileChange};
use super::{Browser, detailed_user, is_valid_token, login, login_with_token, logout, session_user};
use crate::app::App;
use crate::error::{Error, Result};
use crate::id::BlobId;
use crate::input::TEXT_MOST_CHARACTERS;
use crate::picture::Format;
use crate::secret::digest;
use crate::text;
use crate::web::Request;
use crate::web::cookies::Name;
use crate::web::download::{self, Content};
use crate::web::multipart::{Files, Upload};
use crate::web::reply::Reply;

/// The largest photo, in bytes.
const PHOTO_MOST_BYTES: u64 = 52_428_800;

/// `Login`: email, password, rememberMe → 202 with the session user and the token.
pub fn login_with_password(app: &App, request: &Request) -> Result<Reply> {
    let email = request
        .fields
        .exact("email")?
        .ok_or_else(|| Error::invalid("email", text::EMAIL_INVALID))?;
    let password = request
        .fields
        .exact("password")?
        .ok_or_else(|| Error::invalid("password", text::PASSWORD_MISSING))?;
    let remember = request.fields.truth("rememberMe")?;
    let login = login(app, email, password, remember, &browser(request))?;
    let session = login.session.as_str().to_owned();
    let answer = login.answer();
    let mut reply = Reply::json(StatusCode::ACCEPTED, &answer)?.with_cookie(Name::Session, &session);
    if remember {
        reply = reply.with_cookie(Name::Login, &answer.token);
    }
    Ok(reply)
}

/// `CheckSession`: token → 200 with the session user. The session is asked first; without one the token in the field, or the one
/// in the cookie, opens a new session. A good cookie is renewed: browsers drop it after 400 days.
pub fn check_session(app: &App, request: &Request) -> Result<Reply> {
    let in_cookie = request.cookies.get(Name::Login);
    let reply = match guard::viewer(app, &request.cookies) {
        Ok(viewer) => Reply::json(StatusCode::OK, &session_user(app, &viewer)?)?,
        Err(Error::NotLoggedIn) => {
            let token = request.fields.exact("token")?.or(in_cookie).ok_or(Error::NotLoggedIn)?;
            let login = login_with_token(app, token, &browser(request))?;
            Reply::json(StatusCode::OK, &login.user)?.with_cookie(Name::Session, login.session.as_str())
        }
        Err(other) => return Err(other),
    };
    match in_cookie {
        Some(token) if is_valid_token(app, token)? => Ok(reply.with_cookie(Name::Login, token)),
        _ => Ok(reply),
    }
}

fn browser(request: &Request) -> Browser {
    Browser {
        address: request.client.address,
        session: request.cookies.get(Name::Session).map(digest),
    }
}

/// `Logout`: token → 200, also when nobody was logged in.
pub fn log_out(app: &App, request: &Request) -> Result<Reply> {
    let token = request.fields.exact("token")?.or(request.cookies.get(Name::Login));
    logout(app, request.cookies.get(Name::Session).map(digest), token.map(digest))?;
    Ok(Reply::empty(StatusCode::OK)
        .without_cookie(Name::Session)
        .without_cookie(Name::Login))
}

/// `GetDetailedUser` → 200 with the profile.
pub fn get_detailed_user(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &detailed_user(app, viewer)?)
}

/// The file of `SaveProfile`.
pub const PHOTO: Files = Files {
    field: PHOTO_FIELD,
    most: 1,
    too_many: text::TOO_MANY_FILES,
    most_bytes: PHOTO_MOST_BYTES,
    too_large: text::FILE_TOO_LARGE,
};

/// `SaveProfile`: firstname, lastname, photo, removePhoto → 201 with the session user. A name that is sent empty is cleared, one that
/// isn't sent stays.
pub fn save_profile(app: &App, viewer: &Viewer, request: &Request, uploads: Vec<Upload>) -> Result<Reply> {
    let fields = &request.fields;
    let name = |field| {
        let sent = fields.has(field).then(|| fields.line(field, TEXT_MOST_CHARACTERS));
        sent.transpose()
    };
    let removes = fields.truth("removePhoto")?;
    let change = ProfileChange {
        firstname: name("firstname")?,
        lastname: name("lastname")?,
        photo: match uploads.into_iter().next() {
            Some(upload) => PhotoChange::Replace(upload.content),
            None if removes => PhotoChange::Remove,
            None => PhotoChange::Keep,
        },
    };
    Reply::json(StatusCode::CREATED, &profile::save(app, viewer, change)?)
}

/// `GetPhoto`: uuid → the viewer's photo.
pub fn get_photo(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let blob = BlobId::parse(request.fields.required("uuid")?).ok_or(Error::NotYours)?;
    let (file, bytes) = app.blobs.read(profile::photo(app, viewer, blob)?)?;
    Ok(download::picture(Content { file, bytes }, Format::Jpeg.media_type()))
}
