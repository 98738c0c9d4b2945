//! Visitors of the site, and what their responses must contain.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::rc::Rc;
use std::time::{Duration, Instant, SystemTime};

use serde_json::json;

use super::client::{Connection, Response};

/// Of ten visitors, nine prefer brotli.
const CODINGS: [&str; 2] = ["gzip, deflate, br", "gzip"];
/// The number of visitors of whom one plans to attend.
const VISITORS_PER_INTEREST: u64 = 20;

/// The time in seconds since 1970.
pub fn now() -> f64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0.0, |elapsed| elapsed.as_secs_f64())
}

/// A value below which this part of the values is.
pub fn percentile(sorted: &[u32], part: f64) -> u32 {
    let last = sorted.len().saturating_sub(1);
    sorted.get((last as f64 * part) as usize).copied().unwrap_or_default()
}

/// What visitors read, the most popular page first.
pub struct Pages {
    /// The path, and the id of the event whose page it is.
    all: Vec<(String, Option<i64>)>,
    begins: HashMap<String, f64>,
}

impl Pages {
    /// Pages that are not of an event.
    pub fn new<const N: usize>(paths: [&str; N]) -> Self {
        Self { all: paths.map(|path| (path.to_owned(), None)).to_vec(), begins: HashMap::new() }
    }

    /// Adds the page of an event.
    pub fn add(&mut self, path: String, event: i64) {
        self.all.push((path, Some(event)));
    }

    /// Notes when the event with this title begins.
    pub fn begins(&mut self, title: String, at: f64) {
        self.begins.insert(title, at);
    }

    /// Popularity by Zipf's law: the sums of the shares up to each page.
    fn sums(&self) -> Vec<f64> {
        let mut sum = 0.0;
        let mut sums: Vec<f64> = Vec::new();
        for rank in 1..=self.all.len() {
            sum += 1.0 / rank as f64;
            sums.push(sum);
        }
        sums.iter().map(|part| part / sum).collect()
    }
}

/// What a body says.
#[derive(Clone, Debug, Default)]
struct Facts {
    /// The title of the next event.
    next: Option<String>,
    /// The number in the notice.
    notice: Option<u32>,
    /// The edition of the edited event.
    edition: Option<u32>,
    is_html: bool,
}

impl Facts {
    fn parse(text: &str) -> Self {
        let number_after = |words: &str| {
            let digits = text.split_once(words)?.1.split(|sign: char| !sign.is_ascii_digit()).next()?;
            digits.parse().ok()
        };
        let next = text.split_once(">Next Event</h2>").and_then(|(_, rest)| {
            let (_, rest) = rest.split_once("<h3")?;
            let (title, _) = rest.split_once('>')?.1.split_once("</h3>")?;
            Some(title.to_owned())
        });
        Self {
            next,
            notice: number_after("Notice number "),
            edition: number_after("Edition "),
            is_html: text.starts_with("<!") && text.contains("<body"),
        }
    }
}

/// One run, and what its visitors found.
pub struct Run {
    pages: Pages,
    port: u16,
    facts: RefCell<HashMap<u64, Rc<Facts>>>,
    /// The editions of the event and the notices, each with the time of the response to the admin.
    pub editions: RefCell<Vec<(u32, f64)>>,
    pub notices: RefCell<Vec<(u32, f64)>>,
    pub killed_at: Cell<Option<f64>>,
    pub back_at: Cell<Option<f64>>,
    /// Reads that are not of the visitors.
    pub extra_reads: Cell<u64>,
    /// The events that a page had as the next one before they began.
    announced: RefCell<HashSet<String>>,
    /// Those of them after whose beginning a page was checked.
    checked: RefCell<HashSet<String>>,
    found: RefCell<Findings>,
    began: f64,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    pub failed_reads: u64,
    pub failed_writes: u64,
    pub reads_in_outage: u64,
    pub stale_next: u64,
    pub begun: usize,
    /// Those of them for which it was checked that no page has them as the next one afterwards.
    pub checked: usize,
    /// Seconds after a change in which an earlier page was still sent.
    pub reach: f64,
    /// A sentence for each broken promise, with an example.
    pub broken: Vec<String>,
}

impl Run {
    /// Visitors of these pages at this port.
    pub fn new(pages: Pages, port: u16) -> Self {
        Self {
            pages,
            port,
            facts: RefCell::default(),
            editions: RefCell::default(),
            notices: RefCell::default(),
            killed_at: Cell::new(None),
            back_at: Cell::new(None),
            extra_reads: Cell::new(0),
            announced: RefCell::default(),
            checked: RefCell::default(),
            found: RefCell::default(),
            began: now(),
        }
    }

