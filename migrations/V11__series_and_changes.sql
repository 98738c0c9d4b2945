-- Series with pages of their own, and the changes of several events that can be undone.

CREATE TABLE series (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    -- The name without differences of case and spacing: spellings that differ only in these are one series.
    key      TEXT NOT NULL UNIQUE,
    -- The spelling that was saved last.
    name     TEXT NOT NULL,
    slug     TEXT NOT NULL UNIQUE,
    -- The series that its last event moved to: how a renamed series keeps its address.
    moved_to INTEGER REFERENCES series (id)
) STRICT;
-- The series that events.series names; the store sets it after each write of that column.
ALTER TABLE events ADD COLUMN series_id INTEGER REFERENCES series (id);
CREATE INDEX events_by_series ON events (series_id, starts_at, id) WHERE series_id IS NOT NULL;
-- Events of earlier releases, until the first start.
CREATE INDEX events_without_series_id ON events (id) WHERE series IS NOT NULL AND series_id IS NULL;

-- A change of several events, which can be undone as a whole for a day.
CREATE TABLE event_changes (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    at         TEXT NOT NULL,
    -- The admin's e-mail address then.
    who        TEXT NOT NULL,
    -- created, changed, deleted
    action     TEXT NOT NULL CHECK (action IN ('created', 'changed', 'deleted')),
    undone_at  TEXT
) STRICT;
CREATE INDEX event_changes_by_time ON event_changes (at);
CREATE TABLE event_change_items (
    change_id INTEGER NOT NULL REFERENCES event_changes (id) ON DELETE CASCADE,
    event_id  INTEGER NOT NULL REFERENCES events (id) ON DELETE CASCADE,
    -- That of the event after the change.
    revision  INTEGER NOT NULL,
    -- The values before the change, JSON; NULL for an event that was created or deleted.
    former    TEXT,
    PRIMARY KEY (change_id, event_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_change_items_by_event ON event_change_items (event_id);
