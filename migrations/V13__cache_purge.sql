-- What has changed since shared caches (a CDN, Varnish, nginx) were told, for their purge: the keys that responses carry. It is
-- recorded here, because a cron job or a command changes content as well. Only features/cache_purge reads these tables.

CREATE TABLE cache_purge (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    -- Whether changes are recorded; the server sets it by its configuration.
    is_enabled INTEGER NOT NULL DEFAULT 0 CHECK (is_enabled IN (0, 1)),
    -- The number of the last recorded change.
    sequence   INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO cache_purge (id) VALUES (1);

CREATE TABLE changed_cache_keys (
    key      TEXT PRIMARY KEY,
    -- The number of its last change.
    sequence INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX changed_cache_keys_by_sequence ON changed_cache_keys (sequence);

-- An insert records changes of keys; one that is NULL, such as that of no series, is none.
CREATE VIEW cache_key_changes AS SELECT key FROM changed_cache_keys;
CREATE TRIGGER cache_key_changed INSTEAD OF INSERT ON cache_key_changes
WHEN new.key IS NOT NULL
BEGIN
    UPDATE cache_purge SET sequence = sequence + 1 WHERE id = 1;
    INSERT INTO changed_cache_keys (key, sequence) SELECT new.key, sequence FROM cache_purge WHERE id = 1
    ON CONFLICT (key) DO UPDATE SET sequence = excluded.sequence;
END;

-- Events. A draft that visitors never saw is in no response.
CREATE TRIGGER events_inserted_keys AFTER INSERT ON events
WHEN (SELECT is_enabled FROM cache_purge WHERE id = 1) AND new.status <> 'draft'
BEGIN
    INSERT INTO cache_key_changes (key) VALUES ('events'), ('event-' || new.id), ('series-' || new.series_id);
END;
CREATE TRIGGER events_updated_keys AFTER UPDATE ON events
WHEN (SELECT is_enabled FROM cache_purge WHERE id = 1)
    AND NOT (old.status = 'draft' AND new.status = 'draft' AND old.hidden_at IS NULL AND new.hidden_at IS NULL)
BEGIN
    INSERT INTO cache_key_changes (key)
    VALUES ('events'), ('event-' || new.id), ('series-' || old.series_id), ('series-' || new.series_id);
END;
CREATE TRIGGER events_deleted_keys AFTER DELETE ON events
WHEN (SELECT is_enabled FROM cache_purge WHERE id = 1) AND NOT (old.status = 'draft' AND old.hidden_at IS NULL)
BEGIN
    INSERT INTO cache_key_changes (key) VALUES ('events'), ('event-' || old.id), ('series-' || old.series_id);
END;

-- Locations and speakers of events. While an event is being deleted, it no longer exists.
CREATE TRIGGER event_locations_inserted_keys AFTER INSERT ON event_locations
WHEN (SELECT is_enabled FROM cache_purge WHERE id = 1)
    AND EXISTS (SELECT 1 FROM events WHERE id = new.event_id AND NOT (status = 'draft' AND hidden_at IS NULL))
BEGIN
    INSERT INTO cache_key_changes (key) VALUES ('events'), ('event-' || new.event_id);
    INSERT INTO cache_key_changes (key) SELECT 'series-' || series_id FROM events WHERE id = new.event_id;
END;
CREATE TRIGGER event_locations_updated_keys AFTER UPDATE ON event_locations
WHEN (SELECT is_enabled FROM cache_purge WHERE id = 1)
    AND EXISTS (SELECT 1 FROM events WHERE id = new.event_id AND NOT (status = 'draft' AND hidden_at IS NULL))
BEGIN
    INSERT INTO cache_key_changes (key) VALUES ('events'), ('event-' || new.event_id);
    INSERT INTO cache_key_changes (key) SELECT 'series-' || series_id FROM events WHERE id = new.event_id;
END;
CREATE TRIGGER event_locations_deleted_keys AFTER DELETE ON event_locations
WHEN (SELECT is_enabled FROM cache_purge WHERE id = 1)
    AND EXISTS (SELECT 1 FROM events WHERE id = old.event_id AND NOT (status = 'draft' AND hidden_at IS NULL))
BEGIN
    INSERT INTO cache_key_changes (key) VALUES ('events'), ('event-' || old.event_id);
    INSERT INTO cache_key_changes (key) SELECT 'series-' || series_id FROM events WHERE id = old.event_id;
END;
CREATE TRIGGER event_speakers_inserted_keys AFTER INSERT ON event_speakers
WHEN (SELECT is_enabled FROM cache_purge WHERE id = 1)
    AND EXISTS (SELECT 1 FROM events WHERE id = new.event_id AND NOT (status = 'draft' AND hidden_at IS NULL))
BEGIN
    INSERT INTO cache_key_changes (key) VALUES ('events'), ('event-' || new.event_id);
    INSERT INTO cache_key_changes (key) SELECT 'series-' || series_id FROM events WHERE id = new.event_id;
END;
CREATE TRIGGER event_speakers_updated_keys AFTER UPDATE ON event_speakers
WHEN (SELECT is_enabled FROM cache_purge WHERE id = 1)
    AND EXISTS (SELECT 1 FROM events WHERE id = new.event_id AND NOT (status = 'draft' AND hidden_at IS NULL))
BEGIN
    INSERT INTO cache_key_changes (key) VALUES ('events'), ('event-' || new.event_id);
    INSERT INTO cache_key_changes (key) SELECT 'series-' || series_id FROM events WHERE id = new.event_id;
END;
CREATE TRIGGER event_speakers_deleted_keys AFTER DELETE ON event_speakers
WHEN (SELECT is_enabled FROM cache_purge WHERE id = 1)
    AND EXISTS (SELECT 1 FROM events WHERE id = old.event_id AND NOT (status = 'draft' AND hidden_at IS NULL))
BEGIN
    INSERT INTO cache_key_changes (key) VALUES ('events'), ('event-' || old.event_id);
    INSERT INTO cache_key_changes (key) SELECT 'series-' || series_id FROM events WHERE id = old.event_id;
END;

-- The name and the address of a series also change with a draft.
CREATE TRIGGER series_updated_keys AFTER UPDATE ON series
WHEN (SELECT is_enabled FROM cache_purge WHERE id = 1)
BEGIN INSERT INTO cache_key_changes (key) VALUES ('events'), ('series-' || new.id); END;

CREATE TRIGGER speakers_inserted_keys AFTER INSERT ON speakers
WHEN (SELECT is_enabled FROM cache_purge WHERE id = 1)
BEGIN INSERT INTO cache_key_changes (key) VALUES ('speakers'); END;
CREATE TRIGGER speakers_updated_keys AFTER UPDATE ON speakers
WHEN (SELECT is_enabled FROM cache_purge WHERE id = 1)
BEGIN INSERT INTO cache_key_changes (key) VALUES ('speakers'), ('speaker-' || new.id); END;
CREATE TRIGGER speakers_deleted_keys AFTER DELETE ON speakers
WHEN (SELECT is_enabled FROM cache_purge WHERE id = 1)
BEGIN INSERT INTO cache_key_changes (key) VALUES ('speakers'), ('speaker-' || old.id); END;

CREATE TRIGGER page_content_inserted_keys AFTER INSERT ON page_content
WHEN (SELECT is_enabled FROM cache_purge WHERE id = 1)
BEGIN INSERT INTO cache_key_changes (key) VALUES ('page-content'); END;
CREATE TRIGGER page_content_updated_keys AFTER UPDATE ON page_content
WHEN (SELECT is_enabled FROM cache_purge WHERE id = 1)
BEGIN INSERT INTO cache_key_changes (key) VALUES ('page-content'); END;
CREATE TRIGGER page_content_deleted_keys AFTER DELETE ON page_content
WHEN (SELECT is_enabled FROM cache_purge WHERE id = 1)
BEGIN INSERT INTO cache_key_changes (key) VALUES ('page-content'); END;

CREATE TRIGGER site_settings_inserted_keys AFTER INSERT ON site_settings
WHEN (SELECT is_enabled FROM cache_purge WHERE id = 1)
BEGIN INSERT INTO cache_key_changes (key) VALUES ('site'); END;
CREATE TRIGGER site_settings_updated_keys AFTER UPDATE ON site_settings
WHEN (SELECT is_enabled FROM cache_purge WHERE id = 1)
BEGIN INSERT INTO cache_key_changes (key) VALUES ('site'); END;
CREATE TRIGGER site_settings_deleted_keys AFTER DELETE ON site_settings
WHEN (SELECT is_enabled FROM cache_purge WHERE id = 1)
BEGIN INSERT INTO cache_key_changes (key) VALUES ('site'); END;
