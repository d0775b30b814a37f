//! Changes to a pilot's data: all of them go through an [`Operation`].

use super::guard::{Access, Viewer};
use super::table;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::RequestId;
use fluglog_base::limits::permits::Requester;
use fluglog_store::operations;
use fluglog_store::operations::model::{Completed, Object};
use fluglog_store::{Store, Writer};
use tokio_util::sync::CancellationToken;

/// The status of a call whose object to create existed already.
const FOUND: u16 = 200;

/// Proof that a logged-in user requests a change, and the permission to make it once. For a call, only the server makes
/// one.
pub struct Operation {
    viewer: Viewer,
    cancellation: CancellationToken,
    request: Option<Request>,
    adds: bool,
    /// Most bytes by which records may grow, and the sentence of the refusal beyond.
    growth_most: Option<(i64, &'static str)>,
}

/// The request's id and answer, recorded in the transaction of the change (idempotency).
struct Request {
    id: RequestId,
    call: &'static str,
    status: u16,
    /// Unix seconds.
    now: i64,
}

/// The outcome of a change: the object with which a repeated request is answered, and the value that the call continues
/// with.
pub struct Outcome<T> {
    object: Object,
    existed: bool,
    value: T,
}

impl<T> Outcome<T> {
    /// The call made its change.
    #[must_use]
    pub fn new(object: Object, value: T) -> Outcome<T> {
        Outcome {
            object,
            existed: false,
            value,
        }
    }

    /// The object to create existed already.
    #[must_use]
    pub fn existing(object: Object, value: T) -> Outcome<T> {
        Outcome {
            object,
            existed: true,
            value,
        }
    }
}

impl Operation {
    /// Makes the operation of one call; `cancellation` fires when nobody waits for the answer any more. With a request
    /// id, the request is recorded with `status`, the status of the call's answer; `now` is in Unix seconds.
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
            growth_most: None,
        }
    }

    /// Makes an operation that isn't recorded: for calls whose repetition is harmless, and for the program itself.
    #[must_use]
    pub fn not_idempotent(viewer: Viewer) -> Operation {
        Operation {
            viewer,
            cancellation: CancellationToken::new(),
            request: None,
            adds: false,
            growth_most: None,
        }
    }

    /// Marks the operation as adding data: the last free space is reserved for operations that change and delete.
    #[must_use]
    pub fn as_addition(self) -> Operation {
        Operation { adds: true, ..self }
    }

    /// Bounds the bytes by which records may grow; beyond, the change is refused with `sentence`.
    #[must_use]
    pub fn within(self, bytes: i64, sentence: &'static str) -> Operation {
        Operation {
            growth_most: Some((bytes, sentence)),
            ..self
        }
    }

    /// The pilot whose data is changed.
    #[must_use]
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// The access to the pilot's own equipment.
    #[must_use]
    pub fn access(&self) -> Access {
        Access::own(&self.viewer)
    }

    /// The id under which the request is recorded, if it has one.
    #[must_use]
    pub fn request(&self) -> Option<RequestId> {
        self.request.as_ref().map(|request| request.id)
    }

    /// The requester for the image processing queue.
    #[must_use]
    pub fn requester(&self) -> Requester<'_> {
        Requester {
            pilot: self.viewer.user(),
            cancellation: &self.cancellation,
        }
    }

    /// Changes the pilot's data and records the request, in one transaction ([`Store::write_for`]).
    ///
    /// # Errors
    /// [`Error::NotLoggedIn`] if the user was deleted in the meantime. [`Error::Repeated`] if the request was carried
    /// out in the meantime. [`Error::QuotaUsedUp`] if the records would grow too much. Otherwise the errors of `work`
    /// and of [`Store::write_for`].
    pub fn write<T: Send + 'static>(
        self,
        store: &Store,
        mut work: impl FnMut(&Writer<'_>) -> Result<Outcome<T>> + Send + 'static,
    ) -> Result<T> {
        let user = self.viewer.user();
        store.write_for(user, move |writer| {
            table::present(writer, user)?;
            if self.adds {
                operations::ensure_spare_space(writer, user)?;
            }
            let mut work = || {
                let done = work(writer)?;
                match self.growth_most {
                    Some((most, sentence)) if writer.growth() > most => Err(Error::QuotaUsedUp(sentence)),
                    _ => Ok(done),
                }
            };
            let Some(request) = &self.request else {
                return Ok(work()?.value);
            };
            if operations::find(writer, user, request.id)?.is_some() {
                return Err(Error::Repeated);
            }
            let done = work()?;
            let completed = Completed {
                call: request.call.to_owned(),
                status: if done.existed { FOUND } else { request.status },
                object: done.object,
            };
            operations::record(writer, user, request.id, &completed, request.now)?;
            Ok(done.value)
        })
    }
}
