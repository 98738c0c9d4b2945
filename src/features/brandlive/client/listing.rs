//! The whole list of events, page by page, before anything is written.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;
use url::Url;

use super::super::mapping::{self, Entry};
use super::{Client, NOT_THERE, Said, first, not_json, outline};
use crate::platform::config::Brandlive;
use crate::platform::config::brandlive::PagingWay;

/// More pages than any calendar has: a provider that never ends its list.
const PAGES: usize = 1_000;
/// More events than any calendar has.
const ITEMS: usize = 20_000;

/// Everything that the provider lists.
#[derive(Debug, Default)]
pub(in super::super) struct Listing {
    /// Each id once.
    pub(in super::super) entries: Vec<Entry>,
}

struct Page {
    entries: Vec<Entry>,
    rest: Value,
}

/// Fetches the whole list. `fetched` is told how many items there are so far.
pub(in super::super) fn fetch(config: &Brandlive, fetched: &dyn Fn(usize)) -> Result<Listing, Said> {
    let client = Client::start(config)?;
    let mut listing = Listing::default();
    let mut ids = HashSet::new();
    let mut words = HashSet::new();
    let mut address = client.first_page()?;
    let mut offset = 0;
    for number in 0..PAGES {
        let page = match client.page(&address) {
            Err(said) if number > 0 && by_number(config) && said.ends_with(NOT_THERE) => {
                // Some providers answer so beyond their last page.
                return Ok(listing);
            }
            other => other?,
        };
        let count = page.entries.len();
        offset += count;
        let known = ids.len();
        let before = listing.entries.len();
        for entry in page.entries {
            match entry.id() {
                Some(id) if !ids.insert(id.to_owned()) => listing.entries.push(Entry::twice(id)),
                _ => listing.entries.push(entry),
            }
        }
        // A page without anything new: the list is over, or the provider does not part it at all.
        if by_number(config) && ids.len() == known {
            if number > 0 {
                listing.entries.truncate(before);
            }
            return Ok(listing);
        }
        if listing.entries.len() > ITEMS {
            return Err(format!("Brandlive lists more than {ITEMS} events; check [brandlive.paging]"));
        }
        fetched(listing.entries.len());
        address = match client.next_page(&address, &page.rest, number, offset)? {
            None => return Ok(listing),
            Some(next) if words.insert(next.to_string()) => next,
            // The same word behind an empty page is how some say that this was all.
            Some(_) if count == 0 => return Ok(listing),
            Some(_) => {
                return Err("Brandlive's paging goes in a circle: it names the same next page twice".to_owned());
            }
        };
    }
    Err(format!("Brandlive's list does not end after {PAGES} pages; check [brandlive.paging]"))
}

fn by_number(config: &Brandlive) -> bool {
    matches!(config.paging.way, PagingWay::Page | PagingWay::Offset)
}

