-- Deletion becomes a state of an event: its rows stay for 30 days, in place of a JSON copy in a second table.

-- When the event was deleted, UTC, RFC 3339; NULL for an event that exists.
ALTER TABLE events ADD COLUMN deleted_at TEXT;
CREATE INDEX events_by_deletion ON events (deleted_at) WHERE deleted_at IS NOT NULL;

-- The definition of "public". Only features/events/store reads it.
CREATE VIEW public_events AS SELECT * FROM events WHERE deleted_at IS NULL AND hidden_at IS NULL;

-- Carry over what was deleted. A copy that lacks a required field could not be restored before either.
DELETE FROM deleted_events WHERE NOT json_valid(event) OR event_id IN (SELECT id FROM events);
DELETE FROM deleted_events
WHERE event ->> '$.title' IS NULL OR event ->> '$.date' IS NULL OR event ->> '$.time' IS NULL
    OR event ->> '$.description' IS NULL OR event ->> '$.registrationUrl' IS NULL OR event ->> '$.type' IS NULL
    OR event ->> '$.startsAt' IS NULL;

INSERT INTO events (id, brandlive_id, series, title, date, time, duration, summary, description, registration_url,
    type, calendar_links, timezone, created_at, updated_at, starts_at, revision, hidden_at, deleted_at)
SELECT event_id,
    -- A Brandlive id belongs to the event that exists, else to the event that was deleted last.
    CASE WHEN event ->> '$.brandliveId' NOT IN (SELECT brandlive_id FROM events WHERE brandlive_id IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM deleted_events later
            WHERE later.event ->> '$.brandliveId' = deleted_events.event ->> '$.brandliveId'
                AND (later.deleted_at, later.event_id) > (deleted_events.deleted_at, deleted_events.event_id))
    THEN event ->> '$.brandliveId' END,
    event ->> '$.series', event ->> '$.title', event ->> '$.date', event ->> '$.time',
    coalesce(event ->> '$.duration', '60 minutes'), event ->> '$.summary', event ->> '$.description',
    event ->> '$.registrationUrl', event ->> '$.type', coalesce(event -> '$.calendarLinks', '{}'),
    coalesce(event ->> '$.timezone', 'America/New_York'), coalesce(event ->> '$.createdAt', deleted_at),
    coalesce(event ->> '$.updatedAt', deleted_at), event ->> '$.startsAt', coalesce(event ->> '$.revision', 1),
    coalesce(event ->> '$.hiddenAt', CASE WHEN was_hidden THEN deleted_at END), deleted_at
FROM deleted_events ORDER BY event_id;

INSERT INTO event_locations (event_id, venue_name, venue_address, city, state, image_url, place_id)
SELECT event_id, coalesce(event ->> '$.location.venueName', ''), coalesce(event ->> '$.location.venueAddress', ''),
    coalesce(event ->> '$.location.city', ''), coalesce(event ->> '$.location.state', ''),
    event ->> '$.location.imageUrl', event ->> '$.location.placeId'
FROM deleted_events WHERE json_type(event, '$.location') = 'object';

INSERT INTO event_speakers (event_id, speaker_id, position)
SELECT d.event_id, s.id, entry.key
FROM deleted_events d JOIN json_each(d.event, '$.speakers') entry JOIN speakers s ON s.id = entry.value ->> '$.speakerId'
WHERE true ON CONFLICT DO NOTHING;

INSERT INTO user_event_interests (event_id, user_id)
SELECT d.event_id, visitor.value
FROM deleted_events d JOIN json_each(CASE WHEN json_valid(d.interests) THEN d.interests ELSE '[]' END) visitor
WHERE visitor.value IS NOT NULL ORDER BY d.event_id, visitor.key ON CONFLICT DO NOTHING;

-- Last, because the venue's insertion raised it.
UPDATE events SET sequence = d.sequence FROM deleted_events d WHERE d.event_id = events.id;

-- An import without an event meant "deleted by an editor". The row exists again.
UPDATE brandlive_imports SET event_id = e.id
FROM events e WHERE e.brandlive_id = brandlive_imports.brandlive_id AND e.deleted_at IS NOT NULL
    AND brandlive_imports.event_id IS NULL;

DROP TABLE deleted_events;

-- Deleting and restoring raise the sequence as hiding does, so that calendars accept the change.
DROP TRIGGER events_rescheduled;
CREATE TRIGGER events_rescheduled AFTER UPDATE OF starts_at, duration, timezone, hidden_at, deleted_at ON events
WHEN old.starts_at IS NOT new.starts_at OR old.duration IS NOT new.duration OR old.timezone IS NOT new.timezone
    OR (old.hidden_at IS NULL) IS NOT (new.hidden_at IS NULL)
    OR (old.deleted_at IS NULL) IS NOT (new.deleted_at IS NULL)
BEGIN UPDATE events SET sequence = sequence + 1 WHERE id = new.id; END;
