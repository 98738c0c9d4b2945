//! The provider's list of events, page by page.

use std::collections::{BTreeSet, HashSet};

use chrono::Utc;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

use super::super::mapping::{self, ListEntry};
use super::page::{Count, Links, Page, PageItem, PageResponse, count_at, flag, set_parameter};
use super::{Client, ProviderError};
use crate::platform::config::brandlive::PagingMode;

/// More pages than any calendar has; a longer list is treated as endless.
const MAX_PAGES: usize = 1_000;
/// More events than any calendar has.
const MAX_ITEMS: usize = 20_000;
/// Pages in a row without a new id, after which a numbered list ends.
const MAX_NUMBERED_WITHOUT_NEW_IDS: u32 = 3;
/// The same for a list whose pages name the next one, which can be empty in between.
const MAX_NAMED_WITHOUT_NEW_IDS: u32 = 20;
/// The age in seconds at which a list that was read in part is read from its beginning.
const MAX_POSITION_AGE: i64 = 24 * 3_600;

/// The keys of the URL in an object instead of a next URL.
pub(super) const URL_KEYS: [&str; 2] = ["href", "url"];

/// Where to continue a list that is read over several syncs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ListPosition {
    /// The settings of the list, without credentials.
    settings: String,
    /// Seconds since 1970.
    saved_at: i64,
    /// The next page, without credentials. In stored resume states, it, the next URLs and the state have the names of an
    /// earlier release.
    #[serde(rename = "address")]
    url: String,
    /// The ids on the pages so far.
    ids: Vec<String>,
    /// The URLs of next pages so far, without credentials.
    #[serde(rename = "addresses")]
    next_urls: HashSet<String>,
    #[serde(rename = "so_far")]
    state: PagingState,
}

/// What is known of the list from the pages so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct PagingState {
    /// The number of pages.
    pages: usize,
    /// The number of items, repeated ones included.
    offset: usize,
    /// The number of items, each id counted once.
    listed: u64,
    /// The ids of the items on the last page. In stored resume states, this and the next one have the names of an earlier
    /// release.
    #[serde(rename = "last_page")]
    last_page_ids: Vec<Option<String>>,
    /// The number of items on the first page.
    #[serde(rename = "first_length")]
    items_on_first_page: usize,
    /// The number of items on all pages that the provider states.
    total: Option<u64>,
    /// The number of pages that the provider states.
    total_pages: Option<u64>,
    /// The number of the last page with items, from 1.
    #[serde(default)]
    last_with_items: u64,
    /// Whether the pages so far give no reason to assume skipped items: no item twice, none without an id, and no page
    /// whose body gives a reason to doubt its list.
    is_certain: bool,
    /// The number of pages since the last one with a new id.
    pages_without_new_ids: u32,
    /// Whether the last page names a next one.
    names_next: bool,
    /// Whether a flag on the last page states that there are more.
    #[serde(default)]
    has_more: bool,
    /// The settings and pointers whose values can't be read.
    #[serde(default)]
    unreadable: BTreeSet<String>,
}

/// An item whose details are to be requested.
pub(super) struct PendingDetails {
    /// The index of its placeholder in the entries; `None` if it was on a page of an earlier sync.
    pub(super) index: Option<usize>,
    /// The provider's id.
    pub(super) id: String,
    /// Its form in the list.
    pub(super) item: Value,
}

/// Whether there is another page.
enum Next {
    Page(Url),
    End(End),
}

/// How a list ends.
enum End {
    /// As the provider states, or as a list without pages does.
    Stated,
    /// There may be more pages.
    Uncertain,
    /// There are more pages, or a page can't be read.
    Incomplete(ProviderError),
}

impl End {
    /// [`Self::Stated`] or [`Self::Uncertain`].
    fn stated_if(is_stated: bool) -> Self {
        if is_stated { Self::Stated } else { Self::Uncertain }
    }
}

