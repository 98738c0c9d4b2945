//! Multipart uploads, and downloads by range. The parts are transferred one after the other.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use http::StatusCode;
use http::header::ETAG;
use md5::{Digest as _, Md5};
use rusty_s3::Method;

use super::error::{Kind, LocalFileError};
use super::xml::complete_upload;
use super::{Client, MAX_PARTS, PART_BYTES, Request, RequestBody, S3Error};
use crate::platform::error::ErrorChain;
use crate::platform::progress::ProgressMonitor;

/// Size of the buffer between file and connection.
const BUFFER_BYTES: usize = 64 * 1024;

/// A part of a file.
#[derive(Clone, Copy)]
pub(super) struct Part<'f> {
    file: &'f File,
    offset: u64,
    pub(super) bytes: u64,
}

impl<'f> Part<'f> {
    /// Reads the part; each read is progress.
    pub(super) fn reader(self, monitor: &ProgressMonitor) -> PartReader<'f> {
        PartReader { part: self, read: 0, monitor: monitor.clone() }
    }

    /// For the header `Content-MD5`; each read is progress.
    pub(super) fn md5(self, monitor: &ProgressMonitor) -> io::Result<[u8; 16]> {
        let (mut hash, mut buffer) = (Md5::new(), vec![0; BUFFER_BYTES]);
        let mut reader = self.reader(monitor);
        loop {
            match reader.read(&mut buffer)? {
                0 => return Ok(hash.finalize().into()),
                bytes => hash.update(&buffer[..bytes]),
            }
        }
    }
}

pub(super) struct PartReader<'f> {
    part: Part<'f>,
    read: u64,
    monitor: ProgressMonitor,
}

impl Read for PartReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.part.bytes - self.read;
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        if most == 0 {
            return Ok(0);
        }
        if self.monitor.is_cancelled() {
            return Err(io::Error::other(LocalFileError(io::ErrorKind::Interrupted.into())));
        }
        let result = self.part.file.read_at(&mut buffer[..most], self.part.offset + self.read);
        let bytes = match result {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            result => result,
        };
        let bytes = bytes.map_err(|error| io::Error::other(LocalFileError(error)))?;
        self.read += bytes as u64;
        self.monitor.record_progress();
        Ok(bytes)
    }
}

impl Client {
    /// Uploads a file. It is complete under its key or not there; a failed multipart upload is aborted.
    ///
    /// # Errors
    /// See [`S3Error`].
    pub fn put_file(&self, key: &str, path: &Path, monitor: &ProgressMonitor) -> Result<(), S3Error> {
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
        let (bytes, file) = opened.map_err(|error| self.location.error(Kind::File(error)))?;
        if bytes <= PART_BYTES {
            let content = RequestBody::Part(Part { file: &file, offset: 0, bytes });
            return self.put(key, &[], content, monitor).map(drop);
        }
        let request = Request {
            method: Method::Post,
            key: Some(key),
            content: RequestBody::Text(""),
            ..Request::get(WRITE, &UPLOADS)
        };
        let id = self.document(&request, monitor)?.upload_id().ok_or_else(|| self.not_s3())?;
        let result = self.put_parts(key, &id, &file, bytes, monitor);
        if result.is_err()
            && let Err(error) = self.abort_upload(key, &id)
        {
            tracing::warn!(error = %ErrorChain(&error), "a failed multipart upload to S3 could not be aborted");
        }
        result
    }

    fn put_parts(
        &self,
        key: &str,
        id: &str,
        file: &File,
        bytes: u64,
        monitor: &ProgressMonitor,
    ) -> Result<(), S3Error> {
        let part_bytes = PART_BYTES.max(bytes.div_ceil(MAX_PARTS));
        let mut etags = Vec::new();
        for offset in (0..bytes).step_by(usize::try_from(part_bytes).unwrap_or(usize::MAX)) {
            let part = Part { file, offset, bytes: part_bytes.min(bytes - offset) };
            let number = (etags.len() + 1).to_string();
            let query = [("partNumber", number.as_str()), ("uploadId", id)];
            etags.push(self.put(key, &query, RequestBody::Part(part), monitor)?.ok_or_else(|| self.not_s3())?);
        }
        let body = complete_upload(&etags);
        let query = [("uploadId", id)];
        let content = RequestBody::Text(&body);
        let request = Request { method: Method::Post, key: Some(key), content, ..Request::get(WRITE, &query) };
        match self.document(&request, monitor) {
            // The response to an earlier attempt was lost. The caller lists what there is.
            Err(error) if error.has_code("NoSuchUpload") => Ok(()),
            result => result.map(drop),
        }
    }

    /// Sends content and returns its ETag.
    fn put(
        &self,
        key: &str,
        query: &[(&str, &str)],
        content: RequestBody<'_>,
        monitor: &ProgressMonitor,
    ) -> Result<Option<String>, S3Error> {
        let request = Request { method: Method::Put, key: Some(key), content, ..Request::get(WRITE, query) };
        self.send(&request, monitor, |response| {
            let etag = response.headers().get(ETAG).and_then(|etag| etag.to_str().ok()).map(str::to_owned);
            self.text_of(response)?;
            Ok(etag)
        })
    }

    /// Aborts a multipart upload, which deletes its parts; one that does not exist has ended.
    pub(super) fn abort_upload(&self, key: &str, id: &str) -> Result<(), S3Error> {
        let query = [("uploadId", id)];
        let request = Request { method: Method::Delete, key: Some(key), ..Request::get(WRITE, &query) };
        match self.send(&request, &ProgressMonitor::default(), |response| self.text_of(response).map(drop)) {
            Err(error) if error.has_code("NoSuchUpload") => Ok(()),
            result => result,
        }
    }

    /// Downloads an object of a known size to the beginning of a file.
    ///
    /// # Errors
    /// See [`S3Error`].
    pub fn get_file(&self, key: &str, bytes: u64, dest: &File, monitor: &ProgressMonitor) -> Result<(), S3Error> {
        let mut offset = 0;
        while offset < bytes {
            let last = (offset + PART_BYTES).min(bytes) - 1;
            let request = Request { key: Some(key), range: Some((offset, last)), ..Request::get("read from", &[]) };
            self.send(&request, monitor, |response| {
                let is_whole = response.status() == StatusCode::OK && offset == 0 && last + 1 == bytes;
                if response.status() != StatusCode::PARTIAL_CONTENT && !is_whole {
                    return Err(self.not_s3());
                }
                self.save(response.into_body().into_reader(), dest, offset, last + 1, monitor)
            })?;
            offset = last + 1;
        }
        Ok(())
    }

    /// Writes what must be the bytes from `offset` to `end` of a file.
    fn save(
        &self,
        mut from: impl Read,
        dest: &File,
        mut offset: u64,
        end: u64,
        monitor: &ProgressMonitor,
    ) -> Result<(), S3Error> {
        let mut buffer = vec![0; BUFFER_BYTES];
        loop {
            let bytes = from.read(&mut buffer).map_err(|error| self.location.transport_error(error.into()))?;
            if bytes == 0 {
                return if offset == end { Ok(()) } else { Err(self.location.error(Kind::ConnectionClosed(None))) };
            }
            if bytes as u64 > end - offset {
                return Err(self.not_s3());
            }
            dest.write_all_at(&buffer[..bytes], offset).map_err(|error| self.location.error(Kind::File(error)))?;
            offset += bytes as u64;
            monitor.record_progress();
        }
    }
}

const WRITE: &str = "write to";
const UPLOADS: [(&str, &str); 1] = [("uploads", "")];
