//! Storage with the interface of S3 that fails as a test tells it to. It checks no signature (see tests/s3/real.rs).

use std::collections::BTreeMap;
use std::io::{self, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{TimeDelta, Utc};
use md5::{Digest as _, Md5};
use url::form_urlencoded;

use crate::platform::hex::hex;

/// How a request fails.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    /// A status and a code of S3.
    Status(u16, &'static str),
    /// The same code with status 200, as for an upload that can't be completed.
    Late(&'static str),
    /// Nothing is read and nothing is sent.
    Hang,
    /// The connection ends after this many bytes of the body.
    Cut(usize),
    /// The body of the response ends early.
    Short,
    /// The connection ends instead of a response; the request was carried out.
    LostResponse,
    /// Text that is not XML.
    Text(&'static str),
}

/// A request that fails.
#[derive(Clone, Debug)]
struct Rule {
    /// `PUT partNumber=2`: the method, and a part of the target.
    request: (String, String),
    fault: Fault,
    times: usize,
}

/// The parts of an upload by number, with their ETags.
type Parts = BTreeMap<usize, (String, Vec<u8>)>;

#[derive(Default)]
struct Bucket {
    objects: BTreeMap<String, Vec<u8>>,
    /// Uploads by key and id.
    uploads: BTreeMap<(String, String), Parts>,
    rules: Vec<Rule>,
    requests: Vec<String>,
    /// The difference of its clock.
    clock: TimeDelta,
    started: usize,
}

/// A running fake; it ends with the test's process.
pub(crate) struct FakeS3 {
    pub(crate) address: SocketAddr,
    bucket: Arc<Mutex<Bucket>>,
}

struct Request {
    method: String,
    target: String,
    key: String,
    query: BTreeMap<String, String>,
    headers: BTreeMap<String, String>,
}

impl Request {
    /// Method and target without the signature.
    fn shown(&self) -> String {
        let (path, query) = self.target.split_once('?').unwrap_or((&self.target, ""));
        let query: Vec<&str> = query.split('&').filter(|pair| !pair.starts_with("X-Amz-")).collect();
        format!("{} {path}?{}", self.method, query.join("&"))
    }
}

type Response = (u16, Vec<(&'static str, String)>, Vec<u8>);

impl FakeS3 {
    /// A bucket with the name `copies`.
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let bucket = Arc::new(Mutex::new(Bucket::default()));
        let shared = Arc::clone(&bucket);
        std::thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let bucket = Arc::clone(&shared);
                // A client that goes away ends the connection.
                std::thread::spawn(move || drop(serve(connection, &bucket)));
            }
        });
        Self { address, bucket }
    }

    pub(crate) fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Requests such as `PUT partNumber=2` fail the given number of times.
    pub(crate) fn fail(&self, request: &str, fault: Fault, times: usize) {
        let (method, target) = request.split_once(' ').unwrap_or((request, ""));
        let request = (method.to_owned(), target.to_owned());
        self.bucket.lock().unwrap().rules.push(Rule { request, fault, times });
    }

    /// Requests succeed again.
    pub(crate) fn recover(&self) {
        self.bucket.lock().unwrap().rules.clear();
    }

    pub(crate) fn set_clock(&self, difference: TimeDelta) {
        self.bucket.lock().unwrap().clock = difference;
    }

    pub(crate) fn put(&self, key: &str, bytes: &[u8]) {
        self.bucket.lock().unwrap().objects.insert(key.to_owned(), bytes.to_vec());
    }

    pub(crate) fn object(&self, key: &str) -> Option<Vec<u8>> {
        self.bucket.lock().unwrap().objects.get(key).cloned()
    }

    pub(crate) fn keys(&self) -> Vec<String> {
        self.bucket.lock().unwrap().objects.keys().cloned().collect()
    }

    /// Uploads that were neither completed nor aborted.
    pub(crate) fn unfinished(&self) -> usize {
        self.bucket.lock().unwrap().uploads.len()
    }

    /// Begins an upload that is never completed.
    pub(crate) fn leave_upload(&self, key: &str) {
        self.bucket.lock().unwrap().uploads.insert((key.to_owned(), "left".to_owned()), BTreeMap::new());
    }

    /// Method and target of each request, without the signature.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.bucket.lock().unwrap().requests.clone()
    }
}

