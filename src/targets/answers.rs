//! Parses what the servers of targets answer. Knows no connection.

use percent_encoding::percent_decode_str;
use quick_xml::events::Event;
use quick_xml::name::ResolveResult;
use quick_xml::{NsReader, XmlVersion};
use rusty_s3::actions::{CreateMultipartUpload, ListObjectsV2};

use super::model::{Result, Stored, TargetError, is_ours};
use fluglog_base::limits::answers::Answer;

const NAMESPACE: &str = "DAV:";
const MAX_CODE_CHARACTERS: usize = 60;

/// One resource in an answer to PROPFIND.
#[derive(Default)]
pub struct Resource {
    pub name: String,
    pub bytes: Option<u64>,
    /// Bytes that may still be stored; negative values mean that the server doesn't know (RFC 4331).
    pub free: Option<i64>,
}

/// Parses a page of the list of a bucket: the archives below a prefix, also unfinished ones, and what the next page is
/// asked for with.
///
/// # Errors
/// The answer is no list of objects.
pub fn page(answer: &str, prefix: &str) -> Result<(Vec<Stored>, Option<String>)> {
    let page = ListObjectsV2::parse_response(answer).map_err(|_| TargetError::UnexpectedStatus(200))?;
    let below = page.contents.into_iter().filter_map(|object| {
        let name = object.key.strip_prefix(prefix)?;
        is_ours(name).then(|| Stored {
            name: name.to_owned(),
            bytes: object.size.unwrap_or_default(),
        })
    });
    Ok((below.collect(), page.next_continuation_token))
}

/// Parses the answer to the beginning of an upload in parts: its id.
///
/// # Errors
/// The answer isn't about an upload.
pub fn upload(answer: &str) -> Result<String> {
    let begun = CreateMultipartUpload::parse_response(answer);
    let begun = begun.map_err(|_| TargetError::UnexpectedStatus(200))?;
    Ok(begun.upload_id().to_owned())
}

/// Returns the error code in an answer of a store.
#[must_use]
pub fn code(answer: &str) -> Option<String> {
    let (_, error) = answer.split_once("<Error>")?;
    let (_, code) = error.split_once("<Code>")?;
    let (code, _) = code.split_once("</Code>")?;
    Some(code.trim().chars().take(MAX_CODE_CHARACTERS).collect())
}

/// Parses an answer to PROPFIND.
///
/// # Errors
/// The answer is no multistatus, or has too many resources.
pub fn multistatus(answer: &str) -> Result<Vec<Resource>> {
    let other = |_| TargetError::UnexpectedStatus(207);
    let most = Answer::List.budget().entries;
    let mut reader = NsReader::from_str(answer);
    let mut all = Vec::new();
    let mut current = Resource::default();
    let mut text = String::new();
    loop {
        match reader.read_resolved_event().map_err(other)? {
            (_, Event::Eof) => return Ok(all),
            (_, Event::Text(piece)) => text.push_str(&piece.xml_content(XmlVersion::Implicit1_0)),
            (_, Event::Start(_)) => text.clear(),
            (ResolveResult::Bound(namespace), Event::End(end)) if namespace.as_ref() == NAMESPACE => {
                match end.local_name().as_ref() {
                    "href" => current.name = last_segment(text.trim()),
                    "getcontentlength" => current.bytes = text.trim().parse().ok(),
                    "quota-available-bytes" => current.free = text.trim().parse().ok(),
                    "response" if all.len() == most => return Err(TargetError::EndlessList),
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
        let all = multistatus(nextcloud).unwrap();
        assert_eq!(
            (all[0].name.as_str(), all[0].bytes, all[0].free),
            ("Flüge", None, Some(-3))
        );
        for one in [&all[1], &multistatus(plain).unwrap()[0]] {
            assert_eq!((one.name.as_str(), one.bytes, one.free), ("a b.tar", Some(17), None));
        }
        assert!(multistatus("<html><body>Anmelden</html>").is_err());
    }

    #[test]
    fn the_code_of_an_error_is_found_and_of_nothing_else() {
        let error = "<?xml version=\"1.0\"?>\n<Error><Code>QuotaExceeded</Code><Message>voll</Message></Error>";
        assert_eq!(code(error).as_deref(), Some("QuotaExceeded"));
        assert_eq!(
            code("<CompleteMultipartUploadResult><Code>1</Code></CompleteMultipartUploadResult>"),
            None
        );
    }
}
