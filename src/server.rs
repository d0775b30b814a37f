//! All routes, and the path of a request to its call. Knows no rules of any topic.

use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::Stream;
use warp::filters::BoxedFilter;
use warp::http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderName, LOCATION, ORIGIN};
use warp::http::{HeaderMap, HeaderValue, Method, StatusCode};
use warp::path::FullPath;
use warp::reply::Response;
use warp::{Buf, Filter};

use crate::calls;
use crate::control::status;
use fluglog_accounts::access_log;
use fluglog_accounts::call::{Call, Handler, Now, Read};
use fluglog_accounts::guard::{self, Access, Viewer};
use fluglog_accounts::operation::Operation;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::RequestId;
use fluglog_base::input::Fields;
use fluglog_base::limits::permits::{self, Permit};
use fluglog_base::limits::usage::Reservation;
use fluglog_base::text;
use fluglog_config::public_url::PublicUrl;
use fluglog_store::operations;
use fluglog_topics::quota;
use fluglog_web::authority::Authority;
use fluglog_web::client::{Client, Peer};
use fluglog_web::credentials::Credentials;
use fluglog_web::multipart::{self, Upload};
use fluglog_web::reply::{self, Reply};
use fluglog_web::{Request, assets, deadlines, form, gzip, minimum_rate, page};
use tokio_util::sync::CancellationToken;

/// Sent by browsers; tells whether another site made the request.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const API: &str = "/app/api/";
const UI: &str = "/app/";
/// Path of the API description below [`API`].
const DOCUMENT: &str = "openapi.json";
/// Path of the legal texts below [`UI`].
const LEGAL: &str = "legal/";
/// Path of the certificate that devices have to trust.
const AUTHORITY: &str = "/app/fluglog-ca.crt";
/// Longest first path segment that is logged; Fluglog's own are no longer than this.
const MAX_LOGGED_NAME_BYTES: usize = 20;
const MAX_LOGGED_METHOD: usize = 16;
/// How much a change may add for a pilot whose quota is used up: the end of a flight, but no long text.
const MAX_GROWTH_BYTES: i64 = 1024;
/// How long a read waits for the pilot's turn.
const ANSWER_PATIENCE: Duration = Duration::from_secs(20);

/// The parts of a request before its body.
struct Head {
    method: Method,
    path: String,
    query: String,
    headers: HeaderMap,
    peer: Peer,
}

/// All routes of the server.
#[must_use]
pub fn routes(app: Arc<App>) -> BoxedFilter<(Response,)> {
    let query = warp::query::raw().or(warp::any().map(String::new)).unify();
    warp::method()
        .and(warp::path::full())
        .and(query)
        .and(warp::header::headers_cloned())
        .and(warp::ext::get::<Peer>())
        .and(warp::body::stream())
        .then(move |method, path: FullPath, query, headers, peer, body| {
            let head = Head {
                method,
                path: path.as_str().to_owned(),
                query,
                headers,
                peer,
            };
            answer(Arc::clone(&app), head, body)
        })
        .boxed()
}

async fn answer<B: Buf, E>(
    app: Arc<App>,
    head: Head,
    body: impl Stream<Item = std::result::Result<B, E>> + Send,
) -> Response {
    let begun = Instant::now();
    let _in_flight = app.metrics.begin();
    let method: String = head.method.as_str().chars().take(MAX_LOGGED_METHOD).collect();
    let line = format!("{method} {}", path_for_log(&head.path));
    let known = head.path.strip_prefix(API).and_then(calls::named);
    let name = known.map_or("page", |call| call.name);
    let mut body = pin!(minimum_rate::at_minimum_rate(body, app.config.limits.body_seconds));
    let answered = dispatch(&app, head, body.as_mut()).await;
    let is_read = form::drain(body).await;
    let mut response = answered.unwrap_or_else(|error| reply::error(&error));
    if !is_read {
        deadlines::end_after_unread_body(&mut response);
    }
    let https = app.config.public_url.as_ref().is_some_and(PublicUrl::is_https);
    reply::set_common_headers(response.headers_mut(), https);
    let (status, took) = (response.status().as_u16(), begun.elapsed());
    app.metrics.count(name, status, took);
    log_request(&format!("{line} {status} {} ms", took.as_millis()), response.status());
    response
}

