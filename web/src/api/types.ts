import type { components } from './generated/schema'

type Schemas = components['schemas']

/** A request as a form sends it: rules, not the type, find what is missing or not in an enum. */
type Unchecked<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Unchecked<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]?: Unchecked<T[Key]> | null }
      : T

/** An event with its venue and speakers (spec §3). */
export type CalendarEvent = Schemas['Event']
/** The events that a search finds, or a part of them. */
export type FoundEvents = Schemas['FoundEvents']
/** An event that a search finds. */
export type FoundEvent = Schemas['FoundEvent']
/** A series with its events. */
export type EventSeries = NonNullable<InitialData['series']>
/** A bulk edit, or its preview. */
export type BulkEdit = Schemas['BulkEdit']
/** What a bulk edit would do to one of its events. */
export type PlannedEdit = Schemas['PlannedEdit']
/** A bulk edit that was saved. */
export type AppliedBulkEdit = Schemas['AppliedBulkEdit']
/** A bulk edit that can be undone. */
export type RecentBulkEdit = Schemas['RecentBulkEdit']
/** The result of undoing a bulk edit. */
export type UndoneBulkEdit = Schemas['UndoneBulkEdit']
/** How an event repeats. */
export type RepeatRule = Schemas['RepeatRule']
/** The dates of an event that repeats. */
export type RepeatDates = Schemas['RepeatDates']
/** Events that were created together. */
export type RepeatedEvents = Schemas['RepeatedEvents']
/** Who sees an event, and whether it takes place. */
export type EventStatus = Schemas['EventStatus']
/** The secret link to the preview of an event. */
export type PreviewLink = Schemas['PreviewLink']
/** How many plan to attend an event. */
export type AttendanceCount = Schemas['AttendanceCount']
/** How many planned to attend an event at the end of a day. */
export type AttendanceDay = Schemas['AttendanceDay']
/** Where an in-person event takes place (spec §3). */
export type Venue = Schemas['Location']
/** A speaker as part of an event. */
export type SpeakerSummary = CalendarEvent['speakers'][number]['speaker']
/** The number of planned attendees, and whether this visitor is one (spec §3). */
export type Interest = Schemas['Interest']
/** The interest in an event, for the visitor who requested the page. */
export type PageInterest = Schemas['PageInterest']
/** The signed-in user (spec §3). */
export type User = Schemas['User']
/** The body to change the own password. */
export type ChangePassword = Schemas['ChangePassword']
/** The number of other sessions that were ended. */
export type EndedSessions = Schemas['EndedSessions']
/** The stored hero text of a page (spec §3). */
export type PageContent = Schemas['PageContent']
/** A venue's photo and its attributions. */
export type PlacePhoto = Schemas['PlacePhoto']
/** The data that the server writes into a page, from which it renders without a request. */
export type InitialData = Schemas['InitialData']
/** The company's configured data: name, contact, links. */
export type Site = Schemas['Site']
/** The site settings, for their form. */
export type SiteSettings = Schemas['SiteSettings']
/** The body to change the site settings. */
export type SaveSiteSettings = Unchecked<Schemas['SaveSiteSettings']>
/** Why a change was rejected: another admin has changed the settings meanwhile. */
export type SiteSettingsConflict = Schemas['SiteSettingsConflict']
/** The body of an error response. */
export type ErrorBody = Schemas['ErrorBody']
/** A speaker or host of events (spec §3). */
export type Speaker = Schemas['Speaker']
/** Why a speaker was not deleted: the events that have no other speaker. */
export type SpeakerDeletionConflict = Schemas['SpeakerDeletionConflict']
/** The body to create or update a speaker. */
export type SaveSpeaker = Unchecked<Schemas['SaveSpeaker']>
/** The body to create or update a user. */
export type SaveUser = Unchecked<Schemas['SaveUser']>
/** The body to update the hero text. */
export type SavePageContent = Schemas['SavePageContent']
/** An image stored by the server. */
export type UploadedImage = Schemas['Image']
/** The body to create or update an event. */
export type SaveEvent = Unchecked<Schemas['SaveEvent']>
/** A description with Markdown as HTML. */
export type RenderedDescription = Schemas['RenderedDescription']
/** One entry of an event's activity log. */
export type ActivityEntry = Schemas['ActivityEntry']
/** A deleted event that can still be restored. */
export type DeletedEvent = Schemas['DeletedEvent']
/** The result of a sync. */
export type SyncResult = Schemas['SyncResult']
/** The problems of the server that an admin must solve. */
export type ServerProblems = Schemas['ServerProblems']
/** The options of a sync. */
export type SyncRequest = Schemas['SyncRequest']
/** The provider's version of a synced event. */
export type EventSync = Schemas['EventSync']
/** A page of the portal's list. */
export type EventPage = Schemas['EventPage']
/** What an event of the portal's list can be selected by. */
export type EventMatch = Schemas['EventMatch']
/** The format of an export. */
export type ExportFormat = Schemas['FileFormat']
/** What a column of a file contains. */
export type EventFileField = Schemas['EventFileField']
/** The choices for an import from a file. */
export type ImportOptions = Partial<Schemas['ImportOptions']>
/** What an import from a file would do. */
export type ImportPreview = Schemas['ImportPreview']
/** A row of a file and what becomes of it. */
export type ImportRow = Schemas['ImportRow']
/** The number of rows by what becomes of them. */
export type ImportCounts = Schemas['ImportCounts']
/** A name in a file that needs a choice. */
export type UnknownName = Schemas['UnknownName']
/** What an import from a file did. */
export type ImportResult = Schemas['ImportResult']
/** What the undo of an import removed. */
export type UndoneImport = Schemas['UndoneImport']
