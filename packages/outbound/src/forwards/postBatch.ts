import type { JsonObject } from "@inlethq/core/values/Json"
import { passageHeader } from "@inlethq/core/forward/passage"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { Clock, Effect } from "effect"
import type { Delivered } from "../sending/Delivered.ts"
import { Sender } from "../sending/Sender.ts"
import { countRequest } from "./forwardMetrics.ts"
import type { ForwardTarget } from "./targetOf.ts"
import { forwardAnswerBytesMax } from "./verdictOf.ts"

/** The milliseconds within which a forward's receiver must begin its response. */
const forwardTimeoutMs = 30_000

const compress = promisify(gzip)

/** Sends items in one request. `passage` names the workspaces that have sent them on, this one last. */
export const postBatch = Effect.fnUntraced(function* (
  { headers, url }: ForwardTarget,
  items: ReadonlyArray<JsonObject>,
  passage: ReadonlyArray<string>,
) {
  const sender = yield* Sender
  const body = yield* Effect.promise(() => compress(JSON.stringify({ batch: items })))
  const now = yield* Clock.currentTimeMillis
  yield* countRequest
  const result = yield* sender.send(
    {
      url,
      headers: { ...headers, "content-encoding": "gzip", [passageHeader]: passage.join(",") },
      body,
      timeoutMs: forwardTimeoutMs,
      answerBytesMax: forwardAnswerBytesMax,
    },
    now,
  )
  return { ...result, durationMs: (yield* Clock.currentTimeMillis) - now } satisfies Delivered
})
