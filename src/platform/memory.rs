//! Settings of the allocator: freed memory is returned to the system.

/// Configures glibc's allocator; to be called before any thread starts.
///
/// By default it keeps freed memory: a thread that hashed one password would hold its 19 MiB, and every thread would have
/// a heap of its own (measured in `benches/http.rs`).
#[cfg(target_env = "gnu")]
#[expect(unsafe_code, reason = "mallopt has no safe wrapper; it only sets numbers before threads start")]
pub fn configure_allocator() {
    const MIB: libc::c_int = 1024 * 1024;
    // SAFETY: mallopt reads its two numbers and keeps no pointer. An invalid value changes nothing.
    unsafe {
        // Larger blocks are mapped separately and unmapped when they are freed. Setting the threshold also stops
        // the allocator from raising it.
        libc::mallopt(libc::M_MMAP_THRESHOLD, MIB);
        libc::mallopt(libc::M_TRIM_THRESHOLD, MIB);
        libc::mallopt(libc::M_ARENA_MAX, 2);
    }
}

/// Other C libraries return freed memory by themselves.
#[cfg(not(target_env = "gnu"))]
pub fn configure_allocator() {}
