-- A purged event is a change for the search, so that what it has in memory loses the event. Before, only the index lost it.
DROP TRIGGER events_deleted_search;
CREATE TRIGGER events_deleted_search AFTER DELETE ON events BEGIN
    DELETE FROM search_documents WHERE event_id = old.id;
    -- An event that is not indexed yet can have changes as well.
    DELETE FROM search_changes WHERE event_id = old.id;
    INSERT INTO search_changes (event_id) VALUES (old.id);
END;