/// Logs a request: refusals and failures for the admin's eyes, all others for the search of a bug.
fn log_request(line: &str, status: StatusCode) {
    if status.is_server_error() {
        tracing::warn!("{line}");
    } else if status.is_client_error() {
        tracing::info!("{line}");
    } else {
        tracing::debug!("{line}");
    }
}

/// Dispatches a request. Cross-site posts are refused for every path, even unknown ones: the answer mustn't reveal
/// which paths exist.
async fn dispatch<B: Buf, E>(
    app: &Arc<App>,
    head: Head,
    body: impl Stream<Item = std::result::Result<B, E>> + Send,
) -> Result<Response> {
    let peer = head.peer.address;
    let (proxies, auth) = (&app.config.trusted_proxies, &app.config.auth);
    let client = Client::from_request(head.peer, &head.headers, proxies);
    let client = match auth.header.is_empty() {
        true => client,
        false => client.with_login(head.peer, &head.headers, proxies, &auth.header),
    };
    let place = app.connections.permit_for_request(peer, client.address)?;
    if head.method == Method::POST {
        check_origin(&head.headers, &client, app.config.public_url.as_ref())
            .inspect_err(|_| access_log::log_refusal("another site", None, client.address))?;
    }
    let https = client.https;
    let mut response = match head.path.strip_prefix(API) {
        Some(DOCUMENT) => page(app, head).await,
        Some(name) => call(app, name, &head, client, body).await?,
        None => page(app, head).await,
    };
    if https {
        reply::set_opener_policy(response.headers_mut());
    }
    if let Some(place) = place {
        deadlines::hold_permit_until_sent(&mut response, place);
    }
    Ok(response)
}

/// The metrics route for monitoring, served at a separate address.
#[must_use]
pub fn metrics(app: Arc<App>) -> BoxedFilter<(Response,)> {
    warp::method()
        .and(warp::path::full())
        .then(move |method, path: FullPath| {
            let app = Arc::clone(&app);
            let response = tokio::task::spawn_blocking(move || match (method, path.as_str()) {
                (Method::GET, "/metrics") => status::metrics(&app).map(|text| Reply::text(StatusCode::OK, text)),
                _ => Ok(Reply::text(StatusCode::NOT_FOUND, text::NO_SUCH_FILE)),
            });
            async {
                let reply = response.await.unwrap_or_else(|panic| Err(defect(&panic)));
                let mut response = reply.map_or_else(|error| reply::error(&error), Reply::into_response);
                reply::set_common_headers(response.headers_mut(), false);
                response
            }
        })
        .boxed()
}

/// A path in the form for the log. Segments after known names are cut: they may contain ids, or anything typed or
/// pasted.
fn path_for_log(path: &str) -> String {
    if ["/", "/app"].contains(&path) || path.strip_prefix(API).and_then(calls::named).is_some() {
        return path.to_owned();
    }
    let (first, more) = match path.strip_prefix(UI) {
        Some(path) => path.split_once('/').unwrap_or((path, "")),
        None => return "/…".to_owned(),
    };
    let is_name = first.len() <= MAX_LOGGED_NAME_BYTES && first.bytes().all(|byte| byte.is_ascii_alphabetic());
    match (is_name, more) {
        (true, "") => format!("{UI}{first}"),
        (true, _) => format!("{UI}{first}/…"),
        (false, _) => format!("{UI}…"),
    }
}

