-- One definition of "public", also of what a deleted event was. Only features/events/store reads these views.

-- Every event. is_published: visitors may see it unless it is deleted. is_public: visitors see it.
CREATE VIEW events_with_visibility AS
SELECT *, is_published AND deleted_at IS NULL AS is_public
FROM (SELECT *, hidden_at IS NULL AS is_published FROM events);

DROP VIEW public_events;
CREATE VIEW public_events AS SELECT * FROM events_with_visibility WHERE is_public;
