//! The provider's whole list of events, page by page, and the details of its items.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::Utc;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

use super::super::mapping::{self, Failure, ListingEntry, first_value};
use super::{Client, ProviderError, json_stream, parse};
use crate::platform::config::brandlive::{DetailPath, PagingMode, Pointer};
use crate::platform::config::{Brandlive, OutgoingNetwork};

/// More pages than any calendar has; a longer list is treated as endless.
const MAX_PAGES: usize = 1_000;
/// More events than any calendar has.
const MAX_ITEMS: usize = 20_000;
/// Pages in a row without a new id, after which a list is treated as complete.
const MAX_PAGES_WITHOUT_NEWS: u32 = 3;
/// Attempts for the details of one item.
const DETAIL_ATTEMPTS: u32 = 3;
/// Items in a row whose details fail after retries, after which the provider counts as failing if none succeeded.
const MAX_DETAIL_FAILURES: u32 = 5;
/// The age in seconds at which a half-read list is read from its beginning.
const MAX_RESUME_AGE: i64 = 24 * 3_600;

/// The results of earlier syncs.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct FetchState {
    /// The update time of the last imported details by the provider's id; `None` for an import without one.
    pub(in super::super) imports: HashMap<String, Option<String>>,
    pub(in super::super) resume: Resume,
}

/// The work that a sync left for the next one, and the recent requests, for the limits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(in super::super) struct Resume {
    /// Instants of requests in milliseconds since 1970.
    sent: Vec<i64>,
    /// The ids whose details are to be requested.
    details: Vec<String>,
    /// Where to continue the list.
    list: Option<Position>,
}

impl Resume {
    /// The number of items whose details are left to the next sync.
    pub(in super::super) fn details(&self) -> usize {
        self.details.len()
    }
}

/// The position in a list that is read over several syncs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Position {
    /// The settings of the list, without credentials.
    list: String,
    saved_at: i64,
    address: String,
    number: usize,
    offset: usize,
    listed: u64,
    ids: Vec<String>,
    previous: Vec<Option<String>>,
    first_length: usize,
    total: Option<u64>,
    is_certain: bool,
}

/// The provider's list.
#[derive(Debug, Default)]
pub(in super::super) struct Listing {
    /// The items of the pages that this sync read.
    pub(in super::super) entries: Vec<ListingEntry>,
    /// The ids on all pages, those of earlier syncs included.
    pub(in super::super) ids: HashSet<String>,
    /// Whether an id outside of `ids` is really missing.
    pub(in super::super) is_complete: bool,
    /// Whether the limit of requests ended the list.
    pub(in super::super) is_cut: bool,
    /// Whether earlier syncs read the first pages.
    pub(in super::super) is_resumed: bool,
    /// Why the list or the details ended early.
    pub(in super::super) problem: Option<ProviderError>,
    pub(in super::super) resume: Resume,
}

/// An item of a page, or one whose details are needed first.
enum PageItem {
    Mapped(ListingEntry),
    /// The position is that of the placeholder in the entries.
    NeedsDetails {
        id: String,
        raw: Value,
    },
}

impl PageItem {
    fn id(&self) -> Option<&str> {
        match self {
            Self::Mapped(entry) => entry.id(),
            Self::NeedsDetails { id, .. } => Some(id),
        }
    }
}

struct Page {
    items: Vec<PageItem>,
    /// The body without its list, which may hold the next cursor and the total.
    rest: Value,
}

/// An item that waits for its details: its position in the entries, its id and its form in the list.
struct Pending {
    position: usize,
    id: String,
    raw: Value,
}

/// Fetches the list and the details that are due. `on_progress` receives the number of items so far. Also returns the
/// requests that the limits count, whether it succeeded or not.
pub(in super::super) fn fetch(
    config: &Brandlive,
    network: &OutgoingNetwork,
    state: &FetchState,
    on_progress: &dyn Fn(usize),
) -> (Resume, Result<Listing, ProviderError>) {
    let client = match Client::start(config, network, &state.resume.sent) {
        Ok(client) => client,
        Err(error) => return (state.resume.clone(), Err(error)),
    };
    let result = client.fetch(state, on_progress);
    let mut resume = result.as_ref().map_or_else(|_| state.resume.clone(), |listing| listing.resume.clone());
    resume.sent = client.pacer.into_inner().into_sent();
    (resume, result)
}

