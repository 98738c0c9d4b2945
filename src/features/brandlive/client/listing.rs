//! The provider's list of events, page by page.

use std::collections::{BTreeMap, HashSet};

use chrono::Utc;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

use super::super::mapping::{self, ListingEntry, first_value};
use super::{Client, ProviderError, json_stream};
use crate::platform::config::brandlive::{PagingMode, Pointer};

/// More pages than any calendar has; a longer list is treated as endless.
const MAX_PAGES: usize = 1_000;
/// More events than any calendar has.
const MAX_ITEMS: usize = 20_000;
/// Pages in a row without a new id, after which a list is treated as complete.
const MAX_PAGES_WITHOUT_NEW_IDS: u32 = 3;
/// The age in seconds at which a list that was read in part is read from its beginning.
const MAX_POSITION_AGE: i64 = 24 * 3_600;

/// The keys of the address in an object in place of a next address.
pub(super) const ADDRESS_KEYS: [&str; 2] = ["href", "url"];

/// Where to continue a list that is read over several syncs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ListPosition {
    /// The settings of the list, without credentials.
    settings: String,
    /// Seconds since 1970.
    saved_at: i64,
    /// The next page, without credentials.
    address: String,
    /// The ids on the pages so far.
    ids: Vec<String>,
    so_far: PagesSoFar,
}

/// What the pages so far tell about the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct PagesSoFar {
    /// The number of pages.
    pages: usize,
    /// The number of items, those of repeated pages included.
    offset: usize,
    /// The number of items without those of repeated pages.
    listed: u64,
    /// The ids of the last page.
    last_page: Vec<Option<String>>,
    /// The number of items on the first page.
    first_length: usize,
    /// The number of items on all pages that the provider states.
    total: Option<u64>,
    /// Whether an id that is not listed is missing for certain.
    is_certain: bool,
    /// The number of pages since the last one with a new id.
    pages_without_new_ids: u32,
}

/// An item of a page.
pub(super) enum PageItem {
    Mapped(ListingEntry),
    /// Its details are to be requested.
    NeedsDetails {
        id: String,
        item: Value,
    },
    /// This sync requested its details before the list.
    HasDetails {
        id: String,
    },
}

impl PageItem {
    fn id(&self) -> Option<&str> {
        match self {
            Self::Mapped(entry) => entry.id(),
            Self::NeedsDetails { id, .. } | Self::HasDetails { id } => Some(id),
        }
    }
}

/// An item that waits for its details.
pub(super) struct Pending {
    /// The index of its placeholder in the entries; `None` if it was on a page of an earlier sync.
    pub(super) index: Option<usize>,
    pub(super) id: String,
    /// Its form in the list.
    pub(super) item: Value,
}

struct Page {
    items: Vec<PageItem>,
    /// The body without its list, which may hold the next cursor and the total.
    rest: Value,
}

/// Whether there is another page.
enum Next {
    Page(Url),
    End,
}

/// Reads the list page by page.
pub(super) struct ListReader<'r> {
    client: &'r Client<'r>,
    /// The items of the pages that this sync read.
    pub(super) entries: Vec<ListingEntry>,
    pub(super) pending: Vec<Pending>,
    /// The ids on all pages, those of earlier syncs included.
    pub(super) ids: HashSet<String>,
    /// Whether an id outside of `ids` is missing for certain.
    pub(super) is_complete: bool,
    /// Why the list ended early.
    pub(super) problem: Option<ProviderError>,
    /// Whether earlier syncs read the first pages.
    pub(super) is_resumed: bool,
    /// The next page.
    address: Url,
    so_far: PagesSoFar,
    /// The addresses of next pages.
    addresses: HashSet<String>,
}

impl<'r> ListReader<'r> {
    /// Starts at the first page, or at the position of an earlier sync.
    pub(super) fn start(client: &'r Client<'r>, position: Option<&ListPosition>) -> Result<Self, ProviderError> {
        let mut reader = Self {
            client,
            entries: Vec::new(),
            pending: Vec::new(),
            ids: HashSet::new(),
            is_complete: false,
            problem: None,
            is_resumed: false,
            address: client.first_page()?,
            so_far: PagesSoFar {
                pages: 0,
                offset: 0,
                listed: 0,
                last_page: Vec::new(),
                first_length: client.config.paging.size as usize,
                total: None,
                is_certain: true,
                pages_without_new_ids: 0,
            },
            addresses: HashSet::new(),
        };
        if let Some(position) = position
            && position.settings == client.list_settings()
            && (0..MAX_POSITION_AGE).contains(&(Utc::now().timestamp() - position.saved_at))
            && let Ok(address) = Url::parse(&position.address)
        {
            (reader.address, reader.so_far, reader.is_resumed) = (address, position.so_far.clone(), true);
            reader.ids = position.ids.iter().cloned().collect();
        }
        Ok(reader)
    }

