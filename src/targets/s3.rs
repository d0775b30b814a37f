//! A bucket of an S3-compatible store. An archive is uploaded in parts and becomes an object only when all have
//! arrived.

use std::io::Read;
use std::time::{Duration, Instant};

use rusty_s3::{Bucket, Credentials, S3Action, UrlStyle};
use ureq::Body;
use ureq::http::{Method, Request, Response, header};
use url::Url;

use super::answers;
use super::encryption::Outgoing;
use super::http::{self, Client};
use super::model::{Result, Stored, TargetError};
use fluglog_base::limits::answers::Answer;
use fluglog_config::targets::S3;

/// Validity of a signed address; the transfer of a part has to begin within it.
const SIGNED: Duration = Duration::from_secs(3600);
/// Least size of a part. Each part is kept in memory so that it can be sent again.
const MIN_PART_BYTES: u64 = 8 * 1024 * 1024;
/// S3 allows 10,000 parts.
const MAX_PARTS: u64 = 9_000;
const MAX_TRIES: u32 = 3;

pub struct Store {
    client: Client,
    bucket: Bucket,
    credentials: Credentials,
    prefix: String,
}

impl Store {
    /// # Errors
    /// The address isn't that of a bucket.
    pub fn new(settings: &S3) -> Result<Store> {
        let style = match settings.is_path_style {
            true => UrlStyle::Path,
            false => UrlStyle::VirtualHost,
        };
        let (endpoint, name, region) = (&settings.endpoint, &settings.bucket, &settings.region);
        let bucket = Bucket::new(endpoint.clone(), style, name.clone(), region.clone());
        Ok(Store {
            client: Client::new(endpoint, &settings.certificates),
            bucket: bucket.map_err(|_| TargetError::FolderMissing)?,
            credentials: Credentials::new(settings.access_key.clone(), settings.secret_key.secret()),
            prefix: settings.prefix.clone(),
        })
    }

