//! Multipart bodies, and calls that send, fetch and name files.

use std::fs::DirEntry;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::Server;
use super::answer::Answer;
use super::calls::{id_in, with_id};
use super::client::{Pilot, RequestBuilder};

/// 50 MB, as the app defines it.
pub const MAX_BYTES: usize = 52_428_800;
/// The value of `Content-Type`.
pub const MULTIPART: &str = "multipart/form-data; boundary=----Grenze";
/// The marker of Fluglog's folder of blobs.
pub const MARK: &str = ".fluglog-blobs";
const BOUNDARY: &str = "------Grenze";

/// A file as a browser sends it: field, name, content.
pub type File<'a> = (&'a str, &'a str, &'a [u8]);

/// A multipart body with fields and files.
pub fn multipart(fields: &[(&str, &str)], files: &[File<'_>]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, value) in fields {
        body.extend_from_slice(
            format!("{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").as_bytes(),
        );
    }
    for (field, name, content) in files {
        body.extend_from_slice(&file_head(field, name));
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("{BOUNDARY}--\r\n").as_bytes());
    body
}

/// The header of a file's part.
pub fn file_head(field: &str, name: &str) -> Vec<u8> {
    let name = name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A");
    format!(
        "{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n\
         Content-Type: application/octet-stream\r\n\r\n"
    )
    .into_bytes()
}

impl Pilot {
    pub fn upload_question(&self, call: &str, fields: &[(&str, &str)], files: &[File<'_>]) -> RequestBuilder<'_> {
        self.ask("POST", &format!("/app/api/{call}"))
            .body(MULTIPART, &multipart(fields, files))
    }

    /// Makes a call with a multipart body.
    #[track_caller]
    pub fn upload(&self, call: &str, fields: &[(&str, &str)], files: &[File<'_>]) -> Answer {
        self.upload_question(call, fields, files).send()
    }

    #[track_caller]
    pub fn documents(&self) -> Vec<Value> {
        let list = self.post_empty("GetUserDocuments").expect_status(200).json();
        list.as_array().expect("a list").clone()
    }

    /// Uploads a document; returns its id.
    #[track_caller]
    pub fn document(&self, name: &str, content: &[u8]) -> String {
        let answer = self.upload("UploadUserDocument", &[], &[("file", name, content)]);
        id_in(&answer.expect_status(201).json())
    }

    #[track_caller]
    pub fn proofs(&self) -> Vec<Value> {
        let list = self.post_empty("GetProofs").expect_status(200).json();
        list.as_array().expect("a list").clone()
    }

    /// Uploads a document that proves something; returns the proof.
    #[track_caller]
    pub fn proof(&self, name: &str, content: &[u8], entries: &Value) -> Value {
        let fields = [("proof", &*entries.to_string())];
        let answer = self.upload("AddProof", &fields, &[("files", name, content)]);
        answer.expect_status(201).json()
    }

    /// Changes what a document proves; returns the proof.
    #[track_caller]
    pub fn save_proof(&self, document: &str, entries: &Value) -> Value {
        self.ask_to_save_proof(document, entries).expect_status(200).json()
    }

    #[track_caller]
    pub fn ask_to_save_proof(&self, document: &str, entries: &Value) -> Answer {
        let entries = with_id(entries, document).to_string();
        self.post("SaveProof", &[("proof", &entries)])
    }

    #[track_caller]
    pub fn page(&self, document: &str, page: &str) -> Answer {
        self.get(&format!("/app/api/GetProofPage?dpfId={document}&page={page}"))
    }

    #[track_caller]
    pub fn download(&self, document: &str) -> Answer {
        self.post("DownloadDocument", &[("dpfId", document)])
    }

    /// Adds images to a flight; returns the ids of all its images.
    #[track_caller]
    pub fn add_images(&self, flight: &str, images: &[&[u8]]) -> Vec<String> {
        let files: Vec<_> = images.iter().map(|image| ("files", "bild.jpg", *image)).collect();
        let answer = self.upload("UploadImageForFlight", &[("flight", flight)], &files);
        texts(&answer.expect_status(201).json())
    }

    #[track_caller]
    pub fn image(&self, uuid: &str) -> Answer {
        self.get(&format!("/app/api/GetImage?uuid={uuid}"))
    }

    #[track_caller]
    pub fn preview(&self, uuid: &str) -> Answer {
        self.get(&format!("/app/api/GetImagePreview?uuid={uuid}"))
    }
}

#[track_caller]
pub fn texts(list: &Value) -> Vec<String> {
    let list = list.as_array().expect("a list");
    list.iter()
        .map(|text| text.as_str().expect("a text").to_owned())
        .collect()
}

/// The names of all files in the folder of the blobs, without its marker.
pub fn blobs(directory: &Path) -> Vec<String> {
    let folder = std::fs::read_dir(directory.join("blobs")).expect("the folder of the blobs");
    let name = |entry: std::io::Result<DirEntry>| entry.expect("an entry").file_name().into_string();
    let mut names: Vec<_> = folder.map(|entry| name(entry).expect("a name of ours")).collect();
    names.retain(|name| name != MARK);
    names.sort();
    names
}

impl Server {
    /// The names of all files in the folder of the blobs, complete or not.
    pub fn blobs(&self) -> Vec<String> {
        blobs(self.directory())
    }

    /// The server's current memory, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        self.status_bytes("VmRSS:")
    }

    /// The part of the server's memory that is mapped files, such as the program, in bytes. The kernel drops it when
    /// memory is short.
    pub fn memory_of_files_bytes(&self) -> u64 {
        self.status_bytes("RssFile:")
    }

    /// Resets the peak memory (Linux: 5 in `clear_refs`).
    pub fn forget_most_memory(&self) {
        std::fs::write(format!("/proc/{}/clear_refs", self.process_id()), "5").expect("the peak is reset");
    }

    /// The server's peak memory, in bytes.
    pub fn most_memory_bytes(&self) -> u64 {
        self.status_bytes("VmHWM:")
    }

    /// Processor time that the server has used. Unlike elapsed time it doesn't depend on what else the machine does.
    ///
    /// Linux: `utime` and `stime` of `stat`, in hundredths of a second.
    pub fn processor_time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process_id())).expect("the server's times");
        let (_, fields) = stat.rsplit_once(") ").expect("the name of the process");
        let ticks = fields.split(' ').skip(11).take(2);
        let ticks: u64 = ticks
            .map(|ticks| ticks.parse::<u64>().expect("a number of ticks"))
            .sum();
        Duration::from_millis(10 * ticks)
    }

    fn status_bytes(&self, name: &str) -> u64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.process_id())).expect("the server's status");
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let kilobytes: u64 = line
            .and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok())
            .expect("a number of kB");
        kilobytes * 1024
    }
}