/// The way through the pages of the list.
struct Walk<'w> {
    client: &'w Client<'w>,
    state: &'w FetchState,
    listing: Listing,
    pending: Vec<Pending>,
    address: Url,
    /// The page, from 0.
    number: usize,
    /// Items before the page.
    offset: usize,
    /// Items without those of repeated pages.
    listed: u64,
    /// The ids of the previous page.
    previous: Vec<Option<String>>,
    /// The number of items on the first page.
    first_length: usize,
    total: Option<u64>,
    /// Whether every end that was assumed is certain.
    is_certain: bool,
    pages_without_news: u32,
    /// The addresses of next pages.
    addresses: HashSet<String>,
}

/// Whether there is another page.
enum Next {
    Page(Url),
    End,
}

impl<'w> Walk<'w> {
    fn start(client: &'w Client<'w>, state: &'w FetchState) -> Result<Self, ProviderError> {
        let mut walk = Self {
            client,
            state,
            listing: Listing::default(),
            pending: Vec::new(),
            address: client.first_page()?,
            number: 0,
            offset: 0,
            listed: 0,
            previous: Vec::new(),
            first_length: client.config.paging.size as usize,
            total: None,
            is_certain: true,
            pages_without_news: 0,
            addresses: HashSet::new(),
        };
        let now = Utc::now().timestamp();
        if let Some(position) = &state.resume.list
            && position.list == client.list_key()
            && (0..MAX_RESUME_AGE).contains(&(now - position.saved_at))
            && let Ok(address) = Url::parse(&position.address)
        {
            walk.address = address;
            (walk.number, walk.offset, walk.listed) = (position.number, position.offset, position.listed);
            (walk.first_length, walk.total, walk.is_certain) =
                (position.first_length, position.total, position.is_certain);
            walk.previous.clone_from(&position.previous);
            walk.listing.is_resumed = true;
            walk.listing.ids = position.ids.iter().cloned().collect();
        }
        Ok(walk)
    }

    fn run(&mut self, on_progress: &dyn Fn(usize)) -> Result<(), ProviderError> {
        loop {
            let page = match self.client.page(&self.address, self.number == 0, self.state) {
                Ok(page) => page,
                Err(ProviderError::RequestLimit) => {
                    self.listing.is_cut = true;
                    self.listing.resume.list = (self.number > 0).then(|| self.position());
                    return Ok(());
                }
                Err(error) => return self.end_with(error),
            };
            let Some(page) = page else { break };
            let Next::Page(address) = self.add(page, on_progress)? else { break };
            self.address = address;
            self.number += 1;
            if self.number >= MAX_PAGES {
                return Err(ProviderError::TooManyPages { pages: MAX_PAGES });
            }
        }
        self.end();
        Ok(())
    }

    /// Adds a page and decides whether there is another.
    fn add(&mut self, page: Page, on_progress: &dyn Fn(usize)) -> Result<Next, ProviderError> {
        let config = self.client.config;
        let count = page.items.len();
        let sequence: Vec<Option<String>> = page.items.iter().map(|item| item.id().map(str::to_owned)).collect();
        if self.is_numbered() && sequence.iter().any(Option::is_some) && sequence == self.previous {
            // A provider without paging repeats its list; one that limits the page number repeats the last page. A
            // full first page can also be the first of many from a provider that ignores the number.
            self.is_certain &= self.number > 1 || count != config.paging.size as usize;
            return Ok(Next::End);
        }
        let total = first_value(&[&page.rest], &config.paging.total);
        if let Some(total) = total.and_then(|value| value.as_u64().or_else(|| value.as_str()?.trim().parse().ok())) {
            self.total = Some(total);
        }
        if self.number == 0 {
            self.first_length = count;
        }
        self.offset += count;
        let has_news = self.add_items(page.items);
        if count > 0 {
            on_progress(self.listing.entries.len());
        }
        if self.listing.entries.len() > MAX_ITEMS {
            return Err(ProviderError::TooManyItems { items: MAX_ITEMS });
        }
        if self.is_numbered() {
            self.pages_without_news = if has_news { 0 } else { self.pages_without_news + 1 };
            if self.pages_without_news >= MAX_PAGES_WITHOUT_NEWS {
                self.is_certain = false;
                return Ok(Next::End);
            }
        }
        self.previous = sequence;
        if self.total.is_some_and(|total| total < self.listed) {
            // It counts something else, such as the pages or the items of a page.
            self.total = None;
        }
        // On the first page the "total" may be the number of items on the page.
        let is_page_count = self.number == 0 && self.total == Some(count as u64);
        if count > 0 && self.is_numbered() && self.is_total_reached() && !is_page_count {
            return Ok(Next::End);
        }
        self.next(&page.rest, count)
    }

