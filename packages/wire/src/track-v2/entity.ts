import type { Command } from "@inlethq/core/Command"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import { Result } from "effect"
import type { Receipt } from "../decoding/Receipt.ts"
import { notAnObject, reject } from "../decoding/reject.ts"
import { decodeReport } from "./deliveries.ts"
import type { Decode } from "./item.ts"
import { objectActions } from "./objects.ts"
import { personActions } from "./people.ts"
import { restOfEntity, withOmitted } from "../decoding/omitted.ts"
import { readDeduplicationKey } from "../decoding/event.ts"
import { dataField, planned } from "../decoding/planned.ts"
import { refuseBroken } from "../decoding/readOtherwise.ts"
import { withSent } from "../decoding/sentCall.ts"
import { requestTexts } from "../texts/wireTexts.ts"
import { isAbsent, required } from "../decoding/fieldValues.ts"
import { quoteValue } from "@inlethq/core/log/ErrorText"
import type { Fault } from "@inlethq/core/log/Outcome"

/** The decoders of items by type, then by action (track-api §4.2). */
export const entities: ReadonlyMap<string, ReadonlyMap<string, Decode>> = new Map([
  ["person", personActions],
  ["object", objectActions],
  ["delivery", new Map([["event", decodeReport]])],
])

/** Decodes the payload of `/entity`, or one item of a batch (track-api §4.2). */
export const decodeEntity = (receipt: Receipt, sent: unknown): Result.Result<Command, RejectOperation> => {
  const { omitted, rest: item } = restOfEntity(receipt.workspace, sent)
  const root = isJsonObject(item) ? dataField(item) : ""
  const decoded = planned(receipt, refuseBroken(receipt, decodeItem(receipt, item), item), root)
  return Result.mapBoth(decoded, {
    onSuccess: (command) => withOmitted(withSent(receipt, withKeyOf(receipt, command, item), item), omitted),
    onFailure: (refusal) => withOmitted(withSent(receipt, refusal, item), omitted),
  })
}

/**
 * A workspace that sends calls on gives each an id, so that a call which comes twice takes effect once, whatever its action. The
 * ids of other clients count for events only (contract §8).
 */
const withKeyOf = ({ client }: Receipt, command: Command, item: unknown): Command => {
  if (client?.isForwarded !== true || command.deduplicationKey !== null || !isJsonObject(item)) return command
  const deduplicationKey = Result.getOrElse(readDeduplicationKey(item["id"], "id"), () => null)
  return deduplicationKey === null ? command : { ...command, deduplicationKey }
}

const decodeItem = (receipt: Receipt, item: unknown): Result.Result<Command, RejectOperation> => {
  if (!isJsonObject(item)) return Result.fail(reject(receipt, null, [notAnObject(receipt.batchIndex)]))
  const { action, type } = item
  const actions = typeof type === "string" ? entities.get(type) : undefined
  if (actions === undefined) return Result.fail(reject(receipt, null, [unknownType(type)]))
  const decode = typeof action === "string" ? actions.get(action) : undefined
  if (decode === undefined)
    return Result.fail(reject(receipt, null, [unknownAction(action, String(type), actions)]))
  return decode(receipt, item)
}

const unknownType = (type: Json | undefined): Fault =>
  isAbsent(type) ? required("type") : requestTexts.unknownType("type", { type: quoteValue(type) })

const unknownAction = (action: Json | undefined, type: string, known: ReadonlyMap<string, Decode>): Fault =>
  isAbsent(action)
    ? required("action")
    : requestTexts.unknownAction("action", {
        action: quoteValue(action),
        type,
        actions: [...known.keys()].join(", "),
      })
