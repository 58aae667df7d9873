import type { ActivityKind } from "@inlethq/core/log/ActivityEntry"
import type { Command } from "@inlethq/core/Command"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { lenientBatchBytesMax, lenientRequestBytesMax, type Limits } from "@inlethq/core/workspace/Limits"
import type { Fault } from "@inlethq/core/log/Outcome"
import { Result } from "effect"
import { batchFault, itemFault } from "../decoding/batchItem.ts"
import type { OpenedWorkspace, Receipt } from "../decoding/Receipt.ts"
import { notAnObject, reject, tooLarge } from "../decoding/reject.ts"
import { omitsAnything } from "../decoding/Omitting.ts"
import { restOfContext, restOfPipelines, withOmitted, type Rest } from "../decoding/omitted.ts"
import { planned } from "../decoding/planned.ts"
import { refuseBroken } from "../decoding/readOtherwise.ts"
import { withSent } from "../decoding/sentCall.ts"
import { decodeAlias } from "./alias.ts"
import { withProvenance } from "./provenance.ts"
import { noDefaults, readDefaults, readMessageId, userAgentIn, type Call, type Defaults } from "./Call.ts"
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
  const kept = restOfPipelines(workspace, body)
  if (request.bytes > bytesMax)
    return collect(request, [refuse(receipt, kept, [tooLarge(bytesMax)], operationKinds[type])])
  return collect(request, [decodeBody(request, receipt, type, body, kept, noDefaults)])
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
        : refuse(receiptOf(request, workspace, null), nothingKept, items.failure),
    ])
  }
  if (items.success.length === 0 && workspace === undefined) {
    return collect(request, [{ _tag: "Unauthorized" }])
  }
  const defaultsOf = defaultsIn(body)
  const { strict } = request
  const outcomes = items.success.map((item, batchIndex): CallOutcome => {
    const own = request.open(writeKeyOf(item, batchKey))
    if (own === undefined) return { _tag: "Unauthorized" }
    const receipt = receiptOf(request, own, batchIndex)
    const bytesMax = strict ? own.limits.batchItemBytesMax : lenientRequestBytesMax(own.limits)
    const wrong = request.bytes > bytesMax ? itemFault(item, bytesMax) : undefined
    const kept = restOfPipelines(own, item)
    return wrong === undefined
      ? decodeBody(request, receipt, typeOf(item), item, kept, defaultsOf(own))
      : refuse(receipt, kept, [wrong])
  })
  return collect(request, outcomes, workspace)
}

/** Returns the defaults of the calls of a batch, without what their workspace omits. Most batches are for one workspace. */
const defaultsIn = (batch: unknown): ((workspace: OpenedWorkspace) => Defaults) => {
  const sent = isJsonObject(batch) ? readDefaults(batch) : noDefaults
  const known = new Map<Workspace["omit"], Defaults>()
  return (workspace) => {
    if (!omitsAnything(workspace)) return sent
    const defaults = known.get(workspace.omit) ?? withoutOmittedContext(workspace, sent)
    known.set(workspace.omit, defaults)
    return defaults
  }
}

const withoutOmittedContext = (workspace: OpenedWorkspace, sent: Defaults): Defaults => {
  const { omitted, rest: context } = restOfContext(workspace, sent.context)
  return { ...sent, context, omitted }
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
  sent: unknown,
  kept: Rest<unknown>,
  defaults: Defaults,
): CallOutcome => {
  const { rest: body } = kept
  if (!isJsonObject(body)) return refuse(receipt, kept, [notAnObject(receipt.batchIndex)])
  if (typeof type !== "string") return refuse(receipt, kept, [type])
  const userAgent = (isJsonObject(sent) ? userAgentIn(sent) : null) ?? defaults.userAgent
  const call = { receipt, type, body, defaults, userAgent }
  const faults = strict ? strictFaults(call) : []
  if (faults.length > 0) {
    return refuse(receipt, kept, faults, operationKinds[type], readMessageId(call, []))
  }
  const decoded = planned(receipt, refuseBroken(receipt, decodeByType(call), body), "properties")
  if (Result.isFailure(decoded) && decoded.failure.plan !== undefined && strict) {
    return { _tag: "Refused", command: withOmitted(withSent(receipt, decoded.failure, body), kept.omitted) }
  }
  const command = withSent(receipt, withProvenance(call, Result.merge(decoded)), body)
  return {
    _tag: "Accepted",
    command: withOmitted(withOmitted(command, kept.omitted), defaults.omitted),
    kept,
  }
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
  { omitted, rest }: Rest<unknown>,
  faults: ReadonlyArray<Fault>,
  kind: ActivityKind | null = null,
  deduplicationKey: string | null = null,
): CallOutcome => ({
  _tag: "Refused",
  command: withOmitted(withSent(receipt, reject(receipt, kind, faults, deduplicationKey), rest), omitted),
})

const nothingKept: Rest<null> = { rest: null, omitted: [] }