fn serve(connection: TcpStream, bucket: &Mutex<Bucket>) -> io::Result<()> {
    let mut reader = BufReader::new(connection.try_clone()?);
    let mut writer = connection;
    while let Some(request) = read_head(&mut reader)? {
        let length = request.headers.get("content-length").map_or(0, |length| length.parse().unwrap());
        let fault = {
            let mut bucket = bucket.lock().unwrap();
            bucket.requests.push(request.shown());
            let matches = |rule: &&mut Rule| {
                rule.times > 0 && rule.request.0 == request.method && request.target.contains(&rule.request.1)
            };
            bucket.rules.iter_mut().find(matches).map(|rule| {
                rule.times -= 1;
                rule.fault
            })
        };
        let body = match fault {
            Some(Fault::Hang) => {
                std::thread::sleep(Duration::from_mins(10));
                return Ok(());
            }
            Some(Fault::Cut(bytes)) => {
                reader.read_exact(&mut vec![0; bytes.min(length)])?;
                return Ok(());
            }
            _ => {
                let mut body = vec![0; length];
                reader.read_exact(&mut body)?;
                body
            }
        };
        let (status, headers, content) = match fault {
            Some(Fault::Status(status, code)) => (status, Vec::new(), error(code)),
            Some(Fault::Late(code)) => (200, Vec::new(), error(code)),
            Some(Fault::Text(text)) => (200, Vec::new(), text.as_bytes().to_vec()),
            _ => respond(&mut bucket.lock().unwrap(), &request, body),
        };
        if matches!(fault, Some(Fault::LostResponse)) {
            return Ok(());
        }
        let date = Utc::now() + bucket.lock().unwrap().clock;
        let date = date.format("%a, %d %b %Y %H:%M:%S GMT");
        write!(writer, "HTTP/1.1 {status} X\r\nDate: {date}\r\nContent-Length: {}\r\n", content.len())?;
        for (name, value) in headers {
            write!(writer, "{name}: {value}\r\n")?;
        }
        write!(writer, "\r\n")?;
        if matches!(fault, Some(Fault::Short)) {
            return writer.write_all(&content[..content.len() / 2]);
        }
        writer.write_all(&content)?;
    }
    Ok(())
}

fn read_head(reader: &mut impl io::BufRead) -> io::Result<Option<Request>> {
    let mut first = String::new();
    if reader.read_line(&mut first)? == 0 {
        return Ok(None);
    }
    let mut words = first.split_whitespace();
    let (method, target) = (words.next().unwrap().to_owned(), words.next().unwrap().to_owned());
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim().split_once(':') else { break };
        headers.insert(name.to_lowercase(), value.trim().to_owned());
    }
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let query = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let key = path.strip_prefix("/copies/").unwrap_or_default().replace("%20", " ");
    Ok(Some(Request { method, target, key, query, headers }))
}

