import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import { Effect, Option, Schedule, Schema } from "effect"
import { svcIdOf } from "./personCalled.ts"
import { defineTool } from "./Tool.ts"

/** The most differing operations in an answer. Their groups say how many there are. */
const itemsMax = 25

const Text = Schema.NonEmptyString.check(Schema.isMaxLength(2000))

const person = Text.annotate({ description: "an id, an email address, a svc_id or an anonymous id" })

/** The longest wait for a trial, and the pause between two looks. */
const trialMsMax = 60_000
const trialLookMs = 250

export const whatIf = defineTool({
  name: "what_if",
  title: "Try a change on the log",
  description:
    "Decides the operations of the last days again in memory with one thing changed, and says which would be different. Writes nothing. Settings are those of the workspace, such as email_update_by_id. Waits for a minute; a trial that takes longer is stopped and reports how far it came.",
  input: {
    days: Schema.optionalKey(Schema.Int.annotate({ description: "7 by default" })),
    settings: Schema.optionalKey(Schema.JsonObject),
    omit: Schema.optionalKey(Text.annotate({ description: "a path that would be left out of calls" })),
    rule: Schema.optionalKey(Schema.Json.annotate({ description: "a rule that a segment would have had" })),
    merge: Schema.optionalKey(
      Schema.Struct({ primary: person, secondary: person }).annotate({
        description: "two people who would have been merged",
      }),
    ),
  },
  run: Effect.fnUntraced(function* ({ days, merge, omit, rule, settings }, context) {
    const change = {
      ...(settings !== undefined && { settings }),
      ...(omit !== undefined && { omit }),
      ...(rule !== undefined && { rule: { rule } }),
      ...(merge !== undefined && {
        merge: {
          primary: yield* svcIdOf(context, merge.primary),
          secondary: yield* svcIdOf(context, merge.secondary),
        },
      }),
    }
    const path = `${context.workspacePath}/what-if`
    const body = { change, ...(days !== undefined && { days }) }
    const started = yield* context.ask({ method: "POST", path, body })
    const id = isJsonObject(started) ? String(started["what_if_id"]) : ""
    const look = context.ask({ method: "GET", path: `${path}/${id}` })
    const ended = yield* Effect.repeat(look, {
      while: (found) => isJsonObject(found) && found["status"] === "running",
      schedule: Schedule.spaced(trialLookMs),
    }).pipe(Effect.timeoutOption(trialMsMax))
    return withFewItems(
      Option.isSome(ended) ? ended.value : yield* context.ask({ method: "POST", path: `${path}/${id}/stop` }),
    )
  }),
})

const withFewItems = (found: Json): Json => {
  const differing = isJsonObject(found) ? found["differing"] : undefined
  if (!isJsonObject(found) || differing === undefined || !isJsonObject(differing)) return found
  const { items } = differing
  if (!Array.isArray(items) || items.length <= itemsMax) return found
  return { ...found, differing: { ...differing, items: items.slice(0, itemsMax), complete: false } }
}
