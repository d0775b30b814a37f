//! The one way to change a pilot's data.

use super::guard::Viewer;
use super::table;
use crate::base::error::{Error, Result};
use crate::base::id::RequestId;
use crate::base::picture::Asker;
use crate::base::waiting::Waiting;
use crate::operations;
use crate::operations::model::{Completed, Object};
use crate::store::{Store, Writer};

/// The status of a call that found what it should create.
const FOUND: u16 = 200;

/// Proof that a user who is logged in asks for a change, and the right to make it once. Only the server makes one for a call.
pub struct Operation {
    viewer: Viewer,
    waiting: Waiting,
    request: Option<Request>,
}

/// The request that is recorded with its effect.
struct Request {
    id: RequestId,
    call: &'static str,
    status: u16,
    /// Unix seconds.
    now: i64,
}

/// The outcome of a change: the object that a repeat of its request is answered with, and the value that the call goes on with.
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
    /// The right of one call, with those who wait for its answer. Its request is recorded if it has an id: then `status` is that of the call's answer, `now` in Unix seconds.
    #[must_use]
    pub fn of_call(
        viewer: Viewer,
        waiting: Waiting,
        call: &'static str,
        status: u16,
        request: Option<RequestId>,
        now: i64,
    ) -> Operation {
        Operation {
            viewer,
            waiting,
            request: request.map(|id| Request { id, call, status, now }),
        }
    }

    /// The right of a call that does its work each time it is sent, and of the program itself.
    #[must_use]
    pub fn unrecorded(viewer: Viewer) -> Operation {
        Operation {
            viewer,
            waiting: Waiting::in_any_case(),
            request: None,
        }
    }

    /// The pilot whose data is changed.
    #[must_use]
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// For whom pictures are made.
    #[must_use]
    pub fn asker(&self) -> Asker<'_> {
        Asker {
            pilot: self.viewer.user(),
            waiting: &self.waiting,
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