/// Answers everything but calls: the user interface, the legal texts, the health check.
async fn page(app: &Arc<App>, head: Head) -> Response {
    if !matches!(head.method, Method::GET | Method::HEAD) {
        return reply::method_not_allowed("GET, HEAD");
    }
    if let Some(name) = head.path.strip_prefix(UI).and_then(|path| path.strip_prefix(LEGAL)) {
        let (app, name) = (Arc::clone(app), name.to_owned());
        // The admin's own text is a file, so reading it may block.
        let read = tokio::task::spawn_blocking(move || assets::legal(&name, &app.config.data_dir));
        match read.await {
            Ok(Some(text)) => return text,
            Ok(None) => {}
            Err(panic) => return reply::error(&defect(&panic)),
        }
    }
    if head.path == AUTHORITY {
        let app = Arc::clone(app);
        let opened = tokio::task::spawn_blocking(move || Authority::open(&app.config.data_dir));
        return match opened.await {
            Ok(Ok(Some(authority))) => assets::authority(&authority),
            Ok(Ok(None) | Err(_)) => Reply::text(StatusCode::NOT_FOUND, text::NO_SUCH_FILE).into_response(),
            Err(panic) => reply::error(&defect(&panic)),
        };
    }
    let response = run_inline(|| match head.path.as_str() {
        "/" | "/app" => Ok(to_ui()),
        "/app/health" => {
            fluglog_accounts::check_database(app).map(|()| Reply::text(StatusCode::OK, "ok").into_response())
        }
        path if path.strip_prefix(API) == Some(DOCUMENT) => Ok(assets::openapi(&head.headers)),
        path => Ok(match path.strip_prefix(UI) {
            Some(path) => assets::ui(path, app.config.offline, &head.headers),
            None => Reply::text(StatusCode::NOT_FOUND, text::NO_SUCH_FILE).into_response(),
        }),
    });
    response.unwrap_or_else(|error| reply::error(&error))
}

async fn call<B: Buf, E>(
    app: &Arc<App>,
    name: &str,
    head: &Head,
    client: Client,
    body: impl Stream<Item = std::result::Result<B, E>> + Send,
) -> Result<Response> {
    let offered = calls::named(name).filter(|call| app.config.admin_ui || !call.is_of_admin_page());
    let Some(call) = offered else {
        return Ok(Reply::text(StatusCode::NOT_FOUND, text::NO_SUCH_CALL).into_response());
    };
    if head.method != call.method {
        return Ok(reply::method_not_allowed(if call.method == Method::GET {
            "GET"
        } else {
            "POST"
        }));
    }
    let (request, mut incoming) = read(app, call, head, without_fields(head, client), body).await?;
    let _permit = incoming.permit.take();
    let fields = request.fields.declared_as(operations::FIELDS);
    let id = operations::REQUEST_ID.read(&fields);
    let request = Request {
        fields: fields.declared_as(call.fields).in_zone(Some(app.config.time_zone)),
        ..request
    };
    let https = request.client.https;
    let app = Arc::clone(app);
    match call.handler {
        Handler::Waiting(handler) => return Ok(handler(app, request).await?.into_response_over(https)),
        Handler::Record(read) => {
            let made = run_inline(|| {
                make(
                    &app,
                    call,
                    read,
                    &guard::viewer(&app, &request.credentials, call.token_right())?,
                    &request,
                )
            });
            return Ok(made?.into_response_over(https));
        }
        Handler::Pilot(read) => return read_for_pilot(app, call, read, request).await,
        Handler::AtOnce(look, _) => {
            if let Some(reply) = run_inline(|| look(&app, &request))? {
                return Ok(reply.into_response_over(https));
            }
        }
        _ => {}
    }
    // A repeated request may arrive on several connections: the others wait here for the first one's answer without
    // holding a thread.
    let _alone = match &id {
        Ok(Some(id)) => Some(app.request_locks.lock(*id).await),
        _ => None,
    };
    let permit = app.slow_work_permit().await?;
    let (watched, credentials) = (Arc::clone(&app), request.credentials.clone());
    // Dropped with this future when the client disconnects.
    let cancellation = CancellationToken::new();
    let _dropped = cancellation.clone().drop_guard();
    let on_a_thread = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        permits::within(call.permits, || run(&app, call, id, &request, incoming, &cancellation))
    });
    let reply = on_a_thread.await.map_err(|panic| defect(&panic))??;
    let reply = match call.handler {
        // A download ends when the operator's right is revoked, not when the password confirmation expires.
        Handler::Operator(_) | Handler::Admin(_) => reply.until_revoked(move || {
            let found = guard::operator(&watched, &credentials);
            !matches!(found, Err(Error::NotLoggedIn | Error::NotFound))
        }),
        Handler::Evaluation(_) => reply.until_revoked(session_goes_on(watched, credentials, call)),
        _ => reply,
    };
    Ok(reply.into_response_over(https))
}