    /// What was found until now.
    pub fn findings(&self) -> Findings {
        let mut found = self.found.borrow().clone();
        let until = now();
        found.begun = self.pages.begins.values().filter(|at| (self.began..until).contains(*at)).count();
        found.checked = self.checked.borrow().len();
        if found.checked == 0 {
            found.broken.push("no page was checked before and after an event began".to_owned());
        }
        found
    }

    /// Reads each page in each content coding once.
    pub async fn read_all_pages(self: &Rc<Self>) {
        let tasks: Vec<_> = (0..4)
            .map(|part| {
                let run = Rc::clone(self);
                tokio::task::spawn_local(async move {
                    let mut connection = Connection::new(run.port);
                    for page in (part..run.pages.all.len()).step_by(4) {
                        for coding in CODINGS {
                            run.read(&mut connection, page, coding, "203.0.113.1").await;
                            run.extra_reads.set(run.extra_reads.get() + 1);
                        }
                    }
                })
            })
            .collect();
        for task in tasks {
            task.await.expect("a reader");
        }
    }

    /// The same at a time.
    pub async fn read_all_pages_after(self: &Rc<Self>, at: f64) {
        tokio::time::sleep(Duration::from_secs_f64((at - now()).max(0.0))).await;
        self.read_all_pages().await;
    }

    /// Whether the server was killed and is not known to be back at this time.
    fn is_outage(&self, at: f64) -> bool {
        self.killed_at.get().is_some_and(|killed| {
            // A request that was sent just before may fail.
            at >= killed - 0.5 && self.back_at.get().is_none_or(|back| at <= back + super::SETTLE)
        })
    }

    async fn read(&self, connection: &mut Connection, page: usize, coding: &str, address: &str) {
        let path = &self.pages.all[page].0;
        let headers = format!("Accept-Encoding: {coding}\r\nX-Forwarded-For: {address}\r\n");
        let sent = now();
        let response = connection.get(path, &headers).await;
        let is_outage = self.is_outage(sent);
        if is_outage {
            self.found.borrow_mut().reads_in_outage += 1;
        }
        match response {
            Ok(response) if response.status == 200 => {
                let facts = self.facts_of(&response);
                self.check(path, &facts, sent, is_outage);
            }
            Ok(response) => self.fail_read(path, &format!("status {}", response.status)),
            Err(error) => self.fail_read(path, &error.to_string()),
        }
    }

    fn fail_read(&self, path: &str, reason: &str) {
        let mut found = self.found.borrow_mut();
        found.failed_reads += 1;
        if found.failed_reads == 1 {
            found.broken.push(format!("a read of {path} failed {}: {reason}", self.moment()));
        }
    }

    /// What was going on, in words.
    fn moment(&self) -> String {
        let ago = |at: f64| format!("{:.2} s after", now() - at);
        match (self.killed_at.get(), self.back_at.get()) {
            (_, Some(back)) => format!("{} lectern was back", ago(back)),
            (Some(killed), None) => format!("{} lectern was killed", ago(killed)),
            (None, None) => format!("{} the beginning", ago(self.began)),
        }
    }

    /// The facts in a body, which is decompressed once.
    fn facts_of(&self, response: &Response) -> Rc<Facts> {
        let mut hasher = DefaultHasher::new();
        response.body.hash(&mut hasher);
        let mut known = self.facts.borrow_mut();
        let facts = known.entry(hasher.finish()).or_insert_with(|| Rc::new(Facts::parse(&response.text())));
        Rc::clone(facts)
    }

    fn check(&self, path: &str, facts: &Facts, sent: f64, is_outage: bool) {
        if is_outage {
            return;
        }
        let late = facts.next.as_ref().map_or(0.0, |title| self.seconds_late(title, sent));
        if late > 0.0 {
            let mut found = self.found.borrow_mut();
            found.stale_next += 1;
            if found.stale_next == 1 {
                found.broken.push(format!("{path} had an event as the next one {late:.3} s after its first second"));
            }
        }
        if facts.is_html {
            self.check_reach(&self.notices, facts.notice, sent);
        }
        if facts.edition.is_some() {
            self.check_reach(&self.editions, facts.edition, sent);
        }
    }

