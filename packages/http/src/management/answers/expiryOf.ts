import { InvalidRequest } from "@inlethq/contract/access/Problem"
import { readTime } from "@inlethq/core/values/Timestamp"
import { Clock, Effect } from "effect"
import { problemTexts } from "../../problems/problemTexts.ts"

/** Returns the time at which a new key or token expires, or null if it never does. Fails if the time has passed. */
export const expiryOf = Effect.fnUntraced(function* (expires: string | null) {
  if (expires === null) return null
  const at = readTime(expires)
  if (at !== undefined && at > (yield* Clock.currentTimeMillis)) return at
  return yield* new InvalidRequest({ detail: problemTexts.wrongExpiry() })
})