    /// Adds the items of a page; returns whether one of them has a new id.
    fn add_items(&mut self, items: Vec<PageItem>) -> bool {
        let is_new = |item: &PageItem| item.id().is_some_and(|id| !self.listing.ids.contains(id));
        let has_news = items.iter().any(is_new);
        let is_repeated = !has_news && items.iter().all(|item| item.id().is_some());
        if is_repeated && self.number > 0 {
            return false;
        }
        self.listed += items.len() as u64;
        for item in items {
            let duplicate = item.id().filter(|id| !self.listing.ids.insert((*id).to_owned()));
            let entry = match duplicate.map(ListingEntry::duplicate) {
                Some(entry) => entry,
                None => match item {
                    PageItem::Mapped(entry) => entry,
                    PageItem::NeedsDetails { id, raw } => {
                        let entry = mapping::map_item(self.client.config, &[&raw]);
                        self.pending.push(Pending { position: self.listing.entries.len(), id, raw });
                        entry
                    }
                },
            };
            self.listing.entries.push(entry);
        }
        has_news
    }

    fn next(&mut self, rest: &Value, count: usize) -> Result<Next, ProviderError> {
        let paging = &self.client.config.paging;
        let mut address = self.address.clone();
        match paging.mode {
            PagingMode::None => return Ok(Next::End),
            PagingMode::Page | PagingMode::Offset if count == 0 => return Ok(Next::End),
            PagingMode::Page => {
                let next = u64::from(paging.first) + self.number as u64 + 1;
                set_parameter(&mut address, &paging.parameter, &next.to_string());
            }
            PagingMode::Offset => set_parameter(&mut address, &paging.parameter, &self.offset.to_string()),
            PagingMode::Cursor | PagingMode::Next => {
                let cursor = match first_value(&[rest], &paging.next) {
                    Some(Value::String(text)) if !text.trim().is_empty() => text.trim().to_owned(),
                    Some(Value::Number(number)) => number.to_string(),
                    _ => return Ok(Next::End),
                };
                if paging.mode == PagingMode::Cursor {
                    set_parameter(&mut address, &paging.parameter, &cursor);
                } else {
                    address = address.join(&cursor).map_err(ProviderError::InvalidNextPage)?;
                    if address.origin() != self.client.base.origin() {
                        return Err(ProviderError::ForeignNextPage);
                    }
                }
                if !self.addresses.insert(address.to_string()) {
                    // Some providers end a list with an empty page that repeats the cursor.
                    return if count == 0 { Ok(Next::End) } else { Err(ProviderError::PagingLoop) };
                }
            }
        }
        Ok(Next::Page(address))
    }

    /// Ends the list after a failed request for a page.
    fn end_with(&mut self, error: ProviderError) -> Result<(), ProviderError> {
        let problem = match error {
            error if self.number == 0 => return Err(error),
            ProviderError::NotFound { path } => ProviderError::NextPageMissing { path, status: 404 },
            ProviderError::Rejected { path, status } if matches!(status, 400 | 410 | 416 | 422) => {
                ProviderError::NextPageMissing { path, status }
            }
            ProviderError::NoList { .. } => ProviderError::NextPageWithoutList { path: self.address.path().to_owned() },
            error => return Err(error),
        };
        if self.is_numbered() {
            // Some providers respond to a page beyond the last like this. After a full page it can also be an error.
            // A page as long as the first is full if the provider limits the size of a page.
            let full = if self.number > 1 { self.first_length } else { self.client.config.paging.size as usize };
            let is_short = self.previous.len() < full;
            self.is_certain &= is_short || self.is_total_reached();
        } else if !self.is_total_reached() {
            self.is_certain = false;
            self.listing.problem = Some(problem);
        }
        self.end();
        Ok(())
    }

    fn end(&mut self) {
        if let Some(total) = self.total
            && total > self.listed
            && self.listing.problem.is_none()
        {
            self.is_certain = false;
            self.listing.problem = Some(ProviderError::EndsEarly { listed: self.listed, total });
        }
        // An item without an id may be any of those that seem to be missing.
        self.listing.is_complete = self.is_certain && self.listing.entries.iter().all(|entry| entry.id().is_some());
    }

