//! A pseudoterminal for the real program.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::process::Command;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::program::wait_for;

/// Runs a command to its end on a pseudoterminal. stderr can be redirected to a file. Returns the exit code and the
/// output on the terminal.
pub(crate) fn on_a_terminal(mut command: Command, stderr: Option<File>) -> (Option<i32>, String) {
    let outer = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&outer).unwrap();
    unlockpt(&outer).unwrap();
    let name = ptsname(&outer, Vec::new()).unwrap();
    // Not the terminal that this process would be stopped from.
    let inner = File::options()
        .read(true)
        .write(true)
        .custom_flags(libc::O_NOCTTY)
        .open(OsStr::from_bytes(name.as_bytes()))
        .unwrap();
    let also = || inner.try_clone().unwrap();
    command.stdin(also()).stdout(also()).stderr(stderr.unwrap_or_else(also));
    let mut child = command.spawn().expect("the program runs");
    drop((command, inner));
    let shown = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // Reading fails once the last process has closed the terminal; the bytes before are complete.
        let _ = File::from(outer).read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    });
    (wait_for(&mut child).code(), shown.join().unwrap())
}
