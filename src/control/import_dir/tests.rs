//! Links and foreign files in a pilot's folder.

use std::fs;
use std::os::unix::fs::{chown, symlink};
use std::sync::atomic::{AtomicBool, Ordering};

use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};

use super::*;
use fluglog_accounts::administration;
use fluglog_config::Config;
use fluglog_store::Store;
use fluglog_store::blobs::UncommittedBlobs;
use fluglog_store::blobs::folder;

const ANNA: &str = "anna@example.org";
const BEN: &str = "ben@example.org";
const OWN: &str = "Datum;Uhrzeit;Dauer;Copter\n17.05.2026;10:20;3,5;Spatz\n";
const FOREIGN: &str = "Datum;Uhrzeit;Dauer;Copter\n18.05.2026;11:30;4,5;Geheim\n";

/// A data directory with two pilots and a file of Ben's, and a folder to import from.
struct Scene {
    directory: tempfile::TempDir,
    app: App,
    logs: tempfile::TempDir,
    scanner: Scanner,
}

impl Scene {
    fn new() -> Scene {
        let directory = tempfile::tempdir().unwrap();
        folder::mark(directory.path()).unwrap();
        let config = Config {
            data_dir: directory.path().to_owned(),
            ..Config::default()
        };
        let app = App::new(config, Store::open(directory.path(), true).unwrap());
        for email in [ANNA, BEN] {
            administration::add_user(&app, email, "Pilot", None, false).unwrap();
        }
        let mut unnamed = UncommittedBlobs::new(&app.blobs);
        unnamed.write(FOREIGN.as_bytes()).unwrap();
        unnamed.settle(Ok(())).unwrap();
        let logs = tempfile::tempdir().unwrap();
        for email in [ANNA, BEN] {
            fs::create_dir(logs.path().join(email)).unwrap();
        }
        Scene {
            directory,
            app,
            logs,
            scanner: Scanner::default(),
        }
    }

    fn blobs(&self) -> PathBuf {
        self.directory.path().join(FOLDER_NAME)
    }

    /// The blob of Ben's file.
    fn blob(&self) -> PathBuf {
        let name = self.app.blobs.names().unwrap().remove(0);
        self.blobs().join(name.to_string())
    }

    fn in_logs(&self, name: &str) -> PathBuf {
        self.logs.path().join(name)
    }

    fn scan(&mut self) {
        self.scanner.scan(&self.app, self.logs.path());
    }

    /// The names of files imported for a pilot, after enough scans for unchanged files to be taken.
    fn found(&mut self, email: &str) -> Vec<String> {
        self.scan();
        self.scan();
        let viewer = self.app.store.read(|data| guard::named_by_admin(data, email)).unwrap();
        let imports = fluglog_topics::imports::list(&self.app, &viewer).unwrap();
        imports.into_iter().flat_map(|import| import.files).collect()
    }
}

#[test]
fn a_pilot_who_swaps_a_folder_and_a_link_gets_nothing_of_others() {
    let mut scene = Scene::new();
    let anna = scene.in_logs(ANNA);
    let of_ben = format!("{FOREIGN}19.05.2026;12:00;5,5;Geheim\n");
    fs::write(scene.in_logs(BEN).join("geheim.csv"), of_ben).unwrap();
    scene.found(BEN);
    fs::create_dir(anna.join("LOGS")).unwrap();
    // Names under which foreign files are reachable through the link.
    let blob = scene.blob().file_name().unwrap().to_owned();
    for name in [blob, "geheim.csv".into()] {
        fs::write(anna.join("LOGS").join(name), "").unwrap();
    }
    fs::write(anna.join("LOGS/eigen.csv"), OWN).unwrap();
    for target in [scene.blobs(), scene.in_logs(BEN)] {
        let link = anna.join(".link");
        symlink(target, &link).unwrap();
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    let swapped = renameat2(
                        AT_FDCWD,
                        &link,
                        AT_FDCWD,
                        &anna.join("LOGS"),
                        RenameFlags::RENAME_EXCHANGE,
                    );
                    swapped.unwrap();
                }
            });
            (0..2_000).for_each(|_| scene.scan());
            is_over.store(true, Ordering::Relaxed);
        });
        if !link.is_symlink() {
            fs::rename(&link, anna.join(".folder")).unwrap();
            fs::rename(anna.join("LOGS"), &link).unwrap();
            fs::rename(anna.join(".folder"), anna.join("LOGS")).unwrap();
        }
        fs::remove_file(&link).unwrap();
    }
    assert_eq!(scene.found(ANNA), ["eigen.csv"]);
}

#[test]
fn what_is_still_copied_and_what_a_storage_device_keeps_for_itself_is_left_alone() {
    let mut scene = Scene::new();
    let anna = scene.in_logs(ANNA);
    for folder in ["@eaDir", "#recycle", "LOGS"] {
        fs::create_dir(anna.join(folder)).unwrap();
        fs::write(
            anna.join(folder)
                .join(format!("{}.csv", folder.trim_matches(['@', '#']))),
            OWN,
        )
        .unwrap();
    }
    for name in ["Wespe.csv.part", "Wespe.csv.crdownload", "Wespe.csv~", ".Wespe.csv"] {
        fs::write(anna.join(name), FOREIGN).unwrap();
    }
    assert_eq!(scene.found(ANNA), ["LOGS.csv"]);
    fs::rename(anna.join("Wespe.csv.part"), anna.join("Wespe.csv")).unwrap();
    assert_eq!(scene.found(ANNA), ["Wespe.csv", "LOGS.csv"]);
}

#[test]
fn fluglog_s_own_files_are_no_files_of_a_pilot() {
    let mut scene = Scene::new();
    let anna = scene.in_logs(ANNA);
    fs::hard_link(scene.blob(), anna.join("blob.csv")).unwrap();
    fs::hard_link(scene.directory.path().join("fluglog.redb"), anna.join("datenbank.csv")).unwrap();
    symlink(scene.blob(), anna.join("link.csv")).unwrap();
    symlink(scene.blobs(), anna.join("LOGS")).unwrap();
    fs::write(anna.join("eigen.csv"), OWN).unwrap();
    fs::hard_link(anna.join("eigen.csv"), anna.join(".kopie")).unwrap();
    assert_eq!(
        scene.found(ANNA),
        ["eigen.csv"],
        "a second name of a pilot's own file is no harm"
    );

    // The folder of the blobs itself as `import_dir`, and as a pilot's folder.
    let blobs = scene.blobs();
    fs::create_dir(blobs.join(BEN)).unwrap();
    fs::write(blobs.join(BEN).join("log.csv"), OWN).unwrap();
    for _ in 0..2 {
        scene.scanner.scan(&scene.app, &blobs);
    }
    assert_eq!(scene.found(BEN), [""; 0]);
}

#[test]
fn a_file_counts_only_if_the_pilot_s_folder_belongs_to_its_owner() {
    if !geteuid().is_root() {
        // Only root can change a file's owner.
        return;
    }
    let mut scene = Scene::new();
    let anna = scene.in_logs(ANNA);
    chown(&anna, Some(1001), None).unwrap();
    for (name, owner) in [("eigen.csv", 1001), ("fremd.csv", 1002), ("server.csv", 0)] {
        fs::write(anna.join(name), format!("{OWN}\n{owner}")).unwrap();
        chown(anna.join(name), Some(owner), None).unwrap();
    }
    assert_eq!(scene.found(ANNA), ["eigen.csv"]);
    let told = scene
        .scanner
        .logged
        .iter()
        .filter(|line| line.contains("belongs to user"));
    assert_eq!(told.count(), 2);
}