    /// Whether the list has no items at all.
    pub(super) fn is_empty(&self) -> bool {
        self.so_far.listed == 0
    }

    /// The next page, for the next sync; `None` for the first page.
    pub(super) fn position(&self) -> Option<ListPosition> {
        let skipped: HashSet<&str> =
            self.entries.iter().filter(|entry| entry.is_skipped()).filter_map(ListingEntry::id).collect();
        let is_certain = self.so_far.is_certain && self.entries.iter().all(|entry| entry.id().is_some());
        (self.so_far.pages > 0).then(|| ListPosition {
            settings: self.client.list_settings(),
            saved_at: Utc::now().timestamp(),
            address: self.client.without_credentials(&self.address).to_string(),
            ids: self.ids.iter().filter(|id| !skipped.contains(id.as_str())).cloned().collect(),
            so_far: PagesSoFar { is_certain, ..self.so_far.clone() },
        })
    }

    /// Reads the next page; returns whether there may be another. On [`ProviderError::RequestLimit`] and on a
    /// `Retry-After` beyond the time of the sync, the next sync can continue at [`Self::position`].
    pub(super) fn read_page(&mut self, to_item: &dyn Fn(Value) -> PageItem) -> Result<bool, ProviderError> {
        let page = match self.client.page(&self.address, self.so_far.pages == 0, to_item) {
            Ok(Some(page)) => page,
            Ok(None) => {
                self.end();
                return Ok(false);
            }
            Err(error) => return self.end_with(error).map(|()| false),
        };
        match self.add(page)? {
            Next::Page(address) => self.address = address,
            Next::End => {
                self.end();
                return Ok(false);
            }
        }
        self.so_far.pages += 1;
        if self.so_far.pages >= MAX_PAGES {
            return Err(ProviderError::TooManyPages { pages: MAX_PAGES });
        }
        Ok(true)
    }

    /// Adds a page and decides whether there is another.
    fn add(&mut self, page: Page) -> Result<Next, ProviderError> {
        let config = self.client.config;
        let count = page.items.len();
        let ids: Vec<Option<String>> = page.items.iter().map(|item| item.id().map(str::to_owned)).collect();
        if self.is_numbered() && ids.iter().any(Option::is_some) && ids == self.so_far.last_page {
            // A provider without paging repeats its list; one that limits the page number repeats the last page. A
            // full first page can also be the first of many from a provider that ignores the number.
            self.so_far.is_certain &=
                self.so_far.pages > 1 || count != config.paging.size as usize || self.is_total_reached();
            return Ok(Next::End);
        }
        let total = first_value(&[&page.rest], &config.paging.total);
        if let Some(total) = total.and_then(|value| value.as_u64().or_else(|| value.as_str()?.trim().parse().ok())) {
            self.so_far.total = Some(total);
        }
        if self.so_far.pages == 0 {
            self.so_far.first_length = count;
        }
        self.so_far.offset += count;
        let has_new_ids = self.add_items(page.items);
        if self.so_far.listed > MAX_ITEMS as u64 {
            return Err(ProviderError::TooManyItems { items: MAX_ITEMS });
        }
        if self.is_numbered() {
            self.so_far.pages_without_new_ids = if has_new_ids { 0 } else { self.so_far.pages_without_new_ids + 1 };
            if self.so_far.pages_without_new_ids >= MAX_PAGES_WITHOUT_NEW_IDS {
                self.so_far.is_certain = false;
                return Ok(Next::End);
            }
        }
        self.so_far.last_page = ids;
        if self.so_far.total.is_some_and(|total| total < self.so_far.listed) {
            // It counts something else, such as the pages or the items of a page.
            self.so_far.total = None;
        }
        // On the first page the "total" may be the number of items on the page.
        let is_page_count = self.so_far.pages == 0 && self.so_far.total == Some(count as u64);
        if count > 0 && self.is_numbered() && self.is_total_reached() && !is_page_count {
            return Ok(Next::End);
        }
        self.next(&page.rest, count)
    }

