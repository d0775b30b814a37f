//! Lets root act as the owner of the data directory: the server couldn't write files that belong to root.

use std::ffi::CString;
use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::Path;

use nix::sys::prctl::set_dumpable;
use nix::unistd::{
    Gid, Uid, User, getegid, geteuid, getgrouplist, getgroups, setegid, seteuid, setgid, setgroups, setuid,
};

use super::failure::Failure;
use fluglog_config::Config;
use fluglog_config::environment::SYSTEM_FILE;

/// While this lives, root's process acts as another user; dropping it restores root, for files outside of the data
/// directory.
pub(crate) struct ActingAs {
    /// `None` if nothing was changed.
    before: Option<(Gid, Vec<Gid>)>,
}

/// Acts as the owner of the data directory, if the process is root's and the directory exists and belongs to another
/// user.
///
/// # Errors
/// The system forbids it even to this root, as in some containers.
pub(crate) fn act(data_dir: &Path) -> Result<ActingAs, Failure> {
    let Some((user, group)) = owner(data_dir) else {
        return Ok(ActingAs { before: None });
    };
    let begin = || -> nix::Result<(Gid, Vec<Gid>)> {
        let before = (getegid(), getgroups()?);
        setgroups(&groups_of(user, group))?;
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
            // Restoring can't fail: the real user id is still root's.
            let _ = seteuid(Uid::from_raw(0))
                .and_then(|()| setegid(*group))
                .and_then(|()| setgroups(groups));
        }
    }
}

/// Like [`act`], but permanently. Must come before the first thread and before anything in the directory is used.
///
/// # Errors
/// As for [`act`].
pub(crate) fn become_owner(data_dir: &Path) -> Result<(), Failure> {
    let Some((user, group)) = owner(data_dir) else {
        return Ok(());
    };
    setgroups(&[group])
        .and_then(|()| setgid(group))
        .and_then(|()| setuid(user))
        .map_err(|error| refused(data_dir, error))?;
    // Otherwise /proc/self stays root's, and with it the path to the control socket.
    set_dumpable(true).map_err(|error| refused(data_dir, error))
}

/// Gives a data directory that root has just made for the package's settings to the user of the package's service.
///
/// # Errors
/// The file system has no owners.
pub(crate) fn give_to_service(config: &Config) -> Result<(), Failure> {
    let is_of_package = config.config_file.as_deref() == Some(Path::new(SYSTEM_FILE));
    let service = User::from_name("fluglog").ok().flatten();
    match service.filter(|_| is_of_package && geteuid().is_root()) {
        Some(user) => chown(&config.data_dir, Some(user.uid.as_raw()), Some(user.gid.as_raw()))
            .map_err(|error| Failure::unusable(&config.data_dir, &error)),
        None => Ok(()),
    }
}

/// Whether root works in place of the data directory's owner.
pub(crate) fn is_root_for_another(data_dir: &Path) -> bool {
    owner(data_dir).is_some()
}

fn owner(data_dir: &Path) -> Option<(Uid, Gid)> {
    let directory = fs::metadata(data_dir).ok()?;
    let user = Uid::from_raw(directory.uid());
    (geteuid().is_root() && !user.is_root()).then(|| (user, Gid::from_raw(directory.gid())))
}

/// The groups that systemd gives a service of this user, such as one that may read a certificate's key.
fn groups_of(user: Uid, group: Gid) -> Vec<Gid> {
    let name = User::from_uid(user)
        .ok()
        .flatten()
        .and_then(|user| CString::new(user.name).ok());
    let groups = name.and_then(|name| getgrouplist(&name, group).ok());
    groups.unwrap_or_else(|| vec![group])
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
