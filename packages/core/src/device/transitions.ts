import type { AddDevice, DeleteDevice } from "./commands.ts"
import { resolveHolder, knownHolder, showCreated } from "../decision/resolveHolder.ts"
import type { JsonObject } from "../values/Json.ts"
import { assignmentsToJson } from "../state/Attributes.ts"
import { toIso } from "../values/Timestamp.ts"
import { dropped, effective, type Verdict } from "../decision/Verdict.ts"
import { DecisionDraft } from "../decision/DecisionDraft.ts"
import { noteNamed } from "../visitor/transitions.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import { putDevice } from "./putDevice.ts"
import { dropReasons } from "../log/faults.ts"

/** Adds a device or updates it; one that somebody else has moves (track-api §2.4, contract §10). */
export const addDevice = (seen: WorkingSet, command: AddDevice): Verdict => {
  const draft = new DecisionDraft(seen, command.faults)
  const owner = resolveHolder(seen, command, command.target, draft)
  if (owner === null) return dropped(dropReasons.unknownSvcId(), "track-api §2.4")
  showCreated(owner, draft.fields)
  putDevice(seen, command, owner, command, draft)
  return effective(owner.outcome, draft.faults, {
    rule: "track-api §2.4",
    subject: owner.key,
    data: payload(command),
    changes: draft.changes,
    fields: draft.fields,
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
  attributes: assignmentsToJson(assignments),
})
