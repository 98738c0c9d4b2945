//! Settings of the memory allocator.

/// Makes glibc's allocator return freed memory to the system. Call it before any thread starts.
///
/// With its defaults a thread that hashed one password would retain 19 MiB, and every thread would have its own arena
/// (measured in `benches/http.rs`).
#[cfg(target_env = "gnu")]
#[expect(unsafe_code, reason = "mallopt has no safe wrapper; it only sets numbers, before threads start")]
pub fn configure_allocator() {
    const MIB: libc::c_int = 1024 * 1024;
    // SAFETY: mallopt reads its two numbers and retains no pointer. Values that it rejects have no effect.
    unsafe {
        // Blocks of this size and more are mapped separately and unmapped when they are freed. Setting the threshold also
        // turns off its automatic growth.
        libc::mallopt(libc::M_MMAP_THRESHOLD, MIB);
        libc::mallopt(libc::M_TRIM_THRESHOLD, MIB);
        libc::mallopt(libc::M_ARENA_MAX, 2);
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
