import type { Envelope } from "../Command.ts"
import { deviceBytes, HeldRoom, tooMuchHeld } from "../HeldRoom.ts"
import { devicesPerPersonMax } from "../Limits.ts"
import type { Person } from "../person/Person.ts"
import type { Holder } from "../Subject.ts"
import type { Effects } from "../Verdict.ts"
import { decisionFaults } from "../faults.ts"

/**
 * Gives a person the devices of a visitor that it turned out to be, or of somebody merged into it (contract §6, §13); not
 * the one that the request itself is about.
 */
export const inheritDevices = (
  { receivedAt: at }: Pick<Envelope, "receivedAt">,
  person: Person,
  other: Holder,
  effects: Effects,
  spokenOf: string | null = null,
): void => {
  if (other.devices.size === 0) return
  let size = person.devices.size
  const room = new HeldRoom(person)
  for (const [token, device] of other.devices) {
    if (token === spokenOf) continue
    if (size >= devicesPerPersonMax) {
      effects.faults.push(tooManyDevices)
      return
    }
    if (!room.has(deviceBytes(token, device.attributes))) {
      effects.faults.push(tooMuchHeld("device"))
      continue
    }
    size++
    effects.changes.push({ _tag: "DeviceAdded", key: person.key, token, device, at })
    effects.fields.push({ path: `devices.${token}`, from: null, to: device.platform })
  }
}

export const tooManyDevices = decisionFaults.tooManyDevices("device", { max: devicesPerPersonMax })
