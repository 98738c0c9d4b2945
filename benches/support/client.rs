//! An HTTP client with one persistent connection.

use std::io;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Longer than every timeout of a cache.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A response.
pub struct Response {
    pub status: u16,
    head: String,
    /// As it was sent.
    pub body: Vec<u8>,
}

impl Response {
    /// A header, blank if absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers(name).next().unwrap_or_default()
    }

    fn headers<'s>(&'s self, name: &str) -> impl Iterator<Item = &'s str> {
        self.head
            .lines()
            .filter_map(|line| line.split_once(':'))
            .filter(move |(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.trim())
    }

    /// The cookies that it sets, as a request sends them.
    pub fn cookies(&self) -> String {
        let pairs: Vec<&str> = self.headers("set-cookie").filter_map(|line| line.split(';').next()).collect();
        pairs.join("; ")
    }

    /// The body without its content coding.
    pub fn text(&self) -> String {
        let mut text = Vec::new();
        let read = match self.header("content-encoding") {
            "br" => io::Read::read_to_end(&mut brotli::Decompressor::new(self.body.as_slice(), 4096), &mut text),
            "gzip" => io::Read::read_to_end(&mut flate2::read::GzDecoder::new(self.body.as_slice()), &mut text),
            _ => io::Read::read_to_end(&mut self.body.as_slice(), &mut text),
        };
        read.expect("a complete body");
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// A client of a port of this machine.
pub struct Connection {
    port: u16,
    stream: Option<TcpStream>,
    buffer: Vec<u8>,
}

impl Connection {
    /// Connects with the first request.
    pub fn new(port: u16) -> Self {
        Self { port, stream: None, buffer: vec![0; 128 * 1024] }
    }

    /// A GET request with further header lines.
    pub async fn get(&mut self, path: &str, headers: &str) -> io::Result<Response> {
        self.send("GET", path, headers, None).await
    }

    /// A request with a body of JSON. A persistent connection that the server has closed is opened again once.
    pub async fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &str,
        body: Option<&Value>,
    ) -> io::Result<Response> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let of_body = match body.len() {
            0 => String::new(),
            length => format!("Content-Type: application/json\r\nContent-Length: {length}\r\n"),
        };
        let request =
            format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{headers}{of_body}\r\n{body}", self.port);
        let was_open = self.stream.is_some();
        match self.exchange(request.as_bytes()).await {
            Err(_) if was_open => self.exchange(request.as_bytes()).await,
            result => result,
        }
    }

    async fn exchange(&mut self, request: &[u8]) -> io::Result<Response> {
        let result = tokio::time::timeout(TIMEOUT, self.exchange_once(request)).await;
        let result = result.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
        if result.as_ref().map_or(true, |response| response.header("connection").eq_ignore_ascii_case("close")) {
            self.stream = None;
        }
        result
    }

    async fn exchange_once(&mut self, request: &[u8]) -> io::Result<Response> {
        if self.stream.is_none() {
            let stream = TcpStream::connect(("127.0.0.1", self.port)).await?;
            stream.set_nodelay(true)?;
            self.stream = Some(stream);
        }
        let Some(stream) = &mut self.stream else { return Err(io::ErrorKind::NotConnected.into()) };
        stream.write_all(request).await?;
        let mut received = 0;
        let (end, head) = loop {
            let count = stream.read(&mut self.buffer[received..]).await?;
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            received += count;
            if let Some(end) = self.buffer[..received].windows(4).position(|window| window == b"\r\n\r\n") {
                break (end + 4, String::from_utf8_lossy(&self.buffer[..end]).into_owned());
            }
        };
        let status = head.get(9..12).and_then(|code| code.parse().ok()).ok_or(io::ErrorKind::InvalidData)?;
        let mut response = Response { status, head, body: self.buffer[end..received].to_vec() };
        let length = match response.header("content-length").parse() {
            Ok(length) => length,
            Err(_) if status == 204 || status == 304 => 0,
            Err(_) => return Err(io::Error::other("a response without Content-Length")),
        };
        let read = response.body.len();
        response.body.resize(length, 0);
        stream.read_exact(&mut response.body[read.min(length)..]).await?;
        Ok(response)
    }
}
