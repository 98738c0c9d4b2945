-- What the portal, the sync, the calendar feeds and uploads remember beyond the specification's
-- entities. Timestamps are UTC, RFC 3339. Append-only history, as V1__initial.sql.

-- Rises with every save of an event, so that of two editors the second is told (issue 4).
ALTER TABLE events ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
-- Since when the public does not see it: the provider cancelled it or no longer lists it. NULL: it is seen.
ALTER TABLE events ADD COLUMN hidden_at TEXT;
-- Rises when time, place or state change; calendars that subscribe compare it (RFC 5545 §3.8.7.4).
ALTER TABLE events ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;
-- events.hidden_at says it now, so that one column decides what the public sees.
ALTER TABLE brandlive_imports DROP COLUMN hidden;

CREATE TRIGGER events_rescheduled AFTER UPDATE OF starts_at, duration, timezone, hidden_at ON events
WHEN old.starts_at IS NOT new.starts_at OR old.duration IS NOT new.duration OR old.timezone IS NOT new.timezone
    OR (old.hidden_at IS NULL) IS NOT (new.hidden_at IS NULL)
BEGIN UPDATE events SET sequence = sequence + 1 WHERE id = new.id; END;
CREATE TRIGGER event_locations_moved AFTER UPDATE ON event_locations
WHEN old.venue_name IS NOT new.venue_name OR old.venue_address IS NOT new.venue_address
    OR old.city IS NOT new.city OR old.state IS NOT new.state
BEGIN UPDATE events SET sequence = sequence + 1 WHERE id = new.event_id; END;
CREATE TRIGGER event_locations_found AFTER INSERT ON event_locations
BEGIN UPDATE events SET sequence = sequence + 1 WHERE id = new.event_id; END;
CREATE TRIGGER event_locations_lost AFTER DELETE ON event_locations
BEGIN UPDATE events SET sequence = sequence + 1 WHERE id = old.event_id; END;

-- Deleted events, kept for 30 days: to undo a deletion, and to tell subscribed calendars that the
-- event is cancelled.
CREATE TABLE deleted_events (
    event_id   INTEGER PRIMARY KEY,
    -- The event with location and speakers as the API sends it, JSON.
    event      TEXT NOT NULL,
    -- The visitor ids who planned to attend, a JSON list, to be put back with it.
    interests  TEXT NOT NULL DEFAULT '[]',
    -- Whether the public saw it; one that was hidden had been cancelled before.
    was_hidden INTEGER NOT NULL DEFAULT 0,
    -- The sequence that its cancellation carries.
    sequence   INTEGER NOT NULL,
    deleted_at TEXT NOT NULL
) STRICT;
CREATE TRIGGER deleted_events_inserted AFTER INSERT ON deleted_events BEGIN UPDATE content_version SET version = version + 1; END;
CREATE TRIGGER deleted_events_deleted AFTER DELETE ON deleted_events BEGIN UPDATE content_version SET version = version + 1; END;

-- Who changed what, and when. It outlives users and events, so it refers to neither.
CREATE TABLE activity (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    at         TEXT NOT NULL,
    user_id    INTEGER,
    -- The admin's e-mail address then, or what acted instead, such as `Brandlive sync`.
    who        TEXT NOT NULL,
    -- created, changed, deleted, restored
    action     TEXT NOT NULL,
    -- event, speaker, user, page content, picture
    subject    TEXT NOT NULL,
    subject_id INTEGER,
    -- What it was called then.
    name       TEXT NOT NULL,
    -- JSON objects with the fields that differ; never a password.
    before     TEXT,
    after      TEXT
) STRICT;
CREATE INDEX activity_by_subject ON activity (subject, subject_id, id);

-- Uploaded pictures, in the sizes that the page uses, inside the one file that a backup copies.
CREATE TABLE pictures (
    -- Of what was uploaded: the same picture is kept once.
    id         TEXT PRIMARY KEY,
    created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE picture_files (
    picture_id   TEXT NOT NULL REFERENCES pictures (id) ON DELETE CASCADE,
    -- Width in pixels.
    width        INTEGER NOT NULL,
    height       INTEGER NOT NULL,
    content_type TEXT NOT NULL,
    bytes        BLOB NOT NULL,
    PRIMARY KEY (picture_id, width)
) STRICT;

-- How many venue photos were looked up on a day (UTC), because each costs money.
CREATE TABLE place_lookups (
    day   TEXT PRIMARY KEY,
    count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
