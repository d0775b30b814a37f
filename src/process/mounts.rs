//! Finds the mount point of a file system by its label. Knows no topic.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// Where udev stores its data on each device; readable even for a service without access to `/dev`.
const UDEV: &str = "/run/udev/data";
/// Folder with symbolic links named by label.
const LABELS: &str = "/dev/disk/by-label";

/// Returns where the file system with this label is mounted; `None` if it isn't.
#[must_use]
pub fn mount_point_of(label: &str) -> Option<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    find(&mounts, label, Path::new(UDEV), Path::new(LABELS))
}

/// Parses lines like `36 35 8:1 / /mnt/stick rw,noatime master:1 - ext4 /dev/sda1 rw` (proc_pid_mountinfo(5)). Of
/// several matches the last one is used, because it hides the others.
fn find(mounts: &str, label: &str, udev: &Path, labels: &Path) -> Option<PathBuf> {
    let linked = fs::canonicalize(labels.join(escaped(label))).ok();
    let has_label = |device: &str, source: &str| {
        let known = fs::read_to_string(udev.join(format!("b{device}"))).unwrap_or_default();
        let labelled = format!("E:ID_FS_LABEL_ENC={}", escaped(label));
        known.lines().any(|line| line == labelled) || (linked.is_some() && fs::canonicalize(source).ok() == linked)
    };
    let mount = |line: &str| {
        let (before, after) = line.split_once(" - ")?;
        let mut fields = before.split(' ').skip(2);
        let (device, root, point) = (fields.next()?, fields.next()?, fields.next()?);
        let source = after.split(' ').nth(1)?;
        (root == "/" && has_label(device, source)).then(|| unescaped(point))
    };
    mounts.lines().filter_map(mount).next_back()
}

/// Escapes a label as udev does: unusual bytes become `\x20` and the like.
fn escaped(label: &str) -> String {
    let mut escaped = String::new();
    for character in label.chars() {
        match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '#' | '+' | '-' | '.' | ':' | '=' | '@' | '_' => {
                escaped.push(character);
            }
            other if !other.is_ascii() => escaped.push(other),
            // Writing into a string can't fail.
            other => {
                let _ = write!(escaped, "\\x{:02x}", u32::from(other));
            }
        }
    }
    escaped
}

/// Unescapes a path of mountinfo, where a blank is `\040`.
fn unescaped(path: &str) -> PathBuf {
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let [first, after @ ..] = rest {
        let octal = after
            .get(..3)
            .filter(|_| *first == b'\\')
            .and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok());
        match octal {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[3..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    OsString::from_vec(bytes).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
        22 1 179:2 / / rw,noatime - ext4 /dev/root rw\n\
        36 22 8:1 / /media/mein\\040Stick rw,noatime master:1 - vfat /dev/sda1 rw\n\
        37 22 8:1 /unten /srv/teil rw - vfat /dev/sda1 rw\n\
        38 22 0:40 / /mnt/btrfs rw - btrfs DEVICE rw\n";

    #[test]
    fn a_disk_is_found_where_it_is_mounted_by_what_udev_or_the_links_say() {
        let place = tempfile::tempdir().unwrap();
        let (udev, labels) = (place.path().join("udev"), place.path().join("labels"));
        fs::create_dir_all(&udev).unwrap();
        fs::create_dir_all(&labels).unwrap();
        let device = place.path().join("sdb1");
        fs::write(&device, "").unwrap();
        fs::write(udev.join("b8:1"), "S:disk\nE:ID_FS_LABEL_ENC=MEIN\\x20STICK\n").unwrap();
        std::os::unix::fs::symlink("../sdb1", labels.join("platte")).unwrap();
        std::os::unix::fs::symlink("../sdc1", labels.join("weg")).unwrap();
        let mounts = MOUNTS.replace("DEVICE", &device.display().to_string());
        let found = |label: &str| find(&mounts, label, &udev, &labels);
        assert_eq!(found("MEIN STICK"), Some(PathBuf::from("/media/mein Stick")));
        assert_eq!(found("platte"), Some(PathBuf::from("/mnt/btrfs")));
        for label in ["weg", "MEIN", "../labels/platte", ""] {
            assert_eq!(found(label), None, "{label}");
        }
    }
}
