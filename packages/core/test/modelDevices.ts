import type { AddDevice, DeleteDevice } from "@inlethq/core/device/commands"
import type { Outcome } from "@inlethq/core/log/Outcome"
import { dropDevice, upsertDevice, touch } from "./modelHolder.ts"
import { resolveHolder, holderOf } from "./modelPeople.ts"
import type { FreshKeys, Model } from "./modelState.ts"

export const addDevice = (model: Model, command: AddDevice, fresh: FreshKeys): Outcome => {
  const found = resolveHolder(model, command, fresh, command.target)
  switch (found.is) {
    case "unknown":
      return "dropped"
    case "visitor":
      upsertDevice(model, command, found.visitor, command)
      return "pending"
    case "person": {
      const failures = command.faults.length + upsertDevice(model, command, found.person, command)
      if (failures > 0) return "partial"
      return found.created ? "created" : "applied"
    }
  }
}

export const deleteDevice = (model: Model, command: DeleteDevice): Outcome => {
  const found = holderOf(model, command, command.target)
  if (found.is === "unknown") return "dropped"
  if (found.is === "visitor") touch(command, found.visitor)
  dropDevice(command, found.is === "person" ? found.person : found.visitor, command.token)
  return command.faults.length > 0 ? "partial" : "applied"
}
