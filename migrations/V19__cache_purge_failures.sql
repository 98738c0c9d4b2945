-- What `lectern check` says about purges: since when changes wait for one, and which caches can't be purged, which only the memory of
-- the server knew.

-- A time at or after the last purge of all caches, from which the key waits. NULL for a change that an earlier release recorded.
ALTER TABLE changed_cache_keys ADD COLUMN changed_at TEXT;
DROP TRIGGER cache_key_changed;
CREATE TRIGGER cache_key_changed INSTEAD OF INSERT ON cache_key_changes
WHEN new.key IS NOT NULL
BEGIN
    UPDATE cache_purge SET sequence = sequence + 1 WHERE id = 1;
    INSERT INTO changed_cache_keys (key, sequence, changed_at)
    SELECT new.key, sequence, strftime('%Y-%m-%dT%H:%M:%SZ', 'now') FROM cache_purge WHERE id = 1
    -- A key that waits already does so since its first change.
    ON CONFLICT (key) DO UPDATE SET sequence = excluded.sequence;
END;

CREATE TABLE cache_purge_failures (
    -- Its name in messages, such as 'Varnish 2'.
    cache   TEXT PRIMARY KEY,
    -- That of the last attempt.
    message TEXT NOT NULL,
    -- The time of the first attempt that failed.
    since   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The secret link of a preview is in no public response, so creating or deleting one purges nothing: its column, preview_token, is
-- the only one that is missing here. A migration that adds a column must add it.
DROP TRIGGER events_updated_keys;
CREATE TRIGGER events_updated_keys AFTER UPDATE OF
    id, brandlive_id, series, title, date, time, duration, summary, description, registration_url, type, calendar_links, timezone,
    created_at, updated_at, starts_at, revision, hidden_at, sequence, deleted_at, status, publish_at, recording_url,
    description_format, description_html, series_id, import_uid
ON events
WHEN (SELECT is_enabled FROM cache_purge WHERE id = 1)
    AND NOT (old.status = 'draft' AND new.status = 'draft' AND old.hidden_at IS NULL AND new.hidden_at IS NULL)
BEGIN
    INSERT INTO cache_key_changes (key)
    VALUES ('events'), ('event-' || new.id), ('series-' || old.series_id), ('series-' || new.series_id);
END;
