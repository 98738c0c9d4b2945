//! A load generator: keep-alive connections with sequential requests.

use std::io::{Read as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// The result of one round.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Requests a second.
    pub per_second: f64,
    /// 99th percentile of response times.
    pub p99: Duration,
}

/// Sends requests over keep-alive connections for `time`. `request` returns the bytes of the n-th request; every
/// response must have the status `expected`.
pub fn load(
    port: u16,
    connections: usize,
    time: Duration,
    request: impl Fn(usize) -> Vec<u8> + Send + Sync + 'static,
    expected: u16,
) -> Round {
    let request = Arc::new(request);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let counter = Arc::new(AtomicUsize::new(0));
    let (elapsed, mut times) = runtime.block_on(async move {
        let mut clients = Vec::new();
        for _ in 0..connections {
            clients.push(TcpStream::connect(("127.0.0.1", port)).await.expect("the server accepts connections"));
        }
        let started = Instant::now();
        let tasks: Vec<_> = clients
            .into_iter()
            .map(|stream| {
                let (request, counter) = (request.clone(), counter.clone());
                tokio::spawn(async move {
                    let mut stream = stream;
                    stream.set_nodelay(true).expect("no delay");
                    let mut buffer = vec![0; 256 * 1024];
                    let mut head = Head::default();
                    let mut times = Vec::with_capacity(4096);
                    while started.elapsed() < time {
                        let number = counter.fetch_add(1, Ordering::Relaxed);
                        let bytes = request(number);
                        let sent_at = Instant::now();
                        stream.write_all(&bytes).await.expect("the request is sent");
                        let status = read_response(&mut stream, &mut buffer, &mut head).await;
                        assert_eq!(status, expected, "unexpected status");
                        times.push(sent_at.elapsed());
                    }
                    times
                })
            })
            .collect();
        let mut all = Vec::new();
        for task in tasks {
            all.extend(task.await.expect("a client that does not panic"));
        }
        (started.elapsed(), all)
    });
    times.sort_unstable();
    let p99 = times[(times.len() - 1) * 99 / 100];
    Round { per_second: times.len() as f64 / elapsed.as_secs_f64(), p99 }
}

/// As [`load`], with the microseconds of processor time that the server, a process with this id, used for a request.
pub fn load_process(
    pid: u32,
    port: u16,
    connections: usize,
    time: Duration,
    request: impl Fn(usize) -> Vec<u8> + Send + Sync + 'static,
    expected: u16,
) -> (Round, f64) {
    let before = processor_seconds(pid);
    let round = load(port, connections, time, request, expected);
    let used = processor_seconds(pid) - before;
    (round, used * 1e6 / (round.per_second * time.as_secs_f64()))
}

/// Where a head ends and what it says about the length of the body, to recognize the same in the next response: the time that
/// the load generator takes to parse longer heads would be counted as the server's.
#[derive(Default)]
struct Head {
    /// Bytes before the empty line.
    end: usize,
    length_line_at: usize,
    length_line: Vec<u8>,
    body: usize,
}

impl Head {
    /// The head of a response that begins with these bytes, if they contain all of it.
    fn parse(received: &[u8]) -> Option<Self> {
        let end = received.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = std::str::from_utf8(&received[..end]).expect("a head in UTF-8");
        let mut at = 0;
        for line in head.split("\r\n") {
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                let body = value.trim().parse().expect("a length");
                return Some(Self { end, length_line_at: at, length_line: line.into(), body });
            }
            at += line.len() + 2;
        }
        Some(Self { end, ..Self::default() })
    }

    fn matches(&self, received: &[u8]) -> bool {
        let line = self.length_line_at..self.length_line_at + self.length_line.len();
        self.end > 0
            && received.get(self.end..self.end + 4) == Some(b"\r\n\r\n")
            && received.get(line) == Some(&self.length_line)
    }
}

/// Reads one response, discards its body and returns the status. `last` is the head of the one before.
async fn read_response(stream: &mut TcpStream, buffer: &mut [u8], last: &mut Head) -> u16 {
    let mut received = 0;
    loop {
        let count = stream.read(&mut buffer[received..]).await.expect("a response");
        assert!(count > 0, "the server closed the connection");
        received += count;
        if !last.matches(&buffer[..received]) {
            match Head::parse(&buffer[..received]) {
                Some(head) => *last = head,
                None => continue,
            }
        }
        let status = std::str::from_utf8(&buffer[9..12]).ok().and_then(|text| text.parse().ok()).expect("a status");
        let body = if status == 304 { 0 } else { last.body };
        let mut remaining = (body + last.end + 4).saturating_sub(received);
        while remaining > 0 {
            let size = remaining.min(buffer.len());
            let count = stream.read(&mut buffer[..size]).await.expect("the rest of a response");
            assert!(count > 0, "the server closed the connection");
            remaining -= count;
        }
        return status;
    }
}

/// The complete response to a request on a new connection.
pub fn fetch(port: u16, request: &[u8]) -> Vec<u8> {
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    let close = String::from_utf8_lossy(request).replacen("\r\n\r\n", "\r\nConnection: close\r\n\r\n", 1);
    stream.write_all(close.as_bytes()).expect("the request is sent");
    let mut response = Vec::new();
    stream.read_to_end(&mut response).expect("a response");
    response
}

/// The bytes of a GET request.
pub fn get(path: &str, headers: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}\r\n").into_bytes()
}

/// The bytes of a PUT request that adds the interest of a new visitor in event 1.
pub fn put_interest(number: usize) -> Vec<u8> {
    let body = format!("{{\"action\":\"add\",\"userId\":\"user_{number}_{}\"}}", std::process::id());
    format!(
        "PUT /api/events/1/interest HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Ticks a second of `/proc/PID/stat` on Linux.
const TICKS: f64 = 100.0;

/// Seconds of processor time that a process has used.
pub fn processor_seconds(pid: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("Linux");
    let fields: Vec<&str> = stat.rsplit(") ").next().expect("fields").split(' ').collect();
    let ticks: f64 = fields[11..13].iter().map(|ticks| ticks.parse::<f64>().expect("a number")).sum();
    ticks / TICKS
}

/// Resident memory of a process in MB.
pub fn resident_mb(pid: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("Linux");
    let kib: f64 = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .and_then(|rest| rest.trim().trim_end_matches(" kB").trim().parse().ok())
        .expect("VmRSS");
    kib / 1024.0
}
