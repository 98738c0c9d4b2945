//! Fetches the list of events and the details that are due, within the time and the limits of one sync.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::mapping::{self, EventInDetails, Item, ListEntry, SyncFailure};
use super::list::{ListPosition, ListReader, PendingDetails};
use super::page::{PageItem, has_message, reports_error};
use super::request_budget::RequestBudget;
use super::{Client, ProviderError, Secrets, parse};
use crate::platform::clock::timestamp;
use crate::platform::config::brandlive::{CredentialsMode, DetailPath};
use crate::platform::config::{Brandlive, OutgoingNetwork};
use crate::platform::error::ErrorChain;

/// Attempts for the details of one item; the next sync requests them again.
const DETAIL_ATTEMPTS: u32 = 2;
/// Items in a row whose details fail after retries, after which the rest is left to the next sync.
const MAX_DETAIL_FAILURES: u32 = 5;
/// Items without details, after which the provider counts as one without details if no item ever had any.
const MIN_WITHOUT_DETAILS: usize = 3;

/// The length of another id in a message, in characters.
const MAX_ID: usize = 40;

/// The results of earlier syncs.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct FetchState {
    /// The update time of the last synced details by the provider's id; `None` for a sync without one.
    pub(in super::super) update_times: HashMap<String, Option<String>>,
    /// The state from which this sync continues.
    pub(in super::super) resume_state: ResumeState,
}

/// The state from which the next sync continues.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(in super::super) struct ResumeState {
    /// Instants of recent requests in milliseconds since 1970, which count toward the limits.
    sent: Vec<i64>,
    /// The wait that the provider requested.
    pause: Pause,
    /// The items whose details are to be requested.
    details: Vec<DeferredItem>,
    /// Whether to request them before the list, because the list would use up the limits.
    details_first: bool,
    /// Where to continue the list.
    list: Option<ListPosition>,
    /// The ids whose details failed, the latest failure last.
    failed: Vec<String>,
    /// Whether the provider has details.
    has_details: Option<HasDetails>,
}

/// Whether an item ever had details at a URL, or none of them had when all were requested.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct HasDetails {
    /// `base_url` and the path. Its name in stored resume states is that of an earlier release.
    #[serde(rename = "address")]
    url: String,
    value: bool,
}

/// Until when a provider permits no request.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Pause {
    base_url: String,
    /// Milliseconds since 1970.
    until: i64,
}

impl ResumeState {
    /// The number of items whose details are left to the next sync.
    pub(in super::super) fn details(&self) -> usize {
        self.details.len()
    }
}

/// An item whose details are left to the next sync.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct DeferredItem {
    id: String,
    /// Its form in the list.
    item: Value,
}

impl From<&DeferredItem> for PendingDetails {
    fn from(DeferredItem { id, item }: &DeferredItem) -> Self {
        Self { index: None, id: id.clone(), item: item.clone() }
    }
}

/// Why the next sync has to continue a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Interruption {
    /// The configured limits, or the wait that the provider requests.
    RequestLimit,
    /// The sync's time limit was reached.
    Time,
}

/// What a sync fetched.
#[derive(Debug, Default)]
pub(in super::super) struct FetchedList {
    /// The items of the pages that this sync read, and those whose details were left to it.
    pub(in super::super) entries: Vec<ListEntry>,
    /// The ids on all pages, those of earlier syncs included.
    pub(in super::super) ids: HashSet<String>,
    /// Whether an id outside of `ids` is missing for certain.
    pub(in super::super) is_complete: bool,
    /// Whether the list has no items.
    pub(in super::super) is_empty: bool,
    /// What ended the list early, if the next sync continues it.
    pub(in super::super) interruption: Option<Interruption>,
    /// The settings under `[brandlive.paging]`, with a pointer each, whose values can't be read.
    pub(in super::super) unreadable: Vec<String>,
    /// The path at which the provider has no details.
    pub(in super::super) no_details_at: Option<String>,
    /// Why the list or the details ended early.
    pub(in super::super) problem: Option<ProviderError>,
    /// The state from which the next sync continues.
    pub(in super::super) resume_state: ResumeState,
    /// The secrets that the report must not show.
    pub(in super::super) secrets: Secrets,
}

