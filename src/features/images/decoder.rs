//! Decodes each upload in a separate process with limits on memory and time. The limits of the decoding libraries do
//! not include all allocations: the Huffman tables of a crafted lossless WebP of 5 MB take 1.3 GB.

use std::io::{self, Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};

use rustix::process::{Resource, Rlimit, Signal, nice, setrlimit};
use serde::{Deserialize, Serialize};

use super::rules::{self, MAX_DECODER_BYTES, MAX_UPLOAD_BYTES, TOO_MUCH_MEMORY, Variants};
use crate::platform::error::{AppError, ErrorChain};
use crate::platform::memory;

/// The argument with which this program decodes an upload instead of running a command.
pub const DECODER_ARGUMENT: &str = "decode-upload";
/// Processor time for one upload; a photo of 24 megapixels takes about a second.
const MAX_SECONDS: u64 = 30;
/// The variants of a square image with noise in all four channels take 14 MB.
const MAX_VARIANT_BYTES: usize = 16 * 1024 * 1024;
const MAX_HEADER_BYTES: usize = 4 * 1024;
const TOO_LARGE: &str = "This image is too large as a PNG, which its transparency needs; make it smaller first";
const UNREADABLE: &str = "This image can't be read; save it as an ordinary JPEG and try again";
const TOO_SLOW: &str = "This image takes too long to be read; make it smaller or save it as an ordinary JPEG first";

/// Decodes an upload and makes its variants. Blocks until the process has ended.
///
/// # Errors
/// 400 with the reason; an internal error if the process can't be started.
pub(super) fn make_variants(upload: Vec<u8>) -> Result<Variants, AppError> {
    let failed = |error| AppError::failed("the process that decodes uploads failed", error);
    let mut child = Command::new(program())
        .arg(DECODER_ARGUMENT)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let output = exchange(&mut child, upload);
    // After a failed exchange it may be blocked on its output.
    let _ = output.as_ref().inspect_err(|_| drop(child.kill()));
    let status = child.wait().map_err(failed)?;
    let output = output.map_err(failed)?;
    if status.success() { parse(output) } else { Err(reason(status)) }
}

/// This program, even if its file was replaced by a newer one.
#[cfg(not(test))]
fn program() -> &'static str {
    "/proc/self/exe"
}

#[cfg(test)]
use crate::tests::support::program::program;

/// Sends the upload, drops it, and receives the output.
fn exchange(child: &mut Child, upload: Vec<u8>) -> io::Result<Vec<u8>> {
    if let Some(mut stdin) = child.stdin.take() {
        // If it has ended early, its exit status has the reason.
        let _ = stdin.write_all(&upload);
    }
    drop(upload);
    let mut output = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        stdout.take((MAX_HEADER_BYTES + MAX_VARIANT_BYTES) as u64).read_to_end(&mut output)?;
    }
    Ok(output)
}

/// The reason why a process failed. Most failed allocations abort it, and decoders panic only on crafted files.
fn reason(status: ExitStatus) -> AppError {
    match status.signal() {
        Some(signal) if signal == Signal::XCPU.as_raw() => AppError::Malformed(TOO_SLOW.to_owned()),
        Some(_) => AppError::Malformed(TOO_MUCH_MEMORY.to_owned()),
        None if status.code() == Some(i32::from(FAILED)) => AppError::internal("an upload could not be decoded"),
        None => AppError::Malformed(UNREADABLE.to_owned()),
    }
}

/// A line of JSON, followed by the files.
fn parse(output: Vec<u8>) -> Result<Variants, AppError> {
    let incomplete = || AppError::internal("the output of the process that decodes uploads is not valid");
    let header = output.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default();
    let variants: Result<Variants, Failure> = serde_json::from_slice(header).map_err(|_| incomplete())?;
    let mut variants = variants.map_err(|failure| match failure {
        Failure::Rejected(reason) => AppError::Malformed(reason),
        Failure::Internal(cause) => AppError::failed("an upload could not be decoded", cause),
    })?;
    let mut rest = &output[header.len()..];
    for file in &mut variants.files {
        let (bytes, after) = rest.split_at_checked(file.length).ok_or_else(incomplete)?;
        file.bytes = bytes.to_vec();
        rest = after;
    }
    Ok(variants)
}

const FAILED: u8 = 1;

/// Why an upload was not decoded.
#[derive(Debug, Deserialize, Serialize)]
enum Failure {
    /// The message for the user who uploaded it.
    Rejected(String),
    /// The cause of an internal error, for the log.
    Internal(String),
}

/// The main function of that process: decodes the upload on stdin and writes its variants, or the failure, to stdout.
pub fn decode_upload() -> ExitCode {
    let result = read_and_decode().map_err(|error| match error {
        AppError::Malformed(reason) => Failure::Rejected(reason),
        error => Failure::Internal(ErrorChain(&error).to_string()),
    });
    match write(&result) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(FAILED),
    }
}

fn read_and_decode() -> Result<Variants, AppError> {
    let mut upload = Vec::with_capacity(MAX_UPLOAD_BYTES);
    io::stdin().take(MAX_UPLOAD_BYTES as u64).read_to_end(&mut upload).map_err(AppError::internal)?;
    memory::limit_growth(MAX_DECODER_BYTES).map_err(AppError::internal)?;
    let limit = |seconds| Rlimit { current: Some(seconds), maximum: Some(seconds) };
    setrlimit(Resource::Cpu, limit(MAX_SECONDS)).map_err(AppError::internal)?;
    setrlimit(Resource::Core, limit(0)).map_err(AppError::internal)?;
    // The server has precedence.
    let _ = nice(10);

    let variants = rules::make_variants(&upload)?;
    if variants.files.iter().map(|file| file.length).sum::<usize>() > MAX_VARIANT_BYTES {
        return Err(AppError::Malformed(TOO_LARGE.to_owned()));
    }
    Ok(variants)
}

fn write(result: &Result<Variants, Failure>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, result)?;
    writeln!(out)?;
    for file in result.iter().flat_map(|variants| &variants.files) {
        out.write_all(&file.bytes)?;
    }
    out.flush()
}
