import type { Identifier, SubjectKey } from "@inlet/core/values/Identifier"
import type { JsonObject } from "@inlet/core/values/Json"
import type { ExportedEntity } from "../management/Imports.ts"

/** What an entry does not say itself: who and what it names, just before it. */
export interface EntryNames {
  /** An identifier of a person or visitor, or null if there is none, or if they were deleted since. */
  readonly addressOf: (key: SubjectKey) => Identifier | null
  /** The identifier with which the entry created a person, if it was about an object that was deleted since. */
  readonly createdAs: (key: SubjectKey) => Identifier | null
  readonly objectOf: (key: SubjectKey) => JsonObject | null
  /** The platform of a device that the entry changed without changing its platform. */
  readonly platformOf: (token: string) => string | null
  /** Whether calls that address people by id could not change their email. */
  readonly emailsWereFixed: boolean
  /** The key of the operation that undoing a merge undoes. */
  readonly mergeKey: string | null
}

/** An entity without its deduplication key and its times, which all entities of an entry share. */
export type Draft = Omit<ExportedEntity, "key">

export const personEntity = (action: string, { kind, value }: Identifier, rest: JsonObject): Draft => ({
  entity: { type: "person", action, identifiers: { [kind]: value }, ...rest },
})
