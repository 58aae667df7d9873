import type { Command } from "@inlethq/core/Command"
import type { ReadOtherwise } from "@inlethq/core/log/KeptValue"
import { isJsonObject, setKey, type Json, type JsonObject } from "@inlethq/core/values/Json"
import { isAbsent, isEmptyArray } from "../decoding/fieldValues.ts"
import { isEmpty, keptProvenance } from "../decoding/keptProvenance.ts"
import { withReadOtherwise } from "../decoding/readOtherwise.ts"
import type { Call } from "./Call.ts"

/** Adds to the command of a call where the call came from. */
export const withProvenance = <C extends Command>(call: Call, command: C): C => {
  if (command._tag === "RejectOperation") return command
  const { workspace } = call.receipt
  const provenance = keptProvenance(workspace, {
    context: sentContext(call),
    integrations: sentIntegrations(call),
  })
  const told = provenance === undefined ? command : { ...command, provenance }
  const otherwise = readOtherwise(call)
  return otherwise === none ? told : withReadOtherwise(told, otherwise)
}

/** The context of a call, over that of its batch by key (contract §13). */
const sentContext = ({ body, defaults }: Call): JsonObject => {
  const own = body["context"]
  if (!isJsonObject(own)) return defaults.context
  if (isEmpty(defaults.context)) return own
  const merged: { [key: string]: Json } = {}
  for (const [key, value] of Object.entries(defaults.context)) setKey(merged, key, value)
  for (const [key, value] of Object.entries(own)) setKey(merged, key, value)
  return merged
}

const sentIntegrations = ({ body, defaults }: Call): JsonObject => {
  const own = body["integrations"]
  return isJsonObject(own) ? own : defaults.integrations
}

const none: ReadonlyArray<ReadOtherwise> = []

/** What is no object is read as an empty one, and named. An empty list is one in PHP's spelling (contract §4). */
const readOtherwise = ({ body }: Call): ReadonlyArray<ReadOtherwise> =>
  isObjectOrAbsent(body["context"]) && isObjectOrAbsent(body["integrations"])
    ? none
    : (["context", "integrations"] as const).flatMap((path) => {
        const sent = body[path] ?? null
        return isObjectOrAbsent(sent) ? [] : [{ path, sent, kept: {}, why: "not_an_object" } as const]
      })

const isObjectOrAbsent = (value: Json | undefined): boolean =>
  isJsonObject(value) || isAbsent(value) || isEmptyArray(value)
