-- What the search finds events by, in an index of words (FTS5).

-- The text of each event. A changed text is a new row with a greater id, so that a reader of the words (`events/search`) reads only
-- the rows that it does not know yet.
CREATE TABLE search_documents (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id INTEGER NOT NULL UNIQUE,
    text     TEXT NOT NULL,
    date     TEXT NOT NULL
) STRICT;

-- Words without case and diacritics. Its content is the table above.
CREATE VIRTUAL TABLE search_index USING fts5 (
    text, date, content = 'search_documents', content_rowid = 'id', columnsize = 0,
    tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER search_documents_inserted AFTER INSERT ON search_documents
BEGIN INSERT INTO search_index (rowid, text, date) VALUES (new.id, new.text, new.date); END;
CREATE TRIGGER search_documents_deleted AFTER DELETE ON search_documents
BEGIN INSERT INTO search_index (search_index, rowid, text, date) VALUES ('delete', old.id, old.text, old.date); END;

-- Title, type, series, venue, speakers and the name of the month.
CREATE VIEW search_texts AS
SELECT id AS event_id, title || char(10) || type || char(10) || coalesce(series, '') || char(10)
    || coalesce((SELECT venue_name || char(10) || city || char(10) || state FROM event_locations WHERE event_id = events.id), '')
    || char(10)
    || coalesce((SELECT group_concat(name, char(10)) FROM event_speakers JOIN speakers ON speakers.id = speaker_id
        WHERE event_id = events.id), '')
    || char(10)
    || CASE substr(date, 6, 2)
        WHEN '01' THEN 'January' WHEN '02' THEN 'February' WHEN '03' THEN 'March' WHEN '04' THEN 'April'
        WHEN '05' THEN 'May' WHEN '06' THEN 'June' WHEN '07' THEN 'July' WHEN '08' THEN 'August'
        WHEN '09' THEN 'September' WHEN '10' THEN 'October' WHEN '11' THEN 'November' WHEN '12' THEN 'December'
        ELSE '' END AS text,
    date
FROM events;

INSERT INTO search_documents (event_id, text, date) SELECT event_id, text, date FROM search_texts ORDER BY event_id;

-- The events whose text may have changed. One save changes rows of three tables, and indexing is slow, so the store of the events
-- indexes each event once, at the end of the transaction.
CREATE TABLE search_pending (event_id INTEGER PRIMARY KEY) STRICT;

CREATE TRIGGER events_inserted_search AFTER INSERT ON events
BEGIN INSERT INTO search_pending (event_id) VALUES (new.id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER events_updated_search AFTER UPDATE OF title, type, series, date ON events
WHEN (new.title, new.type, new.series, new.date) IS NOT (old.title, old.type, old.series, old.date)
BEGIN INSERT INTO search_pending (event_id) VALUES (new.id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER events_deleted_search AFTER DELETE ON events
BEGIN DELETE FROM search_documents WHERE event_id = old.id; END;

CREATE TRIGGER event_locations_inserted_search AFTER INSERT ON event_locations
BEGIN INSERT INTO search_pending (event_id) VALUES (new.event_id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER event_locations_updated_search AFTER UPDATE OF venue_name, city, state ON event_locations
WHEN (new.venue_name, new.city, new.state) IS NOT (old.venue_name, old.city, old.state)
BEGIN INSERT INTO search_pending (event_id) VALUES (new.event_id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER event_locations_deleted_search AFTER DELETE ON event_locations
BEGIN INSERT INTO search_pending (event_id) VALUES (old.event_id) ON CONFLICT DO NOTHING; END;

CREATE TRIGGER event_speakers_inserted_search AFTER INSERT ON event_speakers
BEGIN INSERT INTO search_pending (event_id) VALUES (new.event_id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER event_speakers_deleted_search AFTER DELETE ON event_speakers
BEGIN INSERT INTO search_pending (event_id) VALUES (old.event_id) ON CONFLICT DO NOTHING; END;

-- The store of the speakers does not know the events, so a new name is indexed at once.
CREATE TRIGGER speakers_updated_search AFTER UPDATE OF name ON speakers WHEN new.name <> old.name BEGIN
    DELETE FROM search_documents WHERE event_id IN (SELECT event_id FROM event_speakers WHERE speaker_id = new.id);
    INSERT INTO search_documents (event_id, text, date)
        SELECT event_id, text, date FROM search_texts
        WHERE event_id IN (SELECT event_id FROM event_speakers WHERE speaker_id = new.id);
END;
