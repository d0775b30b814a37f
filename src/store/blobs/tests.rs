//! Blob files are complete or absent, and removals wait while an archive is written.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::*;
use fluglog_base::secret::digest;

const fn reserve(bytes: u64) -> Reserves {
    Reserves {
        uploads: bytes,
        records: bytes,
    }
}

fn folder() -> (tempfile::TempDir, Blobs) {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join(FOLDER_NAME)).unwrap();
    let blobs = Blobs::new(directory.path(), reserve(0));
    (directory, blobs)
}

/// Returns the path of a blob's file.
fn place(directory: &tempfile::TempDir, id: BlobId) -> PathBuf {
    directory.path().join(FOLDER_NAME).join(id.to_string())
}

fn names(directory: &tempfile::TempDir) -> Vec<String> {
    fs::read_dir(directory.path().join(FOLDER_NAME))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

fn written(blobs: &Blobs, content: &[u8]) -> BlobId {
    let mut unnamed = UncommittedBlobs::new(blobs);
    let blob = unnamed.write(content).unwrap();
    unnamed.settle(Ok(blob.id)).unwrap()
}

#[test]
fn a_blob_reads_back_what_was_written_until_it_is_removed() {
    let (_directory, blobs) = folder();
    let id = written(&blobs, b"bild");
    let (mut file, bytes) = blobs.read(id).unwrap();
    assert_eq!((read_all(&mut file, 99).unwrap().as_slice(), bytes), (&b"bild"[..], 4));
    blobs.remove_all([id, id]);
    assert!(blobs.read(id).is_err());
}

#[test]
fn an_upload_dropped_before_its_end_leaves_no_file() {
    let (directory, blobs) = folder();
    let mut incoming = blobs.begin().unwrap();
    incoming.write(b"anfang").unwrap();
    assert_eq!((names(&directory).len(), incoming.bytes()), (1, 6));
    let mode = incoming.read().unwrap().metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "others can read it");
    drop(incoming);
    assert_eq!(names(&directory), Vec::<String>::new());
}

#[test]
fn a_refused_record_takes_its_blob_along_and_a_failed_database_does_not() {
    let (directory, blobs) = folder();
    let mut refused = UncommittedBlobs::new(&blobs);
    refused.write(b"a").unwrap();
    assert!(refused.settle(Err::<(), _>(Error::NotFound)).is_err());
    assert_eq!(names(&directory), Vec::<String>::new());
    let mut unknown = UncommittedBlobs::new(&blobs);
    let id = unknown.write(b"b").unwrap().id;
    assert!(unknown.settle(Err::<(), _>(Error::Busy(String::new()))).is_err());
    assert_eq!(names(&directory), vec![id.to_string()]);
}

#[test]
fn the_reserve_of_the_disk_is_left_alone() {
    let (directory, _) = folder();
    let blobs = Blobs::new(directory.path(), reserve(u64::MAX));
    assert!(matches!(blobs.check_space(), Err(Error::DiskFull(_))));
    assert!(matches!(
        UncommittedBlobs::new(&blobs).write(b"a"),
        Err(Error::DiskFull(_))
    ));
    assert_eq!(names(&directory), Vec::<String>::new());
    let half = blobs.free_bytes().unwrap() / 2;
    assert!(half > 1000);
    for (uploads, records) in [(half, u64::MAX), (u64::MAX, half)] {
        let blobs = Blobs::new(directory.path(), Reserves { uploads, records });
        assert_eq!(blobs.check_space().is_ok(), uploads == half);
        assert_eq!(blobs.check_space_for_records().is_ok(), records == half);
    }
}

#[test]
fn a_blob_is_known_by_its_digest() {
    let (directory, blobs) = folder();
    let mut incoming = blobs.begin().unwrap();
    for (piece, until_now) in [("bi", "bi"), ("ld", "bild")] {
        incoming.write(piece.as_bytes()).unwrap();
        assert_eq!(incoming.sha256(), digest(until_now));
    }
    let mut unnamed = UncommittedBlobs::new(&blobs);
    let blob = unnamed.write(b"bild").unwrap();
    unnamed.settle(Ok(())).unwrap();
    assert_eq!(blob.sha256, digest("bild"));
    let (mut file, bytes) = blobs.read_verified(&blob).unwrap();
    assert_eq!((read_all(&mut file, 99).unwrap().as_slice(), bytes), (&b"bild"[..], 4));
    fs::write(place(&directory, blob.id), "Bild").unwrap();
    assert!(matches!(blobs.read_verified(&blob), Err(Error::Internal(_))));
    let long = "lang".repeat(READ_BYTES);
    assert_eq!(
        hash_content(long.as_bytes()).unwrap(),
        (digest(&long), long.len() as u64)
    );
}

