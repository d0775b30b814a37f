//! The one way to change a pilot's data.

use super::guard::{Access, Viewer};
use super::table;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::RequestId;
use fluglog_base::limits::permits::Requester;
use fluglog_store::operations;
use fluglog_store::operations::model::{Completed, Object};
use fluglog_store::{Store, Writer};
use tokio_util::sync::CancellationToken;

/// The status of a call that found what it should create.
const FOUND: u16 = 200;

/// Proof that a user who is logged in asks for a change, and the right to make it once. Only the server makes one for a
/// call.
pub struct Operation {
    viewer: Viewer,
    cancellation: CancellationToken,
    request: Option<Request>,
    adds: bool,
}

/// The request that is recorded with its effect.
struct Request {
    id: RequestId,
    call: &'static str,
    status: u16,
    /// Unix seconds.
    now: i64,
}

/// The outcome of a change: the object that a repeat of its request is answered with, and the value that the call goes
/// on with.
pub struct Done<T> {
    object: Object,
    was_there: bool,
    value: T,
}

impl<T> Done<T> {
    /// The call did what it is for.
    #[must_use]
    pub fn new(object: Object, value: T) -> Done<T> {
        Done {
            object,
            was_there: false,
            value,
        }
    }

    /// The object that the call should create is there already.
    #[must_use]
    pub fn found(object: Object, value: T) -> Done<T> {
        Done {
            object,
            was_there: true,
            value,
        }
    }
}

impl Operation {
    /// The right of one call, with those who wait for its answer. Its request is recorded if it has an id: then
    /// `status` is that of the call's answer, `now` in Unix seconds.
    #[must_use]
    pub fn of_call(
        viewer: Viewer,
        cancellation: CancellationToken,
        call: &'static str,
        status: u16,
        request: Option<RequestId>,
        now: i64,
    ) -> Operation {
        Operation {
            viewer,
            cancellation,
            request: request.map(|id| Request { id, call, status, now }),
            adds: false,
        }
    }

    /// The right of a call that does its work each time it is sent, and of the program itself.
    #[must_use]
    pub fn unrecorded(viewer: Viewer) -> Operation {
        Operation {
            viewer,
            cancellation: CancellationToken::new(),
            request: None,
            adds: false,
        }
    }

    /// The same right for a call that adds something: the last room is for those that change and delete.
    #[must_use]
    pub fn adding(self) -> Operation {
        Operation { adds: true, ..self }
    }

    /// The pilot whose data is changed.
    #[must_use]
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// To the pilot's own gear.
    #[must_use]
    pub fn access(&self) -> Access {
        Access::own(&self.viewer)
    }

    /// The request that it is recorded by, if it has an id.
    #[must_use]
    pub fn request(&self) -> Option<RequestId> {
        self.request.as_ref().map(|request| request.id)
    }

    /// For whom pictures are made.
    #[must_use]
    pub fn requester(&self) -> Requester<'_> {
        Requester {
            pilot: self.viewer.user(),
            cancellation: &self.cancellation,
        }
    }

    /// Changes the pilot's data and records the request, both or neither: as [`Store::write`].
    ///
    /// # Errors
    /// [`Error::NotLoggedIn`] for a user that was deleted meanwhile: what was begun before leaves nothing behind.
    /// [`Error::Repeated`] when the request was carried out meanwhile. Else what `work` says, or as [`Store::write`].
    pub fn write<T: Send + 'static>(
        self,
        store: &Store,
        mut work: impl FnMut(&Writer<'_>) -> Result<Done<T>> + Send + 'static,
    ) -> Result<T> {
        let user = self.viewer.user();
        store.write(move |writer| {
            table::present(writer, user)?;
            if self.adds {
                operations::leave_room(writer, user)?;
            }
            let Some(request) = &self.request else {
                return Ok(work(writer)?.value);
            };
            if operations::find(writer, user, request.id)?.is_some() {
                return Err(Error::Repeated);
            }
            let done = work(writer)?;
            let completed = Completed {
                call: request.call.to_owned(),
                status: if done.was_there { FOUND } else { request.status },
                object: done.object,
            };
            operations::record(writer, user, request.id, &completed, request.now)?;
            Ok(done.value)
        })
    }
}
