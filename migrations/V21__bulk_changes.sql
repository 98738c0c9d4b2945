-- During a bulk change, such as a sync of thousands of events, responses that were fresh when it began may be served
-- while they are built again. Both are NULL without one.
-- The version before its first change.
ALTER TABLE content_version ADD COLUMN bulk_change_from INTEGER;
-- When it is over although it did not say so, such as after a crash: milliseconds since 1970.
ALTER TABLE content_version ADD COLUMN bulk_change_until INTEGER;
