//! A folder on a WebDAV server (RFC 4918), such as Nextcloud's. An archive is uploaded under a temporary name,
//! checked, and renamed.

use std::io::Read;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use percent_encoding::percent_decode_str;
use quick_xml::events::Event;
use quick_xml::name::ResolveResult;
use quick_xml::{NsReader, XmlVersion};
use ureq::http::{Request, Response, header, request};
use ureq::{Body, SendBody};
use url::Url;

use super::encryption::Outgoing;
use super::http::{self, Client};
use super::model::{Result, Stored, TargetError, UNFINISHED_END, is_ours};

const NAMESPACE: &str = "DAV:";
const ASKED: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\
    <propfind xmlns=\"DAV:\"><prop><getcontentlength/><quota-available-bytes/></prop></propfind>";

pub struct WebDav {
    client: Client,
    url: Url,
    /// Value of the `Authorization` header; empty without a login.
    authorization: String,
}

/// One resource in an answer to PROPFIND.
#[derive(Default)]
struct Resource {
    name: String,
    bytes: Option<u64>,
    /// Bytes that may still be stored; negative values mean that the server doesn't know (RFC 4331).
    free: Option<i64>,
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
            207 => Ok(Some(
                parse_multistatus(&http::text(&mut answer)?).ok_or(TargetError::UnexpectedStatus(207))?,
            )),
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
            200 => Ok(Box::new(answer.into_body().into_reader())),
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

/// Parses an answer to PROPFIND; `None` if it is something else.
fn parse_multistatus(answer: &str) -> Option<Vec<Resource>> {
    let mut reader = NsReader::from_str(answer);
    let mut all = Vec::new();
    let mut current = Resource::default();
    let mut text = String::new();
    loop {
        match reader.read_resolved_event().ok()? {
            (_, Event::Eof) => return Some(all),
            (_, Event::Text(piece)) => text.push_str(&piece.xml_content(XmlVersion::Implicit1_0)),
            (_, Event::Start(_)) => text.clear(),
            (ResolveResult::Bound(namespace), Event::End(end)) if namespace.as_ref() == NAMESPACE => {
                match end.local_name().as_ref() {
                    "href" => current.name = last_segment(text.trim()),
                    "getcontentlength" => current.bytes = text.trim().parse().ok(),
                    "quota-available-bytes" => current.free = text.trim().parse().ok(),
                    "response" => all.push(std::mem::take(&mut current)),
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

/// The last segment of an address or a path, percent-decoded.
fn last_segment(address: &str) -> String {
    let segment = address.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    percent_decode_str(segment).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_a_folder_is_read_whatever_its_server_calls_the_namespace() {
        let nextcloud = "<?xml version=\"1.0\"?>\
            <d:multistatus xmlns:d=\"DAV:\" xmlns:oc=\"http://owncloud.org/ns\"><d:response>\
            <d:href>/remote.php/dav/files/ada/Fl%C3%BCge/</d:href><d:propstat><d:prop>\
            <d:quota-available-bytes>-3</d:quota-available-bytes></d:prop><d:status>HTTP/1.1 200 OK</d:status>\
            </d:propstat></d:response><d:response><d:href>/remote.php/dav/files/ada/Fl%C3%BCge/a%20b.tar</d:href>\
            <d:propstat><d:prop><d:getcontentlength>17</d:getcontentlength><oc:href>other</oc:href></d:prop>\
            </d:propstat></d:response></d:multistatus>";
        let plain = "<multistatus xmlns=\"DAV:\"><response><href>http://nas/fluglog/a%20b.tar</href><propstat><prop>\
            <getcontentlength> 17 </getcontentlength></prop></propstat></response></multistatus>";
        let all = parse_multistatus(nextcloud).unwrap();
        assert_eq!(
            (all[0].name.as_str(), all[0].bytes, all[0].free),
            ("Flüge", None, Some(-3))
        );
        for one in [&all[1], &parse_multistatus(plain).unwrap()[0]] {
            assert_eq!((one.name.as_str(), one.bytes, one.free), ("a b.tar", Some(17), None));
        }
        assert!(parse_multistatus("<html><body>Anmelden</html>").is_none());
    }
}
