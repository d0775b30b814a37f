//! Root works as the owner of the data directory: what root makes there, the server couldn't write.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use nix::sys::prctl::set_dumpable;
use nix::unistd::{Gid, Uid, getegid, geteuid, getgroups, setegid, seteuid, setgid, setgroups, setuid};

use super::failure::Failure;

/// While it lives, a process of root's works as somebody else; then as root again, for what lies outside the data
/// directory.
pub struct ActingAs {
    /// `None`: nothing was changed.
    before: Option<(Gid, Vec<Gid>)>,
}

/// Works as the owner of the data directory, if root runs this and the directory is there and somebody else's.
///
/// # Errors
/// The system doesn't let this root do it.
pub fn act(data_dir: &Path) -> Result<ActingAs, Failure> {
    let Some((user, group)) = owner(data_dir) else {
        return Ok(ActingAs { before: None });
    };
    let begin = || -> nix::Result<(Gid, Vec<Gid>)> {
        let before = (getegid(), getgroups()?);
        setgroups(&[group])?;
        setegid(group)?;
        seteuid(user)?;
        Ok(before)
    };
    let before = begin().map_err(|error| refused(data_dir, error))?;
    Ok(ActingAs { before: Some(before) })
}

impl Drop for ActingAs {
    fn drop(&mut self) {
        if let Some((group, groups)) = &self.before {
            // A process that was root a moment ago may be so again.
            let _ = seteuid(Uid::from_raw(0))
                .and_then(|()| setegid(*group))
                .and_then(|()| setgroups(groups));
        }
    }
}

/// As [`act`], for good. Before the first thread, and before anything in the directory is touched.
///
/// # Errors
/// As [`act`].
pub fn become_owner(data_dir: &Path) -> Result<(), Failure> {
    let Some((user, group)) = owner(data_dir) else {
        return Ok(());
    };
    setgroups(&[group])
        .and_then(|()| setgid(group))
        .and_then(|()| setuid(user))
        .map_err(|error| refused(data_dir, error))?;
    // Else /proc/self stays root's, and with it the way to the control socket.
    set_dumpable(true).map_err(|error| refused(data_dir, error))
}

fn owner(data_dir: &Path) -> Option<(Uid, Gid)> {
    let directory = fs::metadata(data_dir).ok()?;
    let user = Uid::from_raw(directory.uid());
    (geteuid().is_root() && !user.is_root()).then(|| (user, Gid::from_raw(directory.gid())))
}

fn refused(data_dir: &Path, error: impl std::fmt::Display) -> Failure {
    Failure::new(
        Failure::CONFIGURATION,
        format!(
            "{} gehört einem anderen Benutzer, als der root hier nicht arbeiten darf ({error}); starten Sie den Befehl \
             als dieser Benutzer.",
            data_dir.display()
        ),
    )
}
