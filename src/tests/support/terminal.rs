//! A pseudoterminal for the real program.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::process::Command;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::program::wait_for;

/// Runs a command to its end on a pseudoterminal. stderr can be redirected to a file. Returns the exit code and the
/// output on the terminal.
pub(crate) fn on_a_terminal(command: Command, stderr: Option<File>) -> (Option<i32>, String) {
    with_answers(command, stderr, &[])
}

/// The same; types each answer once its prompt is shown after the previous answer.
pub(crate) fn with_answers(
    mut command: Command,
    stderr: Option<File>,
    answers: &[(&'static str, &'static str)],
) -> (Option<i32>, String) {
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
    let answers = answers.to_vec();
    let shown = std::thread::spawn(move || {
        let (mut terminal, mut answers) = (File::from(outer), answers.into_iter().peekable());
        let (mut bytes, mut read, mut answered) = (Vec::new(), [0; 4096], 0);
        // Reading fails once the last process has closed the terminal; the bytes before are complete.
        while let Ok(count @ 1..) = terminal.read(&mut read) {
            bytes.extend_from_slice(&read[..count]);
            while let Some((prompt, answer)) = answers.peek() {
                let found = bytes[answered..].windows(prompt.len()).position(|part| part == prompt.as_bytes());
                let Some(at) = found else { break };
                answered += at + prompt.len();
                terminal.write_all(answer.as_bytes()).unwrap();
                answers.next();
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    });
    (wait_for(&mut child).code(), shown.join().unwrap())
}
