-- The state of an imported event in words instead of the numbers 0 to 3.
ALTER TABLE brandlive_imports ADD COLUMN status TEXT NOT NULL DEFAULT 'listed'
    CHECK (status IN ('listed', 'missing', 'removed', 'cancelled'));
-- listed: the last complete listing held it. missing: that listing did not hold it. removed: two
-- complete listings in a row did not hold it, so its event is hidden. cancelled: the provider cancelled
-- it, so its event is hidden.
UPDATE brandlive_imports
SET status = CASE WHEN missed <= 0 THEN 'listed' WHEN missed = 1 THEN 'missing' WHEN missed = 3 THEN 'cancelled' ELSE 'removed' END;
ALTER TABLE brandlive_imports DROP COLUMN missed;

-- The provider's update time of the imported details: they are requested again after it changed.
ALTER TABLE brandlive_imports ADD COLUMN details_updated_at TEXT;

-- What did not fit into the time of the last sync, and the requests that its limits count, as JSON.
CREATE TABLE brandlive_resume (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    state TEXT NOT NULL
) STRICT;
