-- What the sync stores of each of the provider's ids is a sync record. "Import" is the import of a file alone.
ALTER TABLE brandlive_imports RENAME TO sync_records;
-- The values of the last sync, which are the base of the three-way comparison.
ALTER TABLE sync_records RENAME COLUMN snapshot TO base;
