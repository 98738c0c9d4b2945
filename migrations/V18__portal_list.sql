-- Indexes and a counter for the portal's list of events, which a site with ten thousand events reads by page.

-- The first index orders events by their start and contains the columns that the filters compare. The others order them by
-- change, by type and by month. The last one contains the few events that are not published.
CREATE INDEX events_existing_by_start ON events (starts_at, id, type, status, publish_at, date) WHERE deleted_at IS NULL;
CREATE INDEX events_existing_by_change ON events (updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX events_existing_by_type ON events (type, starts_at, id) WHERE deleted_at IS NULL;
CREATE INDEX events_existing_by_date ON events (date) WHERE deleted_at IS NULL;
CREATE INDEX events_existing_by_status ON events (status, starts_at, id, publish_at)
    WHERE deleted_at IS NULL AND status <> 'published';

-- The number of events that are not deleted. Counting ten thousand events took longer than reading a page of the list.
CREATE TABLE event_total (count INTEGER NOT NULL) STRICT;
INSERT INTO event_total (count) SELECT count(*) FROM events WHERE deleted_at IS NULL;

CREATE TRIGGER events_inserted_total AFTER INSERT ON events WHEN new.deleted_at IS NULL
BEGIN UPDATE event_total SET count = count + 1; END;
CREATE TRIGGER events_deleted_total AFTER DELETE ON events WHEN old.deleted_at IS NULL
BEGIN UPDATE event_total SET count = count - 1; END;
CREATE TRIGGER events_updated_total AFTER UPDATE OF deleted_at ON events
WHEN (new.deleted_at IS NULL) <> (old.deleted_at IS NULL)
BEGIN UPDATE event_total SET count = count + iif(new.deleted_at IS NULL, 1, -1); END;
