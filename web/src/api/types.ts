import type { components } from './generated/schema'

type Schemas = components['schemas']

/** An event with its location and speakers (spec §3). */
export type CalendarEvent = Schemas['Event']
/** Where an in-person event takes place (spec §3). */
export type EventLocation = Schemas['Location']
/** One of an event's speakers, as the event carries it. */
export type EventSpeaker = CalendarEvent['speakers'][number]['speaker']
/** How many plan to attend, and whether this visitor does (spec §3). */
export type Interest = Schemas['Interest']
/** The signed-in user (spec §3). */
export type User = Schemas['User']
/** The stored hero text of a page (spec §3). */
export type PageContent = Schemas['PageContent']
/** A venue's photo and who made it. */
export type PlacePhoto = Schemas['PlacePhoto']
/** What the server puts into the page, so that the first screen waits for no request. */
export type FirstData = Schemas['FirstData']
/** What the company supplies about itself: name, contact, links. */
export type Site = Schemas['Site']
/** The body of an error response. */
export type ErrorBody = Schemas['ErrorBody']
/** A speaker or host of events (spec §3). */
export type Speaker = Schemas['Speaker']
/** Why a speaker was not deleted: the events that would be left without any. */
export type SpeakerConflict = Schemas['SpeakerConflict']
/** What the speaker form sends. */
export type SaveSpeaker = Schemas['SaveSpeaker']
/** What the user form sends. */
export type SaveUser = Schemas['SaveUser']
/** What the CMS sends. */
export type SavePageContent = Schemas['SavePageContent']
/** An image stored by the server. */
export type UploadedImage = Schemas['Image']
/** What is sent to create or change an event. */
export type SaveEvent = Schemas['SaveEvent']
/** Why a change of an event was refused that another editor had changed meanwhile. */
export type EventConflict = Schemas['EventConflict']
/** One change of an event: who, what, when. */
export type ActivityEntry = Schemas['ActivityEntry']
/** The result of an import. */
export type SyncResult = Schemas['SyncResult']
/** The options of an import. */
export type SyncRequest = Schemas['SyncRequest']
/** What the provider says of an imported event. */
export type EventImport = Schemas['EventImport']
