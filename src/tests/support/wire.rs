//! Just enough HTTP over a socket to speak to the real program, also in ways no library would.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};

/// No answer takes longer, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(40);

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Status line and headers as they came.
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// A header, blank where it is missing.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.head
            .lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.trim())
            .unwrap_or_default()
    }

    /// The number of what was created.
    pub(crate) fn created_id(&self) -> i64 {
        assert_eq!(self.status, 201, "{}", self.text());
        self.json()["id"].as_i64().unwrap()
    }
}

/// A client with one connection, which it opens anew where the server has closed it.
pub(crate) struct Wire {
    address: SocketAddr,
    connection: Option<BufReader<TcpStream>>,
    cookie: String,
}

impl Clone for Wire {
    /// The same somebody on a connection of their own.
    fn clone(&self) -> Self {
        Self { address: self.address, connection: None, cookie: self.cookie.clone() }
    }
}

impl Wire {
    pub(crate) fn to(address: SocketAddr) -> Self {
        Self { address, connection: None, cookie: String::new() }
    }

    /// The same somebody at another server's address.
    pub(crate) fn at(mut self, address: SocketAddr) -> Self {
        self.address = address;
        self.connection = None;
        self
    }

    pub(crate) fn get(&mut self, path: &str) -> Answer {
        self.send("GET", path, None).unwrap()
    }

    pub(crate) fn post(&mut self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, Some(&body.to_string())).unwrap()
    }

    pub(crate) fn put(&mut self, path: &str, body: &Value) -> Answer {
        self.send("PUT", path, Some(&body.to_string())).unwrap()
    }

    /// Signs in and keeps the session.
    pub(crate) fn sign_in(mut self, email: &str, password: &str) -> Self {
        let answer = self.post("/api/auth/login", &json!({ "email": email, "password": password }));
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.header("set-cookie").split(';').next().unwrap().clone_into(&mut self.cookie);
        self
    }

    /// One request and its answer; an error where the server is gone.
    pub(crate) fn send(&mut self, method: &str, path: &str, body: Option<&str>) -> io::Result<Answer> {
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n", self.address);
        if !self.cookie.is_empty() {
            head.extend(["Cookie: ", &self.cookie, "\r\n"]);
        }
        if let Some(body) = body {
            let length = body.len().to_string();
            head.extend(["Content-Type: application/json\r\nContent-Length: ", &length, "\r\n"]);
        }
        let request = format!("{head}\r\n{}", body.unwrap_or_default());
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => connect(self.address)?,
        };
        // A server that has seen enough answers before the end; what it says counts.
        let sent = connection.get_mut().write_all(request.as_bytes());
        let answer = read_answer(&mut connection).map_err(|error| sent.err().unwrap_or(error))?;
        if !answer.header("connection").eq_ignore_ascii_case("close") {
            self.connection = Some(connection);
        }
        Ok(answer)
    }
}

/// A connection whose reads and writes have an end.
pub(crate) fn connect(address: SocketAddr) -> io::Result<BufReader<TcpStream>> {
    let stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    Ok(BufReader::new(stream))
}

/// Sends bytes as they are and returns everything that comes back until the server closes, or
/// until it says nothing more for `quiet`.
pub(crate) fn raw(address: SocketAddr, bytes: &[u8], quiet: Duration) -> String {
    let mut connection = connect(address).unwrap();
    connection.get_ref().set_read_timeout(Some(quiet)).unwrap();
    // The server may have had enough before the end.
    let _ = connection.get_mut().write_all(bytes);
    let mut seen = Vec::new();
    // A time-out or a reset ends it too; what came before counts.
    let _ = connection.read_to_end(&mut seen);
    String::from_utf8_lossy(&seen).into_owned()
}

/// Reads one answer.
pub(crate) fn read_answer(connection: &mut BufReader<TcpStream>) -> io::Result<Answer> {
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
    let mut answer = Answer { status, head, body: Vec::new() };
    if let Ok(length) = answer.header("content-length").parse() {
        answer.body = vec![0; length];
        connection.read_exact(&mut answer.body)?;
    } else if status != 204 && status != 304 {
        connection.read_to_end(&mut answer.body)?;
    }
    Ok(answer)
}
