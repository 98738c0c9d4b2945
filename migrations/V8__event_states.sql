-- States of events, recordings, and how the attendance of an event changes over time.

-- draft: staff only. scheduled: staff only until publish_at. published. hidden: staff only. cancelled, postponed: visitors
-- see it marked as such, and registration and attendance are closed.
ALTER TABLE events ADD COLUMN status TEXT NOT NULL DEFAULT 'published'
    CHECK (status IN ('draft', 'scheduled', 'published', 'hidden', 'cancelled', 'postponed'));
-- When a scheduled event becomes visible, or when an event that was not published at first became visible. UTC, RFC 3339.
ALTER TABLE events ADD COLUMN publish_at TEXT CHECK (status <> 'scheduled' OR publish_at IS NOT NULL);
-- Where visitors can watch the recording after the event.
ALTER TABLE events ADD COLUMN recording_url TEXT;
-- The secret in the link to the preview of an event that visitors do not see yet.
ALTER TABLE events ADD COLUMN preview_token TEXT;
-- hidden_at is the time since which visitors no longer see an event that was visible before. It decides nothing.
UPDATE events SET status = 'hidden' WHERE hidden_at IS NOT NULL;
CREATE INDEX events_by_publication ON events (publish_at) WHERE status = 'scheduled';

-- Calendars accept a change of the state only with a higher sequence (RFC 5545 §3.8.7.4).
DROP TRIGGER events_rescheduled;
CREATE TRIGGER events_rescheduled AFTER UPDATE OF starts_at, duration, timezone, status, deleted_at ON events
WHEN old.starts_at IS NOT new.starts_at OR old.duration IS NOT new.duration OR old.timezone IS NOT new.timezone
    OR old.status IS NOT new.status
    OR (old.deleted_at IS NULL) IS NOT (new.deleted_at IS NULL)
BEGIN UPDATE events SET sequence = sequence + 1 WHERE id = new.id; END;

-- The definition of "public". Only features/events/store reads these views, and it compares public_from with the time.
-- public_from: the time from which visitors see the event unless it is deleted; '' is before any time, NULL is never.
DROP VIEW public_events;
DROP VIEW events_with_visibility;
CREATE VIEW events_with_visibility AS
SELECT *, CASE
    WHEN status IN ('published', 'cancelled', 'postponed') THEN ''
    WHEN status = 'scheduled' THEN publish_at
END AS public_from
FROM events;
CREATE VIEW public_events AS
SELECT * FROM events_with_visibility WHERE deleted_at IS NULL AND public_from IS NOT NULL;

-- How many planned to attend an event at the end of each earlier day (UTC) on which that number changed. Of the latest such
-- day, event_interests has both. So only the first change of a day writes a row, because the attendance of a visitor is the
-- most frequent write.
CREATE TABLE attendance_days (
    event_id INTEGER NOT NULL REFERENCES events (id) ON DELETE CASCADE,
    day      TEXT NOT NULL,
    count    INTEGER NOT NULL,
    PRIMARY KEY (event_id, day)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER attendance_day_ended AFTER UPDATE OF count ON event_interests
WHEN substr(old.updated_at, 1, 10) < substr(new.updated_at, 1, 10)
BEGIN
    -- No row while the event is being deleted.
    INSERT INTO attendance_days (event_id, day, count)
    SELECT id, substr(old.updated_at, 1, 10), old.count FROM events WHERE id = old.event_id
    ON CONFLICT (event_id, day) DO UPDATE SET count = excluded.count;
END;