/// The request before its fields are read.
fn without_fields(head: &Head, client: Client) -> Request {
    Request {
        fields: Fields::default(),
        credentials: Credentials::from_headers(&head.headers, client.https),
        client,
        accepts_gzip: header(&head.headers, &ACCEPT_ENCODING).is_some_and(|accepted| gzip::accepts(accepted, "gzip")),
        wants_page: header(&head.headers, &ACCEPT).is_some_and(page::is_asked_for),
    }
}

/// Makes an answer from a few records on the current thread: handing it to another thread costs twice as much as the
/// read.
fn run_inline<T>(make: impl FnOnce() -> Result<T>) -> Result<T> {
    fluglog_store::guarded(make)
        .unwrap_or_else(|panic| Err(Error::Internal(format!("a panic while answering: {panic}"))))
}

/// Makes an answer from a pilot's data when it is the pilot's turn. Usually it is immediately; one thread then does
/// all the work, because changing threads costs more than the read.
async fn read_for_pilot(app: Arc<App>, call: &'static Call, read: Read, request: Request) -> Result<Response> {
    let https = request.client.https;
    let (asked, watched) = (Arc::clone(&app), Arc::clone(&app));
    let credentials = request.credentials.clone();
    let begun = tokio::task::spawn_blocking(move || -> Result<_> {
        let viewer = guard::viewer(&asked, &request.credentials, call.token_right())?;
        Ok(match asked.answer_permits.try_acquire(viewer.user(), 1) {
            Ok(permit) => Ok(permit.hold(|| make(&asked, call, read, &viewer, &request))),
            Err(_) => Err((viewer, request)),
        })
    });
    let made = match begun.await.map_err(|panic| defect(&panic))?? {
        Ok(made) => made,
        Err((viewer, request)) => {
            let permit = tokio::time::timeout(ANSWER_PATIENCE, app.answer_permits.acquire(viewer.user(), 1)).await;
            let permit = permit.map_err(|_| Error::ResourceBusy(text::OTHERS_CROWDED))??;
            let made = tokio::task::spawn_blocking(move || permit.hold(|| make(&app, call, read, &viewer, &request)));
            made.await.map_err(|panic| defect(&panic))?
        }
    };
    let goes_on = session_goes_on(watched, credentials, call);
    Ok(made?.until_revoked(goes_on).into_response_over(https))
}

/// Asks whether a download may go on: it ends with the session that began it.
fn session_goes_on(app: Arc<App>, credentials: Credentials, call: &'static Call) -> impl Fn() -> bool + Send + Sync {
    move || {
        let found = guard::viewer(&app, &credentials, call.token_right());
        !matches!(found, Err(Error::NotLoggedIn))
    }
}

fn make(app: &App, call: &Call, read: Read, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let reply = permits::within(call.permits, || read(app, viewer, request));
    note_refusal(&reply, || Ok(*viewer), request);
    reply.map(|reply| {
        let gzipped = match request.accepts_gzip && call.is_gzipped {
            true => reply.gzipped(|| app.gzip_permits.try_acquire(viewer.user(), 1).ok()),
            false => reply,
        };
        gzipped.spooled(&app.blobs)
    })
}

