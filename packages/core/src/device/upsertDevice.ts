import { assignAttributes, staleFault } from "../attributes/assignAttributes.ts"
import { deviceBounds } from "../attributes/attributeBounds.ts"
import { assignmentsToJson, noAttributes } from "../state/Attributes.ts"
import { applyAssigned } from "../attributes/applyAssigned.ts"
import type { UpdateResult } from "../attributes/AttributesDraft.ts"
import type { DeviceChange } from "./commands.ts"
import type { Envelope } from "../fold/Envelope.ts"
import { deviceBytes, holdingsOf, HoldingsBudget } from "../decision/HoldingsBudget.ts"
import { deviceText, type SubjectKey } from "../values/Identifier.ts"
import type { FieldChange } from "../log/Outcome.ts"
import { isExpiredVisitor, type Holder } from "../state/Subject.ts"
import { isStale, toIso } from "../values/Timestamp.ts"
import type { DecisionDraft } from "../decision/DecisionDraft.ts"
import { subjectByText, type WorkingSet } from "../fold/WorkingSet.ts"
import type { Device } from "../state/Device.ts"

type Timed = Pick<Envelope, "workspace" | "at" | "receivedAt">
type DeviceParts = Omit<Extract<DeviceChange, { readonly _tag: "DeviceUpdate" }>, "_tag">

/**
 * The person or visitor that a device is added to or removed from. `holder` is the state before the command, or null if
 * the command creates the person or visitor.
 */
interface Owner {
  readonly key: SubjectKey
  readonly holder: Holder | null
}

/**
 * Adds a device to a person or a visitor, or updates it. If another person or visitor has the device, they lose it, and
 * the device keeps its attributes (contract §10).
 */
export const upsertDevice = (
  state: WorkingSet,
  command: Timed,
  { holder, key }: Owner,
  { assignments, lastUsedGiven, platform, token, ...given }: DeviceParts,
  draft: DecisionDraft,
  budget = new HoldingsBudget(command.workspace.limits, holdingsOf(key, holder)),
): void => {
  const { receivedAt, workspace } = command
  const lastUsed = given.lastUsed === null ? null : Math.min(given.lastUsed, receivedAt)
  const path = `devices.${token}`
  const before = deviceOf(state, command, token)
  const known = before?.attributes ?? noAttributes
  const visible: UpdateResult = { fields: [], faults: draft.faults }
  const entries = assignAttributes(
    known,
    assignments,
    command,
    deviceBounds(workspace.limits, `${path}.`),
    visible,
  )
  const usedBefore = before?.lastUsed ?? null
  const isLastUsedStale =
    lastUsed !== null && usedBefore !== null && isStale(lastUsed, usedBefore, receivedAt)
  if (isLastUsedStale && lastUsedGiven) {
    const fault = staleFault(`${path}.last_used`, lastUsed, usedBefore)
    draft.faults.push({ ...fault, value: isoOf(lastUsed) })
  }
  const device = {
    platform,
    lastUsed: isLastUsedStale ? usedBefore : (lastUsed ?? usedBefore),
    attributes: applyAssigned(known, entries),
  }
  const mine = holder?.devices.get(token)
  const bytesBefore = mine === undefined ? null : deviceBytes(token, mine.attributes)
  const fault = budget.addDevice(deviceBytes(token, device.attributes), bytesBefore)
  if (fault !== undefined) {
    const value = { token, platform, last_used: isoOf(lastUsed), attributes: assignmentsToJson(assignments) }
    draft.faults.push({ ...fault, value })
    return
  }
  draft.fields.push(...visible.fields, ...fieldsOf(path, mine, device))
  draft.changes.push({ _tag: "DeviceAdded", key, token, device, at: receivedAt })
}

/** Returns the field changes that the log entry shows for a device and its new owner. */
const fieldsOf = (path: string, before: Device | undefined, after: Device): ReadonlyArray<FieldChange> => {
  const fields: Array<FieldChange> = []
  const platform = before?.platform ?? null
  if (platform !== after.platform) fields.push({ path, from: platform, to: after.platform })
  const lastUsed = before?.lastUsed ?? null
  if (lastUsed !== after.lastUsed) {
    fields.push({ path: `${path}.last_used`, from: isoOf(lastUsed), to: isoOf(after.lastUsed) })
  }
  return fields
}

const isoOf = (at: number | null) => (at === null ? null : toIso(at))

/** Adds, updates or removes the device that an identify call or an event names (contract §13). */
export const applyDeviceChange = (
  state: WorkingSet,
  command: Timed,
  owner: Owner,
  change: DeviceChange,
  draft: DecisionDraft,
  budget?: HoldingsBudget,
): void => {
  switch (change._tag) {
    case "DeviceUpdate":
      return upsertDevice(state, command, owner, change, draft, budget)
    case "DeviceRemoval": {
      const { token } = change
      const device = owner.holder?.devices.get(token)
      if (device === undefined) return
      draft.changes.push({ _tag: "DeviceRemoved", key: owner.key, token, at: command.receivedAt })
      draft.fields.push({ path: `devices.${token}`, from: device.platform, to: null })
      return
    }
  }
  change satisfies never
}

/**
 * Returns the device with a token, or undefined if no device has the token, or if the device belongs to an expired
 * visitor.
 */
const deviceOf = (state: WorkingSet, { receivedAt }: Timed, token: string): Device | undefined => {
  const holder = subjectByText(state, deviceText(token))
  if (holder?._tag !== "Person" && holder?._tag !== "Visitor") return undefined
  return isExpiredVisitor(holder, receivedAt) ? undefined : holder.devices.get(token)
}
