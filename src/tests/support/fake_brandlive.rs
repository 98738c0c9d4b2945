//! A fake event provider on 127.0.0.1 that can fail like a real one.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use serde_json::{Value, json};

use crate::platform::config::Config;

/// A received request.
#[derive(Clone, Debug)]
pub(crate) struct ProviderRequest {
    pub(crate) method: String,
    /// Path and query.
    pub(crate) target: String,
    /// The request line and headers.
    pub(crate) head: String,
    pub(crate) body: String,
}

impl ProviderRequest {
    /// A query parameter, blank if absent.
    pub(crate) fn parameter(&self, name: &str) -> String {
        let url = url::Url::parse("http://fake").unwrap().join(&self.target).unwrap();
        url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
    }

    /// A header, blank if absent.
    pub(crate) fn header(&self, name: &str) -> String {
        let line =
            self.head.lines().filter_map(|line| line.split_once(':')).find(|(key, _)| key.eq_ignore_ascii_case(name));
        line.map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
    }
}

/// How the fake responds.
pub(crate) enum FakeResponse {
    Json(Value),
    /// Status, headers, body.
    Raw(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// No response for this long.
    Hang(Duration),
    /// Closes the connection without a response.
    Close,
    /// A body shorter than its Content-Length.
    CutOff,
    /// The beginning of a body, then nothing for this long.
    Stall(Duration),
    /// This number of bytes of JSON without a Content-Length.
    Endless(usize),
}

type Responder = dyn Fn(&ProviderRequest, usize) -> FakeResponse + Send + Sync;

/// The provider. Its threads end with the test's process.
pub(crate) struct FakeBrandlive {
    pub(crate) address: SocketAddr,
    responder: Arc<Mutex<Arc<Responder>>>,
    requests: Arc<Mutex<Vec<ProviderRequest>>>,
    /// The timeouts of its configuration in seconds: of each request, and in total.
    timeouts: (u32, u32),
}

impl FakeBrandlive {
    /// A provider with this responder, which also receives the index of the request.
    pub(crate) fn new(responder: impl Fn(&ProviderRequest, usize) -> FakeResponse + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let responder: Arc<Mutex<Arc<Responder>>> = Arc::new(Mutex::new(Arc::new(responder)));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let fake =
            Self { address, responder: Arc::clone(&responder), requests: Arc::clone(&requests), timeouts: (1, 3) };
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (responder, requests) = (Arc::clone(&responder), Arc::clone(&requests));
                // A client that disconnects early is not an error.
                std::thread::spawn(move || serve(stream, &responder, &requests).ok());
            }
        });
        fake
    }

    /// A provider that lists these items as soon as the sender is dropped, with the longest timeouts.
    pub(crate) fn listing_later(items: Vec<Value>) -> (Self, mpsc::Sender<()>) {
        let (hold, released) = mpsc::channel();
        let released = Mutex::new(released);
        let list = pages(items, 100);
        let fake = Self::new(move |request, number| {
            let _ = released.lock().unwrap().recv();
            list(request, number)
        });
        (Self { timeouts: (15, 90), ..fake }, hold)
    }

    /// A provider that lists these items in pages of 100.
    pub(crate) fn listing(items: Vec<Value>) -> Self {
        Self::new(pages(items, 100))
    }

    /// Replaces the responder and forgets the requests.
    pub(crate) fn respond_with(
        &self,
        responder: impl Fn(&ProviderRequest, usize) -> FakeResponse + Send + Sync + 'static,
    ) {
        *self.responder.lock().unwrap() = Arc::new(responder);
        self.requests.lock().unwrap().clear();
    }

    /// Lists these items from now on.
    pub(crate) fn set_items(&self, items: Vec<Value>) {
        self.respond_with(pages(items, 100));
    }

    /// The requests since the last change of the responder.
    pub(crate) fn requests(&self) -> Vec<ProviderRequest> {
        self.requests.lock().unwrap().clone()
    }

    /// A configuration for it.
    pub(crate) fn config(&self) -> Config {
        self.config_with("")
    }

    /// The same with more lines of TOML, the first of them under `[brandlive]`.
    pub(crate) fn config_with(&self, more: &str) -> Config {
        toml::from_str(&self.toml(more)).unwrap()
    }

    /// The same as TOML.
    pub(crate) fn toml(&self, more: &str) -> String {
        let (request_seconds, total_seconds) = self.timeouts;
        format!(
            "[brandlive]\nbase_url = \"http://{}\"\napi_key = \"{KEY}\"\napi_secret = \"{SECRET}\"\n\
             request_seconds = {request_seconds}\ntotal_seconds = {total_seconds}\n{more}\n",
            self.address
        )
    }
}