impl Client<'_> {
    fn first_page(&self) -> Result<Url, Said> {
        let mut address = self.address(&self.config.list_path.0)?;
        let paging = &self.config.paging;
        if paging.way != PagingWay::None && !paging.size_parameter.is_empty() {
            set(&mut address, &paging.size_parameter, &paging.size.to_string());
        }
        match paging.way {
            PagingWay::Page => set(&mut address, &paging.parameter, &paging.first.to_string()),
            PagingWay::Offset => set(&mut address, &paging.parameter, "0"),
            _ => {}
        }
        Ok(address)
    }

    fn next_page(&self, current: &Url, rest: &Value, number: usize, offset: usize) -> Result<Option<Url>, Said> {
        let paging = &self.config.paging;
        let mut address = current.clone();
        match paging.way {
            PagingWay::None => return Ok(None),
            PagingWay::Page => {
                let next = u64::from(paging.first) + number as u64 + 1;
                set(&mut address, &paging.parameter, &next.to_string());
            }
            PagingWay::Offset => set(&mut address, &paging.parameter, &offset.to_string()),
            PagingWay::Cursor | PagingWay::Next => {
                let word = match first(&[rest], &paging.next) {
                    Some(Value::String(word)) if !word.trim().is_empty() => word.trim().to_owned(),
                    Some(Value::Number(word)) => word.to_string(),
                    _ => return Ok(None),
                };
                if paging.way == PagingWay::Cursor {
                    set(&mut address, &paging.parameter, &word);
                } else {
                    address = current.join(&word).map_err(|_| "Brandlive's next address can't be read".to_owned())?;
                    if address.origin() != self.base.origin() {
                        return Err("Brandlive's next page is on another host, which is not asked".to_owned());
                    }
                }
            }
        }
        Ok(Some(address))
    }

    fn page(&self, address: &Url) -> Result<Page, Said> {
        let answer = self.get(address)?;
        let steps: Vec<Vec<String>> = self.config.items.iter().map(super::Pointer::steps).collect();
        let places: Vec<outline::Place<'_>> = steps.iter().map(Vec::as_slice).enumerate().collect();
        let mut lists: BTreeMap<usize, Vec<Kept>> = BTreeMap::new();
        let detailed = !self.config.detail_path.0.is_empty();
        let rest = outline::read(&answer, &places, &mut |place, item| {
            let list = lists.entry(place).or_default();
            match item {
                Some(item) if detailed => list.push(Kept::Whole(item)),
                Some(item) => list.push(Kept::Read(mapping::read(self.config, &[&item]))),
                None => {}
            }
        })
        .map_err(|_| not_json(address.path(), &answer))?;
        drop(answer);
        let Some((_, list)) = lists.pop_first() else {
            let places: Vec<&str> = self.config.items.iter().map(|place| place.0.as_str()).collect();
            return Err(format!(
                "Brandlive's answer holds no list of events at any of \"{}\"; 'lectern sync-brandlive --probe' shows what it holds",
                places.join("\", \"")
            ));
        };
        let entries = list.into_iter().map(|kept| self.entry(kept)).collect::<Result<_, Said>>()?;
        Ok(Page { entries, rest })
    }

    /// What an item of the list says, together with what is said of it alone where that is asked.
    fn entry(&self, kept: Kept) -> Result<Entry, Said> {
        let item = match kept {
            Kept::Read(entry) => return Ok(entry),
            Kept::Whole(item) => item,
        };
        let Some(id) = mapping::id_of(self.config, &item) else { return Ok(mapping::read(self.config, &[&item])) };
        let segment: String =
            url::form_urlencoded::byte_serialize(id.as_bytes()).collect::<String>().replace('+', "%20");
        let address = self.address(&self.config.detail_path.0.replace("{id}", &segment))?;
        let answer = self.get(&address)?;
        let alone: Value = serde_json::from_slice(&answer).map_err(|_| not_json(address.path(), &answer))?;
        let inner =
            ["/data", "/event", "/data/event"].iter().find_map(|place| alone.pointer(place).filter(|v| v.is_object()));
        Ok(mapping::read(self.config, &[inner.unwrap_or(&alone), &item]))
    }

    /// The first page as it is, for `--probe`.
    pub(in super::super) fn first_answer(&self) -> Result<Value, Said> {
        let address = self.first_page()?;
        let answer = self.get(&address)?;
        serde_json::from_slice(&answer).map_err(|_| not_json(address.path(), &answer))
    }
}

enum Kept {
    Read(Entry),
    Whole(Value),
}

/// Sets a parameter of an address, replacing what it had.
fn set(address: &mut Url, name: &str, value: &str) {
    let others: Vec<(String, String)> = address
        .query_pairs()
        .filter(|(known, _)| known != name)
        .map(|(known, value)| (known.into_owned(), value.into_owned()))
        .collect();
    address.query_pairs_mut().clear().extend_pairs(others).append_pair(name, value);
}
