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
/// Pages in a row without a new id, after which a numbered list ends.
const MAX_NUMBERED_WITHOUT_NEW_IDS: u32 = 3;
/// The same for a list whose pages name the next one, which can be empty in between.
const MAX_NAMED_WITHOUT_NEW_IDS: u32 = 20;
/// Attempts of `--probe`, which may have to try other credentials.
const PROBE_ATTEMPTS: u32 = 3;
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
    /// The addresses of next pages so far, without credentials.
    addresses: HashSet<String>,
    so_far: PagesSoFar,
}

/// What the pages so far tell about the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct PagesSoFar {
    /// The number of pages.
    pages: usize,
    /// The number of items, repeated ones included.
    offset: usize,
    /// The number of items, each id counted once.
    listed: u64,
    /// The ids of the last page.
    last_page: Vec<Option<String>>,
    /// The number of items on the first page.
    first_length: usize,
    /// The number of items on all pages that the provider states.
    total: Option<u64>,
    /// Whether nothing so far says that the pages skip items: no item twice, none without an id.
    is_certain: bool,
    /// The number of pages since the last one with a new id.
    pages_without_new_ids: u32,
    /// Whether the last page names a next one.
    names_next: bool,
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
    End(End),
}

/// How a list ends.
enum End {
    /// As the provider says, or as a list without pages does.
    Stated,
    /// There may be more pages.
    Uncertain,
    /// There are more pages, or something is wrong with their names.
    Cut(ProviderError),
}

