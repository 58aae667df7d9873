import { isJsonObject, type Json, type JsonObject } from "../values/Json.ts"
import type { ActivityEntry } from "./ActivityEntry.ts"
import type { RejectedCall } from "./RejectedCall.ts"

/**
 * Returns what the entry of a segment call keeps of ids that nobody has. It is kept like a rejected call, so that it is
 * erased with whoever gets such an id and is deleted, and after as many days.
 */
export const ignoredIdsCall = (ignored: ReadonlyArray<string>): RejectedCall => ({
  path: null,
  key: null,
  userAgent: null,
  address: null,
  data: { ids: [...ignored] },
  cutFrom: null,
})

/** Returns the data of an entry that took effect, with the ids that it names as ignored. */
export const withIgnoredIds = (data: Json, { call }: Pick<ActivityEntry, "call">): Json => {
  const ids = call === null ? null : idsIn(call.data)
  return ids === null || !isJsonObject(data) ? data : ({ ...data, ignored: ids } satisfies JsonObject)
}

const idsIn = (data: Json): Json | null => (isJsonObject(data) ? (data["ids"] ?? null) : null)
