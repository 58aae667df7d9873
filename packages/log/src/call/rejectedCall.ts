import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { Reason } from "@inlethq/core/log/Reason"
import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import { Result } from "effect"
import { isCallType } from "@inlethq/wire/pipelines/CallType"
import type { Call } from "./Call.ts"
import { callTexts } from "./callTexts.ts"
import { routesTo } from "./routes.ts"

/** Returns a rejected call as it was sent, without the other items of its batch, or why the log does not have it. */
export const rejectedCall = ({ entry, sender }: ActivityRecord): Result.Result<Call, Reason> => {
  const { batchIndex, call } = entry
  if (call === null || call.path === null || call.cutFrom !== null) return Result.fail(callTexts.notKept())
  const { data, path } = call
  if (typeof data === "string") return Result.fail(callTexts.unreadable())
  const [first, ...others] = routesTo(path)
  if (first === undefined) return Result.fail(callTexts.notKept())
  const sentBy = sender?.route?.split(" ", 1)[0]
  const found = [first, ...others].find(({ route }) => route.method === sentBy) ?? first
  const { method, protocol } = found.route
  if (data === null && method !== "DELETE") return Result.fail(callTexts.notKept())
  const single = batchIndex === null ? { path, body: data } : singleCall(path, data)
  return Result.succeed({ protocol, method, ...single })
}

/** Returns the call that sends an item of a batch by itself. Of a type that is unknown, it is the only item of its batch. */
const singleCall = (path: string, item: Json): Pick<Call, "path" | "body"> => {
  if (path.endsWith("/v2/batch")) return { path: path.replace(/batch$/, "entity"), body: item }
  const type = isJsonObject(item) ? item["type"] : undefined
  return isCallType(type) ? { path: `/v1/${type}`, body: item } : { path, body: { batch: [item] } }
}
