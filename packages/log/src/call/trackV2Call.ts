import type { JsonObject } from "@inlethq/core/values/Json"
import { post, type Call } from "./Call.ts"
import type { Told } from "./Told.ts"

/** Writes an operation as a call to `/entity`. */
export const trackV2Call = (told: Told): Call => post("track-v2", "/api/v2/entity", entityOf(told))

/** Returns the entity of an operation with its deduplication key and its time. */
export const entityOf = ({ draft, id, time, unread }: Told): JsonObject => {
  const { entity } = draft
  return {
    ...entity,
    ...(isEvent(entity) && id !== null && { id }),
    ...(time !== null && { timestamp: time }),
    ...unread,
  }
}

const isEvent = ({ action, type }: JsonObject): boolean =>
  type === "person" && (action === "event" || action === "page" || action === "screen")
