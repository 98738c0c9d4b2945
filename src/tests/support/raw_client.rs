//! A minimal HTTP client over a socket, which can also send malformed requests.

use std::io::{self, BufRead, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Enough for every response on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(100);
/// The server closes a connection without a request after 10 s.
const MAX_IDLE: Duration = Duration::from_secs(5);

/// A response.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    /// Status line and headers.
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Response {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// A header, blank if absent.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.head
            .lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.trim())
            .unwrap_or_default()
    }

    /// The id of the created row.
    pub(crate) fn created_id(&self) -> i64 {
        assert_eq!(self.status, 201, "{}", self.text());
        self.json()["id"].as_i64().unwrap()
    }
}

/// A client with one connection, which it opens again if the server has closed it or may soon do.
pub(crate) struct RawClient {
    address: SocketAddr,
    connection: Option<(BufReader<TcpStream>, Instant)>,
    cookie: String,
}

impl Clone for RawClient {
    /// The same client with its own connection.
    fn clone(&self) -> Self {
        Self { address: self.address, connection: None, cookie: self.cookie.clone() }
    }
}

impl RawClient {
    pub(crate) fn to(address: SocketAddr) -> Self {
        Self { address, connection: None, cookie: String::new() }
    }

    /// The same client for another server.
    pub(crate) fn at(mut self, address: SocketAddr) -> Self {
        self.address = address;
        self.connection = None;
        self
    }

    pub(crate) fn get(&mut self, path: &str) -> Response {
        self.send("GET", path, None).unwrap()
    }

    pub(crate) fn post(&mut self, path: &str, body: &Value) -> Response {
        self.send("POST", path, Some(&body.to_string())).unwrap()
    }

    pub(crate) fn put(&mut self, path: &str, body: &Value) -> Response {
        self.send("PUT", path, Some(&body.to_string())).unwrap()
    }

    /// Signs in and stores the session cookie.
    pub(crate) fn sign_in(mut self, email: &str, password: &str) -> Self {
        let response = self.post("/api/auth/login", &json!({ "email": email, "password": password }));
        assert_eq!(response.status, 200, "{}", response.text());
        response.header("set-cookie").split(';').next().unwrap().clone_into(&mut self.cookie);
        self
    }

    /// Uploads an image; an error if the server does not respond.
    pub(crate) fn upload(&mut self, image: &[u8]) -> io::Result<Response> {
        self.send_bytes("POST", "/api/pictures", Some(("image/png", image)))
    }

    /// Sends a request and reads the response; an error if the server does not respond.
    pub(crate) fn send(&mut self, method: &str, path: &str, body: Option<&str>) -> io::Result<Response> {
        self.send_bytes(method, path, body.map(|body| ("application/json", body.as_bytes())))
    }

    fn send_bytes(&mut self, method: &str, path: &str, body: Option<(&str, &[u8])>) -> io::Result<Response> {
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n", self.address);
        if !self.cookie.is_empty() {
            head.extend(["Cookie: ", &self.cookie, "\r\n"]);
        }
        if let Some((media_type, body)) = body {
            let length = body.len().to_string();
            head.extend(["Content-Type: ", media_type, "\r\nContent-Length: ", &length, "\r\n"]);
        }
        let request = [head.as_bytes(), b"\r\n", body.map_or(&[], |(_, body)| body)].concat();
        let mut connection = match self.connection.take() {
            Some((connection, used_at)) if used_at.elapsed() < MAX_IDLE => connection,
            _ => connect(self.address)?,
        };
        // A server may respond before it has read the complete request.
        let sent = connection.get_mut().write_all(&request);
        let response = read_response(&mut connection).map_err(|error| sent.err().unwrap_or(error))?;
        if !response.header("connection").eq_ignore_ascii_case("close") {
            self.connection = Some((connection, Instant::now()));
        }
        Ok(response)
    }
}

/// A connection whose reads and writes time out.
pub(crate) fn connect(address: SocketAddr) -> io::Result<BufReader<TcpStream>> {
    let stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    stream.set_nodelay(true)?;
    Ok(BufReader::new(stream))
}

/// Sends bytes and returns everything that is received until the server closes the connection, or until nothing is
/// received for `quiet`.
pub(crate) fn raw(address: SocketAddr, bytes: &[u8], quiet: Duration) -> String {
    let mut connection = connect(address).unwrap();
    connection.get_ref().set_read_timeout(Some(quiet)).unwrap();
    // The server may close the connection before it has read everything.
    let _ = connection.get_mut().write_all(bytes);
    let mut seen = Vec::new();
    // A timeout or a reset also ends it.
    let _ = connection.read_to_end(&mut seen);
    String::from_utf8_lossy(&seen).into_owned()
}

/// Reads one response.
pub(crate) fn read_response(connection: &mut impl BufRead) -> io::Result<Response> {
    let mut head = String::new();
    loop {
        let start = head.len();
        if connection.read_line(&mut head)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if &head[start..] == "\r\n" {
            break;
        }
    }
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).ok_or(io::ErrorKind::InvalidData)?;
    let mut response = Response { status, head, body: Vec::new() };
    if let Ok(length) = response.header("content-length").parse() {
        response.body = vec![0; length];
        connection.read_exact(&mut response.body)?;
    } else if status != 204 && status != 304 {
        connection.read_to_end(&mut response.body)?;
    }
    Ok(response)
}
