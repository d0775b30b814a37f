//! A call of the API: name, role, fields and answers. Each topic lists its calls beside their handlers.

use std::sync::Arc;

use warp::http::{Method, StatusCode};

use crate::access_tokens::model::TokenRight;
use crate::guard::{Access, Admin, Operator, Viewer};
use crate::operation::Operation;
use fluglog_app::App;
use fluglog_base::declared::Declared;
use fluglog_base::error::Result;
use fluglog_base::input::Fields;
use fluglog_base::limits::permits::Kind;
use fluglog_store::operations::model::Object;
use fluglog_web::form;
use fluglog_web::multipart::{Files, Upload as UploadedFile};
use fluglog_web::reply::Reply;
use fluglog_web::{ReplyFuture, Request};

/// A call of the API: `/app/api/{name}`.
pub struct Call {
    pub name: &'static str,
    /// A sentence about its purpose, for authors of scripts.
    pub about: &'static str,
    pub method: Method,
    pub handler: Handler,
    pub fields: &'static [Declared],
    /// The answers on success; the first is the usual one.
    pub answers: &'static [Answer],
    /// The statuses of refusals, except those implied by handler, method and fields.
    pub refusals: &'static [u16],
    /// Whether the answer is gzipped for clients that accept it.
    pub is_gzipped: bool,
    /// Whether a browser that opens the address gets a page instead of the sentence of 410.
    pub ends_with_page: bool,
    pub adds: Adds,
    /// Whose equipment it writes to; `None`: it writes only what is the pilot's own.
    pub owners: Option<Owners>,
    /// Kinds of permits that a request may wait for; the thread that runs the request gets no others.
    pub permits: &'static [Kind],
    /// Whether it needs the login of a browser: it decides who gets into the account.
    pub is_for_browsers: bool,
}

/// Limits of one request of a call, enforced by the server. Most follow from the call's [`Handler`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Most bytes of its form, in memory until it is answered. More than [`form::SMALL_BYTES`] take a permit of the
    /// pilot.
    pub form_bytes: usize,
    /// Most bytes of its files, on disk. They count in a quota while they come.
    pub file_bytes: u64,
    /// Whether what it writes is bounded by a quota, the pilot's or a space's, and its time by that of a pilot's turn
    /// of the writer.
    pub is_of_pilot: bool,
    /// The kinds of permits that it may wait for, in the order in which it may.
    pub permits: &'static [Kind],
}

/// When a call adds records or files. Such calls are refused if the disk is nearly full or the quota is used up.
#[derive(Clone, Copy)]
pub enum Adds {
    Nothing,
    Always,
    Unless(&'static str),
}

/// The role of a call. Handlers of a pilot's data take proof of a session; those that change data take the right to
/// one change.
#[derive(Clone, Copy)]
pub enum Handler {
    Anyone(fn(&App, &Request) -> Result<Reply>),
    /// Like `Anyone`. The first handler answers from a few records; it returns `None` if the second one, which may
    /// write or wait, has to run.
    AtOnce(
        fn(&App, &Request) -> Result<Option<Reply>>,
        fn(&App, &Request) -> Result<Reply>,
    ),
    /// Reads a few records of a pilot; the answer is small.
    Record(Read),
    /// Reads any amount of a pilot's data.
    Pilot(Read),
    /// Reads a pilot's data and may wait for the turn of an evaluation, so it holds nothing that other answers wait
    /// for.
    Evaluation(Read),
    /// Changes a pilot's data, only once per `requestId`.
    Change(fn(&App, Operation, &Request) -> Result<Reply>, Now),
    /// Like `Change`, with files in a multipart body.
    Upload(
        fn(&App, Operation, &Request, Vec<UploadedFile>) -> Result<Reply>,
        Files,
        Now,
    ),
    /// Changes a pilot's data each time it is sent.
    EachTime(fn(&App, Operation, &Request) -> Result<Reply>),
    /// Does what an operator may do in the browser, each time it is sent.
    Operator(fn(&App, &Operator, &Request) -> Result<Reply>),
    /// Like `Operator`, and requires that the password was entered recently.
    Admin(fn(&Arc<App>, &Admin, &Request) -> Result<Reply>),
    /// Callable by anyone; the handler waits without holding a thread.
    Waiting(fn(Arc<App>, Request) -> ReplyFuture),
}

/// Returns the accesses to the owners whose equipment a call with these fields writes to. What it adds counts in their
/// quotas, and not in that of the pilot who calls.
///
/// # Errors
/// [`Error::Invalid`](fluglog_base::error::Error::Invalid) while a field that decides it is missing; otherwise those
/// with which the call is going to be refused.
pub type Owners = fn(&App, &Viewer, &Fields) -> Result<Vec<Access>>;

/// Makes an answer from a pilot's data.
pub type Read = fn(&App, &Viewer, &Request) -> Result<Reply>;

impl Call {
    /// Whether the call belongs to the admin's page, which a setting can disable.
    #[must_use]
    pub fn is_of_admin_page(&self) -> bool {
        matches!(self.handler, Handler::Operator(_) | Handler::Admin(_))
    }