fn respond(bucket: &mut Bucket, request: &Request, body: Vec<u8>) -> Response {
    use base64::Engine as _;
    let query = |name: &str| request.query.get(name).cloned();
    let upload = || (request.key.clone(), query("uploadId").unwrap());
    match request.method.as_str() {
        "GET" if query("uploads").is_some() => {
            let list: String = bucket
                .uploads
                .keys()
                .map(|(key, id)| {
                    let initiated = if id == "left" { "2020-01-01T00:00:00.000Z" } else { "2100-01-01T00:00:00.000Z" };
                    format!(
                        "<Upload><Key>{key}</Key><UploadId>{id}</UploadId><Initiated>{initiated}</Initiated></Upload>"
                    )
                })
                .collect::<Vec<_>>()
                .concat();
            xml(200, &format!("<ListMultipartUploadsResult>{list}</ListMultipartUploadsResult>"))
        }
        "GET" if request.key.is_empty() => list(bucket, request),
        "GET" => match bucket.objects.get(&request.key) {
            None => (404, Vec::new(), error("NoSuchKey")),
            Some(bytes) => {
                let (first, last) = request.headers["range"].strip_prefix("bytes=").unwrap().split_once('-').unwrap();
                let (first, last): (usize, usize) = (first.parse().unwrap(), last.parse().unwrap());
                (206, Vec::new(), bytes[first..=last.min(bytes.len() - 1)].to_vec())
            }
        },
        "PUT" => {
            let md5 = <[u8; 16]>::from(Md5::digest(&body));
            let expected = base64::engine::general_purpose::STANDARD.encode(md5);
            if request.headers.get("content-md5") != Some(&expected) {
                return (400, Vec::new(), error("BadDigest"));
            }
            let etag = hex(&md5);
            let headers = vec![("ETag", format!("\"{etag}\""))];
            match query("partNumber") {
                None => drop(bucket.objects.insert(request.key.clone(), body)),
                Some(number) => match bucket.uploads.get_mut(&upload()) {
                    None => return (404, Vec::new(), error("NoSuchUpload")),
                    Some(parts) => drop(parts.insert(number.parse().unwrap(), (etag, body))),
                },
            }
            (200, headers, Vec::new())
        }
        "POST" if query("uploads").is_some() => {
            bucket.started += 1;
            let id = format!("upload-{}", bucket.started);
            bucket.uploads.insert((request.key.clone(), id.clone()), BTreeMap::new());
            xml(
                200,
                &format!("<InitiateMultipartUploadResult><UploadId>{id}</UploadId></InitiateMultipartUploadResult>"),
            )
        }
        "POST" => match bucket.uploads.remove(&upload()) {
            None => (404, Vec::new(), error("NoSuchUpload")),
            Some(parts) => {
                let text = String::from_utf8(body).unwrap();
                let (etags, parts): (Vec<_>, Vec<_>) = parts.into_values().unzip();
                for etag in etags {
                    assert!(text.contains(&format!("<ETag>&quot;{etag}&quot;</ETag>")), "{text}");
                }
                bucket.objects.insert(request.key.clone(), parts.concat());
                xml(200, "<CompleteMultipartUploadResult><ETag>x</ETag></CompleteMultipartUploadResult>")
            }
        },
        "DELETE" if query("uploadId").is_some() => {
            bucket.uploads.remove(&upload());
            (204, Vec::new(), Vec::new())
        }
        "DELETE" => {
            bucket.objects.remove(&request.key);
            (204, Vec::new(), Vec::new())
        }
        _ => (501, Vec::new(), error("NotImplemented")),
    }
}

/// Two objects a page.
fn list(bucket: &Bucket, request: &Request) -> Response {
    let prefix = &request.query["prefix"];
    let after = request.query.get("continuation-token").cloned().unwrap_or_default();
    let mut keys = bucket.objects.iter().filter(|(key, _)| key.starts_with(prefix) && **key > after);
    let page: Vec<_> = keys.by_ref().take(2).collect();
    let next = keys
        .next()
        .and_then(|_| page.last())
        .map(|(key, _)| format!("<IsTruncated>true</IsTruncated><NextContinuationToken>{key}</NextContinuationToken>"));
    let contents: String = page
        .iter()
        .map(|(key, bytes)| format!("<Contents><Key>{key}</Key><Size>{}</Size></Contents>", bytes.len()))
        .collect::<Vec<_>>()
        .concat();
    xml(200, &format!("<ListBucketResult>{}{contents}</ListBucketResult>", next.unwrap_or_default()))
}

fn xml(status: u16, text: &str) -> Response {
    (status, vec![("Content-Type", "application/xml".to_owned())], text.as_bytes().to_vec())
}

fn error(code: &str) -> Vec<u8> {
    format!("<Error><Code>{code}</Code><Message>hush 4711</Message></Error>").into_bytes()
}