fn run(
    app: &Arc<App>,
    call: &'static Call,
    id: Result<Option<RequestId>>,
    request: &Request,
    incoming: Incoming,
    cancellation: &CancellationToken,
) -> Result<Reply> {
    let viewer = || guard::viewer(app, &request.credentials, call.token_right());
    let with_room = |operation, uploads, run: &dyn Fn(Operation, Vec<Upload>) -> Result<Reply>| {
        run_with_room(app, call, request, operation, uploads, run)
    };
    let reply = match call.handler {
        Handler::Anyone(run) | Handler::AtOnce(_, run) => match call.adds_with(&request.fields) {
            true => app.blobs.check_space_for_records().and_then(|()| run(app, request)),
            false => run(app, request),
        },
        Handler::EachTime(run) => {
            let operation = Operation::not_idempotent(viewer()?);
            with_room(operation, Vec::new(), &|operation, _| run(app, operation, request))
        }
        Handler::Change(run, now) => run_once(app, call, now, viewer()?, cancellation, id?, |operation| {
            with_room(operation, Vec::new(), &|operation, _| run(app, operation, request))
        }),
        Handler::Upload(run, _, now) => run_once(app, call, now, viewer()?, cancellation, id?, |operation| {
            if let Some(refusal) = incoming.over_quota {
                return Err(refusal);
            }
            // From here on the files count with all that the call adds.
            drop(incoming.reserved);
            with_room(operation, incoming.uploads, &|operation, uploads| {
                run(app, operation, request, uploads)
            })
        }),
        Handler::Evaluation(read) => return make(app, call, read, &viewer()?, request),
        Handler::Operator(run) => run(app, &guard::operator(app, &request.credentials)?, request),
        Handler::Admin(run) => run(app, &guard::admin(app, &request.credentials)?, request),
        // `run` handles these before.
        Handler::Record(_) | Handler::Pilot(_) | Handler::Waiting(_) => {
            Err(Error::Internal(format!("{} changes nothing", call.name)))
        }
    };
    note_refusal(&reply, viewer, request);
    reply
}

/// Runs a call that changes data, if there is room for what it adds.
fn run_with_room(
    app: &App,
    call: &Call,
    request: &Request,
    operation: Operation,
    uploads: Vec<Upload>,
    run: &dyn Fn(Operation, Vec<Upload>) -> Result<Reply>,
) -> Result<Reply> {
    let (viewer, adds) = (operation.viewer(), call.adds_with(&request.fields));
    let owners = quota::owners(app, call, &viewer, &request.fields);
    let (reserved, operation) = match check_room(app, adds, &viewer, &owners, &request.fields, &uploads) {
        // A change goes on, as long as it adds next to nothing.
        Err(Error::QuotaUsedUp(sentence)) if !adds && uploads.is_empty() => {
            (Vec::new(), operation.within(MAX_GROWTH_BYTES, sentence))
        }
        reserved => (reserved?, if adds { operation.as_addition() } else { operation }),
    };
    let reply = run(operation, uploads);
    if reply.is_ok() {
        reserved.into_iter().for_each(Reservation::commit);
    }
    if !adds {
        app.usage.mark_stale(viewer.user().into());
        owners.iter().for_each(|access| app.usage.mark_stale(access.owner()));
    }
    reply
}

/// Refuses a call when the disk has no room for what it adds, or the quotas of these owners for what it adds or
/// changes. On a full disk changes and deletions go on, unless the database is read-only.
fn check_room(
    app: &App,
    adds: bool,
    viewer: &Viewer,
    owners: &[Access],
    fields: &Fields,
    uploads: &[Upload],
) -> Result<Vec<Reservation>> {
    if app.store.is_read_only() {
        return Err(Error::ReadOnly);
    }
    if adds {
        app.blobs.check_space_for_records()?;
    }
    let files = uploads.iter().map(|upload| upload.content.bytes());
    quota::reserve(app, viewer, owners, fields.bytes(), files)
}

/// Logs a refused attempt to access data of others.
fn note_refusal(reply: &Result<Reply>, viewer: impl FnOnce() -> Result<Viewer>, request: &Request) {
    if let Err(Error::NotFound | Error::Disabled(_) | Error::Sticker(_)) = reply {
        let user = viewer().ok().map(|viewer| viewer.user());
        access_log::log_refusal("no access", user, request.client.address);
    }
}

