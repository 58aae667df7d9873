import type { ActivityKind } from "@inlethq/core/log/ActivityEntry"
import type { Command } from "@inlethq/core/Command"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import { lenientBatchBytesMax, lenientRequestBytesMax, type Limits } from "@inlethq/core/workspace/Limits"
import type { Fault } from "@inlethq/core/log/Outcome"
import { Result } from "effect"
import { batchFault, itemFault } from "../decoding/batchItem.ts"
import type { OpenedWorkspace, Receipt } from "../decoding/Receipt.ts"
import { notAnObject, reject, tooLarge } from "../decoding/reject.ts"
import { refuseBroken } from "../decoding/readOtherwise.ts"
import { withSent } from "../decoding/sentCall.ts"
import { decodeAlias } from "./alias.ts"
import { withProvenance } from "./provenance.ts"
import { noDefaults, readDefaults, readMessageId, type Call, type Defaults } from "./Call.ts"
import { isCallType, operationKinds, type CallType } from "./CallType.ts"
import { collect, type Decoded, type RequestContext, type CallOutcome } from "./RequestContext.ts"
import { decodeView } from "./events.ts"
import { decodeGroup } from "./group.ts"
import { decodeIdentify } from "./people.ts"
import { decodeTrack } from "./track.ts"
import { strictEnvelopeFaults, strictFaults } from "./strict.ts"
import { valueTexts } from "../texts/wireTexts.ts"
import { pipelinesTexts } from "../texts/pipelinesTexts.ts"
import { quoteValue } from "@inlethq/core/log/ErrorText"

/** Returns the size limit of a body in bytes, for a single call or a batch (contract §5). */
export const bodyBytesMax = (limits: Limits, strict: boolean, batch: boolean): number => {
  if (batch) return strict ? limits.batchBytesMax : lenientBatchBytesMax(limits)
  return strict ? limits.requestBytesMax : lenientRequestBytesMax(limits)
}

/** Decodes the body of a single call (pipelines-api §4). */
export const decodeCall = (request: RequestContext, type: CallType, body: unknown): Decoded => {
  const workspace = request.open(writeKeyOf(body, null))
  if (workspace === undefined) return collect(request, [{ _tag: "Unauthorized" }])
  const receipt = receiptOf(request, workspace, null)
  const bytesMax = bodyBytesMax(workspace.limits, request.strict, false)
  if (request.bytes > bytesMax)
    return collect(request, [refuse(receipt, body, [tooLarge(bytesMax)], operationKinds[type])])
  return collect(request, [decodeBody(request, receipt, type, body, noDefaults)])
}

/** Decodes the body of `/batch`. Each call goes to the workspace of its own write key (contract §13). */
export const decodeBatch = (request: RequestContext, body: unknown): Decoded => {
  const batchKey = writeKeyOf(body, null)
  const workspace = request.open(batchKey)
  const items = readItems(request, body, workspace)
  if (Result.isFailure(items)) {
    return collect(request, [
      workspace === undefined
        ? { _tag: "Unauthorized" }
        : refuse(receiptOf(request, workspace, null), null, items.failure),
    ])
  }
  if (items.success.length === 0 && workspace === undefined) {
    return collect(request, [{ _tag: "Unauthorized" }])
  }
  const defaults = isJsonObject(body) ? readDefaults(body) : noDefaults
  const { strict } = request
  const outcomes = items.success.map((item, batchIndex): CallOutcome => {
    const own = request.open(writeKeyOf(item, batchKey))
    if (own === undefined) return { _tag: "Unauthorized" }
    const receipt = receiptOf(request, own, batchIndex)
    const bytesMax = strict ? own.limits.batchItemBytesMax : lenientRequestBytesMax(own.limits)
    const wrong = request.bytes > bytesMax ? itemFault(item, bytesMax) : undefined
    return wrong === undefined
      ? decodeBody(request, receipt, typeOf(item), item, defaults)
      : refuse(receipt, item, [wrong])
  })
  return collect(request, outcomes, workspace)
}

const readItems = (
  request: RequestContext,
  body: unknown,
  workspace: OpenedWorkspace | undefined,
): Result.Result<ReadonlyArray<Json>, ReadonlyArray<Fault>> => {
  if (workspace !== undefined) {
    const bytesMax = bodyBytesMax(workspace.limits, request.strict, true)
    if (request.bytes > bytesMax) return Result.fail([tooLarge(bytesMax)])
  }
  if (!isJsonObject(body)) return Result.fail([notAnObject()])
  const { batch } = body
  if (batch === undefined || batch === null) {
    return Result.fail([pipelinesTexts.missing("batch")])
  }
  if (!Array.isArray(batch)) return Result.fail([valueTexts.notArray("batch")])
  const wrong = batchFault(batch.length, request.bytes)
  if (wrong !== undefined) return Result.fail([wrong])
  const faults = request.strict ? strictEnvelopeFaults(body) : []
  return faults.length > 0 ? Result.fail(faults) : Result.succeed(batch)
}

const decodeBody = (
  { strict }: RequestContext,
  receipt: Receipt,
  type: CallType | Fault,
  body: unknown,
  defaults: Defaults,
): CallOutcome => {
  if (!isJsonObject(body)) return refuse(receipt, body, [notAnObject(receipt.batchIndex)])
  if (typeof type !== "string") return refuse(receipt, body, [type])
  const call = { receipt, type, body, defaults }
  const faults = strict ? strictFaults(call) : []
  if (faults.length > 0) {
    return refuse(receipt, body, faults, operationKinds[type], readMessageId(call, []))
  }
  const decoded = refuseBroken(receipt, decodeByType(call), body)
  const command = withProvenance(call, Result.merge(decoded))
  return { _tag: "Accepted", command: withSent(receipt, command, body), sent: body }
}

const decodeByType = (call: Call): Result.Result<Command, RejectOperation> => {
  switch (call.type) {
    case "identify":
      return decodeIdentify(call)
    case "track":
      return decodeTrack(call)
    case "page":
    case "screen":
      return decodeView(call, call.type)
    case "group":
      return decodeGroup(call)
    case "alias":
      return decodeAlias(call)
  }
}

/** Returns the type of a call in a batch, or a fault if the type is unknown. */
const typeOf = (item: Json): CallType | Fault => {
  const type = isJsonObject(item) ? (item["type"] ?? "") : ""
  if (isCallType(type)) return type
  return type === ""
    ? pipelinesTexts.missing("type")
    : pipelinesTexts.unknownType("type", { type: quoteValue(type) })
}

const writeKeyOf = (body: unknown, otherwise: string | null): string | null => {
  const key = isJsonObject(body) ? body["writeKey"] : undefined
  return typeof key === "string" && key !== "" ? key : otherwise
}

const receiptOf = (
  { brand, client, receivedAt }: RequestContext,
  workspace: OpenedWorkspace,
  batchIndex: number | null,
): Receipt => ({ workspace, brand, source: "pipelines", receivedAt, batchIndex, client })

/**
 * Refuses a call. Strict mode responds to the whole request with an error, while default mode records the refusal and
 * continues.
 */
const refuse = (
  receipt: Receipt,
  item: unknown,
  faults: ReadonlyArray<Fault>,
  kind: ActivityKind | null = null,
  deduplicationKey: string | null = null,
): CallOutcome => ({
  _tag: "Refused",
  command: withSent(receipt, reject(receipt, kind, faults, deduplicationKey), item),
})
