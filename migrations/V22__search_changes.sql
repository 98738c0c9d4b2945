-- A search reads the matching ids from the index alone, and knows from memory when each of these events takes place and who sees it.
-- Before, it read three rows for each match, so a word of every event was slow to find.

-- The id of an event is that of its text. Before, a changed text got a new id.
DROP TABLE search_index;
DROP TABLE search_documents;
CREATE TABLE search_documents (
    event_id INTEGER PRIMARY KEY,
    text     TEXT NOT NULL,
    date     TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE search_index USING fts5 (
    text, date, content = 'search_documents', content_rowid = 'event_id', columnsize = 0,
    tokenize = 'unicode61 remove_diacritics 2'
);

-- The last change of each event that concerns the search, so that what it has in memory (`events/search`) follows by reading the
-- changes that it does not know yet.
CREATE TABLE search_changes (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id INTEGER NOT NULL UNIQUE
) STRICT;

CREATE TRIGGER search_documents_inserted AFTER INSERT ON search_documents BEGIN
    INSERT INTO search_index (rowid, text, date) VALUES (new.event_id, new.text, new.date);
    DELETE FROM search_changes WHERE event_id = new.event_id;
    INSERT INTO search_changes (event_id) VALUES (new.event_id);
END;
CREATE TRIGGER search_documents_deleted AFTER DELETE ON search_documents BEGIN
    INSERT INTO search_index (search_index, rowid, text, date) VALUES ('delete', old.event_id, old.text, old.date);
    DELETE FROM search_changes WHERE event_id = old.event_id;
END;
CREATE TRIGGER events_updated_search_change AFTER UPDATE OF starts_at, duration, status, publish_at, deleted_at ON events
WHEN (new.starts_at, new.duration, new.status, new.publish_at, new.deleted_at)
    IS NOT (old.starts_at, old.duration, old.status, old.publish_at, old.deleted_at)
BEGIN
    DELETE FROM search_changes WHERE event_id = new.id;
    INSERT INTO search_changes (event_id) VALUES (new.id);
END;

-- FTS5 merges the parts of an index by their sizes. If all texts were one part, as after V17, every sixteenth change would merge that
-- part again: 0.25 ms a change with ten thousand events instead of 0.05 ms. So each text is a part at first.
INSERT INTO search_index (search_index, rank) VALUES ('hashsize', 1);
INSERT INTO search_documents (event_id, text, date) SELECT event_id, text, date FROM search_texts ORDER BY event_id;
INSERT INTO search_index (search_index, rank) VALUES ('hashsize', 1048576);
