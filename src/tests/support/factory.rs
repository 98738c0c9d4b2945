//! Valid input, which tests modify.

use serde_json::{Value, json};

/// A speaker as the form sends one.
pub(crate) fn speaker(name: &str) -> Value {
    json!({ "name": name, "title": "Acquisitions", "bio": "Reads rent rolls.", "imageUrl": "", "type": "Guest" })
}

/// An online event as the form sends one.
pub(crate) fn online_event(title: &str, speaker_ids: &[i64]) -> Value {
    json!({
        "event": {
            "title": title,
            "date": "2031-03-12",
            "time": "19:00",
            "duration": "60 minutes",
            "type": "Investor Insights",
            "summary": "One deal, read line by line.",
            "description": "Bring an offering that you are looking at.",
            "registrationUrl": "https://example.com/register",
            "timezone": "America/New_York",
        },
        "speakerIds": speaker_ids,
    })
}

/// An in-person event as the form sends one.
pub(crate) fn in_person_event(title: &str, speaker_ids: &[i64]) -> Value {
    let mut event = online_event(title, speaker_ids);
    event["event"]["type"] = json!("In-Person Events");
    event["location"] = json!({
        "venueName": "The Long Room",
        "venueAddress": "12 Canal Street",
        "city": "Denver",
        "state": "CO",
        "imageUrl": "",
        "placeId": "place-1",
    });
    event
}

/// The same input with another value at a JSON pointer whose parent exists.
pub(crate) fn with(mut input: Value, pointer: &str, value: Value) -> Value {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    input.pointer_mut(parent).unwrap()[key] = value;
    input
}

/// The same input without one key.
pub(crate) fn without(mut input: Value, pointer: &str) -> Value {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    input.pointer_mut(parent).and_then(Value::as_object_mut).unwrap().remove(key).unwrap();
    input
}
