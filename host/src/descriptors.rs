//! Descriptors that a shell leaked into this process.
//!
//! Whatever is open when the server is started in the background stays open as long as the server
//! lives: a pipe whose reader waits for its end, a lock of a script. Only stdio is meant for it.
#![expect(unsafe_code, reason = "a descriptor that nobody here opened can only be borrowed by its number")]

use std::os::fd::{BorrowedFd, RawFd};

/// Has all descriptors but stdio closed at the next `exec`. What cannot be listed stays as it is.
pub fn close_at_exec() {
    const STDIO: RawFd = 2;
    let listing = if cfg!(target_os = "linux") { "/proc/self/fd" } else { "/dev/fd" };
    let Ok(entries) = fs_err::read_dir(listing) else { return };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<RawFd>().ok());
    for number in numbers.filter(|number| *number > STDIO).collect::<Vec<_>>() {
        // SAFETY: it is used for this one call, which changes a flag and neither reads nor closes; if the
        // number is not open any more (the listing's own), the kernel says so and nothing happens.
        let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
        if let Ok(flags) = rustix::io::fcntl_getfd(descriptor) {
            let _ = rustix::io::fcntl_setfd(descriptor, flags | rustix::io::FdFlags::CLOEXEC);
        }
    }
}
