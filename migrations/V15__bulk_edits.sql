-- The field's term for changes of several events: bulk edits. Their items have the previous values.

ALTER TABLE event_changes RENAME TO bulk_edits;
DROP INDEX event_changes_by_time;
CREATE INDEX bulk_edits_by_time ON bulk_edits (at);

ALTER TABLE event_change_items RENAME TO bulk_edit_items;
ALTER TABLE bulk_edit_items RENAME COLUMN change_id TO bulk_edit_id;
ALTER TABLE bulk_edit_items RENAME COLUMN former TO previous;
DROP INDEX event_change_items_by_event;
CREATE INDEX bulk_edit_items_by_event ON bulk_edit_items (event_id);