/// Fetches the list and the details that are due. `on_progress` receives the number of items so far. Also returns what
/// the next sync continues from, whether this one succeeded or not.
pub(in super::super) fn fetch(
    config: &Brandlive,
    network: &OutgoingNetwork,
    state: &FetchState,
    on_progress: &dyn Fn(usize),
) -> (ResumeState, Result<FetchedList, ProviderError>) {
    let unchanged = || state.resume_state.clone();
    if config.credentials.mode == CredentialsMode::Token && permits_one_request(config) {
        return (unchanged(), Err(ProviderError::LimitOfOne));
    }
    let paused_until =
        if state.resume_state.pause.base_url == config.base_url.as_str() { state.resume_state.pause.until } else { 0 };
    if let Some(until) = beyond_this_sync(config, paused_until) {
        return (unchanged(), Err(ProviderError::Paused { until }));
    }
    let budget = RequestBudget::new(config, &state.resume_state.sent, paused_until);
    let mut client = match Client::new(config, network, budget) {
        Ok(client) => client,
        Err(error) => return (unchanged(), Err(error)),
    };
    let (result, failed) = match client.sign_in() {
        Ok(()) => {
            let mut fetch = Fetch::new(&client, state);
            let result = fetch.run(on_progress);
            let failed = fetch.failed_until_now();
            let secrets = client.secrets.clone();
            (result.map(|()| FetchedList { secrets, ..fetch.list }), failed)
        }
        // The request for the token counts as well.
        Err(ProviderError::RequestLimit) => {
            let list = FetchedList {
                interruption: Some(Interruption::RequestLimit),
                resume_state: unchanged(),
                ..FetchedList::default()
            };
            (Ok(list), state.resume_state.failed.clone())
        }
        Err(error) => (Err(error), state.resume_state.failed.clone()),
    };
    let mut resume_state = match &result {
        Ok(list) => list.resume_state.clone(),
        // Where a page can't be read, the next sync reads the list from its beginning.
        Err(error) if error.concerns_url() => ResumeState { list: None, ..unchanged() },
        Err(_) => unchanged(),
    };
    let (sent, until) = client.budget.into_inner().into_state();
    (resume_state.sent, resume_state.failed) = (sent, failed);
    resume_state.pause =
        if until > 0 { Pause { base_url: config.base_url.as_str().to_owned(), until } } else { Pause::default() };
    (resume_state, result)
}

/// An instant in milliseconds since 1970 as a text, if it is after the end of a sync that starts now.
fn beyond_this_sync(config: &Brandlive, instant: i64) -> Option<String> {
    let end = Utc::now().timestamp_millis() + i64::from(config.total_seconds) * 1_000;
    (instant >= end).then(|| DateTime::from_timestamp_millis(instant).map(timestamp)).flatten()
}

/// Whether the limits permit only one request in the time of a sync.
fn permits_one_request(config: &Brandlive) -> bool {
    config.requests_per_hour == 1 || (config.requests_per_minute == 1 && config.total_seconds <= 60)
}

/// A running fetch of the list and its details, within the limits of time and requests.
struct Fetch<'f> {
    client: &'f Client<'f>,
    state: &'f FetchState,
    list: FetchedList,
    /// The ids whose details were left to this sync, if it requests them after the list.
    deferred: HashSet<&'f str>,
    /// The ids whose details this sync requests before the list.
    requested_first: HashSet<&'f str>,
    /// The number of details that were requested, whether that succeeded or not.
    requested: usize,
    /// The number of details that were fetched.
    fetched: usize,
    /// The number of consecutive failures of requests for details.
    failures_in_a_row: u32,
    /// The number of pages that were read.
    pages: usize,
    /// The items whose details do not exist at the path of `auto`.
    without_details: Vec<(PendingDetails, ProviderError)>,
    /// The ids whose details failed in this sync.
    failed: Vec<String>,
    /// The ids whose details were fetched.
    succeeded: HashSet<String>,
    /// Whether the provider has details, if that is known.
    has_details: Option<bool>,
    /// Why this sync sends no more requests, if it does not.
    stopped: Option<StopReason>,
}