    /// The usual status on success.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.answers.first().map_or(200, |answer| answer.status)
    }

    /// Whether the call adds records or files when it has these fields.
    #[must_use]
    pub fn adds_with(&self, fields: &Fields) -> bool {
        match self.adds {
            Adds::Nothing => false,
            Adds::Always => true,
            Adds::Unless(field) => !fields.has(field),
        }
    }

    /// A call that a client sends with POST.
    #[must_use]
    pub const fn post(
        name: &'static str,
        about: &'static str,
        handler: Handler,
        fields: &'static [Declared],
        answers: &'static [Answer],
        refusals: &'static [u16],
    ) -> Call {
        Call::new(Method::POST, name, about, handler, fields, answers, refusals)
    }

    /// A call that a client sends with GET.
    #[must_use]
    pub const fn get(
        name: &'static str,
        about: &'static str,
        handler: Handler,
        fields: &'static [Declared],
        answers: &'static [Answer],
        refusals: &'static [u16],
    ) -> Call {
        Call::new(Method::GET, name, about, handler, fields, answers, refusals)
    }

    const fn new(
        method: Method,
        name: &'static str,
        about: &'static str,
        handler: Handler,
        fields: &'static [Declared],
        answers: &'static [Answer],
        refusals: &'static [u16],
    ) -> Call {
        let adds = match handler {
            Handler::Record(_)
            | Handler::Pilot(_)
            | Handler::Evaluation(_)
            | Handler::Operator(_)
            | Handler::Admin(_)
            | Handler::Waiting(_) => Adds::Nothing,
            _ => Adds::Always,
        };
        Call {
            name,
            about,
            method,
            handler,
            fields,
            answers,
            refusals,
            is_gzipped: false,
            ends_with_page: false,
            adds,
            owners: None,
            permits: &[],
            is_for_browsers: false,
        }
    }

    /// Marks a call that decides who gets into the account: scripts with an access token can't make it.
    #[must_use]
    pub(crate) const fn for_browsers(mut self) -> Call {
        self.is_for_browsers = true;
        self
    }

    /// The right that an access token needs for the call; `None` if no token will do.
    #[must_use]
    pub fn token_right(&self) -> Option<TokenRight> {
        match self.handler {
            _ if self.is_for_browsers => None,
            Handler::Record(_) | Handler::Pilot(_) | Handler::Evaluation(_) => Some(TokenRight::Read),
            Handler::Change(..) | Handler::Upload(..) | Handler::EachTime(_) => Some(TokenRight::Write),
            _ => None,
        }
    }

    /// Names the kinds of permits that the call may wait for.
    #[must_use]
    pub const fn waits_for(mut self, permits: &'static [Kind]) -> Call {
        self.permits = permits;
        self
    }

    /// Returns the limits of one request.
    #[must_use]
    pub const fn budget(&self) -> Budget {
        let is_open = matches!(
            self.handler,
            Handler::Anyone(_) | Handler::AtOnce(..) | Handler::Waiting(_)
        );
        Budget {
            form_bytes: match is_open {
                true => form::SMALL_BYTES,
                false => form::MAX_BYTES,
            },
            file_bytes: match self.handler {
                Handler::Upload(_, files, _) => files.most_bytes,
                _ => 0,
            },
            is_of_pilot: !is_open && !matches!(self.handler, Handler::Operator(_) | Handler::Admin(_)),
            permits: self.permits,
        }
    }

    /// Marks the answer for compression. Not for answers with a secret, such as the link of a share: the compressed
    /// length would reveal it (BREACH).
    #[must_use]
    pub const fn gzipped(mut self) -> Call {
        self.is_gzipped = true;
        self
    }

    /// Marks a call that people without an account open by a link which ends.
    #[must_use]
    pub const fn ending_with_page(mut self) -> Call {
        self.ends_with_page = true;
        self
    }

