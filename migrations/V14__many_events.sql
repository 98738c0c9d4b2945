-- What feeds, series and the sitemap read with many events, in an index each.

-- When visitors last saw something change on an event: a save, its publication, or its deletion. In the future for an event
-- that is not published yet.
ALTER TABLE events ADD COLUMN changed_at TEXT
    GENERATED ALWAYS AS (max(updated_at, coalesce(publish_at, ''), coalesce(deleted_at, ''))) VIRTUAL;
-- The sitemap has parts of 1,000 ids, and each part and each series has the time of its latest change.
CREATE INDEX events_by_sitemap_part ON events (id / 1000, changed_at);
CREATE INDEX events_by_series_change ON events (series_id, changed_at) WHERE series_id IS NOT NULL;

-- Calendars list events as cancelled for some time after they were hidden.
CREATE INDEX events_by_hiding ON events (hidden_at) WHERE hidden_at IS NOT NULL;

-- The place of an event is counted among the public events of its series, without reading these.
DROP INDEX events_by_series;
CREATE INDEX events_by_series ON events (series_id, starts_at, id, status, publish_at, deleted_at)
    WHERE series_id IS NOT NULL;