    /// Adds the items of a page; returns whether one of them has a new id.
    fn add_items(&mut self, items: Vec<PageItem>) -> bool {
        let is_new = |item: &PageItem| item.id().is_some_and(|id| !self.ids.contains(id));
        let has_new_ids = items.iter().any(is_new);
        let is_repeated = !has_new_ids && items.iter().all(|item| item.id().is_some());
        if is_repeated && self.so_far.pages > 0 {
            return false;
        }
        self.so_far.listed += items.len() as u64;
        for item in items {
            let duplicate = item.id().filter(|id| !self.ids.insert((*id).to_owned()));
            let entry = match duplicate.map(ListingEntry::duplicate) {
                Some(entry) => entry,
                None => match item {
                    PageItem::Mapped(entry) => entry,
                    PageItem::NeedsDetails { id, item } => {
                        let placeholder = mapping::without_details(self.client.config, &item, false);
                        self.pending.push(Pending { index: Some(self.entries.len()), id, item });
                        placeholder
                    }
                    PageItem::HasDetails { .. } => continue,
                },
            };
            self.entries.push(entry);
        }
        has_new_ids
    }

    fn next(&mut self, rest: &Value, count: usize) -> Result<Next, ProviderError> {
        let paging = &self.client.config.paging;
        let mut address = self.address.clone();
        match paging.mode {
            PagingMode::None => return Ok(Next::End),
            PagingMode::Page | PagingMode::Offset if count == 0 => return Ok(Next::End),
            PagingMode::Page => {
                let next = u64::from(paging.first) + self.so_far.pages as u64 + 1;
                set_parameter(&mut address, &paging.parameter, &next.to_string());
            }
            PagingMode::Offset => set_parameter(&mut address, &paging.parameter, &self.so_far.offset.to_string()),
            PagingMode::Cursor | PagingMode::Next => {
                let Some(value) =
                    paging.next.iter().filter_map(|pointer| rest.pointer(&pointer.0)).find(|value| is_next(value))
                else {
                    return Ok(Next::End);
                };
                let cursor = match (value, paging.mode) {
                    (Value::String(text), _) => text.trim().to_owned(),
                    (Value::Number(number), PagingMode::Cursor) => number.to_string(),
                    (Value::Object(link), PagingMode::Next) => {
                        let texts = ADDRESS_KEYS.iter().filter_map(|key| link.get(*key)?.as_str());
                        match texts.map(str::trim).find(|text| !text.is_empty()) {
                            Some(text) => text.to_owned(),
                            None => return Ok(self.unreadable_next()),
                        }
                    }
                    _ => return Ok(self.unreadable_next()),
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

    /// Ends the list, because its next page is not known.
    fn unreadable_next(&mut self) -> Next {
        self.so_far.is_certain = false;
        self.problem = Some(ProviderError::UnreadableNextPage);
        Next::End
    }

    /// Ends the list after a failed request for a page.
    fn end_with(&mut self, error: ProviderError) -> Result<(), ProviderError> {
        let problem = match error {
            error if self.so_far.pages == 0 => return Err(error),
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
            let full =
                if self.so_far.pages > 1 { self.so_far.first_length } else { self.client.config.paging.size as usize };
            let is_short = self.so_far.last_page.len() < full;
            self.so_far.is_certain &= is_short || self.is_total_reached();
        } else if !self.is_total_reached() {
            self.so_far.is_certain = false;
            self.problem = Some(problem);
        }
        self.end();
        Ok(())
    }

    fn end(&mut self) {
        if let Some(total) = self.so_far.total
            && total > self.so_far.listed
            && self.problem.is_none()
        {
            self.so_far.is_certain = false;
            self.problem = Some(ProviderError::EndsEarly { listed: self.so_far.listed, total });
        }
        // An item without an id may be any of those that seem to be missing.
        self.is_complete = self.so_far.is_certain && self.entries.iter().all(|entry| entry.id().is_some());
    }

    fn is_numbered(&self) -> bool {
        matches!(self.client.config.paging.mode, PagingMode::Page | PagingMode::Offset)
    }

    fn is_total_reached(&self) -> bool {
        self.so_far.total.is_some_and(|total| self.so_far.listed >= total)
    }
}

impl Client<'_> {
    /// The settings that a position in the list belongs to.
    fn list_settings(&self) -> String {
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
    fn page(
        &self,
        address: &Url,
        is_first: bool,
        to_item: &dyn Fn(Value) -> PageItem,
    ) -> Result<Option<Page>, ProviderError> {
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
            list.extend(item.map(to_item));
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

    /// The first page as JSON, for `--probe`.
    pub(super) fn first_page_json(&self) -> Result<Value, ProviderError> {
        self.get_json(&self.first_page()?, u32::MAX)
    }
}

/// Whether a value names a next page, in whatever form; null, false and blank values say that there is none.
fn is_next(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Bool(true) | Value::Number(_) => true,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(list) => !list.is_empty(),
        // JSON:API and HAL wrap the address in an object, also if there is none.
        Value::Object(link) => {
            let mut addresses = ADDRESS_KEYS.iter().filter_map(|key| link.get(*key)).peekable();
            if addresses.peek().is_some() { addresses.any(is_next) } else { !link.is_empty() }
        }
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
