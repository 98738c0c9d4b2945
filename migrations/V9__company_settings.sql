-- The other settings of the company that editors change in the portal, and optimistic locking of them.

-- A JSON object with the settings that differ from their default; company_name has the name. They are read and written
-- together, and half of them are lists.
ALTER TABLE site_settings ADD COLUMN settings TEXT NOT NULL DEFAULT '{}'
    CHECK (json_valid(settings) AND json_type(settings) = 'object');
ALTER TABLE site_settings ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
-- UTC, RFC 3339; NULL until the first change in the portal.
ALTER TABLE site_settings ADD COLUMN updated_at TEXT;

-- Every page shows some of them.
CREATE TRIGGER site_settings_inserted AFTER INSERT ON site_settings
BEGIN UPDATE content_version SET version = version + 1; END;
CREATE TRIGGER site_settings_updated AFTER UPDATE ON site_settings
BEGIN UPDATE content_version SET version = version + 1; END;
CREATE TRIGGER site_settings_deleted AFTER DELETE ON site_settings
BEGIN UPDATE content_version SET version = version + 1; END;
