-- Descriptions with Markdown, and the detection of concurrent changes of speakers, users and page content, as events have it.

-- plain: the text as it is. markdown: paragraphs, lists, bold and links.
ALTER TABLE events ADD COLUMN description_format TEXT NOT NULL DEFAULT 'plain'
    CHECK (description_format IN ('plain', 'markdown'));
-- The sanitized HTML of a description with Markdown; NULL for plain text.
ALTER TABLE events ADD COLUMN description_html TEXT;

-- Increases with every save.
ALTER TABLE speakers ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
ALTER TABLE users ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
ALTER TABLE page_content ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
