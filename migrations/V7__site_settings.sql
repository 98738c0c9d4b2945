-- The company's own settings that are stored with the content: one row, with a column each. NULL means the default.
-- Only features/site_settings reads and writes it.
CREATE TABLE site_settings (
    id           INTEGER PRIMARY KEY CHECK (id = 1),
    company_name TEXT CHECK (length(company_name) BETWEEN 1 AND 200)
) STRICT;
INSERT INTO site_settings (id) VALUES (1);

-- While there is no account, the sign-in page shows how to create one. The last account is never deleted.
CREATE TRIGGER first_user_inserted AFTER INSERT ON users WHEN (SELECT count(*) FROM users) = 1
BEGIN UPDATE content_version SET version = version + 1; END;
