//! The provider's whole list of events, page by page.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;
use url::Url;

use super::super::mapping;
pub(in super::super) use super::super::mapping::ListingEntry;
use super::{Client, ProviderError, first_value, json_stream};
use crate::platform::config::Brandlive;
use crate::platform::config::brandlive::{PagingMode, Pointer};

/// More pages than any calendar has: the provider's list does not end.
const MAX_PAGES: usize = 1_000;
/// More events than any calendar has.
const MAX_ITEMS: usize = 20_000;

struct Page {
    entries: Vec<ListingEntry>,
    /// The body without its list, which may hold the next cursor.
    rest: Value,
}

/// Fetches the whole list. `on_progress` receives the number of items so far.
pub(in super::super) fn fetch_all(
    config: &Brandlive,
    on_progress: &dyn Fn(usize),
) -> Result<Vec<ListingEntry>, ProviderError> {
    let client = Client::start(config)?;
    let is_numbered = matches!(config.paging.mode, PagingMode::Page | PagingMode::Offset);
    let mut entries: Vec<ListingEntry> = Vec::new();
    let mut ids = HashSet::new();
    let mut addresses = HashSet::new();
    let mut address = client.first_page()?;
    let mut offset = 0;
    for number in 0..MAX_PAGES {
        let page = match client.page(&address) {
            // Some providers respond to a page beyond the last like this.
            Err(ProviderError::NotFound { .. }) if number > 0 && is_numbered => return Ok(entries),
            page => page?,
        };
        let count = page.entries.len();
        offset += count;
        let (ids_before, entries_before) = (ids.len(), entries.len());
        for entry in page.entries {
            match entry.id() {
                Some(id) if !ids.insert(id.to_owned()) => entries.push(ListingEntry::duplicate(id)),
                _ => entries.push(entry),
            }
        }
        // A page without any new id: the list is over, or the provider ignores the page number.
        if is_numbered && ids.len() == ids_before {
            if number > 0 {
                entries.truncate(entries_before);
            }
            return Ok(entries);
        }
        if entries.len() > MAX_ITEMS {
            return Err(ProviderError::TooManyItems { items: MAX_ITEMS });
        }
        on_progress(entries.len());
        address = match client.next_page(&address, &page.rest, number, offset)? {
            None => return Ok(entries),
            Some(next) if addresses.insert(next.to_string()) => next,
            // Some providers end a list with an empty page that repeats the cursor.
            Some(_) if count == 0 => return Ok(entries),
            Some(_) => return Err(ProviderError::PagingLoop),
        };
    }
    Err(ProviderError::TooManyPages { pages: MAX_PAGES })
}

impl Client<'_> {
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

    fn next_page(
        &self,
        current: &Url,
        rest: &Value,
        number: usize,
        offset: usize,
    ) -> Result<Option<Url>, ProviderError> {
        let paging = &self.config.paging;
        let mut address = current.clone();
        match paging.mode {
            PagingMode::None => return Ok(None),
            PagingMode::Page => {
                let next = u64::from(paging.first) + number as u64 + 1;
                set_parameter(&mut address, &paging.parameter, &next.to_string());
            }
            PagingMode::Offset => set_parameter(&mut address, &paging.parameter, &offset.to_string()),
            PagingMode::Cursor | PagingMode::Next => {
                let cursor = match first_value(&[rest], &paging.next) {
                    Some(Value::String(text)) if !text.trim().is_empty() => text.trim().to_owned(),
                    Some(Value::Number(number)) => number.to_string(),
                    _ => return Ok(None),
                };
                if paging.mode == PagingMode::Cursor {
                    set_parameter(&mut address, &paging.parameter, &cursor);
                } else {
                    address = current.join(&cursor).map_err(ProviderError::InvalidNextPage)?;
                    if address.origin() != self.base.origin() {
                        return Err(ProviderError::ForeignNextPage);
                    }
                }
            }
        }
        Ok(Some(address))
    }

    fn page(&self, address: &Url) -> Result<Page, ProviderError> {
        let body = self.get(address)?;
        let segments: Vec<Vec<String>> = self.config.items.iter().map(Pointer::segments).collect();
        let pointers: Vec<json_stream::ListPointer<'_>> = segments.iter().map(Vec::as_slice).enumerate().collect();
        let mut lists: BTreeMap<usize, Vec<PageItem>> = BTreeMap::new();
        let has_details = !self.config.detail_path.0.is_empty();
        let rest = json_stream::read(&body, &pointers, &mut |pointer, item| {
            let list = lists.entry(pointer).or_default();
            match item {
                Some(item) if has_details => list.push(PageItem::Raw(item)),
                Some(item) => list.push(PageItem::Mapped(mapping::map_item(self.config, &[&item]))),
                None => {}
            }
        })
        .map_err(|source| ProviderError::invalid_json(address.path(), &body, source))?;
        drop(body);
        let Some((_, list)) = lists.pop_first() else {
            let pointers: Vec<&str> = self.config.items.iter().map(|pointer| pointer.0.as_str()).collect();
            return Err(ProviderError::NoList { pointers: pointers.join("\", \"") });
        };
        let entries = list.into_iter().map(|item| self.entry(item)).collect::<Result<_, ProviderError>>()?;
        Ok(Page { entries, rest })
    }

    /// Maps an item of the list, together with its details where those are configured.
    fn entry(&self, item: PageItem) -> Result<ListingEntry, ProviderError> {
        let item = match item {
            PageItem::Mapped(entry) => return Ok(entry),
            PageItem::Raw(item) => item,
        };
        let Some(id) = mapping::id_of(self.config, &item) else { return Ok(mapping::map_item(self.config, &[&item])) };
        let segment: String =
            url::form_urlencoded::byte_serialize(id.as_bytes()).collect::<String>().replace('+', "%20");
        let details = self.get_json(&self.address(&self.config.detail_path.0.replace("{id}", &segment))?)?;
        let inner = ["/data", "/event", "/data/event"]
            .iter()
            .find_map(|pointer| details.pointer(pointer).filter(|value| value.is_object()));
        Ok(mapping::map_item(self.config, &[inner.unwrap_or(&details), &item]))
    }

    /// The first page as JSON, for `--probe`.
    pub(super) fn first_page_json(&self) -> Result<Value, ProviderError> {
        self.get_json(&self.first_page()?)
    }
}

enum PageItem {
    Mapped(ListingEntry),
    Raw(Value),
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