/// Runs a call unless its request id has been processed before; other fields aren't compared.
fn run_once(
    app: &App,
    call: &'static Call,
    now: Now,
    viewer: Viewer,
    cancellation: &CancellationToken,
    id: Option<RequestId>,
    run: impl FnOnce(Operation) -> Result<Reply>,
) -> Result<Reply> {
    let repeated = || match id {
        Some(id) => replayed_answer(app, call, now, &viewer, id),
        None => Ok(None),
    };
    if let Some(reply) = repeated()? {
        return Ok(reply);
    }
    let time = app.clock.unix_seconds();
    let done = run(Operation::of_call(
        viewer,
        cancellation.clone(),
        call.name,
        call.status(),
        id,
        time,
    ));
    // A duplicate on another connection may have been faster, and its success may be the very reason for this refusal.
    done.or_else(|refusal| repeated()?.ok_or(refusal))
}

/// The answer to a request that was processed before: its original status with the object as it is now; nothing if the
/// object is gone.
fn replayed_answer(app: &App, call: &Call, now: Now, viewer: &Viewer, id: RequestId) -> Result<Option<Reply>> {
    let Some(done) = app.store.read(|data| operations::find(data, viewer.user(), id))? else {
        return Ok(None);
    };
    if done.call != call.name {
        return Err(Error::Conflict(text::REQUEST_ID_TAKEN));
    }
    let reply = match now(app, viewer, done.object) {
        Err(Error::NotFound) => Reply::empty(StatusCode::OK),
        reply => reply?,
    };
    let status = StatusCode::from_u16(done.status).unwrap_or(StatusCode::OK);
    Ok(Some(reply.with_status(status)))
}

/// Files of a request, and what is reserved for the request until it is answered.
#[derive(Default)]
struct Incoming {
    uploads: Vec<Upload>,
    reserved: Vec<Reservation>,
    over_quota: Option<Error>,
    permit: Option<Permit>,
}

/// Reads the fields and files of a call. Without a session the answer is the missing login, not an error in the body.
async fn read<B: Buf, E>(
    app: &Arc<App>,
    call: &'static Call,
    head: &Head,
    mut request: Request,
    body: impl Stream<Item = std::result::Result<B, E>> + Send,
) -> Result<(Request, Incoming)> {
    let length = header(&head.headers, &CONTENT_LENGTH);
    let kind = header(&head.headers, &CONTENT_TYPE);
    if let Handler::Upload(_, files, _) = call.handler {
        let viewer = session(app, call, request.credentials.clone()).await?;
        multipart::check_length(length, &files)?;
        let reserve = Arc::new(move |app: &App, fields: &Fields, bytes| {
            quota::reserve_incoming(app, call, &viewer, fields, bytes)
        });
        let received = multipart::read(app, viewer.user(), reserve, kind, body, &files).await?;
        request.fields = received.fields;
        let incoming = Incoming {
            uploads: received.uploads,
            reserved: received.reserved,
            over_quota: received.over_quota,
            permit: received.permit,
        };
        return Ok((request, incoming));
    }
    // Before a login nothing long is sent.
    let is_open = call.budget().form_bytes <= form::SMALL_BYTES;
    let credentials = request.credentials.clone();
    let permit = async move {
        match is_open {
            true => Err(Error::TooLarge),
            false => form::permit(app, session(app, call, credentials).await?.user()),
        }
    };
    let read = match call.method {
        Method::GET => form::query(&head.query).map(|fields| (fields, None)),
        _ => form::read(length, kind, body, permit).await,
    };
    let (fields, permit) = match read {
        Err(error) if !is_open => {
            session(app, call, request.credentials.clone()).await?;
            return Err(error);
        }
        read => read?,
    };
    request.fields = fields;
    let incoming = Incoming {
        permit,
        ..Incoming::default()
    };
    Ok((request, incoming))
}