/// Why a sync sends no more requests.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StopReason {
    /// Its time is used up.
    Time,
    /// The configured number of requests is used up.
    RequestLimit,
    /// The provider rejects or fails requests.
    Provider,
}

impl<'f> Fetch<'f> {
    fn new(client: &'f Client<'f>, state: &'f FetchState) -> Self {
        let ids: HashSet<&str> = state.resume_state.details.iter().map(|item| item.id.as_str()).collect();
        let (deferred, requested_first) =
            if state.resume_state.details_first { (HashSet::new(), ids) } else { (ids, HashSet::new()) };
        Self {
            client,
            state,
            list: FetchedList::default(),
            deferred,
            requested_first,
            requested: 0,
            fetched: 0,
            failures_in_a_row: 0,
            pages: 0,
            without_details: Vec::new(),
            failed: Vec::new(),
            succeeded: HashSet::new(),
            has_details: state
                .resume_state
                .has_details
                .as_ref()
                .filter(|known| known.url == details_url(client.config))
                .map(|known| known.value),
            stopped: None,
        }
    }

    fn run(&mut self, on_progress: &dyn Fn(usize)) -> Result<(), ProviderError> {
        let resume_state = &self.state.resume_state;
        if resume_state.details_first {
            self.fetch_details(resume_state.details.iter().map(PendingDetails::from).collect())?;
        }
        let mut reader = ListReader::start(self.client, resume_state.list.as_ref())?;
        self.read_list(&mut reader, on_progress)?;
        let mut pending = std::mem::take(&mut reader.pending);
        if !resume_state.details_first {
            pending.extend(self.deferred_elsewhere(&reader));
        }
        self.add(reader, &mut pending);
        self.fetch_details(pending)?;
        self.add_items_without_details();
        let url = details_url(self.client.config);
        self.list.resume_state.has_details = self.has_details.map(|value| HasDetails { url, value });
        let list = &mut self.list;
        let is_idle = self.pages == 0 && self.requested == 0;
        let hit_limit = matches!(self.stopped, Some(StopReason::Time | StopReason::RequestLimit));
        let is_list_too_long = hit_limit && (list.interruption.is_some() || self.requested == 0);
        list.resume_state.details_first = !list.resume_state.details.is_empty()
            && if is_idle { resume_state.details_first } else { is_list_too_long };
        for entry in list.entries.iter().filter(|entry| entry.is_skipped()) {
            entry.id().map(|id| list.ids.remove(id));
        }
        Ok(())
    }

    /// The ids whose details failed, in this sync or before without a success since.
    fn failed_until_now(&self) -> Vec<String> {
        let is_listed = |id: &String| !self.list.is_complete || self.list.ids.contains(id);
        let failed: HashSet<&String> = self.failed.iter().collect();
        let former = self.state.resume_state.failed.iter().filter(|id| !failed.contains(id) && is_listed(id));
        former.chain(&self.failed).filter(|id| !self.succeeded.contains(*id)).cloned().collect()
    }