    /// How long ago the next event of a page ceased to be the next one.
    fn seconds_late(&self, next: &str, sent: f64) -> f64 {
        // An event that begins now is still the next one, for this second.
        let late = |title: &str| self.pages.begins.get(title).map(|at| sent - at - 1.0);
        if late(next).is_some_and(|late| late < -1.0) {
            self.announced.borrow_mut().insert(next.to_owned());
        }
        // Only a page that has a next event shows that those which have begun are not it.
        self.announced.borrow_mut().retain(|title| {
            let has_begun = late(title).is_some_and(|late| late > 0.0);
            if has_begun {
                self.checked.borrow_mut().insert(title.clone());
            }
            !has_begun
        });
        late(next).unwrap_or(0.0)
    }

    /// The time since the oldest change that should be visible and is not.
    fn check_reach(&self, changes: &RefCell<Vec<(u32, f64)>>, shown: Option<u32>, sent: f64) {
        let changes = changes.borrow();
        let missing = changes.iter().find(|(number, _)| *number > shown.unwrap_or(0));
        if let Some((_, saved)) = missing {
            let mut found = self.found.borrow_mut();
            found.reach = found.reach.max(sent - saved);
        }
    }

    async fn attend(&self, connection: &mut Connection, event: i64, visitor: u64, address: &str) {
        let body = json!({ "action": "add", "userId": format!("user_{visitor}_{}", std::process::id()) });
        let path = format!("/api/events/{event}/interest");
        let sent = now();
        let response = connection.send("PUT", &path, &format!("X-Forwarded-For: {address}\r\n"), Some(&body)).await;
        let status = response.map_or(0, |response| response.status);
        // It may have been sent before the server was killed.
        if status != 200 && !self.is_outage(sent) && !self.is_outage(now()) {
            let mut found = self.found.borrow_mut();
            found.failed_writes += 1;
            if found.failed_writes == 1 {
                found.broken.push(format!("{path} had status {status} while lectern was running"));
            }
        }
    }
}

/// What the visitors measured; times in microseconds, in order.
pub struct Totals {
    pub reads: Vec<u32>,
    pub interests: Vec<u32>,
    pub seconds: f64,
}

/// Has `count` visitors come at equal intervals in `time`. A visitor who must wait for a connection waits as long as the
/// response takes from when it was due.
pub async fn visit(run: Rc<Run>, count: usize, time: Duration, connections: usize) -> Totals {
    let sums = Rc::new(run.pages.sums());
    let next = Rc::new(Cell::new(0_u64));
    let began = Instant::now();
    let tasks: Vec<_> = (0..connections)
        .map(|_| {
            let (run, sums, next) = (Rc::clone(&run), Rc::clone(&sums), Rc::clone(&next));
            tokio::task::spawn_local(async move {
                let mut connection = Connection::new(run.port);
                let (mut reads, mut interests) = (Vec::new(), Vec::new());
                loop {
                    let visitor = next.replace(next.get() + 1);
                    if visitor >= count as u64 {
                        return (reads, interests);
                    }
                    let due = began + time.mul_f64(visitor as f64 / count as f64);
                    if due > Instant::now() {
                        tokio::time::sleep_until(due.into()).await;
                    }
                    // A timer has a resolution of a millisecond.
                    let from = if due.elapsed() > Duration::from_millis(2) { due } else { Instant::now() };
                    let random = scatter(visitor);
                    let share = (random >> 11) as f64 / (1_u64 << 53) as f64;
                    let page = sums.partition_point(|sum| *sum < share).min(sums.len() - 1);
                    let coding = CODINGS[usize::from(random.is_multiple_of(10))];
                    let address = format!("10.{}.{}.{}", visitor >> 16 & 255, visitor >> 8 & 255, visitor & 255);
                    run.read(&mut connection, page, coding, &address).await;
                    reads.push(micros(from));
                    if scatter(random).is_multiple_of(VISITORS_PER_INTEREST) {
                        // Of the event whose page it is, or of one of the next.
                        let event = run.pages.all[page].1.or_else(|| run.pages.all.last().and_then(|last| last.1));
                        let from = Instant::now();
                        run.attend(&mut connection, event.unwrap_or(1), visitor, &address).await;
                        interests.push(micros(from));
                    }
                }
            })
        })
        .collect();
    let (mut reads, mut interests) = (Vec::new(), Vec::new());
    for task in tasks {
        let (more_reads, more_interests) = task.await.expect("a visitor");
        reads.extend(more_reads);
        interests.extend(more_interests);
    }
    reads.sort_unstable();
    interests.sort_unstable();
    Totals { reads, interests, seconds: began.elapsed().as_secs_f64() }
}

fn micros(since: Instant) -> u32 {
    u32::try_from(since.elapsed().as_micros()).unwrap_or(u32::MAX)
}

/// A number that looks random (SplitMix64), so that every run has the same visitors.
fn scatter(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
