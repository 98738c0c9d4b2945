-- Uploaded images are called images; their addresses stay under /pictures/.
ALTER TABLE pictures RENAME TO images;
ALTER TABLE picture_files RENAME TO image_variants;
ALTER TABLE image_variants RENAME COLUMN picture_id TO image_id;
UPDATE activity SET subject = 'image' WHERE subject = 'picture';

-- Responses to requests that carried an Idempotency-Key, for 24 hours: a repeated request gets the same response.
CREATE TABLE idempotency_keys (
    user_id     INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    endpoint    TEXT NOT NULL,
    key         TEXT NOT NULL,
    -- SHA-256 of the request body without passwords.
    fingerprint BLOB NOT NULL,
    status      INTEGER NOT NULL,
    body        TEXT NOT NULL,
    created_at  TEXT NOT NULL,
    PRIMARY KEY (user_id, endpoint, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_time ON idempotency_keys (created_at);
