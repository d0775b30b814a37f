//! The machine: how much of its memory this process may use, in which pages it comes, and what lies on one disk. Knows
//! no use of it.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where control groups are shown, of version 2 and, in its part for memory, of version 1 (cgroups(7)).
const GROUPS: &str = "/sys/fs/cgroup";

/// The variable that says for how many milliseconds mimalloc keeps freed memory.
const PURGE_DELAY: &str = "MIMALLOC_PURGE_DELAY";

/// Has the kernel give this process no huge pages (prctl(2), `PR_SET_THP_DISABLE`). Each of many threads allocates a
/// little in many places, and of a huge page all 2 MB count as used.
pub fn refuse_huge_pages() {
    // With a kernel that has none nothing is to be done.
    let _ = nix::sys::prctl::set_thp_disable(true);
}

/// Has the allocator give freed memory back to the system at once, for the rest of this process. It would keep it for a
/// second, in which others take as much again. It reads its settings once, before `main`: so the program begins anew,
/// as the same process (execve(2)).
pub fn purge_freed_memory() {
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

/// The smallest limit that is in force, in bytes.
#[must_use]
pub fn memory_bytes() -> u64 {
    let of_groups = limit_of_groups(Path::new(GROUPS), &read("/proc/self/cgroup"));
    of_groups
        .unwrap_or(u64::MAX)
        .min(physical_bytes(&read("/proc/meminfo")))
}

/// Bytes of memory that this process has now (proc_pid_status(5), `VmRSS`); 0 where that can't be told.
#[must_use]
pub fn resident_bytes() -> u64 {
    kilobytes_in("VmRSS:", &read("/proc/self/status")).map_or(0, |kilobytes| kilobytes.saturating_mul(1024))
}

/// Whether both are there and on one file system (stat(2), `st_dev`).
#[must_use]
pub fn are_on_one_disk(one: &Path, other: &Path) -> bool {
    let device = |path| fs::metadata(path).map(|found| found.dev());
    matches!((device(one), device(other)), (Ok(one), Ok(other)) if one == other)
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// Without the line of the total nothing is known, and so nothing limited.
fn physical_bytes(meminfo: &str) -> u64 {
    kilobytes_in("MemTotal:", meminfo).map_or(u64::MAX, |kilobytes| kilobytes.saturating_mul(1024))
}

/// Of a line such as `MemTotal:  16316412 kB`.
fn kilobytes_in(name: &str, text: &str) -> Option<u64> {
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    value.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// The smallest limit of the groups of a process and of those around them. A line is `0::/a/b` (version 2) or
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
    // In a container the path may lead outside of what it sees: then its own group is the root.
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