/// Refuses a request without a login before anything else is checked; its files aren't read.
async fn session(app: &Arc<App>, call: &Call, credentials: Credentials) -> Result<Viewer> {
    let (app, right) = (Arc::clone(app), call.token_right());
    let asked = tokio::task::spawn_blocking(move || guard::viewer(&app, &credentials, right));
    asked.await.map_err(|panic| defect(&panic))?
}

/// Refuses requests from pages of other sites. Browsers name the origin in `Origin` and, on secure connections, in
/// `Sec-Fetch-Site`.
fn check_origin(headers: &HeaderMap, client: &Client, public_url: Option<&PublicUrl>) -> Result<()> {
    if matches!(header(headers, &SEC_FETCH_SITE), Some("cross-site" | "same-site")) {
        return Err(Error::CrossSite);
    }
    let Some(origin) = headers.get(ORIGIN) else {
        return Ok(());
    };
    let origin = origin.to_str().map_err(|_| Error::CrossSite)?;
    let ours = client.origin().is_some_and(|asked| asked.eq_ignore_ascii_case(origin))
        || public_url.is_some_and(|url| url.origin().eq_ignore_ascii_case(origin));
    if ours { Ok(()) } else { Err(Error::CrossSite) }
}

fn header<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn to_ui() -> Response {
    let mut response = Reply::empty(StatusCode::FOUND).into_response();
    response.headers_mut().insert(LOCATION, HeaderValue::from_static(UI));
    response
}

fn defect(panic: &tokio::task::JoinError) -> Error {
    Error::Internal(format!("a panic while answering: {panic}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use warp::http::header::HOST;

    fn from(pairs: &[(HeaderName, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.clone(), HeaderValue::from_static(value)))
            .collect()
    }

    #[test]
    fn only_our_own_pages_may_post() {
        let public = PublicUrl::parse("https://fluglog.example.org").unwrap();
        let peer = Peer {
            address: std::net::Ipv4Addr::LOCALHOST.into(),
            https: false,
        };
        let check = |pairs: &[(HeaderName, &'static str)]| {
            let headers = from(pairs);
            check_origin(&headers, &Client::from_request(peer, &headers, &[]), Some(&public)).is_ok()
        };
        assert!(check(&[]));
        assert!(check(&[(HOST, "pi:8080"), (ORIGIN, "http://pi:8080")]));
        assert!(check(&[
            (HOST, "127.0.0.1:8080"),
            (ORIGIN, "https://fluglog.example.org")
        ]));
        assert!(!check(&[(HOST, "pi:8080"), (ORIGIN, "http://pi:81")]));
        assert!(!check(&[(HOST, "pi:8080"), (ORIGIN, "https://evil.example")]));
        assert!(!check(&[(HOST, "pi:8080"), (ORIGIN, "null")]));
        assert!(!check(&[(SEC_FETCH_SITE, "cross-site")]));
        assert!(!check(&[(SEC_FETCH_SITE, "same-site")]));
        assert!(check(&[(SEC_FETCH_SITE, "same-origin")]));
    }

    #[test]
    fn the_log_has_the_names_of_ours_and_nothing_else_of_a_path() {
        for kept in [
            "/",
            "/app",
            "/app/",
            "/app/health",
            "/app/flights",
            "/app/api/GetFlights",
        ] {
            assert_eq!(path_for_log(kept), kept);
        }
        for (path, shown) in [
            ("/app/flights/0198b6f0-1111-7000-8000-000000000000", "/app/flights/…"),
            ("/app/assets/index-1a2b.js", "/app/assets/…"),
            ("/app/api/anna@example.org", "/app/api/…"),
            ("/app/anna@example.org", "/app/…"),
            ("/app/aaaaaaaaaaaaaaaaaaaaaaaaa", "/app/…"),
            ("/anna", "/…"),
            ("*", "/…"),
        ] {
            assert_eq!(path_for_log(path), shown);
        }
    }
}
