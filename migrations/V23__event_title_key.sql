-- The portal's list by title reads one page of an index. Before, it read and compared the titles of all events.

-- What sorts a title without case and diacritics, and numbers by their value. Every function that writes titles sets it.
ALTER TABLE events ADD COLUMN title_key BLOB NOT NULL DEFAULT x'';
-- A function of this program, for this migration only (`db/migrate.rs`): other programs can write to the database.
UPDATE events SET title_key = natural_sort_key(title);
CREATE INDEX events_by_title ON events (title_key, id) WHERE deleted_at IS NULL;