    /// Reads the list until it ends or the sync has to stop.
    fn read_list(&mut self, reader: &mut ListReader<'_>, on_progress: &dyn Fn(usize)) -> Result<(), ProviderError> {
        while self.stopped.is_none() {
            let before = reader.entries.len();
            let result = reader.read_page(&|item| self.page_item(item));
            if reader.entries.len() > before {
                on_progress(reader.entries.len());
            }
            match result {
                Ok(is_more) => {
                    self.pages += 1;
                    if !is_more {
                        return Ok(());
                    }
                }
                Err(error @ ProviderError::RequestLimit) => self.stop(error),
                Err(error @ ProviderError::TotalTimeout { .. }) if self.has_progress() => {
                    self.stop(error);
                }
                Err(error @ ProviderError::GaveUp { retry_after: Some(_), .. })
                    if reader.position().is_some() || self.fetched > 0 =>
                {
                    self.stop(error);
                }
                Err(error) if self.fetched > 0 => {
                    reader.problem = Some(ProviderError::ListFailed { source: Box::new(error) });
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
        }
        self.list.interruption =
            Some(if self.stopped == Some(StopReason::Time) { Interruption::Time } else { Interruption::RequestLimit });
        self.list.resume_state.list = reader.position();
        Ok(())
    }

    /// Whether this sync got anything that the next one does not have to request again.
    fn has_progress(&self) -> bool {
        self.pages > 0 || self.fetched > 0
    }

    /// The items whose details were left to this sync and that are not on the pages that it read.
    fn deferred_elsewhere(&self, reader: &ListReader<'_>) -> Vec<PendingDetails> {
        let read: HashSet<&str> = reader.entries.iter().filter_map(ListEntry::id).collect();
        let is_listed = |id: &str| self.list.interruption.is_some() || (reader.is_resumed && reader.ids.contains(id));
        let details = self.state.resume_state.details.iter();
        details
            .filter(|item| !read.contains(item.id.as_str()) && is_listed(&item.id))
            .map(PendingDetails::from)
            .collect()
    }

    /// Adds the result of the list to the entries so far, to which the indices of its pending items then refer.
    fn add(&mut self, reader: ListReader<'_>, pending: &mut [PendingDetails]) {
        let list = &mut self.list;
        for index in pending.iter_mut().filter_map(|item| item.index.as_mut()) {
            *index += list.entries.len();
        }
        list.is_empty = reader.is_empty() && list.interruption.is_none();
        list.unreadable = reader.unreadable().cloned().collect();
        list.entries.extend(reader.entries);
        (list.ids, list.is_complete) = (reader.ids, reader.is_complete);
        list.problem = list.problem.take().or(reader.problem);
    }

    fn page_item(&self, item: Value) -> PageItem {
        let config = self.client.config;
        let Some(id) = mapping::id_of(config, &item) else {
            return PageItem::Mapped(self.mapped(&[&item], |item| mapping::map_item(config, item)));
        };
        if self.requested_first.contains(id.as_str()) {
            return PageItem::HasDetails { id };
        }
        let needs_details = match config.detail_path {
            DetailPath::Never => false,
            DetailPath::Auto => mapping::may_need_details(config, &item),
            DetailPath::Always(_) => true,
        };
        if !needs_details {
            return PageItem::Mapped(self.mapped(&[&item], |item| mapping::map_item(config, item)));
        }
        let is_due = self.deferred.contains(id.as_str())
            || match (self.state.update_times.get(&id), mapping::details_updated_at(config, &item)) {
                (None, _) => true,
                (Some(synced), Some(updated)) => synced.as_deref() != Some(updated.as_str()),
                // While details are left from the last sync, only those are requested.
                (Some(_), None) => self.deferred.is_empty(),
            };
        if is_due {
            PageItem::NeedsDetails { id, item }
        } else {
            PageItem::Mapped(self.mapped(&[&item], |item| mapping::without_details(config, item[0], true)))
        }
    }

    /// Maps an item. The reason of a failure can quote a value, in which no credentials must be visible, nor a part of
    /// them.
    fn mapped(&self, item: &[&Value], map: impl Fn(&[&Value]) -> ListEntry) -> ListEntry {
        let failure = match map(item) {
            ListEntry(Err(failure)) => failure,
            mapped => return mapped,
        };
        let redacted: Vec<Value> = item.iter().map(|value| self.client.secrets.redact_value(value)).collect();
        let ListEntry(redacted) = map(&redacted.iter().collect::<Vec<_>>());
        ListEntry(Err(match redacted {
            // An id that is too long is quoted in part.
            Err(redacted) if item.iter().all(|value| mapping::id_of(self.client.config, value) != failure.id) => {
                redacted
            }
            Err(redacted) => SyncFailure { id: failure.id, reason: redacted.reason },
            Ok(_) => failure,
        }))
    }

    /// Requests the details of items and adds or replaces their entries: new ones first, and last those whose details
    /// failed before, so that none of them delays the others in every sync.
    fn fetch_details(&mut self, mut pending: Vec<PendingDetails>) -> Result<(), ProviderError> {
        let failed: HashMap<&str, usize> =
            self.state.resume_state.failed.iter().enumerate().map(|(index, id)| (id.as_str(), index)).collect();
        pending.sort_by_key(|item| (failed.get(item.id.as_str()), self.state.update_times.contains_key(&item.id)));
        let mut rest = pending.into_iter();
        while let Some(pending) = rest.next() {
            if self.has_details == Some(false) && self.without_details.len() >= MIN_WITHOUT_DETAILS {
                // A few are enough to notice that the provider still has none.
                let path = self.client.config.detail_path.template().unwrap_or_default();
                let missing = |pending| (pending, ProviderError::NotFound { path: path.to_owned() });
                self.without_details.extend(std::iter::once(pending).chain(rest.by_ref()).map(missing));
                break;
            }
            let result = if self.stopped.is_some() {
                Err(ProviderError::RequestLimit)
            } else {
                self.client.details(&pending.id)
            };
            match result {
                Ok(details) => {
                    (self.failures_in_a_row, self.requested, self.fetched) = (0, self.requested + 1, self.fetched + 1);
                    self.has_details = Some(true);
                    if let Some(other) = mapping::other_id(self.client.config, &details, &pending.item) {
                        let other: String = self.client.secrets.redact(&other).chars().take(MAX_ID).collect();
                        self.add_failure(pending, &format!("its details are those of another event ({other})"));
                        continue;
                    }
                    self.succeeded.insert(pending.id);
                    let map = |value: &[&Value]| mapping::map_details(self.client.config, value[0], value[1]);
                    let mapped = self.mapped(&[&details, &pending.item], map);
                    self.set_entry(pending.index, mapped);
                }
                Err(error) if self.stopped.is_some() || defers_remaining_details(&error, self.has_progress()) => {
                    if self.stopped.is_none() {
                        self.stop(error);
                    }
                    self.defer_details(pending);
                }
                Err(error @ ProviderError::Unauthorized { status: 401 }) => {
                    if !self.has_progress() {
                        return Err(error);
                    }
                    self.stop(error);
                    self.defer_details(pending);
                }
                Err(error @ ProviderError::TotalTimeout { .. }) => {
                    self.failed.push(pending.id);
                    return Err(error);
                }
                Err(error) => {
                    self.requested += 1;
                    let is_failing = matches!(error, ProviderError::GaveUp { .. });
                    self.failures_in_a_row = if is_failing { self.failures_in_a_row + 1 } else { 0 };
                    if self.client.config.detail_path == DetailPath::Auto && is_missing(&error) {
                        self.without_details.push((pending, error));
                        continue;
                    }
                    self.add_failed_request(pending, &error);
                    // Those that failed before are the last, and are left only with others.
                    let has_others = rest.as_slice().iter().any(|item| !failed.contains_key(item.id.as_str()));
                    if self.failures_in_a_row >= MAX_DETAIL_FAILURES && has_others {
                        self.stop(error);
                    }
                }
            }
        }
        Ok(())
    }

    /// Leaves the details of an item to the next sync.
    fn defer_details(&mut self, PendingDetails { id, item, .. }: PendingDetails) {
        self.list.resume_state.details.push(DeferredItem { id, item });
    }

    /// Adds the items whose details do not exist. If those of all do not, the provider has none.
    fn add_items_without_details(&mut self) {
        let items = std::mem::take(&mut self.without_details);
        let is_known = self.has_details == Some(false);
        let is_enough = items.len() >= if is_known { 1 } else { MIN_WITHOUT_DETAILS };
        if self.has_details == Some(true) || !is_enough || items.len() < self.requested {
            for (pending, error) in items {
                self.add_failed_request(pending, &error);
            }
            return;
        }
        // While some are left to the next sync, those may have details.
        if self.list.resume_state.details.is_empty() {
            self.has_details = Some(false);
        }
        self.list.no_details_at = self.client.config.detail_path.template().map(str::to_owned);
        for (PendingDetails { index, id, item }, _) in items {
            let was_synced = self.state.update_times.contains_key(&id);
            let ListEntry(mapped) = self.with_failed_details(&item, was_synced);
            self.set_entry(index, ListEntry(mapped.map(|mapped| Item { is_current: true, ..mapped })));
        }
    }

    fn add_failed_request(&mut self, pending: PendingDetails, error: &ProviderError) {
        tracing::warn!(id = pending.id, "the details of an event can't be fetched: {}", ErrorChain(error));
        self.add_failure(pending, &format!("its details can't be fetched: {error}"));
    }

    /// Adds an item whose details failed: as a failed item, and as far as the list describes it. Without `auto`, a new
    /// event needs its details.
    fn add_failure(&mut self, PendingDetails { index, id, item }: PendingDetails, reason: &str) {
        let mut reason = reason.to_owned();
        self.failed.push(id.clone());
        let was_synced = self.state.update_times.contains_key(&id);
        if was_synced || self.client.config.detail_path == DetailPath::Auto {
            match self.with_failed_details(&item, was_synced) {
                ListEntry(Ok(mapped)) => {
                    self.set_entry(index, ListEntry(Ok(mapped)));
                    return self.set_entry(None, ListEntry(Err(SyncFailure { id: Some(id), reason })));
                }
                ListEntry(Err(failure)) => reason = format!("{}, and {reason}", failure.reason),
            }
        }
        self.set_entry(index, ListEntry(Err(SyncFailure { id: Some(id), reason })));
    }

    fn with_failed_details(&self, item: &Value, was_synced: bool) -> ListEntry {
        self.mapped(&[item], |item| mapping::with_failed_details(self.client.config, item[0], was_synced))
    }

    fn set_entry(&mut self, index: Option<usize>, entry: ListEntry) {
        match index {
            Some(index) => self.list.entries[index] = entry,
            None => self.list.entries.push(entry),
        }
    }

    /// Sends no more requests in this sync.
    fn stop(&mut self, error: ProviderError) {
        self.stopped = Some(match error {
            ProviderError::RequestLimit => StopReason::RequestLimit,
            ProviderError::TotalTimeout { .. } => StopReason::Time,
            error => {
                self.list.problem = Some(ProviderError::Interrupted(Box::new(error)));
                StopReason::Provider
            }
        });
    }
}

/// The URL of details, with a placeholder for the id.
fn details_url(config: &Brandlive) -> String {
    format!("{}{}", config.base_url.as_str(), config.detail_path.template().unwrap_or_default())
}

/// Whether a provider without details responds like this.
fn is_missing(error: &ProviderError) -> bool {
    matches!(
        error,
        ProviderError::NotFound { .. }
            | ProviderError::Rejected { status: 405 | 410, .. }
            | ProviderError::Server { status: 501 }
    )
}

/// Whether the remaining details are left to the next sync.
fn defers_remaining_details(error: &ProviderError, has_progress: bool) -> bool {
    match error {
        ProviderError::RequestLimit | ProviderError::GaveUp { retry_after: Some(_), .. } => true,
        ProviderError::GaveUp { source, .. } => matches!(**source, ProviderError::RateLimited),
        ProviderError::TotalTimeout { .. } => has_progress,
        _ => false,
    }
}

impl Client<'_> {
    fn details(&self, id: &str) -> Result<Value, ProviderError> {
        let segment: String =
            url::form_urlencoded::byte_serialize(id.as_bytes()).collect::<String>().replace('+', "%20");
        let template = self.config.detail_path.template().unwrap_or_default();
        let url = self.url(&template.replace("{id}", &segment))?;
        let mut body = parse(url.path(), self.get(&url, DETAIL_ATTEMPTS)?.json())?;
        let inner = ["/data", "/event", "/data/event"];
        let object = inner.iter().rev().find(|pointer| body.pointer(pointer).is_some_and(Value::is_object));
        let details = object.and_then(|pointer| body.pointer_mut(pointer)).map(Value::take);
        let (details, rest) = match details {
            Some(details) => (details, body),
            None => (body, Value::Null),
        };
        let path = || url.path().to_owned();
        let has_error = reports_error(&details) || reports_error(&rest);
        match mapping::event_in(self.config, &details) {
            EventInDetails::WithId => Ok(details),
            // The body of an error can have a title or a description of its own.
            EventInDetails::WithoutId if !has_error && !has_message(&details) => Ok(details),
            EventInDetails::None if !has_error => Err(ProviderError::NoEvent { path: path() }),
            _ => Err(ProviderError::ErrorInBody { path: path() }),
        }
    }
}
