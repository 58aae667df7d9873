import type { ActivitySource, EventKind } from "@inlethq/core/log/ActivityEntry"
import type { KeptReason, KeptValue } from "@inlethq/core/log/KeptValue"
import type { Identifier, SubjectKey } from "@inlethq/core/values/Identifier"
import type { Json, JsonObject } from "@inlethq/core/values/Json"

/** What an entry does not say itself: who and what it names, just before it. */
export interface Names {
  /** An identifier of a person or visitor, or null if there is none, or if they were deleted since. */
  readonly addressOf: (key: SubjectKey) => Identifier | null
  /** The identifier of a person whom the entry created, if the entry itself is erased. */
  readonly createdAs: (key: SubjectKey) => Identifier | null
  readonly objectOf: (key: SubjectKey) => JsonObject | null
  /** The platform of a device that the entry changed without changing its platform. */
  readonly platformOf: (token: string) => string | null
  /** When a device was last used, as far as anybody knows today. */
  readonly lastUsedOf: (token: string) => number | null
  /** Whether calls that address people by id could not change their email. */
  readonly emailsWereFixed: boolean
}

/** The names in an entry that is replayed. */
export interface EntryNames extends Names {
  /** The key of what replayed the merge that the entry undoes, or null if it undoes none. */
  readonly mergeKey: string | null
}

/**
 * An operation of an entry, as an entity of the Track API v2 with what that API cannot say. Its deduplication key and its
 * times are those of the entry, which may record several.
 */
export interface Draft {
  readonly entity: JsonObject
  /** The kind and the source of an event. */
  readonly kind?: EventKind
  readonly source?: ActivitySource
  readonly original_timestamp?: string | null
  /** The creation time of a person to the millisecond. The Track API has only seconds. */
  readonly created_at?: string
  /** The time of an operation that is not that of its entry. */
  readonly at?: string
  /** The person is found by the identifiers of the entity, which are then changed as a call by `svc_id` may change them. */
  readonly addressed_by?: "svc_id"
  /** The key of the merge that an `unmerge` undoes. */
  readonly merge?: string
  /** The values that were read differently than they were sent. Sent as stored, nobody could tell. */
  readonly kept_as?: ReadonlyArray<KeptDraft>
}

/** A value that was read otherwise, as the management import takes it. */
interface KeptDraft {
  readonly path: string
  readonly sent: Json
  readonly cut_from?: number
  readonly kept: Json
  readonly code: KeptReason
}

export const keptDraft = ({ cutFrom, kept, path, sent, why }: KeptValue): KeptDraft => ({
  path,
  sent,
  ...(cutFrom !== null && { cut_from: cutFrom }),
  kept,
  code: why,
})

/**
 * Why an entry records no operation:
 * - `no_effect`: it changed nothing, because it was refused, a duplicate or about somebody unknown
 * - `erased`: whoever it is about was deleted or suppressed
 * - `server`: the server recorded it by itself, such as a step of building a rule
 * - `settings`: it changed a segment or registered a delivery
 * - `unnamed`: nothing names whom it is about, for example an event that nobody can receive any more
 */
export type WhyNone = "no_effect" | "erased" | "server" | "settings" | "unnamed"

/** What an entry or an exported document says of an event. */
interface RecordedEvent {
  readonly identifiers: JsonObject
  readonly kind: EventKind
  readonly name: string | null
  readonly data: Json
  readonly source: ActivitySource
  readonly original_timestamp: string | null
}

/** Writes an event, which keeps its kind although a visitor may have become a person. */
export const eventDraft = ({
  data,
  identifiers,
  kind,
  name,
  original_timestamp,
  source,
}: RecordedEvent): Draft => ({
  entity: {
    type: "person",
    action: kind === "anonymous_event" ? "event" : kind,
    identifiers,
    name,
    attributes: data,
  },
  kind,
  source,
  original_timestamp,
})

export const personEntity = (action: string, { kind, value }: Identifier, rest: JsonObject): Draft => ({
  entity: { type: "person", action, identifiers: { [kind]: value }, ...rest },
})
