//! The machine: its memory limit, huge pages, the allocator's settings, and whether paths are on one disk. Knows no
//! topic.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Mount point of control groups version 2, and with `memory` below it of version 1 (cgroups(7)).
const GROUPS: &str = "/sys/fs/cgroup";

/// Variable with the milliseconds for which mimalloc keeps freed memory.
const PURGE_DELAY: &str = "MIMALLOC_PURGE_DELAY";

/// Disables huge pages for this process (prctl(2), `PR_SET_THP_DISABLE`). Each of many threads allocates a little in
/// many places, and all 2 MB of a huge page would count as used.
pub fn refuse_huge_pages() {
    // Best effort: a kernel without huge pages refuses.
    let _ = nix::sys::prctl::set_thp_disable(true);
}

/// Makes the allocator return freed memory to the system at once, instead of keeping it for a second, in which other
/// threads allocate as much again. mimalloc reads its settings only once, before `main`, so the process executes itself
/// anew (execve(2)).
pub fn reexec_with_purge() {
    if fluglog_config::is_set(PURGE_DELAY) {
        return;
    }
    let mut arguments = fluglog_config::command_line();
    let mut again = Command::new("/proc/self/exe");
    if let Some(name) = arguments.next() {
        again.arg0(name);
    }
    let error = again.args(arguments).env(PURGE_DELAY, "0").exec();
    tracing::warn!("freed memory is kept for a second: {error}");
}

/// Returns the smallest memory limit in force, in bytes.
#[must_use]
pub fn memory_bytes() -> u64 {
    let of_groups = limit_of_groups(Path::new(GROUPS), &read("/proc/self/cgroup"));
    of_groups
        .unwrap_or(u64::MAX)
        .min(physical_bytes(&read("/proc/meminfo")))
}

/// Returns the resident memory of this process in bytes (proc_pid_status(5), `VmRSS`); 0 if unknown.
#[must_use]
pub fn resident_bytes() -> u64 {
    kilobytes_in("VmRSS:", &read("/proc/self/status")).map_or(0, |kilobytes| kilobytes.saturating_mul(1024))
}

/// Returns whether both paths exist and are on one file system (stat(2), `st_dev`).
#[must_use]
pub fn are_on_same_filesystem(one: &Path, other: &Path) -> bool {
    let device = |path| fs::metadata(path).map(|found| found.dev());
    matches!((device(one), device(other)), (Ok(one), Ok(other)) if one == other)
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// Returns the machine's memory; unlimited if the line is missing.
fn physical_bytes(meminfo: &str) -> u64 {
    kilobytes_in("MemTotal:", meminfo).map_or(u64::MAX, |kilobytes| kilobytes.saturating_mul(1024))
}

/// Parses a line such as `MemTotal:  16316412 kB`.
fn kilobytes_in(name: &str, text: &str) -> Option<u64> {
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    value.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// Returns the smallest limit of the process's groups and their parents. A line is `0::/a/b` (version 2) or
/// `4:memory:/a/b`.
fn limit_of_groups(groups: &Path, own: &str) -> Option<u64> {
    own.lines().filter_map(|line| limit_of(groups, line)).min()
}

fn limit_of(groups: &Path, line: &str) -> Option<u64> {
    let mut parts = line.splitn(3, ':');
    let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
    let (root, file) = if controllers.is_empty() {
        (groups.to_owned(), "memory.max")
    } else if controllers.split(',').any(|controller| controller == "memory") {
        (groups.join("memory"), "memory.limit_in_bytes")
    } else {
        return None;
    };
    // In a container the path may not exist there; the container's own group is the root then.
    let within: PathBuf = path.trim_start_matches('/').into();
    let limits = within.ancestors().filter_map(|group| {
        fs::read_to_string(root.join(group).join(file))
            .ok()?
            .trim()
            .parse()
            .ok()
    });
    limits.min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_limit_around_a_process_counts() {
        let groups = tempfile::tempdir().unwrap();
        let write = |path: &str, content: &str| {
            let path = groups.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        };
        write("memory.max", "max\n");
        write("system.slice/memory.max", "222298112\n");
        write("system.slice/fluglog.service/memory.max", "max\n");
        write("memory/limit_in_bytes", "1\n");
        write("memory/memory.limit_in_bytes", "9223372036854771712\n");
        write("memory/docker/memory.limit_in_bytes", "134217728\n");
        let limit = |own: &str| limit_of_groups(groups.path(), own);
        assert_eq!(limit("0::/system.slice/fluglog.service\n"), Some(222_298_112));
        assert_eq!(limit("0::/user.slice\n"), None);
        assert_eq!(limit("5:cpu,memory:/docker\n1:cpu:/\n0::/\n"), Some(134_217_728));
        assert_eq!(limit("4:memory:/not/seen/here\n"), Some(9_223_372_036_854_771_712));
        assert_eq!(limit(""), None);
    }

    #[test]
    fn without_a_group_the_machine_is_the_limit() {
        assert_eq!(
            physical_bytes("MemTotal:         437824 kB\nMemFree: 1 kB\n"),
            437_824 * 1024
        );
        assert_eq!(physical_bytes(""), u64::MAX);
    }
}
