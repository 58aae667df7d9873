import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import { personQueries, prefixedSvcId } from "@inlethq/wire/operations/personQueries"
import { Effect } from "effect"
import { ManagementRefused } from "./askManagement.ts"
import type { ToolContext } from "./Tool.ts"
import { problemTexts } from "../problems/problemTexts.ts"

const itemsOf = (page: Json): ReadonlyArray<Json> =>
  isJsonObject(page) && Array.isArray(page["items"]) ? page["items"] : []

/** Returns the person whom a text names by an identifier, or fails with a 404. */
export const personCalled = Effect.fnUntraced(function* (
  { ask, workspacePath }: ToolContext,
  name: string,
): Effect.fn.Return<Json, ManagementRefused> {
  for (const query of personQueries(name)) {
    const [found] = itemsOf(
      yield* ask({ method: "GET", path: `${workspacePath}/people`, query: { ...query } }),
    )
    if (found !== undefined) return found
  }
  return yield* new ManagementRefused({ status: 404, detail: problemTexts.notFound({ thing: "person" }) })
})

/**
 * Returns the `svc_id` of the person whom a text names. With `isPast`, a `svc_id` stays as it is, because the person may be gone by now.
 */
export const svcIdOf = Effect.fnUntraced(function* (
  context: ToolContext,
  name: string,
  isPast = false,
): Effect.fn.Return<string, ManagementRefused> {
  const prefixed = prefixedSvcId(name)
  if (isPast && prefixed !== undefined) return prefixed
  const found = yield* personCalled(context, name)
  const svcId = isJsonObject(found) ? found["svc_id"] : undefined
  return typeof svcId === "string" ? svcId : name
})
