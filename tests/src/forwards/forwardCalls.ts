import { eventually } from "../eventually.ts"
import { Schema } from "effect"
import { read, type Management } from "../Management.ts"

const Shown = Schema.Struct({
  forward_id: Schema.String,
  name: Schema.String,
  enabled: Schema.Boolean,
  last_error: Schema.NullOr(Schema.String),
  blocked_by: Schema.NullOr(Schema.Struct({ operation_id: Schema.String, attempts: Schema.Int })),
  waiting: Schema.Struct({ operations: Schema.Int, entries: Schema.Int }),
})

const Attempts = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      attempt_id: Schema.String,
      operation_id: Schema.String,
      number: Schema.Int,
      status: Schema.String,
      response_status: Schema.NullOr(Schema.Int),
      response_excerpt: Schema.NullOr(Schema.String),
    }),
  ),
})

/** Creates a forward. Throws if the answer is not 201. */
export const createForward = async (management: Management, settings: object) => {
  const answer = await management.call("POST", management.pathOf("/forwards"), settings)
  if (answer.status !== 201) throw new Error(`cannot create a forward: ${answer.status} ${answer.text}`)
  return read(Shown, answer.json)
}

const forwardAt = async (management: Management, forwardId: string) =>
  read(Shown, (await management.call("GET", management.pathOf(`/forwards/${forwardId}`))).json)

/** Returns the newest attempts of a forward, newest first. */
export const forwardAttempts = async (management: Management, forwardId: string, query = "") => {
  const path = management.pathOf(`/forwards/${forwardId}/attempts?limit=1000${query}`)
  return read(Attempts, (await management.call("GET", path)).json).items
}

/** Returns whether a forward has sent everything. */
const isDone = async (management: Management, forwardId: string): Promise<boolean> => {
  const { waiting } = await forwardAt(management, forwardId)
  return waiting.operations === 0 && waiting.entries === 0
}

/** Waits until a forward has sent everything. */
export const untilDone = (management: Management, forwardId: string): Promise<unknown> =>
  eventually(`everything of forward ${forwardId}`, async () =>
    (await isDone(management, forwardId)) ? true : undefined,
  )
