//! A folder on a WebDAV server (RFC 4918), such as Nextcloud's. An archive is uploaded under a temporary name,
//! checked, and renamed.

use std::io::Read;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use ureq::http::{Request, Response, header, request};
use ureq::{Body, SendBody};
use url::Url;

use super::answers::{Resource, multistatus};
use super::encryption::Outgoing;
use super::http::{self, Client};
use super::model::{Result, Stored, TargetError, UNFINISHED_END, is_ours};
use fluglog_base::limits::answers::Answer;

const ASKED: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\
    <propfind xmlns=\"DAV:\"><prop><getcontentlength/><quota-available-bytes/></prop></propfind>";

pub struct WebDav {
    client: Client,
    url: Url,
    /// Value of the `Authorization` header; empty without a login.
    authorization: String,
}

impl WebDav {
    /// Opens the folder at `url`, which ends with a slash.
    pub fn new(url: &Url, user: &str, password: &str, certificates: &str) -> WebDav {
        let authorization = match (user, password) {
            ("", "") => String::new(),
            _ => format!("Basic {}", BASE64.encode(format!("{user}:{password}"))),
        };
        WebDav {
            client: Client::new(url, certificates),
            url: url.clone(),
            authorization,
        }
    }

    fn request(&self, method: &str, name: &str) -> request::Builder {
        // Archive names need no escaping in an address.
        let request = Request::builder().method(method).uri(format!("{}{name}", self.url));
        match self.authorization.as_str() {
            "" => request,
            authorization => request.header(header::AUTHORIZATION, authorization),
        }
    }

    fn send(&self, request: request::Builder) -> Result<Response<Body>> {
        self.client
            .send(request.body(()).map_err(|_| TargetError::FolderMissing)?)
    }

    /// The folder and its contents; `None` if the folder doesn't exist.
    fn propfind(&self) -> Result<Option<Vec<Resource>>> {
        let request = self
            .request("PROPFIND", "")
            .header("Depth", "1")
            .header(header::CONTENT_TYPE, "application/xml; charset=utf-8");
        let mut answer = self
            .client
            .send(request.body(ASKED).map_err(|_| TargetError::FolderMissing)?)?;
        match answer.status().as_u16() {
            207 => {
                let text = http::text(&mut answer, Answer::List)?;
                multistatus(&text).map(Some)
            }
            404 => Ok(None),
            _ => Err(http::error_of_status(&answer)),
        }
    }

    /// All archives in the folder, and the unfinished ones; none if the folder doesn't exist.
    pub fn files(&self) -> Result<Vec<Stored>> {
        let file = |one: Resource| {
            Some(Stored {
                name: one.name,
                bytes: one.bytes?,
            })
        };
        let mut files: Vec<_> = self.propfind()?.into_iter().flatten().filter_map(file).collect();
        files.retain(|file| is_ours(&file.name));
        Ok(files)
    }

    /// Creates the folder if it doesn't exist. Returns the free space in bytes, if the server reports it.
    fn ensure_folder(&self) -> Result<Option<i64>> {
        if let Some(listed) = self.propfind()? {
            return Ok(listed.into_iter().filter_map(|one| one.free).max());
        }
        let made = self.send(self.request("MKCOL", ""))?;
        match made.status().as_u16() {
            201 => Ok(None),
            _ => Err(http::error_of_status(&made)),
        }
    }

    pub fn put(&self, name: &str, archive: &mut Outgoing) -> Result<()> {
        let bytes = archive.bytes.cast_signed();
        let has_room = |free: Option<i64>| free.is_none_or(|free| !(0..bytes).contains(&free));
        if !has_room(self.ensure_folder()?) {
            return Err(TargetError::Full);
        }
        let unfinished = format!("{name}{UNFINISHED_END}");
        let put = self.put_unfinished(&unfinished, archive);
        let done = put.and_then(|()| self.rename(&unfinished, name));
        done.map_err(|error| {
            // Some servers just end the connection when their space runs out.
            let is_full =
                matches!(error, TargetError::ConnectionLost) && !has_room(self.ensure_folder().unwrap_or_default());
            // Best effort: if the server is unreachable, a later backup removes the file.
            let _ = self.delete(&unfinished);
            if is_full { TargetError::Full } else { error }
        })
    }

    fn put_unfinished(&self, name: &str, archive: &mut Outgoing) -> Result<()> {
        let bytes = archive.bytes;
        let request = self
            .request("PUT", name)
            .header(header::CONTENT_LENGTH, bytes)
            .header(header::CONTENT_TYPE, "application/octet-stream")
            // Lets the server refuse the upload before the whole archive is sent.
            .header(header::EXPECT, "100-continue");
        let body = SendBody::from_reader(archive);
        let answer = self
            .client
            .send(request.body(body).map_err(|_| TargetError::FolderMissing)?)?;
        if !answer.status().is_success() {
            return Err(http::error_of_status(&answer));
        }
        // Some servers store half a file and report success.
        let there = self.files()?.into_iter().find(|file| file.name == name);
        match there {
            Some(file) if file.bytes == bytes => Ok(()),
            _ => Err(TargetError::Truncated),
        }
    }

    fn rename(&self, from: &str, to: &str) -> Result<()> {
        let request = self
            .request("MOVE", from)
            .header("Destination", format!("{}{to}", self.url))
            .header("Overwrite", "F");
        let answer = self.send(request)?;
        match answer.status().as_u16() {
            200..=299 => Ok(()),
            412 => Err(TargetError::NamesTaken),
            _ => Err(http::error_of_status(&answer)),
        }
    }

    pub fn get(&self, name: &str) -> Result<Box<dyn Read>> {
        let answer = self.send(self.request("GET", name))?;
        match answer.status().as_u16() {
            200 => Ok(http::archive(answer)),
            _ => Err(http::error_of_status(&answer)),
        }
    }

    pub fn delete(&self, name: &str) -> Result<()> {
        let answer = self.send(self.request("DELETE", name))?;
        match answer.status().as_u16() {
            200..=299 | 404 => Ok(()),
            _ => Err(http::error_of_status(&answer)),
        }
    }
}
