//! Finds the speakers of a row by their names.

use std::collections::{BTreeMap, HashMap};

use super::super::types::{SpeakerChoice, UnknownName};
use super::super::values::{name_key, person_key};
use crate::features::events::Event;
use crate::features::speakers::{self, SaveSpeaker, Speaker, ValidatedSpeaker};

/// The speakers of the site, those that the import creates, and the names that need a choice.
pub(super) struct SpeakerMatcher {
    by_name: HashMap<String, Vec<i64>>,
    by_person: HashMap<String, Vec<i64>>,
    names: HashMap<i64, String>,
    choices: HashMap<String, SpeakerChoice>,
    /// The speakers to create; the id of the first is -1, of the next -2.
    pub(super) new: Vec<ValidatedSpeaker>,
    new_ids: HashMap<String, i64>,
    unknown: BTreeMap<String, UnknownName>,
}

/// The result of a speaker lookup.
#[derive(Debug)]
pub(super) enum SpeakerLookup {
    /// The speaker; a negative id is that of one to create.
    Id(i64),
    /// The speaker with a somewhat different name.
    Similar(i64, String),
    LeftOut,
    /// The name needs a choice, or the choice is wrong: the message.
    Error(String),
}

impl SpeakerMatcher {
    pub(super) fn new(speakers: &[Speaker], choices: &[SpeakerChoice]) -> Self {
        let mut matcher = Self {
            by_name: HashMap::new(),
            by_person: HashMap::new(),
            names: HashMap::new(),
            choices: choices.iter().map(|choice| (name_key(&choice.name), choice.clone())).collect(),
            new: Vec::new(),
            new_ids: HashMap::new(),
            unknown: BTreeMap::new(),
        };
        for speaker in speakers {
            matcher.by_name.entry(name_key(&speaker.name)).or_default().push(speaker.id);
            matcher.by_person.entry(person_key(&speaker.name)).or_default().push(speaker.id);
            matcher.names.insert(speaker.id, speaker.name.clone());
        }
        matcher
    }

    /// Finds a speaker. Of several with the same name, the one that `event` has is meant.
    pub(super) fn find(&mut self, name: &str, event: Option<&Event>) -> SpeakerLookup {
        let key = name_key(name);
        let mut candidates = self.by_name.get(&key).cloned().unwrap_or_default();
        if let [id] = candidates.as_slice() {
            return SpeakerLookup::Id(*id);
        }
        let of_event = candidates.iter().find(|id| event.is_some_and(|event| has_speaker(event, **id)));
        if let Some(id) = of_event {
            return SpeakerLookup::Id(*id);
        }
        if candidates.is_empty() {
            candidates = self.by_person.get(&person_key(name)).cloned().unwrap_or_default();
            if let [id] = candidates.as_slice() {
                return SpeakerLookup::Similar(*id, self.names.get(id).cloned().unwrap_or_default());
            }
        }
        let count = candidates.len();
        let unknown = self.unknown.entry(key.clone());
        unknown.or_insert_with(|| UnknownName { name: name.to_owned(), rows: 0, candidates }).rows += 1;
        self.chosen(name, &key, count)
    }

    fn chosen(&mut self, name: &str, key: &str, candidates: usize) -> SpeakerLookup {
        let Some(choice) = self.choices.get(key) else {
            return SpeakerLookup::Error(match candidates {
                0 => format!("There is no speaker named {name}. Create or leave out this speaker."),
                _ => format!("There are {candidates} speakers named {name}. Choose one of them."),
            });
        };
        if let Some(id) = choice.speaker_id {
            let exists = self.names.contains_key(&id);
            return if exists {
                SpeakerLookup::Id(id)
            } else {
                SpeakerLookup::Error(format!("The speaker for {name} no longer exists."))
            };
        }
        let Some(title) = choice.title.clone() else { return SpeakerLookup::LeftOut };
        if let Some(id) = self.new_ids.get(key) {
            return SpeakerLookup::Id(*id);
        }
        let input = SaveSpeaker { name: Some(name.to_owned()), title: Some(title), ..SaveSpeaker::default() };
        match speakers::check(input) {
            Ok(speaker) => {
                self.new.push(speaker);
                let id = -i64::try_from(self.new.len()).unwrap_or(i64::MAX);
                self.new_ids.insert(key.to_owned(), id);
                SpeakerLookup::Id(id)
            }
            Err(error) => SpeakerLookup::Error(format!("The speaker {name} can't be created: {}.", error.message())),
        }
    }

    /// The names that need a choice, in the order of their names. The form could not show more of them.
    pub(super) fn unknown(&self) -> Vec<UnknownName> {
        const MAX: usize = 500;
        self.unknown.values().take(MAX).cloned().collect()
    }
}

fn has_speaker(event: &Event, id: i64) -> bool {
    event.speakers.iter().any(|entry| entry.speaker_id == id)
}