    /// Marks a call that changes, deletes, or adds only records that expire: logins work even without free space.
    #[must_use]
    pub const fn adds_nothing(mut self) -> Call {
        self.adds = Adds::Nothing;
        self
    }

    /// Marks a call that writes to equipment, which may be that of a space.
    #[must_use]
    pub const fn writing_to(mut self, owners: Owners) -> Call {
        self.owners = Some(owners);
        self
    }

    /// Marks a call that changes the object named by `field`, and adds one without that field.
    #[must_use]
    pub const fn adds_unless(mut self, field: &'static str) -> Call {
        self.adds = Adds::Unless(field);
        self
    }
}

/// For the API document and the types of the user interface.
#[cfg(feature = "schema")]
impl Call {
    /// The call's own fields, and `requestId` for changes.
    #[must_use]
    pub fn all_fields(&self) -> Vec<Declared> {
        let mut fields = self.fields.to_vec();
        if self.is_recorded() {
            fields.extend(fluglog_store::operations::FIELDS);
        }
        fields
    }

    #[must_use]
    pub fn is_recorded(&self) -> bool {
        matches!(self.handler, Handler::Change(..) | Handler::Upload(..))
    }

    #[must_use]
    pub fn is_open_to_anyone(&self) -> bool {
        self.role() == "anyone"
    }

    /// Who may call it.
    #[must_use]
    pub fn role(&self) -> &'static str {
        match self.handler {
            Handler::Anyone(_) | Handler::AtOnce(..) | Handler::Waiting(_) => "anyone",
            Handler::Operator(_) => "operator",
            Handler::Admin(_) => "admin",
            _ => "pilot",
        }
    }

    #[must_use]
    pub fn files(&self) -> Option<Files> {
        match self.handler {
            Handler::Upload(_, files, _) => Some(files),
            _ => None,
        }
    }

    #[must_use]
    pub fn statuses_of_refusals(&self) -> std::collections::BTreeSet<u16> {
        let mut statuses = std::collections::BTreeSet::from([400, 500, 503]);
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
        if self
            .all_fields()
            .iter()
            .any(|field| field.kind == fluglog_base::declared::Kind::Id)
        {
            statuses.insert(403);
        }
        statuses
    }
}

/// Shows the current state of an object that an earlier, identical request made or changed.
pub type Now = fn(&App, &Viewer, Object) -> Result<Reply>;

/// A successful answer.
pub struct Answer {
    pub status: u16,
    pub body: Body,
}

/// The body of an answer.
pub enum Body {
    Empty,
    /// An id as plain text.
    Id,
    /// A JSON array of ids.
    Ids,
    /// An object of this type, as JSON.
    Object(&'static str),
    /// A JSON array of objects of this type.
    List(&'static str),
    Picture,
    /// A file that a browser can show: PDF, picture or text.
    Shown,
    /// Any file, to be downloaded.
    File,
    /// Any file, to be downloaded; for a browser that opens the address, a page about it.
    FileOrPage,
}

impl Answer {
    #[must_use]
    pub const fn empty(status: u16) -> Answer {
        let body = Body::Empty;
        Answer { status, body }
    }

    /// An object of a type of the answers, as JSON.
    #[must_use]
    pub const fn json(status: u16, type_name: &'static str) -> Answer {
        let body = Body::Object(type_name);
        Answer { status, body }
    }

    /// A JSON array of objects of a type of the answers.
    #[must_use]
    pub const fn list(status: u16, type_name: &'static str) -> Answer {
        let body = Body::List(type_name);
        Answer { status, body }
    }

    #[must_use]
    pub const fn ids(status: u16) -> Answer {
        let body = Body::Ids;
        Answer { status, body }
    }

    #[must_use]
    pub const fn id(status: u16) -> Answer {
        let body = Body::Id;
        Answer { status, body }
    }

    #[must_use]
    pub const fn picture() -> Answer {
        let body = Body::Picture;
        Answer { status: 200, body }
    }

    #[must_use]
    pub const fn shown() -> Answer {
        let body = Body::Shown;
        Answer { status: 200, body }
    }

    #[must_use]
    pub const fn file() -> Answer {
        let body = Body::File;
        Answer { status: 200, body }
    }

    #[must_use]
    pub const fn file_or_page() -> Answer {
        let body = Body::FileOrPage;
        Answer { status: 200, body }
    }
}

/// Shows nothing of the object: for calls that delete or send something.
///
/// # Errors
/// Never.
pub fn nothing(_app: &App, _viewer: &Viewer, _object: Object) -> Result<Reply> {
    Ok(Reply::empty(StatusCode::OK))
}
