import type { Envelope } from "../fold/Envelope.ts"
import { deviceBytes, type HoldingsBudget } from "../decision/HoldingsBudget.ts"
import type { Person } from "../state/Person.ts"
import type { Holder } from "../state/Subject.ts"
import type { DecisionDraft } from "../decision/DecisionDraft.ts"
import { toIso } from "../values/Timestamp.ts"
import type { Device } from "../state/Device.ts"

type Received = Pick<Envelope, "receivedAt">

/**
 * Gives a person the devices of a visitor who was identified as that person. Leaves out the device with the token
 * `tokenInRequest`, because the request itself updates or removes that device (contract §13).
 */
export const inheritDevices = (
  command: Received,
  person: Person,
  visitor: Holder,
  budget: HoldingsBudget,
  draft: DecisionDraft,
  tokenInRequest: string | undefined,
): void => {
  const devices = [...visitor.devices].filter(([token]) => token !== tokenInRequest)
  if (devices.length === 0) return
  const bytes = devices.reduce((sum, [token, { attributes }]) => sum + deviceBytes(token, attributes), 0)
  const fault = budget.inheritDevices(devices.length, bytes)
  if (fault === undefined) moveDevices(command, person, devices, draft)
  else draft.faults.push(fault)
}

/** Moves devices to a person without checking the limits. */
export const moveDevices = (
  { receivedAt: at }: Received,
  { key }: Person,
  devices: Iterable<readonly [token: string, device: Device]>,
  draft: DecisionDraft,
): void => {
  for (const [token, device] of devices) {
    draft.changes.push({ _tag: "DeviceAdded", key, token, device, at })
    const path = `devices.${token}`
    const { attributes, lastUsed } = device
    // Before the device itself: of the device that a call gives, the entry lists it afterwards.
    if (lastUsed !== null) draft.gain({ path: `${path}.last_used`, from: null, to: toIso(lastUsed) })
    draft.fields.push({ path, from: null, to: device.platform })
    for (const [name, { value }] of attributes) {
      if (value !== null) draft.gain({ path: `${path}.${name}`, from: null, to: value })
    }
  }
}
