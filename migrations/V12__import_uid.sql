-- The UID under which an event was imported from a file, so that the next import of that file finds it (RFC 5545 §3.8.4.7).
-- An instance of a repeating event has the UID, `#` and the UTC time of its start. A deleted event may share it with the event
-- that replaced it.
ALTER TABLE events ADD COLUMN import_uid TEXT;
CREATE INDEX events_by_import_uid ON events (import_uid) WHERE import_uid IS NOT NULL;
