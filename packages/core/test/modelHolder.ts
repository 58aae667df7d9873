import type { Command } from "@inlethq/core/Command"
import type { DeviceChange } from "@inlethq/core/device/commands"
import { assignAll, deviceRoom, type ModelDevice } from "./modelAttributes.ts"
import { day, type Model, type ModelPerson, type ModelVisitor } from "./modelState.ts"

type Holder = ModelPerson | ModelVisitor
type Held = Omit<Extract<DeviceChange, { _tag: "DeviceUpdate" }>, "_tag">

/**
 * Adds or updates a device, and removes the device from other people and visitors. Returns the number of attributes
 * that were left out, plus 1 if the command gives a time of last use that is older than the stored time.
 */
export const upsertDevice = (model: Model, command: Command, holder: Holder, held: Held): number => {
  const { assignments, lastUsedGiven, platform, token } = held
  const lastUsed = held.lastUsed === null ? null : Math.min(held.lastUsed, command.receivedAt)
  const device = takeDevice(model, command, token) ?? { token, platform, lastUsed: null, attributes: [] }
  holder.devices.push(device)
  device.platform = platform
  const isLate = lastUsed !== null && device.lastUsed !== null && lastUsed < device.lastUsed
  if (lastUsed !== null && !isLate) device.lastUsed = lastUsed
  touch(command, holder)
  const { leftOut } = assignAll(device.attributes, assignments, command.at, deviceRoom(command.workspace))
  return leftOut + (isLate && lastUsedGiven ? 1 : 0)
}

/** Removes and returns the device with a token. Devices of expired visitors do not exist. */
const takeDevice = (model: Model, command: Command, token: string): ModelDevice | null => {
  const visitors = model.visitors.filter(({ namedAt }) => namedAt >= command.receivedAt - 30 * day)
  for (const holder of [...model.people, ...visitors]) {
    const device = holder.devices.find((one) => one.token === token)
    if (device === undefined) continue
    holder.devices = holder.devices.filter((one) => one !== device)
    // Losing a device changes the update time of a person, but must not extend the retention of a visitor. Only people
    // have the field `updatedAt`.
    if ("updatedAt" in holder) touch(command, holder)
    return device
  }
  return null
}

/** Removes a device if the person or visitor has it. */
export const dropDevice = (command: Command, holder: Holder, token: string): void => {
  const left = holder.devices.filter((one) => one.token !== token)
  if (left.length < holder.devices.length) touch(command, holder)
  holder.devices = left
}

/** Applies the device in an identify or an event. */
export const applyDeviceChange = (
  model: Model,
  command: Command,
  holder: Holder,
  device: DeviceChange | null,
): number => {
  switch (device?._tag) {
    case undefined:
      return 0
    case "DeviceUpdate":
      return upsertDevice(model, command, holder, device)
    case "DeviceRemoval":
      dropDevice(command, holder, device.token)
      return 0
  }
}

/** Sets the update time of a person, or restarts the retention of a visitor. */
export const touch = (command: Command, holder: Holder): void => {
  if ("updatedAt" in holder) holder.updatedAt = command.receivedAt
  else holder.namedAt = command.receivedAt
}
