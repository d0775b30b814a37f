//! Records of login requests and of the mailed links that confirm them.

mod earlier;

use serde::{Deserialize, Serialize};

use fluglog_base::error::Result;
use fluglog_store::{Snapshot, Writer, record};

/// A browser's request to be logged in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct LoginRequestRecord {
    /// Digest of the folded e-mail address.
    pub email: (u128, u128),
    /// `None` if the address has no user who may log in: such a request is never confirmed.
    pub user: Option<u128>,
    /// The user's generation when the request was made; the request is void once the user's is higher.
    pub generation: u32,
    /// Two digits, shown by the browser.
    pub number: String,
    /// As returned by `model::browser_name`.
    pub browser: String,
    /// Whether the browser was in a network of this machine.
    pub is_near: bool,
    /// Unix seconds.
    pub created: i64,
    pub wrong_numbers: u8,
    pub confirmed: bool,
    /// The device cookie by which the user knew the browser, as a digest.
    pub device: Option<(u128, u128)>,
}

record!(LoginRequestRecord: (u128, u128) = LOGIN_REQUESTS, with upgrade);

/// A mailed link that confirms a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct LoginLinkRecord {
    pub request: (u128, u128),
}

record!(LoginLinkRecord: (u128, u128) = LOGIN_LINKS);

/// Returns the request that a link confirms, with its key.
pub(crate) fn of_link(data: &Snapshot<'_>, link: (u128, u128)) -> Result<Option<((u128, u128), LoginRequestRecord)>> {
    let Some(link) = data.get::<LoginLinkRecord>(link)? else {
        return Ok(None);
    };
    let request = data.get::<LoginRequestRecord>(link.request)?;
    Ok(request.map(|request| (link.request, request)))
}

/// Returns the requests for an address.
pub(crate) fn of_email(data: &Snapshot<'_>, email: (u128, u128)) -> Result<Vec<LoginRequestRecord>> {
    let all = data.scan::<LoginRequestRecord>(..)?.into_iter();
    Ok(all
        .map(|(_, request)| request)
        .filter(|request| request.email == email)
        .collect())
}

/// Removes a browser's request and returns it.
pub fn take(writer: &Writer<'_>, key: (u128, u128)) -> Result<Option<LoginRequestRecord>> {
    let request = writer.get::<LoginRequestRecord>(key)?;
    if request.is_some() {
        writer.remove::<LoginRequestRecord>(key)?;
    }
    Ok(request)
}

/// Points all links to a request at another one.
pub(crate) fn repoint_links(writer: &Writer<'_>, old: (u128, u128), request: (u128, u128)) -> Result<()> {
    for (key, link) in writer.scan::<LoginLinkRecord>(..)? {
        if link.request == old {
            writer.put(key, &LoginLinkRecord { request })?;
        }
    }
    Ok(())
}

/// Returns whether any request matches.
pub fn has(data: &Snapshot<'_>, is: impl Fn(&LoginRequestRecord) -> bool) -> Result<bool> {
    Ok(data
        .scan::<LoginRequestRecord>(..)?
        .iter()
        .any(|(_, request)| is(request)))
}

/// Removes requests that match, and links whose request is gone.
pub fn forget(writer: &Writer<'_>, goes: impl Fn(&LoginRequestRecord) -> bool) -> Result<()> {
    for (key, request) in writer.scan::<LoginRequestRecord>(..)? {
        if goes(&request) {
            writer.remove::<LoginRequestRecord>(key)?;
        }
    }
    forget_links(writer)
}

/// Removes links whose request is gone.
pub fn forget_links(writer: &Writer<'_>) -> Result<()> {
    for (key, link) in writer.scan::<LoginLinkRecord>(..)? {
        if writer.get::<LoginRequestRecord>(link.request)?.is_none() {
            writer.remove::<LoginLinkRecord>(key)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::UNKNOWN_BROWSER;
    use fluglog_store::record::{assert_read_from, assert_stored_as};

    #[test]
    fn a_login_request_keeps_its_bytes() {
        let request = LoginRequestRecord {
            email: (1, 2),
            user: Some(3),
            generation: 4,
            number: "07".to_owned(),
            browser: UNKNOWN_BROWSER.to_owned(),
            is_near: false,
            created: 5,
            wrong_numbers: 1,
            confirmed: true,
            device: None,
        };
        for stored in [
            "0101020103040230370746697265666f780a010156075b6f",
            "8101020103040230370746697265666f780a010110c91b52",
        ] {
            assert_read_from::<LoginRequestRecord>((1, 2), stored, &request);
        }
        let request = LoginRequestRecord {
            browser: "Firefox auf Android".to_owned(),
            is_near: true,
            ..request
        };
        assert_read_from::<LoginRequestRecord>(
            (1, 2),
            "8201020103040230371346697265666f782061756620416e64726f6964010a01011dc5f63d",
            &request,
        );
        let request = LoginRequestRecord {
            device: Some((6, 300)),
            ..request
        };
        assert_stored_as::<LoginRequestRecord>(
            (1, 2),
            &request,
            "8301020103040230371346697265666f782061756620416e64726f6964010a01010106fb2c0141b144a6",
        );
    }

    #[test]
    fn a_login_link_keeps_its_bytes() {
        let link = LoginLinkRecord {
            request: (1, u128::MAX),
        };
        assert_read_from::<LoginLinkRecord>((1, 2), "0101feffffffffffffffffffffffffffffffff948facae", &link);
        assert_stored_as::<LoginLinkRecord>((1, 2), &link, "8101fefffffffffffffffffffffffffffffffff427e6cb");
    }
}
