import type { AddDevice, DeleteDevice } from "../Command.ts"
import { holderFor, knownHolder, showCreated } from "../holderFor.ts"
import type { JsonObject } from "../Json.ts"
import { assigned } from "../relationship/payload.ts"
import { toIso } from "../Timestamp.ts"
import { dropped, effective, Effects, type Verdict } from "../Verdict.ts"
import { noteNamed } from "../visitor/transitions.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import { putDevice } from "./putDevice.ts"
import { dropReasons } from "../faults.ts"

/** Adds a device or updates it; one that somebody else has moves (track-api §2.4, contract §10). */
export const addDevice = (seen: WorkingSet, command: AddDevice): Verdict => {
  const effects = new Effects(seen, command.faults)
  const owner = holderFor(seen, command, command.target, effects)
  if (owner === null) return dropped(dropReasons.unknownSvcId(), "track-api §2.4")
  showCreated(owner, effects.fields)
  putDevice(seen, command, owner, command, effects)
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
  if (holder === null) return dropped(dropReasons.noPerson(), "contract §6 unknown people")
  const device = holder.devices.get(token)
  return effective("applied", faults, {
    rule: "track-api §2.4",
    subject: holder.key,
    data: { token },
    changes: [
      ...noteNamed(holder, at),
      ...(device === undefined ? [] : [{ _tag: "DeviceRemoved", key: holder.key, token, at } as const]),
    ],
    fields: device === undefined ? [] : [{ path: `devices.${token}`, from: device.platform, to: null }],
  })
}

const payload = ({ assignments, lastUsed, platform, token }: AddDevice): JsonObject => ({
  token,
  platform,
  last_used: lastUsed === null ? null : toIso(lastUsed),
  attributes: assigned(assignments),
})