/// Reads the list page by page.
pub(super) struct ListReader<'r> {
    client: &'r Client<'r>,
    /// The items of the pages that this sync read.
    pub(super) entries: Vec<ListEntry>,
    /// Those of these items whose details are to be requested.
    pub(super) pending: Vec<PendingDetails>,
    /// The ids on all pages, those of earlier syncs included.
    pub(super) ids: HashSet<String>,
    /// Whether an id outside of `ids` is missing for certain.
    pub(super) is_complete: bool,
    /// Why the list ended early.
    pub(super) problem: Option<ProviderError>,
    /// Whether earlier syncs read the first pages.
    pub(super) is_resumed: bool,
    /// The number of pages that this sync read.
    pages: usize,
    /// The next page.
    url: Url,
    state: PagingState,
    /// The URLs of next pages, without credentials.
    next_urls: HashSet<String>,
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
            pages: 0,
            url: client.first_page()?,
            state: PagingState {
                pages: 0,
                offset: 0,
                listed: 0,
                last_page_ids: Vec::new(),
                items_on_first_page: client.config.paging.size as usize,
                total: None,
                total_pages: None,
                last_with_items: 0,
                is_certain: true,
                pages_without_new_ids: 0,
                names_next: false,
                has_more: false,
                unreadable: BTreeSet::new(),
            },
            next_urls: HashSet::new(),
        };
        if let Some(position) = position
            && position.settings == client.list_settings()
            && (0..MAX_POSITION_AGE).contains(&(Utc::now().timestamp() - position.saved_at))
            && let Ok(url) = Url::parse(&position.url)
        {
            (reader.url, reader.state, reader.is_resumed) = (url, position.state.clone(), true);
            reader.ids = position.ids.iter().cloned().collect();
            reader.next_urls.clone_from(&position.next_urls);
        }
        Ok(reader)
    }

    /// Whether the list has no items at all.
    pub(super) fn is_empty(&self) -> bool {
        self.state.listed == 0
    }

    /// The next page, for the next sync; `None` for the first page.
    pub(super) fn position(&self) -> Option<ListPosition> {
        let skipped: HashSet<&str> =
            self.entries.iter().filter(|entry| entry.is_skipped()).filter_map(ListEntry::id).collect();
        (self.state.pages > 0).then(|| ListPosition {
            settings: self.client.list_settings(),
            saved_at: Utc::now().timestamp(),
            url: self.client.without_credentials(&self.url).to_string(),
            ids: self.ids.iter().filter(|id| !skipped.contains(id.as_str())).cloned().collect(),
            next_urls: self.next_urls.clone(),
            state: self.state.clone(),
        })
    }

    /// The settings under `[brandlive.paging]`, with a pointer each, whose values can't be read.
    pub(super) fn unreadable(&self) -> impl Iterator<Item = &String> {
        self.state.unreadable.iter()
    }

    /// Reads the next page; returns whether there may be another. If the time or the limits of the sync are over, or
    /// the provider requests a longer wait, the next sync can continue at [`Self::position`]. Other errors are returned
    /// only for the first page that this sync requests; later, they end the list.
    pub(super) fn read_page(&mut self, to_item: &dyn Fn(Value) -> PageItem) -> Result<bool, ProviderError> {
        let next = match self.client.page(&self.url, self.state.pages == 0, to_item) {
            Ok(PageResponse::Page(page)) => self.add(page),
            // A page that the provider names exists.
            Ok(PageResponse::NoContent | PageResponse::EmptyBody) if !self.is_numbered() && self.state.pages > 0 => {
                Next::End(End::Incomplete(self.without_list()))
            }
            Ok(PageResponse::EmptyBody) => Next::End(self.end_at_missing_page(self.without_list())),
            Ok(PageResponse::NoContent) => {
                (self.state.names_next, self.state.has_more) = (false, false);
                Next::End(End::Stated)
            }
            Ok(PageResponse::NoList) => Next::End(End::Incomplete(self.without_list())),
            Err(error) => Next::End(self.end_of(error)?),
        };
        self.pages += 1;
        match next {
            Next::Page(_) if self.state.pages + 1 >= MAX_PAGES => {
                self.end(End::Incomplete(ProviderError::TooManyPages { pages: MAX_PAGES }));
                return Ok(false);
            }
            Next::Page(url) => self.url = url,
            Next::End(end) => {
                self.end(end);
                return Ok(false);
            }
        }
        self.state.pages += 1;
        Ok(true)
    }

    /// Adds a page and decides whether there is another.
    fn add(&mut self, page: Page) -> Next {
        let paging = &self.client.config.paging;
        let count = page.items.len();
        let ids: Vec<Option<String>> = page.items.iter().map(|item| item.id().map(str::to_owned)).collect();
        let is_link_read = !paging.next.is_empty() && page.links.next.is_some();
        self.state.names_next = is_link_read || self.next_in(&page.rest).is_some();
        self.state.has_more = self.has_more(&page.rest);
        if self.is_numbered() && ids.iter().any(Option::is_some) && ids == self.state.last_page_ids {
            // A provider without paging repeats its list; one that limits the page number repeats the last page. A
            // full first page can also be the first of many from a provider that ignores the number.
            let is_whole = self.state.pages > 1 || count != paging.size as usize || self.is_total_reached();
            return Next::End(End::stated_if(is_whole));
        }
        self.read_counts(&page);
        self.state.is_certain &= !page.is_doubtful;
        if self.state.pages == 0 {
            self.state.items_on_first_page = count;
        }
        if count > 0 {
            self.state.last_with_items = self.state.pages as u64 + 1;
        }
        self.state.offset += count;
        let has_new_ids = self.add_items(page.items);
        if self.state.listed > MAX_ITEMS as u64 {
            return Next::End(End::Incomplete(ProviderError::TooManyItems { items: MAX_ITEMS }));
        }
        self.state.last_page_ids = ids;
        self.state.pages_without_new_ids = if has_new_ids { 0 } else { self.state.pages_without_new_ids + 1 };
        if self.is_numbered() && self.state.pages_without_new_ids >= MAX_NUMBERED_WITHOUT_NEW_IDS {
            return Next::End(End::Uncertain);
        }
        if self.state.pages_without_new_ids >= MAX_NAMED_WITHOUT_NEW_IDS {
            return Next::End(End::Incomplete(ProviderError::PagingLoop));
        }
        if self.state.total.is_some_and(|total| total < self.state.listed) {
            // It counts something else, such as the pages or the items of a page.
            self.state.total = None;
        }
        // On the first page the "total" may be the number of items on the page.
        let is_page_count = self.state.pages == 0 && self.state.total == Some(count as u64);
        let is_whole = self.is_total_reached() && !is_page_count && !self.state.names_next && !self.states_more_pages();
        if count > 0 && self.is_numbered() && is_whole {
            return Next::End(End::Stated);
        }
        self.next(&page.rest, &page.links, count)
    }

    /// Reads the numbers of items and pages that a page states.
    fn read_counts(&mut self, page: &Page) {
        let paging = &self.client.config.paging;
        let counts = [("total", &paging.total), ("total_pages", &paging.total_pages)];
        let [total, total_pages] = counts.map(|(setting, pointers)| match count_at(&page.rest, pointers) {
            Count::Known(number) => Some(number),
            Count::Unknown => None,
            Count::Unreadable(pointer) => {
                self.state.unreadable.insert(format!("{setting} at {}", pointer.0));
                None
            }
        });
        let total = total.or(page.total.filter(|_| !paging.total.is_empty()));
        if total.is_none() && page.has_unreadable_total && !paging.total.is_empty() {
            self.state.unreadable.insert("total in the header X-Total-Count".to_owned());
        }
        self.state.total = total.or(self.state.total);
        self.state.total_pages = total_pages.or(self.state.total_pages);
    }

    /// Whether a flag on a page states that there are more.
    fn has_more(&mut self, rest: &Value) -> bool {
        let mut has_more = false;
        for pointer in &self.client.config.paging.more {
            match rest.pointer(&pointer.0).filter(|value| mapping::has_content(value)).map(flag) {
                Some(Some(value)) => has_more |= value,
                Some(None) => {
                    self.state.unreadable.insert(format!("more at {}", pointer.0));
                }
                None => {}
            }
        }
        has_more
    }

    /// Whether there are more pages according to a flag on the last page or to the number of pages.
    fn states_more_pages(&self) -> bool {
        self.state.has_more || self.state.total_pages.is_some_and(|stated| stated > self.state.pages as u64 + 1)
    }

    /// Adds the items of a page; returns whether one of them has a new id.
    fn add_items(&mut self, items: Vec<PageItem>) -> bool {
        let is_new = |item: &PageItem| item.id().is_some_and(|id| !self.ids.contains(id));
        let has_new_ids = items.iter().any(is_new);
        let is_repeated = !has_new_ids && items.iter().all(|item| item.id().is_some());
        if is_repeated && self.state.pages > 0 {
            self.state.is_certain &= items.is_empty();
            return false;
        }
        for item in items {
            let duplicate = item.id().filter(|id| !self.ids.insert((*id).to_owned()));
            // Where one item is listed twice, another can be skipped; one without an id can be any of those missing.
            self.state.is_certain &= item.id().is_some() && duplicate.is_none();
            self.state.listed += u64::from(duplicate.is_none());
            let entry = match duplicate.map(ListEntry::duplicate) {
                Some(entry) => entry,
                None => match item {
                    PageItem::Mapped(entry) => entry,
                    PageItem::NeedsDetails { id, item } => {
                        let placeholder = mapping::without_details(self.client.config, &item, false);
                        self.pending.push(PendingDetails { index: Some(self.entries.len()), id, item });
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

    fn next(&mut self, rest: &Value, links: &Links, count: usize) -> Next {
        let paging = &self.client.config.paging;
        let mut url = self.url.clone();
        match paging.mode {
            PagingMode::None => return Next::End(End::Stated),
            // An empty page can be one of many whose items are filtered out, but an offset would not change.
            PagingMode::Page if count == 0 && !self.states_more_pages() => return Next::End(End::Stated),
            PagingMode::Offset if count == 0 => return Next::End(End::Stated),
            PagingMode::Page => {
                let next = u64::from(paging.first) + self.state.pages as u64 + 1;
                set_parameter(&mut url, &paging.parameter, &next.to_string());
            }
            PagingMode::Offset => set_parameter(&mut url, &paging.parameter, &self.state.offset.to_string()),
            PagingMode::Cursor | PagingMode::Next => {
                let link = links.next.clone().filter(|_| paging.mode == PagingMode::Next).map(Value::String);
                let Some(value) = self.next_in(rest).or(link.as_ref()) else {
                    // Without the key on any page, a full page can be the first of many.
                    let has_key = self.state.pages > 0
                        || (links.has_any && paging.mode == PagingMode::Next)
                        || paging.next.iter().any(|key| rest.pointer(&key.0).is_some());
                    return Next::End(End::stated_if(has_key || count < paging.size as usize));
                };
                url = match self.named_url(value) {
                    Ok(url) => url,
                    Err(problem) => return Next::End(End::Incomplete(problem)),
                };
                if !self.next_urls.insert(self.client.without_credentials(&url).to_string()) {
                    // Some providers end a list with an empty page that repeats the cursor.
                    self.state.names_next = count > 0;
                    let end = if count == 0 { End::Stated } else { End::Incomplete(ProviderError::PagingLoop) };
                    return Next::End(end);
                }
            }
        }
        Next::Page(url)
    }

    /// The URL of the next page that a page names.
    fn named_url(&self, value: &Value) -> Result<Url, ProviderError> {
        let paging = &self.client.config.paging;
        let name = match (value, paging.mode) {
            (Value::String(text), _) => text.trim().to_owned(),
            (Value::Number(number), PagingMode::Cursor) => number.to_string(),
            (Value::Object(link), PagingMode::Next) => {
                let texts = URL_KEYS.iter().filter_map(|key| link.get(*key)?.as_str()).map(str::trim);
                let mut texts = texts.filter(|text| !text.is_empty());
                texts.next().ok_or(ProviderError::UnreadableNextPage)?.to_owned()
            }
            _ => return Err(ProviderError::UnreadableNextPage),
        };
        let mut url = self.url.clone();
        if paging.mode == PagingMode::Cursor {
            set_parameter(&mut url, &paging.parameter, &name);
            return Ok(url);
        }
        let url = url.join(&name).map_err(ProviderError::InvalidNextPage)?;
        if url.origin() == self.client.base.origin() { Ok(url) } else { Err(ProviderError::ForeignNextPage) }
    }

    /// How the list ends after a failed request for a page.
    fn end_of(&self, error: ProviderError) -> Result<End, ProviderError> {
        let problem = match error {
            error if self.state.pages == 0 || error.interrupts() => return Err(error),
            ProviderError::NotFound { path } => ProviderError::NextPageMissing { path, status: 404 },
            ProviderError::Rejected { path, status } if matches!(status, 400 | 410 | 416 | 422) => {
                ProviderError::NextPageMissing { path, status }
            }
            error if self.pages == 0 => return Err(error),
            error => return Ok(End::Incomplete(ProviderError::PageFailed { source: Box::new(error) })),
        };
        Ok(self.end_at_missing_page(problem))
    }

    /// The problem of a next page without a list.
    fn without_list(&self) -> ProviderError {
        ProviderError::NextPageWithoutList { path: self.url.path().to_owned() }
    }

    /// How the list ends at a page that does not exist.
    fn end_at_missing_page(&self, problem: ProviderError) -> End {
        if !self.is_numbered() {
            return End::Incomplete(problem);
        }
        // Some providers respond to a page beyond the last like this. After a full page it can also be an error.
        // A page as long as the first is full if the provider limits the size of a page.
        let full =
            if self.state.pages > 1 { self.state.items_on_first_page } else { self.client.config.paging.size as usize };
        let is_short = self.state.last_page_ids.len() < full;
        End::stated_if(is_short || self.is_total_reached())
    }

    /// Decides whether the list is complete, uncertain (nothing is hidden) or incomplete (which is a problem as well).
    fn end(&mut self, end: End) {
        let PagingState { listed, names_next, has_more, is_certain, last_with_items: read, .. } = self.state;
        let is_stated = matches!(end, End::Stated);
        self.problem = match (end, self.state.total, self.state.total_pages) {
            (End::Incomplete(problem), ..) => Some(problem),
            _ if names_next => Some(ProviderError::NextPageNotFollowed),
            _ if has_more => Some(ProviderError::EndsBeforeMore),
            (_, Some(total), _) if total > listed => Some(ProviderError::EndsEarly { listed, total }),
            (_, _, Some(stated)) if stated > read.max(1) && !self.is_total_certain() => {
                Some(ProviderError::EndsBeforeLastPage { read, stated })
            }
            _ => None,
        };
        // A value that can't be read may state that there are more.
        let is_readable = self.state.unreadable.is_empty();
        self.is_complete = self.problem.is_none() && is_stated && is_certain && is_readable;
    }

    fn is_numbered(&self) -> bool {
        matches!(self.client.config.paging.mode, PagingMode::Page | PagingMode::Offset)
    }

    fn is_total_reached(&self) -> bool {
        self.state.total.is_some_and(|total| self.state.listed >= total)
    }

    /// Whether the total is reached and can't be the number of items on the only page.
    fn is_total_certain(&self) -> bool {
        let size = self.client.config.paging.size as usize;
        self.is_total_reached() && (self.state.last_with_items > 1 || self.state.items_on_first_page > size)
    }
}

/// Whether a value names a next page, in any form; null, false and blank values name none.
fn is_next(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Bool(true) | Value::Number(_) => true,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(list) => !list.is_empty(),
        // JSON:API and HAL wrap the URL in an object, even if there is no next URL.
        Value::Object(link) => {
            let mut urls = URL_KEYS.iter().filter_map(|key| link.get(*key)).peekable();
            if urls.peek().is_some() { urls.any(is_next) } else { !link.is_empty() }
        }
    }
}