impl From<bool> for End {
    fn from(is_stated: bool) -> Self {
        if is_stated { Self::Stated } else { Self::Uncertain }
    }
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
    /// The addresses of next pages, without credentials.
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
                names_next: false,
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
            reader.addresses.clone_from(&position.addresses);
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
        (self.so_far.pages > 0).then(|| ListPosition {
            settings: self.client.list_settings(),
            saved_at: Utc::now().timestamp(),
            address: self.client.without_credentials(&self.address).to_string(),
            ids: self.ids.iter().filter(|id| !skipped.contains(id.as_str())).cloned().collect(),
            addresses: self.addresses.clone(),
            so_far: self.so_far.clone(),
        })
    }

    /// Reads the next page; returns whether there may be another. On [`ProviderError::RequestLimit`] and on a
    /// `Retry-After` beyond the time of the sync, the next sync can continue at [`Self::position`].
    pub(super) fn read_page(&mut self, to_item: &dyn Fn(Value) -> PageItem) -> Result<bool, ProviderError> {
        let next = match self.client.page(&self.address, self.so_far.pages == 0, to_item) {
            Ok(Some(page)) => self.add(page)?,
            Ok(None) => {
                self.so_far.names_next = false;
                Next::End(End::Stated)
            }
            Err(error) => Next::End(self.end_of(error)?),
        };
        match next {
            Next::Page(address) => self.address = address,
            Next::End(end) => {
                self.end(end);
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
        let paging = &self.client.config.paging;
        let count = page.items.len();
        let ids: Vec<Option<String>> = page.items.iter().map(|item| item.id().map(str::to_owned)).collect();
        self.so_far.names_next = self.next_in(&page.rest).is_some();
        if self.is_numbered() && ids.iter().any(Option::is_some) && ids == self.so_far.last_page {
            // A provider without paging repeats its list; one that limits the page number repeats the last page. A
            // full first page can also be the first of many from a provider that ignores the number.
            let is_whole = self.so_far.pages > 1 || count != paging.size as usize || self.is_total_reached();
            return Ok(Next::End(is_whole.into()));
        }
        if let Some(total) = first_value(&[&page.rest], &paging.total).and_then(whole_number) {
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
        self.so_far.last_page = ids;
        self.so_far.pages_without_new_ids = if has_new_ids { 0 } else { self.so_far.pages_without_new_ids + 1 };
        if self.is_numbered() && self.so_far.pages_without_new_ids >= MAX_NUMBERED_WITHOUT_NEW_IDS {
            return Ok(Next::End(End::Uncertain));
        }
        if self.so_far.pages_without_new_ids >= MAX_NAMED_WITHOUT_NEW_IDS {
            return Ok(Next::End(End::Cut(ProviderError::PagingLoop)));
        }
        if self.so_far.total.is_some_and(|total| total < self.so_far.listed) {
            // It counts something else, such as the pages or the items of a page.
            self.so_far.total = None;
        }
        // On the first page the "total" may be the number of items on the page.
        let is_page_count = self.so_far.pages == 0 && self.so_far.total == Some(count as u64);
        let is_whole = self.is_total_reached() && !is_page_count && !self.so_far.names_next;
        if count > 0 && self.is_numbered() && is_whole {
            return Ok(Next::End(End::Stated));
        }
        Ok(self.next(&page.rest, count))
    }

    /// Adds the items of a page; returns whether one of them has a new id.
    fn add_items(&mut self, items: Vec<PageItem>) -> bool {
        let is_new = |item: &PageItem| item.id().is_some_and(|id| !self.ids.contains(id));
        let has_new_ids = items.iter().any(is_new);
        let is_repeated = !has_new_ids && items.iter().all(|item| item.id().is_some());
        if is_repeated && self.so_far.pages > 0 {
            self.so_far.is_certain &= items.is_empty();
            return false;
        }
        for item in items {
            let duplicate = item.id().filter(|id| !self.ids.insert((*id).to_owned()));
            // Where one item is listed twice, another can be skipped; one without an id can be any of those missing.
            self.so_far.is_certain &= item.id().is_some() && duplicate.is_none();
            self.so_far.listed += u64::from(duplicate.is_none());
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

    /// What names the next page in the body around the list.
    fn next_in<'v>(&self, rest: &'v Value) -> Option<&'v Value> {
        self.client
            .config
            .paging
            .next
            .iter()
            .filter_map(|pointer| rest.pointer(&pointer.0))
            .find(|value| is_next(value))
    }

    fn next(&mut self, rest: &Value, count: usize) -> Next {
        let paging = &self.client.config.paging;
        let mut address = self.address.clone();
        match paging.mode {
            PagingMode::None => return Next::End(End::Stated),
            PagingMode::Page | PagingMode::Offset if count == 0 => return Next::End(End::Stated),
            PagingMode::Page => {
                let next = u64::from(paging.first) + self.so_far.pages as u64 + 1;
                set_parameter(&mut address, &paging.parameter, &next.to_string());
            }
            PagingMode::Offset => set_parameter(&mut address, &paging.parameter, &self.so_far.offset.to_string()),
            PagingMode::Cursor | PagingMode::Next => {
                let Some(value) = self.next_in(rest) else {
                    // Without the key on any page, a full page can be the first of many.
                    let has_key = self.so_far.pages > 0 || paging.next.iter().any(|key| rest.pointer(&key.0).is_some());
                    return Next::End((has_key || count < paging.size as usize).into());
                };
                address = match self.named_address(value) {
                    Ok(address) => address,
                    Err(problem) => return Next::End(End::Cut(problem)),
                };
                if !self.addresses.insert(self.client.without_credentials(&address).to_string()) {
                    // Some providers end a list with an empty page that repeats the cursor.
                    self.so_far.names_next = count > 0;
                    let end = if count == 0 { End::Stated } else { End::Cut(ProviderError::PagingLoop) };
                    return Next::End(end);
                }
            }
        }
        Next::Page(address)
    }

    /// The address of the next page that a page names.
    fn named_address(&self, value: &Value) -> Result<Url, ProviderError> {
        let paging = &self.client.config.paging;
        let name = match (value, paging.mode) {
            (Value::String(text), _) => text.trim().to_owned(),
            (Value::Number(number), PagingMode::Cursor) => number.to_string(),
            (Value::Object(link), PagingMode::Next) => {
                let texts = ADDRESS_KEYS.iter().filter_map(|key| link.get(*key)?.as_str()).map(str::trim);
                let mut texts = texts.filter(|text| !text.is_empty());
                texts.next().ok_or(ProviderError::UnreadableNextPage)?.to_owned()
            }
            _ => return Err(ProviderError::UnreadableNextPage),
        };
        let mut address = self.address.clone();
        if paging.mode == PagingMode::Cursor {
            set_parameter(&mut address, &paging.parameter, &name);
            return Ok(address);
        }
        let address = address.join(&name).map_err(ProviderError::InvalidNextPage)?;
        if address.origin() == self.client.base.origin() { Ok(address) } else { Err(ProviderError::ForeignNextPage) }
    }

    /// How the list ends after a failed request for a page.
    fn end_of(&self, error: ProviderError) -> Result<End, ProviderError> {
        let problem = match error {
            error if self.so_far.pages == 0 => return Err(error),
            ProviderError::NotFound { path } => ProviderError::NextPageMissing { path, status: 404 },
            ProviderError::Rejected { path, status } if matches!(status, 400 | 410 | 416 | 422) => {
                ProviderError::NextPageMissing { path, status }
            }
            ProviderError::NoList { .. } => ProviderError::NextPageWithoutList { path: self.address.path().to_owned() },
            error => return Err(error),
        };
        if !self.is_numbered() {
            return Ok(End::Cut(problem));
        }
        // Some providers respond to a page beyond the last like this. After a full page it can also be an error.
        // A page as long as the first is full if the provider limits the size of a page.
        let full =
            if self.so_far.pages > 1 { self.so_far.first_length } else { self.client.config.paging.size as usize };
        let is_short = self.so_far.last_page.len() < full;
        Ok((is_short || self.is_total_reached()).into())
    }

    /// Decides whether the list is complete, uncertain (nothing is hidden) or cut (which is a problem as well).
    fn end(&mut self, end: End) {
        let PagesSoFar { listed, names_next, is_certain, .. } = self.so_far;
        let is_stated = matches!(end, End::Stated);
        self.problem = match (end, self.so_far.total) {
            (End::Cut(problem), _) => Some(problem),
            _ if names_next => Some(ProviderError::NextPageNotFollowed),
            (_, Some(total)) if total > listed => Some(ProviderError::EndsEarly { listed, total }),
            _ => None,
        };
        self.is_complete = self.problem.is_none() && is_stated && is_certain;
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
        self.get_json(&self.first_page()?, PROBE_ATTEMPTS)
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

/// A count that is written as a number, such as 250 or 250.0, or as a text.
fn whole_number(value: &Value) -> Option<u64> {
    let text = value.as_str().map_or_else(|| value.to_string(), |text| text.trim().to_owned());
    text.strip_suffix(".0").unwrap_or(&text).parse().ok()
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