    fn is_numbered(&self) -> bool {
        matches!(self.client.config.paging.mode, PagingMode::Page | PagingMode::Offset)
    }

    fn is_total_reached(&self) -> bool {
        self.total.is_some_and(|total| self.listed >= total)
    }

    fn position(&self) -> Position {
        let skipped: HashSet<&str> =
            self.listing.entries.iter().filter(|entry| entry.is_skipped()).filter_map(ListingEntry::id).collect();
        Position {
            list: self.client.list_key(),
            saved_at: Utc::now().timestamp(),
            address: self.client.without_credentials(&self.address).to_string(),
            number: self.number,
            offset: self.offset,
            listed: self.listed,
            ids: self.listing.ids.iter().filter(|id| !skipped.contains(id.as_str())).cloned().collect(),
            previous: self.previous.clone(),
            first_length: self.first_length,
            total: self.total,
            is_certain: self.is_certain && self.listing.entries.iter().all(|entry| entry.id().is_some()),
        }
    }
}

impl Client<'_> {
    fn fetch(&self, state: &FetchState, on_progress: &dyn Fn(usize)) -> Result<Listing, ProviderError> {
        let mut walk = Walk::start(self, state)?;
        walk.run(on_progress)?;
        let Walk { mut listing, pending, .. } = walk;
        self.fetch_details(pending, state, &mut listing)?;
        if listing.is_cut {
            let unread = state.resume.details.iter().filter(|id| !listing.ids.contains(*id)).cloned();
            listing.resume.details.extend(unread);
        }
        for entry in listing.entries.iter().filter(|entry| entry.is_skipped()) {
            entry.id().map(|id| listing.ids.remove(id));
        }
        Ok(listing)
    }

    /// The settings that a position in the list belongs to.
    fn list_key(&self) -> String {
        let paging = &self.config.paging;
        format!("{} {} {:?} {} {}", self.base, self.config.list_path.0, paging.mode, paging.parameter, paging.size)
    }

    fn first_page(&self) -> Result<Url, ProviderError> {
        let mut address = self.address(&self.config.list_path.0)?;
        let paging = &self.config.paging;
        if paging.mode != PagingMode::None && !paging.size_parameter.is_empty() {
            set_parameter(&mut address, &paging.size_parameter, &paging.size.to_string());
        }
        match paging.mode {
            PagingMode::Page => set_parameter(&mut address, &paging.parameter, &paging.first.to_string()),
            PagingMode::Offset => set_parameter(&mut address, &paging.parameter, "0"),
            _ => {}
        }
        Ok(address)
    }

    /// Reads a page; `None` for a response that says that there is none.
    fn page(&self, address: &Url, is_first: bool, state: &FetchState) -> Result<Option<Page>, ProviderError> {
        let response = self.get(address, u32::MAX)?;
        let body = response.json();
        let is_blank = body.trim_ascii().is_empty();
        if response.is_no_content || (!is_first && (is_blank || body.trim_ascii() == b"null")) {
            return Ok(None);
        }
        let segments: Vec<Vec<String>> = self.config.items.iter().map(Pointer::segments).collect();
        let pointers: Vec<json_stream::ListPointer<'_>> = segments.iter().map(Vec::as_slice).enumerate().collect();
        let mut lists: BTreeMap<usize, Vec<PageItem>> = BTreeMap::new();
        let rest = json_stream::read(body, &pointers, &mut |pointer, item| {
            let list = lists.entry(pointer).or_default();
            list.extend(item.map(|item| self.page_item(item, state)));
        })
        .map_err(|source| ProviderError::invalid_json(address.path(), body, source))?;
        if let Some((_, items)) = lists.pop_first() {
            return Ok(Some(Page { items, rest }));
        }
        let is_null = |pointer: &Pointer| !pointer.0.is_empty() && rest.pointer(&pointer.0).is_some_and(Value::is_null);
        if self.config.items.iter().any(is_null) {
            return Ok(Some(Page { items: Vec::new(), rest }));
        }
        let pointers: Vec<&str> = self.config.items.iter().map(|pointer| pointer.0.as_str()).collect();
        Err(ProviderError::NoList { pointers: pointers.join("\", \"") })
    }

    fn page_item(&self, item: Value, state: &FetchState) -> PageItem {
        let config = self.config;
        let Some(id) = mapping::id_of(config, &item) else {
            return PageItem::Mapped(mapping::map_item(config, &[&item]));
        };
        let needs_details = match config.detail_path {
            DetailPath::Never => false,
            DetailPath::Auto => mapping::lacks_fields(config, &item),
            DetailPath::Always(_) => true,
        };
        if !needs_details {
            return PageItem::Mapped(mapping::map_item(config, &[&item]));
        }
        let resumed = &state.resume.details;
        let is_due = resumed.contains(&id)
            || match (state.imports.get(&id), mapping::updated_at(config, &item)) {
                (None, _) => true,
                (Some(imported), Some(updated)) => imported.as_deref() != Some(updated.as_str()),
                // While details are left from the last sync, only those are requested.
                (Some(_), None) => resumed.is_empty(),
            };
        if is_due {
            PageItem::NeedsDetails { id, raw: item }
        } else {
            PageItem::Mapped(mapping::unchanged(config, &item))
        }
    }

    /// Requests the details of items, new ones first, and replaces their entries.
    fn fetch_details(
        &self,
        mut pending: Vec<Pending>,
        state: &FetchState,
        listing: &mut Listing,
    ) -> Result<(), ProviderError> {
        let is_auto = self.config.detail_path == DetailPath::Auto;
        pending.sort_by_key(|item| state.imports.contains_key(&item.id));
        let mut failures_in_a_row = 0;
        let mut fetched = 0;
        let mut pending = pending.into_iter();
        while let Some(Pending { position, id, raw }) = pending.next() {
            match self.details(&id) {
                Ok(details) => {
                    (failures_in_a_row, fetched) = (0, fetched + 1);
                    listing.entries[position] = mapping::map_details(self.config, &details, &raw);
                }
                Err(error) if is_out_of_time(&error, fetched) => {
                    if matches!(error, ProviderError::GaveUp { .. }) {
                        listing.problem = Some(error);
                    }
                    let rest = [Pending { position, id, raw }].into_iter().chain(pending.by_ref());
                    for item in rest {
                        listing.entries[item.position] = mapping::unchanged(self.config, &item.raw);
                        listing.resume.details.push(item.id);
                    }
                }
                Err(error @ ProviderError::Unauthorized { status: 401 }) => return Err(error),
                Err(error) => {
                    if matches!(error, ProviderError::GaveUp { .. } | ProviderError::TotalTimeout { .. }) {
                        failures_in_a_row += 1;
                        if fetched == 0 && failures_in_a_row >= MAX_DETAIL_FAILURES {
                            return Err(error);
                        }
                    }
                    // The list alone may be enough.
                    if !is_auto {
                        let reason = format!("its details can't be fetched: {error}");
                        listing.entries[position] = ListingEntry(Err(Failure { id: Some(id), reason }));
                    }
                }
            }
        }
        Ok(())
    }

    fn details(&self, id: &str) -> Result<Value, ProviderError> {
        let segment: String =
            url::form_urlencoded::byte_serialize(id.as_bytes()).collect::<String>().replace('+', "%20");
        let template = self.config.detail_path.template().unwrap_or_default();
        let address = self.address(&template.replace("{id}", &segment))?;
        let mut details = parse(address.path(), self.get(&address, DETAIL_ATTEMPTS)?.json())?;
        let inner = ["/data", "/event", "/data/event"];
        let object = inner.iter().rev().find(|pointer| details.pointer(pointer).is_some_and(Value::is_object));
        Ok(object.and_then(|pointer| details.pointer_mut(pointer)).map(Value::take).unwrap_or(details))
    }

    /// The first page as JSON, for `--probe`.
    pub(super) fn first_page_json(&self) -> Result<Value, ProviderError> {
        self.get_json(&self.first_page()?, u32::MAX)
    }
}

/// Whether the remaining details are left to the next sync.
fn is_out_of_time(error: &ProviderError, fetched: usize) -> bool {
    match error {
        ProviderError::RequestLimit | ProviderError::GaveUp { retry_after: Some(_), .. } => true,
        ProviderError::TotalTimeout { .. } => fetched > 0,
        _ => false,
    }
}

/// Sets a parameter of an address, replacing its former value.
fn set_parameter(address: &mut Url, name: &str, value: &str) {
    let others: Vec<(String, String)> = address
        .query_pairs()
        .filter(|(other, _)| other != name)
        .map(|(other, value)| (other.into_owned(), value.into_owned()))
        .collect();
    address.query_pairs_mut().clear().extend_pairs(others).append_pair(name, value);
}
