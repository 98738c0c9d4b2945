//! Settings of the memory allocator, and limits on memory.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Makes glibc's allocator return freed memory to the system. Call it before any thread starts.
///
/// With its defaults a thread that hashed one password would retain 19 MiB, and every thread would have its own arena
/// (measured in `benches/http.rs`). With two arenas, the threads that serve requests on two processors and the one that
/// writes to the database wait for each other: 64 clients write a fifth less (`benches/writes.rs`).
#[cfg(target_env = "gnu")]
#[expect(unsafe_code, reason = "mallopt has no safe wrapper; it only sets numbers, before threads start")]
pub fn configure_allocator() {
    const MIB: libc::c_int = 1024 * 1024;
    // SAFETY: mallopt reads its two numbers and retains no pointer. Values that it rejects have no effect.
    unsafe {
        // Blocks of this size and more are mapped separately and unmapped when they are freed. Setting the threshold
        // also turns off its automatic growth.
        libc::mallopt(libc::M_MMAP_THRESHOLD, MIB);
        libc::mallopt(libc::M_TRIM_THRESHOLD, MIB);
        libc::mallopt(libc::M_ARENA_MAX, 4);
    }
}

/// Other C libraries return freed memory by default.
#[cfg(not(target_env = "gnu"))]
pub fn configure_allocator() {}

/// Returns freed memory to the system, also from within the heap. Takes some milliseconds.
#[cfg(target_env = "gnu")]
#[expect(unsafe_code, reason = "malloc_trim has no safe wrapper")]
pub fn return_freed() {
    // SAFETY: malloc_trim locks the heap itself and only unmaps pages that are free.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Other C libraries return freed memory by default.
#[cfg(not(target_env = "gnu"))]
pub fn return_freed() {}

/// Unmaps the pages of this program's code. The start uses three times as many pages as a request. The kernel maps a page that
/// is used again within microseconds, together with its neighbors, 16 at a time.
#[expect(unsafe_code, reason = "madvise has no safe wrapper")]
pub fn release_code() {
    let Ok(maps) = std::fs::read_to_string("/proc/self/maps") else { return };
    let here = release_code as fn() as usize;
    let code = maps.lines().find_map(|line| {
        let (range, rest) = line.split_once(' ')?;
        let (start, end) = range.split_once('-')?;
        let (start, end) = (usize::from_str_radix(start, 16).ok()?, usize::from_str_radix(end, 16).ok()?);
        (rest.starts_with("r-xp") && (start..end).contains(&here)).then_some(start..end)
    });
    if let Some(code) = code {
        // SAFETY: the range is a mapping of the program's file that is not writable, so its pages are those of the file
        // before and after.
        unsafe {
            libc::madvise(std::ptr::with_exposed_provenance_mut(code.start), code.len(), libc::MADV_DONTNEED);
        }
    }
}

/// The memory of this process in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    pub resident: u64,
    /// The largest resident memory so far.
    pub peak: u64,
    /// Mapped memory, resident or not.
    pub mapped: u64,
}

/// The memory of this process.
///
/// # Errors
/// The system does not report it.
pub fn usage() -> io::Result<Usage> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let bytes = |key: &str| {
        let text = status.lines().find_map(|line| line.strip_prefix(key)?.trim().strip_suffix(" kB"));
        let kib: Option<u64> = text.and_then(|text| text.parse().ok());
        kib.map(|kib| kib * 1024).ok_or_else(|| io::Error::other(format!("/proc/self/status has no {key}")))
    };
    Ok(Usage { resident: bytes("VmRSS:")?, peak: bytes("VmHWM:")?, mapped: bytes("VmSize:")? })
}

/// Limits the mapped memory of this process to its current size plus `bytes`. An allocation beyond that aborts it.
///
/// # Errors
/// The size of the process is not known, or the system rejects the limit.
pub fn limit_growth(bytes: u64) -> io::Result<()> {
    let limit = (usage()?.mapped + bytes).min(getrlimit(Resource::As).maximum.unwrap_or(u64::MAX));
    Ok(setrlimit(Resource::As, Rlimit { current: Some(limit), maximum: Some(limit) })?)
}
