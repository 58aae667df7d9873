import type { Envelope } from "../Command.ts"
import { deviceBytes, type HoldingsBudget } from "../HoldingsBudget.ts"
import type { Person } from "../person/Person.ts"
import type { Holder } from "../Subject.ts"
import type { Effects } from "../Verdict.ts"
import type { Device } from "./Device.ts"

type Received = Pick<Envelope, "receivedAt">

/**
 * Gives a person the devices of a visitor who turned out to be that person, except the one with the token `spokenOf`, which
 * the request itself updates (contract §13).
 */
export const inheritDevices = (
  command: Received,
  person: Person,
  visitor: Holder,
  budget: HoldingsBudget,
  effects: Effects,
  spokenOf: string | undefined,
): void => {
  const devices = [...visitor.devices].filter(([token]) => token !== spokenOf)
  if (devices.length === 0) return
  const bytes = devices.reduce((sum, [token, { attributes }]) => sum + deviceBytes(token, attributes), 0)
  const fault = budget.inheritDevices(devices.length, bytes)
  if (fault === undefined) moveDevices(command, person, devices, effects)
  else effects.faults.push(fault)
}

/** Gives a person devices that someone else has. */
export const moveDevices = (
  { receivedAt: at }: Received,
  { key }: Person,
  devices: Iterable<readonly [token: string, device: Device]>,
  effects: Effects,
): void => {
  for (const [token, device] of devices) {
    effects.changes.push({ _tag: "DeviceAdded", key, token, device, at })
    effects.fields.push({ path: `devices.${token}`, from: null, to: device.platform })
  }
}