    fn key(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    fn send(&self, method: Method, url: &Url, body: &[u8]) -> Result<Response<Body>> {
        let request = Request::builder().method(&method).uri(url.as_str());
        let mut answer = match method {
            Method::PUT | Method::POST => {
                // Lets a store refuse the upload before the whole body is sent.
                let request = request.header(header::EXPECT, "100-continue");
                self.client
                    .send(request.body(body).map_err(|_| TargetError::FolderMissing)?)
            }
            _ => self
                .client
                .send(request.body(()).map_err(|_| TargetError::FolderMissing)?),
        }?;
        match answer.status().is_success() {
            true => Ok(answer),
            false => Err(refused(&mut answer)),
        }
    }

    /// All archives below the prefix, and the unfinished ones.
    pub fn files(&self) -> Result<Vec<Stored>> {
        let begun = Instant::now();
        let most = Answer::List.budget();
        let mut files = Vec::new();
        let mut next = None;
        for _ in 0..most.pages {
            let mut action = self.bucket.list_objects_v2(Some(&self.credentials));
            action.with_prefix(self.prefix.clone());
            if let Some(token) = next.clone() {
                action.with_continuation_token(token);
            }
            let mut answer = self.send(Method::GET, &action.sign(SIGNED), &[])?;
            let (found, token) = answers::page(&http::text(&mut answer, Answer::List)?, &self.prefix)?;
            files.extend(found);
            match token {
                None => return Ok(files),
                token if token == next || files.len() > most.entries || begun.elapsed() > most.time => break,
                token => next = token,
            }
        }
        Err(TargetError::EndlessList)
    }

    pub fn put(&self, name: &str, archive: &mut Outgoing) -> Result<()> {
        let key = self.key(name);
        let action = self.bucket.create_multipart_upload(Some(&self.credentials), &key);
        let mut answer = self.send(Method::POST, &action.sign(SIGNED), &[])?;
        let upload = answers::upload(&http::text(&mut answer, Answer::Receipt)?)?;
        self.put_parts(&key, &upload, archive).inspect_err(|_| {
            let abort = self
                .bucket
                .abort_multipart_upload(Some(&self.credentials), &key, &upload);
            // Best effort: a store that is unreachable keeps its parts.
            let _ = self.send(Method::DELETE, &abort.sign(SIGNED), &[]);
        })
    }

    fn put_parts(&self, key: &str, upload: &str, archive: &mut Outgoing) -> Result<()> {
        let part_bytes = MIN_PART_BYTES.max(archive.bytes.div_ceil(MAX_PARTS));
        let mut left = archive.bytes;
        let mut tags = Vec::new();
        let mut part = Vec::new();
        while left > 0 || tags.is_empty() {
            part.clear();
            let wanted = part_bytes.min(left);
            let read = archive.by_ref().take(wanted).read_to_end(&mut part);
            if read.map_err(|_| TargetError::ArchiveUnreadable)? as u64 != wanted {
                return Err(TargetError::ArchiveUnreadable);
            }
            left -= wanted;
            let number = u16::try_from(tags.len() + 1).map_err(|_| TargetError::TooLarge)?;
            tags.push(self.put_part(key, upload, number, &part)?);
        }
        let all = tags.iter().map(String::as_str);
        let action = self
            .bucket
            .complete_multipart_upload(Some(&self.credentials), key, upload, all);
        let (url, body) = (action.sign(SIGNED), action.body());
        let mut answer = self.send(Method::POST, &url, body.as_bytes())?;
        // S3 sends status 200 before the work is done, so the body may still report an error.
        match answers::code(&http::text(&mut answer, Answer::Receipt)?) {
            None => Ok(()),
            Some(code) => Err(error_of_code(&code).unwrap_or(TargetError::ConnectionLost)),
        }
    }

    /// Uploads a part, again after a temporary failure, and returns its ETag.
    fn put_part(&self, key: &str, upload: &str, number: u16, part: &[u8]) -> Result<String> {
        let mut tries = 1;
        loop {
            let action = self.bucket.upload_part(Some(&self.credentials), key, number, upload);
            match self.send(Method::PUT, &action.sign(SIGNED), part) {
                Err(TargetError::ConnectionLost | TargetError::UnexpectedStatus(500..)) if tries < MAX_TRIES => {
                    tries += 1
                }
                Err(error) => return Err(error),
                Ok(answer) => {
                    let tag = answer.headers().get(header::ETAG).and_then(|tag| tag.to_str().ok());
                    return tag.map(str::to_owned).ok_or(TargetError::UnexpectedStatus(200));
                }
            }
        }
    }

    pub fn get(&self, name: &str) -> Result<Box<dyn Read>> {
        let key = self.key(name);
        let action = self.bucket.get_object(Some(&self.credentials), &key);
        let answer = self.send(Method::GET, &action.sign(SIGNED), &[])?;
        Ok(http::archive(answer))
    }

    pub fn delete(&self, name: &str) -> Result<()> {
        let key = self.key(name);
        let action = self.bucket.delete_object(Some(&self.credentials), &key);
        self.send(Method::DELETE, &action.sign(SIGNED), &[]).map(drop)
    }
}

fn refused(answer: &mut Response<Body>) -> TargetError {
    let by_status = match http::error_of_status(answer) {
        TargetError::Unauthorized | TargetError::Forbidden if http::is_clock_wrong(answer) => TargetError::ClockSkew,
        other => other,
    };
    let code = http::text(answer, Answer::Receipt)
        .ok()
        .and_then(|text| answers::code(&text));
    if let Some(code) = &code {
        tracing::warn!("the store says {code}");
    }
    match by_status {
        TargetError::ClockSkew => TargetError::ClockSkew,
        other => code.and_then(|code| error_of_code(&code)).unwrap_or(other),
    }
}

/// Maps S3's error codes, <https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html>, and those of other
/// stores.
fn error_of_code(code: &str) -> Option<TargetError> {
    Some(match code {
        "RequestTimeTooSkewed" | "RequestExpired" => TargetError::ClockSkew,
        "InvalidAccessKeyId" | "SignatureDoesNotMatch" => TargetError::Unauthorized,
        "AccessDenied" => TargetError::Forbidden,
        "NoSuchBucket" => TargetError::FolderMissing,
        "QuotaExceeded" | "XMinioStorageFull" | "XMinioAdminBucketQuotaExceeded" | "InsufficientStorage" => {
            TargetError::Full
        }
        "EntityTooLarge" => TargetError::TooLarge,
        _ => return None,
    })
}