#[test]
fn the_folder_lists_its_content() {
    let (directory, blobs) = folder();
    assert_eq!(blobs.size().unwrap(), (0, 0));
    let [one, other] = [written(&blobs, b"bild"), written(&blobs, b"dokument")];
    assert_eq!(blobs.size().unwrap(), (2, 12));
    assert_eq!((blobs.bytes(one).unwrap(), blobs.bytes(other).unwrap()), (4, 8));
    let file = File::options().write(true).open(place(&directory, one)).unwrap();
    let hour = Duration::from_secs(3600);
    file.set_modified(std::time::SystemTime::now() - hour).unwrap();
    assert!(blobs.age(BlobName::of(one)).unwrap() >= hour);
    assert!(blobs.age(BlobName::of(other)).is_some_and(|age| age < hour));
    assert_eq!(blobs.age(BlobName::of(BlobId::fresh())), None);
}

#[test]
fn while_somebody_holds_them_back_removals_wait() {
    let (directory, blobs) = folder();
    let [gone, stays] = [written(&blobs, b"a"), written(&blobs, b"b")];
    let (one, two) = (blobs.hold(), blobs.hold());
    blobs.remove_all([gone]);
    drop(one);
    assert_eq!(names(&directory).len(), 2);
    assert!(!blobs.is_orphan_candidate(BlobName::of(gone)), "it is about to go");
    drop(two);
    assert_eq!(names(&directory), vec![stays.to_string()]);
}

#[test]
fn a_blob_on_its_way_is_none_that_was_left_behind() {
    let (directory, blobs) = folder();
    let mut incoming = blobs.begin().unwrap();
    incoming.write(b"a").unwrap();
    assert_eq!(blobs.names().unwrap(), []);
    let mut unnamed = UncommittedBlobs::new(&blobs);
    let id = BlobName::of(unnamed.keep(incoming).unwrap().id);
    assert_eq!((names(&directory).len(), blobs.names().unwrap().len()), (1, 0));
    unnamed.settle(Ok(())).unwrap();
    assert_eq!(blobs.names().unwrap(), [id]);
    assert!(blobs.is_orphan_candidate(id));
    assert!(blobs.remove_orphan(id).is_err(), "the folder has no mark");
    folder::mark(directory.path()).unwrap();
    blobs.remove_orphan(id).unwrap();
    assert_eq!(names(&directory), [MARK]);
}

#[test]
fn unfinished_files_are_gone_after_the_next_start() {
    let (directory, blobs) = folder();
    let whole = written(&blobs, b"ganz");
    let foreign = directory.path().join(FOLDER_NAME).join("x.part");
    fs::write(place(&directory, BlobId::fresh()).with_extension("part"), "halb").unwrap();
    fs::write(&foreign, "fremd").unwrap();
    blobs.remove_unfinished().unwrap();
    assert_eq!(names(&directory).len(), 3, "the folder has no mark");
    folder::mark(directory.path()).unwrap();
    blobs.remove_unfinished().unwrap();
    assert_eq!((blobs.names().unwrap().len(), blobs.bytes(whole).unwrap()), (1, 4));
    assert_eq!(fs::read_to_string(foreign).unwrap(), "fremd");
}

#[test]
fn a_folder_without_a_mark_is_used_only_while_nothing_but_blobs_was_in_it() {
    let (directory, blobs) = folder();
    let id = written(&blobs, b"bild");
    let at = |name: &str| directory.path().join(FOLDER_NAME).join(name);
    fs::write(at("notiz.txt"), "fremd").unwrap();
    let opened = Blobs::new(directory.path(), reserve(0));
    assert!(opened.read(id).is_err() && opened.begin().is_err() && opened.names().is_err());
    opened.remove_all([id]);
    assert!(place(&directory, id).exists());
    fs::write(at(MARK), "").unwrap();
    assert_eq!((opened.names().unwrap().len(), opened.size().unwrap()), (1, (1, 4)));
    fs::remove_file(at("notiz.txt")).unwrap();
    fs::remove_file(at(MARK)).unwrap();
    assert!(opened.read(id).is_err(), "the disk may not be mounted");
    assert!(Blobs::new(directory.path(), reserve(0)).read(id).is_ok());
}

#[test]
fn no_blob_is_read_or_removed_through_a_link() {
    let (directory, blobs) = folder();
    let [id, whole] = [BlobId::fresh(), written(&blobs, b"bild")];
    std::os::unix::fs::symlink(place(&directory, whole), place(&directory, id)).unwrap();
    assert!(blobs.read(id).is_err());
    blobs.remove_all([id]);
    assert_eq!((names(&directory).len(), blobs.names().unwrap().len()), (2, 1));
}