/// Must not appear in any output.
pub(crate) const KEY: &str = "hush-key-4711";
pub(crate) const SECRET: &str = "hush-secret-0815";

/// Responds with pages by number, as the default configuration requests them.
pub(crate) fn pages(items: Vec<Value>, size: usize) -> impl Fn(&ProviderRequest, usize) -> FakeResponse {
    move |requests, _| {
        let page: usize = requests.parameter("page").parse().unwrap_or(1);
        let items: Vec<&Value> = items.iter().skip((page - 1) * size).take(size).collect();
        FakeResponse::Json(json!({ "data": items, "meta": { "page": page } }))
    }
}

/// An upcoming event.
pub(crate) fn item(id: &str, title: &str) -> Value {
    json!({
        "uuid": id,
        "name": title,
        "start_date": "2031-03-12T23:00:00Z",
        "timezone": "America/New_York",
        "duration": 45,
        "summary": "One deal, read line by line.",
        "description": "<p>Bring an offering.</p>",
        "registration_url": format!("https://live.example.com/{id}"),
        "status": "published",
    })
}

/// This number of upcoming events.
pub(crate) fn items(count: usize) -> Vec<Value> {
    (0..count).map(|number| item(&format!("id-{number}"), &format!("Webinar {number}"))).collect()
}

/// The beginning of a response.
const PARTIAL_RESPONSE: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n{\"data\": [";

fn serve(
    stream: TcpStream,
    responder: &Mutex<Arc<Responder>>,
    requests: &Mutex<Vec<ProviderRequest>>,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head)? == 0 {
            return Ok(());
        }
    }
    let mut first = head.split(' ');
    let (method, target) = (first.next().unwrap_or_default().to_owned(), first.next().unwrap_or_default().to_owned());
    let mut request = ProviderRequest { method, target, head, body: String::new() };
    let mut body = vec![0; request.header("content-length").parse().unwrap_or(0)];
    reader.read_exact(&mut body)?;
    request.body = String::from_utf8_lossy(&body).into_owned();
    let (number, responder) = {
        let mut requests = requests.lock().unwrap();
        requests.push(request.clone());
        (requests.len() - 1, Arc::clone(&responder.lock().unwrap()))
    };
    let mut stream = reader.into_inner();
    let mut send = |status: u16, headers: &[(&'static str, String)], body: &[u8]| {
        let mut head = format!("HTTP/1.1 {status} Status\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        for (name, value) in headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        stream.write_all(head.as_bytes())?;
        stream.write_all(b"\r\n")?;
        stream.write_all(body)
    };
    match responder(&request, number) {
        FakeResponse::Json(value) => {
            send(200, &[("Content-Type", "application/json".to_owned())], value.to_string().as_bytes())
        }
        FakeResponse::Raw(status, headers, body) => send(status, &headers, &body),
        FakeResponse::Hang(time) => {
            std::thread::sleep(time);
            Ok(())
        }
        FakeResponse::Close => Ok(()),
        FakeResponse::CutOff => stream.write_all(PARTIAL_RESPONSE),
        FakeResponse::Stall(time) => {
            stream.write_all(PARTIAL_RESPONSE)?;
            std::thread::sleep(time);
            Ok(())
        }
        FakeResponse::Endless(bytes) => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n[")?;
            let part = "{\"a\": 1},".repeat(10_000);
            for _ in 0..bytes / part.len() {
                stream.write_all(part.as_bytes())?;
            }
            Ok(())
        }
    }
}
