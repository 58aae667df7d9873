import { assign, deviceBounds, noAttributes, put } from "../Attributes.ts"
import type { AddDevice, DeleteDevice } from "../Command.ts"
import { holderFor, knownHolder } from "../holderFor.ts"
import { deviceText } from "../Identifier.ts"
import type { JsonObject } from "../Json.ts"
import { devicesPerPersonMax } from "../Limits.ts"
import { assigned } from "../relationship/payload.ts"
import { toIso } from "../Timestamp.ts"
import { dropped, effective, Effects, type Verdict } from "../Verdict.ts"
import { found, type WorkingSet } from "../WorkingSet.ts"
import type { Device } from "./Device.ts"
import { tooManyDevices } from "./inherit.ts"

/** Adds a device or updates it; one that somebody else has moves (track-api §2.4, contract §10). */
export const addDevice = (seen: WorkingSet, command: AddDevice): Verdict => {
  const { at, assignments, lastUsed, platform, receivedAt, token, workspace } = command
  const effects = new Effects(seen, command.faults)
  const owner = holderFor(seen, command, command.target, effects)
  if (owner === null) return dropped("unknown svc_id", "track-api §2.4")
  const before = deviceOf(seen, command)
  const own = owner.holder?.devices
  if (own !== undefined && own.size >= devicesPerPersonMax && !own.has(token)) {
    effects.faults.push(tooManyDevices)
  } else {
    const path = `devices.${token}`
    const visible = { fields: effects.fields, faults: effects.faults }
    if (own?.has(token) !== true) effects.fields.push({ path, from: null, to: platform })
    const known = before?.attributes ?? noAttributes
    const entries = assign(known, assignments, at, deviceBounds(workspace.limits, `${path}.`), visible)
    const attributes = put(known, entries)
    const device = { platform, lastUsed: lastUsed ?? before?.lastUsed ?? null, attributes }
    effects.changes.push({ _tag: "DeviceAdded", key: owner.key, token, device, at: receivedAt })
  }
  return effective(owner.outcome, effects.faults, {
    rule: "track-api §2.4",
    subject: owner.key,
    data: payload(command),
    changes: effects.changes,
    fields: effects.fields,
  })
}

/** Removes a device; of somebody unknown there is none to remove (contract §6). */
export const deleteDevice = (seen: WorkingSet, command: DeleteDevice): Verdict => {
  const { faults, receivedAt: at, token } = command
  const holder = knownHolder(seen, command, command.target)
  if (holder === null) return dropped("nobody has the device", "contract §6")
  const device = holder.devices.get(token)
  return effective("applied", faults, {
    rule: "track-api §2.4",
    subject: holder.key,
    data: { token },
    changes: device === undefined ? [] : [{ _tag: "DeviceRemoved", key: holder.key, token, at }],
    fields: device === undefined ? [] : [{ path: `devices.${token}`, from: device.platform, to: null }],
  })
}

/** The device as it is now, whoever has it. */
const deviceOf = (seen: WorkingSet, { token, workspace }: AddDevice): Device | undefined => {
  const holder = found(seen, deviceText(workspace.id, token))
  return holder?._tag === "Person" || holder?._tag === "Visitor" ? holder.devices.get(token) : undefined
}

const payload = ({ assignments, lastUsed, platform, token }: AddDevice): JsonObject => ({
  token,
  platform,
  last_used: lastUsed === null ? null : toIso(lastUsed),
  attributes: assigned(assignments),
})
