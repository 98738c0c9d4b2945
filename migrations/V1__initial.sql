-- Every entity of the specification (§3), sessions, and what the Brandlive sync remembers.
-- Timestamps are UTC, RFC 3339. This file is append-only history: change the schema in a new V2__….sql.

-- "LECT": how lectern tells its own files from other SQLite databases.
PRAGMA application_id = 1279607636;

CREATE TABLE users (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    email      TEXT NOT NULL UNIQUE COLLATE NOCASE,
    password   TEXT NOT NULL,
    role       TEXT NOT NULL DEFAULT 'admin' CHECK (role IN ('admin')),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;

CREATE TABLE sessions (
    token_hash   BLOB PRIMARY KEY,
    user_id      INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at   TEXT NOT NULL,
    last_seen_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_user ON sessions (user_id);

CREATE TABLE speakers (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    name       TEXT NOT NULL,
    title      TEXT NOT NULL,
    bio        TEXT,
    image_url  TEXT,
    type       TEXT NOT NULL DEFAULT 'Guest' CHECK (type IN ('EM Team', 'Guest')),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;

CREATE TABLE events (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    brandlive_id     TEXT UNIQUE,
    series           TEXT,
    title            TEXT NOT NULL,
    date             TEXT NOT NULL,
    time             TEXT NOT NULL,
    duration         TEXT NOT NULL DEFAULT '60 minutes',
    summary          TEXT,
    description      TEXT NOT NULL,
    registration_url TEXT NOT NULL,
    type             TEXT NOT NULL,
    calendar_links   TEXT NOT NULL DEFAULT '{}',
    timezone         TEXT NOT NULL DEFAULT 'America/New_York',
    created_at       TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    updated_at       TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    -- The instant of start (UTC, RFC 3339), worked out from date, time and timezone when they are
    -- stored, so that the list can be ordered by it.
    starts_at        TEXT NOT NULL
) STRICT;
CREATE INDEX events_by_start ON events (starts_at, id);

CREATE TABLE event_locations (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id      INTEGER NOT NULL UNIQUE REFERENCES events (id) ON DELETE CASCADE,
    venue_name    TEXT NOT NULL,
    venue_address TEXT NOT NULL,
    city          TEXT NOT NULL,
    state         TEXT NOT NULL,
    image_url     TEXT,
    place_id      TEXT,
    created_at    TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;
CREATE INDEX event_locations_by_place ON event_locations (place_id) WHERE place_id IS NOT NULL;

CREATE TABLE event_speakers (
    event_id   INTEGER NOT NULL REFERENCES events (id) ON DELETE CASCADE,
    speaker_id INTEGER NOT NULL REFERENCES speakers (id) ON DELETE CASCADE,
    -- The editor's order of the speakers of one event, from 0.
    position   INTEGER NOT NULL,
    PRIMARY KEY (event_id, speaker_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_speakers_by_speaker ON event_speakers (speaker_id);

CREATE TABLE event_interests (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id   INTEGER NOT NULL UNIQUE REFERENCES events (id) ON DELETE CASCADE,
    count      INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;

CREATE TABLE user_event_interests (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id   INTEGER NOT NULL REFERENCES events (id) ON DELETE CASCADE,
    user_id    TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    UNIQUE (event_id, user_id)
) STRICT;
CREATE INDEX user_event_interests_by_user ON user_event_interests (user_id);

CREATE TABLE page_content (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    page          TEXT NOT NULL UNIQUE,
    hero_title    TEXT NOT NULL,
    hero_subtitle TEXT NOT NULL,
    updated_at    TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;

-- What an import brought last (for the three-way comparison), and what became of it. A row whose
-- event is gone says that an editor deleted it: it is not imported again.
CREATE TABLE brandlive_imports (
    brandlive_id TEXT PRIMARY KEY,
    event_id     INTEGER UNIQUE REFERENCES events (id) ON DELETE SET NULL,
    snapshot     TEXT NOT NULL,
    missed       INTEGER NOT NULL DEFAULT 0,
    hidden       INTEGER NOT NULL DEFAULT 0,
    created_at   TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    updated_at   TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT, WITHOUT ROWID;

CREATE TABLE sync_runs (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    started_at  TEXT NOT NULL,
    finished_at TEXT,
    message     TEXT
) STRICT;

-- event_interests.count always equals the number of the event's rows in user_event_interests,
-- whoever writes them.
CREATE TRIGGER interest_added AFTER INSERT ON user_event_interests BEGIN
    INSERT INTO event_interests (event_id, count) VALUES (new.event_id, 1)
    ON CONFLICT (event_id) DO UPDATE SET
        count = count + 1, updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now');
END;
CREATE TRIGGER interest_removed AFTER DELETE ON user_event_interests BEGIN
    UPDATE event_interests
    SET count = count - 1, updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    WHERE event_id = old.event_id;
END;

-- Counts the writes to what every visitor reads, so that an answer prepared from it can be told to
-- be still true at the price of reading one row. Interest and sessions do not count.
CREATE TABLE content_version (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL
) STRICT;
INSERT INTO content_version (id, version) VALUES (1, 1);

CREATE TRIGGER events_inserted AFTER INSERT ON events BEGIN UPDATE content_version SET version = version + 1; END;
CREATE TRIGGER events_updated AFTER UPDATE ON events BEGIN UPDATE content_version SET version = version + 1; END;
CREATE TRIGGER events_deleted AFTER DELETE ON events BEGIN UPDATE content_version SET version = version + 1; END;
CREATE TRIGGER event_locations_inserted AFTER INSERT ON event_locations BEGIN UPDATE content_version SET version = version + 1; END;
CREATE TRIGGER event_locations_updated AFTER UPDATE ON event_locations BEGIN UPDATE content_version SET version = version + 1; END;
CREATE TRIGGER event_locations_deleted AFTER DELETE ON event_locations BEGIN UPDATE content_version SET version = version + 1; END;
CREATE TRIGGER event_speakers_inserted AFTER INSERT ON event_speakers BEGIN UPDATE content_version SET version = version + 1; END;
CREATE TRIGGER event_speakers_updated AFTER UPDATE ON event_speakers BEGIN UPDATE content_version SET version = version + 1; END;
CREATE TRIGGER event_speakers_deleted AFTER DELETE ON event_speakers BEGIN UPDATE content_version SET version = version + 1; END;
CREATE TRIGGER speakers_inserted AFTER INSERT ON speakers BEGIN UPDATE content_version SET version = version + 1; END;
CREATE TRIGGER speakers_updated AFTER UPDATE ON speakers BEGIN UPDATE content_version SET version = version + 1; END;
CREATE TRIGGER speakers_deleted AFTER DELETE ON speakers BEGIN UPDATE content_version SET version = version + 1; END;
CREATE TRIGGER page_content_inserted AFTER INSERT ON page_content BEGIN UPDATE content_version SET version = version + 1; END;
CREATE TRIGGER page_content_updated AFTER UPDATE ON page_content BEGIN UPDATE content_version SET version = version + 1; END;
CREATE TRIGGER page_content_deleted AFTER DELETE ON page_content BEGIN UPDATE content_version SET version = version + 1; END;
