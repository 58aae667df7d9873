import type { AddDevice, DeleteDevice } from "./commands.ts"
import { resolveHolder, findHolder, noteCreatedBy } from "../decision/resolveHolder.ts"
import type { JsonObject } from "../values/Json.ts"
import { assignmentsToJson } from "../state/Attributes.ts"
import { toIso } from "../values/Timestamp.ts"
import { dropped, accepted, type Verdict } from "../decision/Verdict.ts"
import { DecisionDraft } from "../decision/DecisionDraft.ts"
import { refreshVisitor } from "../visitor/transitions.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import { upsertDevice } from "./upsertDevice.ts"
import { dropTexts } from "../log/operationTexts.ts"

/**
 * Adds or updates a device. If another person or visitor has the device, they lose it (track-api §2.4, contract §10).
 */
export const addDevice = (state: WorkingSet, command: AddDevice): Verdict => {
  const draft = new DecisionDraft(state, command.faults)
  const owner = resolveHolder(state, command, command.target, draft)
  if (owner === null) return dropped(dropTexts.unknownSvcId(), "track-api §2.4")
  noteCreatedBy(owner, draft.fields)
  upsertDevice(state, command, owner, command, draft)
  return accepted(owner.outcome, draft.faults, {
    rule: "track-api §2.4",
    subject: owner.key,
    data: payload(command),
    changes: draft.changes,
    fields: draft.fields,
  })
}

/** Removes a device. If the person is unknown, the command is dropped (contract §6). */
export const deleteDevice = (state: WorkingSet, command: DeleteDevice): Verdict => {
  const { faults, receivedAt: at, token } = command
  const holder = findHolder(state, command, command.target)
  if (holder === null) return dropped(dropTexts.noPerson(), "contract §6 unknown people")
  const device = holder.devices.get(token)
  return accepted("applied", faults, {
    rule: "track-api §2.4",
    subject: holder.key,
    data: { token },
    changes: [
      ...refreshVisitor(holder, at),
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
