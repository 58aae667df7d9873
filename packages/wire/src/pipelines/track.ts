import type { Command } from "@inlethq/core/Command"
import type { DeviceChange } from "@inlethq/core/device/commands"
import type { RecordEvent } from "@inlethq/core/event/commands"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import type { JsonObject } from "@inlethq/core/values/Json"
import { Result } from "effect"
import { nameRequired, readName } from "../decoding/event.ts"
import { noFindings, type Findings } from "../decoding/Findings.ts"
import { decodeAction, serviceActions } from "./actions.ts"
import { objectOr, rejectCall, firstSpelling, type Call } from "./Call.ts"
import { callTimeOf } from "./callTime.ts"
import { readContextDevice, readUninstalledDevice } from "./device.ts"
import { decodeEvent } from "./events.ts"
import { pipelinesTexts } from "../texts/pipelinesTexts.ts"

/**
 * Decodes `track` as an event, or as an operation if the event name is reserved (pipelines-api §2.2, §6.1). Events with
 * any other documented name are stored unchanged.
 */
export const decodeTrack = (call: Call): Result.Result<Command, RejectOperation> => {
  const read = readName(call.receipt.workspace.limits, call.body["event"], "event")
  if (Result.isFailure(read)) return rejectCall(call, "event", read.failure)
  const name = read.success
  if (name === null) return rejectCall(call, "event", nameRequired("event"))
  const special = specialNames.get(name)
  return special === undefined ? decodeEvent(call, name) : special(call, name)
}

type Decode = (call: Call, name: string) => Result.Result<Command, RejectOperation>

const contentActions: ReadonlyArray<unknown> = ["viewed_content", "clicked_content"]

/** Decodes `Report Content Event` as an event with the name in `actionType` (contract §13). */
const decodeContentReport: Decode = (call) => {
  const properties = objectOr(call.body["properties"], {})
  const { field, value } = firstSpelling("properties.", properties, ["actionType", "action_type"])
  return typeof value === "string" && contentActions.includes(value)
    ? decodeEvent(call, value)
    : rejectCall(call, "event", pipelinesTexts.unknownContentAction(field))
}

type ReadDevice = (call: Call, properties: JsonObject, findings: Findings) => DeviceChange | null

/** Decodes an event of an app. If the call has a device token, the event also adds or removes the device. */
const withDevice =
  (read: ReadDevice): Decode =>
  (call, name) =>
    Result.map(decodeEvent(call, name), (event): RecordEvent => {
      const findings = noFindings()
      const device = read(call, objectOr(call.body["properties"], {}), findings)
      return { ...event, device, faults: [...event.faults, ...findings.violations, ...findings.faults] }
    })

const appInUse = withDevice((call, properties, findings) =>
  readContextDevice(call, properties, callTimeOf(call).at, findings),
)

/** Decoders of events with a special name. Events with any other name are ordinary events. */
const specialNames: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ...[...serviceActions].map(([name, action]): [string, Decode] => [
    name,
    (call) => decodeAction(call, action),
  ]),
  ["Report Content Event", decodeContentReport],
  ["Application Installed", appInUse],
  ["Application Opened", appInUse],
  ["Application Uninstalled", withDevice(readUninstalledDevice)],
])
