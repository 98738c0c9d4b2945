//! An event provider on 127.0.0.1 that can misbehave in every way that a real one does.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::platform::config::Config;

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) method: String,
    /// Path and query.
    pub(crate) target: String,
    /// The request line and headers.
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Asked {
    /// A parameter of the query, blank where it is missing.
    pub(crate) fn parameter(&self, name: &str) -> String {
        let url = url::Url::parse("http://fake").unwrap().join(&self.target).unwrap();
        url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
    }

    /// A header, blank where it is missing.
    pub(crate) fn header(&self, name: &str) -> String {
        let line =
            self.head.lines().filter_map(|line| line.split_once(':')).find(|(key, _)| key.eq_ignore_ascii_case(name));
        line.map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
    }
}

/// What the fake does.
pub(crate) enum Act {
    Json(Value),
    /// Status, headers, body.
    Raw(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// Nothing more for this long.
    Hang(Duration),
    /// Closes without a word.
    Close,
    /// A body that ends before the length that was promised.
    BreakOff,
    /// The beginning of a body, and nothing more for this long.
    Stall(Duration),
    /// So many bytes of JSON without saying how many.
    Endless(usize),
}

type Behave = dyn Fn(&Asked, usize) -> Act + Send + Sync;

/// The provider. Its threads end with the test's process.
pub(crate) struct FakeBrandlive {
    pub(crate) address: SocketAddr,
    behave: Arc<Mutex<Arc<Behave>>>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl FakeBrandlive {
    /// A provider that behaves as it is told; the number counts the requests from 0.
    pub(crate) fn new(behave: impl Fn(&Asked, usize) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let behave: Arc<Mutex<Arc<Behave>>> = Arc::new(Mutex::new(Arc::new(behave)));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let fake = Self { address, behave: Arc::clone(&behave), asked: Arc::clone(&asked) };
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (behave, asked) = (Arc::clone(&behave), Arc::clone(&asked));
                // One that goes away early is its own affair.
                std::thread::spawn(move || serve(stream, &behave, &asked).ok());
            }
        });
        fake
    }

    /// A provider that lists these items on one page and nothing on the next.
    pub(crate) fn listing(items: Vec<Value>) -> Self {
        Self::new(pages(items, 100))
    }

    /// From now on it behaves like this.
    pub(crate) fn now(&self, behave: impl Fn(&Asked, usize) -> Act + Send + Sync + 'static) {
        *self.behave.lock().unwrap() = Arc::new(behave);
        self.asked.lock().unwrap().clear();
    }

    /// From now on it lists these.
    pub(crate) fn lists(&self, items: Vec<Value>) {
        self.now(pages(items, 100));
    }

    /// What it was asked since it behaves as it does.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// Settings that lead to it, with little patience.
    pub(crate) fn config(&self) -> Config {
        self.config_with("")
    }

    /// The same with more lines, which begin inside of `[brandlive]`.
    pub(crate) fn config_with(&self, more: &str) -> Config {
        toml::from_str(&self.toml(more)).unwrap()
    }

    /// The same as a file's text.
    pub(crate) fn toml(&self, more: &str) -> String {
        format!(
            "[brandlive]\nbase_url = \"http://{}\"\napi_key = \"{KEY}\"\napi_secret = \"{SECRET}\"\n\
             call_seconds = 1\ntotal_seconds = 3\n{more}\n",
            self.address
        )
    }
}

/// What must never be seen.
pub(crate) const KEY: &str = "hush-key-4711";
pub(crate) const SECRET: &str = "hush-secret-0815";

/// Pages by number, as the default settings ask for them.
pub(crate) fn pages(items: Vec<Value>, size: usize) -> impl Fn(&Asked, usize) -> Act {
    move |asked, _| {
        let page: usize = asked.parameter("page").parse().unwrap_or(1);
        let items: Vec<&Value> = items.iter().skip((page - 1) * size).take(size).collect();
        Act::Json(json!({ "data": items, "meta": { "page": page } }))
    }
}

/// An item that lies ahead.
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

/// So many of them.
pub(crate) fn items(count: usize) -> Vec<Value> {
    (0..count).map(|number| item(&format!("id-{number}"), &format!("Webinar {number}"))).collect()
}

/// An answer that promises more than it holds.
const BEGUN: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n{\"data\": [";

fn serve(stream: TcpStream, behave: &Mutex<Arc<Behave>>, asked: &Mutex<Vec<Asked>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head)? == 0 {
            return Ok(());
        }
    }
    let mut first = head.split(' ');
    let (method, target) = (first.next().unwrap_or_default().to_owned(), first.next().unwrap_or_default().to_owned());
    let mut request = Asked { method, target, head, body: String::new() };
    let mut body = vec![0; request.header("content-length").parse().unwrap_or(0)];
    reader.read_exact(&mut body)?;
    request.body = String::from_utf8_lossy(&body).into_owned();
    let (number, behave) = {
        let mut asked = asked.lock().unwrap();
        asked.push(request.clone());
        (asked.len() - 1, Arc::clone(&behave.lock().unwrap()))
    };
    let mut stream = reader.into_inner();
    let mut send = |status: u16, headers: &[(&'static str, String)], body: &[u8]| {
        let mut head = format!("HTTP/1.1 {status} Said\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        for (name, value) in headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        stream.write_all(head.as_bytes())?;
        stream.write_all(b"\r\n")?;
        stream.write_all(body)
    };
    match behave(&request, number) {
        Act::Json(value) => send(200, &[("Content-Type", "application/json".to_owned())], value.to_string().as_bytes()),
        Act::Raw(status, headers, body) => send(status, &headers, &body),
        Act::Hang(time) => {
            std::thread::sleep(time);
            Ok(())
        }
        Act::Close => Ok(()),
        Act::BreakOff => stream.write_all(BEGUN),
        Act::Stall(time) => {
            stream.write_all(BEGUN)?;
            std::thread::sleep(time);
            Ok(())
        }
        Act::Endless(bytes) => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n[")?;
            let part = "{\"a\": 1},".repeat(10_000);
            for _ in 0..bytes / part.len() {
                stream.write_all(part.as_bytes())?;
            }
            Ok(())
        }
    }
}
