import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import type { EventTypeShapeDocument } from "@inlethq/contract/types/EventTypes"
import type { ActivityCursor, TypeCursor } from "@inlethq/contract/values/Cursor"
import type { ActivityKind } from "@inlethq/core/log/ActivityEntry"
import { literalsIn, literalsMax, type Literals } from "@inlethq/log/types/literalsIn"
import type { SeenType } from "@inlethq/log/types/typesFile"
import { Effect } from "effect"
import type { Reach } from "../shared/resource.ts"

/** The newest events of a name whose texts are looked at. */
const entriesMax = 1000
const entryPagesMax = 20

/** Reads every name that was seen, with its shape. */
export const readTypes = Effect.fnUntraced(function* ({ client, w }: Reach) {
  const found: Array<EventTypeShapeDocument> = []
  let after: typeof TypeCursor.Type | null = null
  do {
    const page: {
      readonly items: ReadonlyArray<{ readonly kind: string; readonly name: string }>
      readonly next: typeof TypeCursor.Type | null
    } = yield* client.types.list({ params: { w }, query: after === null ? {} : { after } })
    for (const { kind, name } of page.items)
      found.push(yield* client.types.get({ params: { w, kind, name } }))
    after = page.next
  } while (after !== null)
  return found
})

/** Adds the texts of paths that have few, which many people have sent each. */
export const withLiterals = Effect.fnUntraced(function* (reach: Reach, document: EventTypeShapeDocument) {
  const kinds = kindsOf(document)
  const hasFew = document.shape.some(
    ({ distinct, types }) => types["string"] !== undefined && distinct <= literalsMax + 1,
  )
  const literals: Literals = hasFew
    ? literalsIn(yield* newestEntries(reach, kinds, document.name))
    : new Map()
  return { document, literals } satisfies SeenType
})

/** Only events are read again: the attributes of people are theirs. */
const kindsOf = ({ kind }: EventTypeShapeDocument): ReadonlyArray<ActivityKind> => {
  switch (kind) {
    case "event":
      return ["event", "anonymous_event"]
    case "page":
    case "screen":
      return [kind]
    default:
      return []
  }
}

const newestEntries = Effect.fnUntraced(function* (
  { client, w }: Reach,
  kinds: ReadonlyArray<ActivityKind>,
  name: string,
) {
  const found: Array<ActivityDocument> = []
  for (const kind of kinds) {
    let after: typeof ActivityCursor.Type | null = null
    for (let pages = 0; pages < entryPagesMax && found.length < entriesMax; pages++) {
      const page: {
        readonly items: ReadonlyArray<ActivityDocument>
        readonly next: typeof ActivityCursor.Type | null
      } = yield* client.activity.list({
        params: { w },
        query: { kind, name, limit: entriesMax - found.length, ...(after !== null && { after }) },
      })
      found.push(...page.items)
      if (page.next === null) break
      after = page.next
    }
  }
  return found
})
