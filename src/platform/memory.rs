//! Keeps the process small: freed memory goes back to the system.

/// Tells the C library's allocator how to behave; to be called before any thread starts.
///
/// By itself it keeps what was once freed: a thread that hashed one password would hold its
/// 19 MiB for ever, and every thread would have a heap of its own (measured in `benches/http.rs`).
#[cfg(target_env = "gnu")]
#[expect(unsafe_code, reason = "mallopt has no safe wrapper; it only sets numbers, before threads start")]
pub fn give_back_early() {
    const MIB: libc::c_int = 1024 * 1024;
    // SAFETY: mallopt reads its two numbers and keeps no pointer. What it refuses stays as it was.
    unsafe {
        // Blocks from here on are mapped by themselves and unmapped when they are freed. Setting it
        // also stops the allocator from raising it by itself.
        libc::mallopt(libc::M_MMAP_THRESHOLD, MIB);
        libc::mallopt(libc::M_TRIM_THRESHOLD, MIB);
        libc::mallopt(libc::M_ARENA_MAX, 2);
    }
}

/// Other C libraries give memory back by themselves.
#[cfg(not(target_env = "gnu"))]
pub fn give_back_early() {}
