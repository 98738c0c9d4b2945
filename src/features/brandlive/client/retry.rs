//! One call, tried again for as long as that may help (issue 5).

use std::io::Read as _;
use std::time::Duration;

use http::header::RETRY_AFTER;
use http::{HeaderMap, Response};

use super::{Client, LARGEST, NOT_THERE, Said};

/// The first wait; each further one is twice as long.
const FIRST: Duration = Duration::from_millis(400);
/// No wait of our own choice is longer.
const LONGEST: Duration = Duration::from_secs(15);
/// What is said of a try that took all the time that it was given.
const LATE: &str = "Brandlive did not answer in time";

/// How one try ended.
enum Ended {
    Well(Vec<u8>),
    /// Worth another try, after this long where the provider said so.
    ForNow(Said, Option<Duration>),
    /// The time that the try was given is over, wherever it was by then.
    Late,
    ForGood(Said),
}

impl Client<'_> {
    /// Tries a call until it goes well, is hopeless, or the sync's time is over. `call` is given the
    /// longest that it may take.
    pub(super) fn tried(
        &self,
        path: &str,
        call: impl Fn(Duration) -> Result<Response<ureq::Body>, ureq::Error>,
    ) -> Result<Vec<u8>, Said> {
        let total = Duration::from_secs(u64::from(self.config.total_seconds));
        let each = Duration::from_secs(u64::from(self.config.call_seconds));
        let mut wait = FIRST;
        let mut fault: Option<Said> = None;
        for tries in 1_u32.. {
            let left = total.saturating_sub(self.begun.elapsed());
            let ended = if left.is_zero() { Ended::Late } else { judge(path, call(each.min(left))) };
            // What a try that is cut short by the sync's own end looks like says nothing of the provider.
            let is_over = left <= each && (matches!(ended, Ended::Late) || self.begun.elapsed() >= total);
            let (said, asked) = match ended {
                Ended::Well(body) => return Ok(body),
                Ended::ForGood(said) => return Err(said),
                Ended::ForNow(..) | Ended::Late if is_over => {
                    return Err(fault.map_or_else(
                        || format!("Brandlive took longer than {} seconds in all", total.as_secs()),
                        |said| given_up(&said, tries),
                    ));
                }
                Ended::ForNow(said, asked) => (said, asked),
                Ended::Late => (LATE.to_owned(), None),
            };
            let pause = asked.unwrap_or_else(|| jittered(wait));
            if self.begun.elapsed() + pause >= total {
                let asked = asked.map_or_else(String::new, |pause| {
                    format!(" and asks to be left alone for {} seconds", pause.as_secs())
                });
                return Err(given_up(&format!("{said}{asked}"), tries));
            }
            fault = Some(said);
            tracing::debug!(tries, path, "a call to Brandlive is tried again");
            std::thread::sleep(pause);
            wait = (wait * 2).min(LONGEST);
        }
        Err("Brandlive did not answer".to_owned())
    }
}

fn given_up(said: &str, tries: u32) -> Said {
    let tries = if tries == 1 { "1 try".to_owned() } else { format!("{tries} tries") };
    format!("{said}; given up after {tries}")
}

/// Between a half and one and a half of the wait, so that many clients do not come back together.
fn jittered(wait: Duration) -> Duration {
    let share = f64::from(getrandom::u32().unwrap_or(u32::MAX / 2)) / f64::from(u32::MAX);
    wait.mul_f64(0.5 + share)
}

fn judge(path: &str, answered: Result<Response<ureq::Body>, ureq::Error>) -> Ended {
    let response = match answered {
        Ok(response) => response,
        Err(error) => return broken(&error),
    };
    let status = response.status().as_u16();
    match status {
        200..=299 => read(path, response),
        304 => Ended::ForGood(format!(
            "Brandlive answered {path} with 304 (not modified) although nothing older was asked about"
        )),
        300..=399 => Ended::ForGood(format!(
            "Brandlive answered {path} with a redirect ({status}), which is not followed; check base_url and the paths under [brandlive]"
        )),
        401 | 403 => Ended::ForGood(format!(
            "Brandlive refuses the key ({status}); check api_key, api_secret and [brandlive.credentials]"
        )),
        404 => Ended::ForGood(format!("Brandlive knows nothing at {path} {NOT_THERE}")),
        408 | 429 | 500..=599 => {
            let reason = match status {
                429 => "Brandlive says that it was asked too often (429)".to_owned(),
                _ => format!("Brandlive has a fault ({status})"),
            };
            Ended::ForNow(reason, asked_wait(response.headers()))
        }
        _ => Ended::ForGood(format!("Brandlive refuses the call to {path} ({status})")),
    }
}

/// What the provider asks for, in seconds or as a date (RFC 9110 §10.2.3).
fn asked_wait(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = chrono::DateTime::parse_from_rfc2822(text).ok()?;
    (until.to_utc() - chrono::Utc::now()).to_std().ok().or(Some(Duration::ZERO))
}

fn read(path: &str, response: Response<ureq::Body>) -> Ended {
    let too_large = || {
        let most = LARGEST / 1024 / 1024;
        Ended::ForGood(format!("Brandlive's answer to {path} is larger than {most} MB; ask for smaller pages"))
    };
    let body = response.into_body();
    if body.content_length().is_some_and(|length| length > LARGEST) {
        return too_large();
    }
    let mut bytes = Vec::new();
    match body.into_reader().take(LARGEST + 1).read_to_end(&mut bytes) {
        Ok(_) if bytes.len() as u64 > LARGEST => too_large(),
        Ok(_) => Ended::Well(bytes),
        // The library hides its own errors in those of reading.
        Err(error) => match ureq::Error::from(error) {
            ureq::Error::Timeout(_) => Ended::Late,
            _ => Ended::ForNow("Brandlive's answer broke off".to_owned(), None),
        },
    }
}

/// Words of our own, because the library's may repeat the address with a key in it.
fn broken(error: &ureq::Error) -> Ended {
    let said = match error {
        ureq::Error::Timeout(_) => return Ended::Late,
        ureq::Error::HostNotFound => "Brandlive's host is not known; check base_url under [brandlive] and the network",
        ureq::Error::Io(error) if error.kind() == std::io::ErrorKind::ConnectionRefused => {
            "Brandlive can't be reached: the connection was refused"
        }
        ureq::Error::Io(_) | ureq::Error::ConnectionFailed | ureq::Error::BodyStalled => {
            "The connection to Brandlive broke"
        }
        ureq::Error::Protocol(_) => "Brandlive's answer is no HTTP",
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) => {
            return Ended::ForGood("Brandlive's certificate is not to be trusted".to_owned());
        }
        ureq::Error::Http(_) | ureq::Error::BadUri(_) => {
            return Ended::ForGood("The request to Brandlive can't be written; check [brandlive]".to_owned());
        }
        _ => return Ended::ForGood("Brandlive's answer can't be read".to_owned()),
    };
    Ended::ForNow(said.to_owned(), None)
}
