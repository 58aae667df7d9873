import type { ChangeOf } from "../fold/Change.ts"
import { bindText, updateHolder, releaseText, putSubject } from "../decision/updateWorkingSet.ts"
import { deviceText } from "../values/Identifier.ts"
import { patchPerson } from "../state/Person.ts"
import type { Holder } from "../state/Subject.ts"
import { subjectByText, type WorkingSet } from "../fold/WorkingSet.ts"
import type { Devices } from "../state/Device.ts"

export const onDeviceChanged = (state: WorkingSet, change: ChangeOf<"DeviceAdded" | "DeviceRemoved">): void =>
  change._tag === "DeviceAdded" ? onDeviceAdded(state, change) : onDeviceRemoved(state, change)

const onDeviceAdded = (state: WorkingSet, change: ChangeOf<"DeviceAdded">): void => {
  const { at, device, key, token } = change
  updateHolder(state, key, (holder) => {
    const text = deviceText(token)
    const before = subjectByText(state, text)
    if (before !== undefined && before.key !== key) {
      // Losing a device does not extend a visitor's retention.
      updateHolder(state, before.key, (loser) => {
        const updatedAt = loser._tag === "Person" ? at : loser.updatedAt
        putSubject(state, withDevices(loser, without(loser.devices, token), updatedAt))
      })
    }
    bindText(state, text, key)
    putSubject(state, withDevices(holder, new Map([...holder.devices, [token, device]]), at))
  })
}

const onDeviceRemoved = (state: WorkingSet, { at, key, token }: ChangeOf<"DeviceRemoved">): void =>
  updateHolder(state, key, (holder) => {
    if (!holder.devices.has(token)) return
    releaseText(state, deviceText(token))
    putSubject(state, withDevices(holder, without(holder.devices, token), at))
  })

const withDevices = (holder: Holder, devices: Devices, updatedAt: number): Holder =>
  holder._tag === "Person" ? patchPerson(holder, { devices, updatedAt }) : { ...holder, devices, updatedAt }

const without = (devices: Devices, token: string): Devices =>
  new Map([...devices].filter(([other]) => other !== token))
