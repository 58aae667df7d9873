import type { ChangeOf } from "../Change.ts"
import { bind, onHolder, release, write } from "../decision/workingSetWrites.ts"
import { deviceText } from "../values/Identifier.ts"
import { changed } from "../state/Person.ts"
import type { Holder } from "../state/Subject.ts"
import { found, type WorkingSet } from "../WorkingSet.ts"
import type { Devices } from "../state/Device.ts"

export const onDeviceAdded = (seen: WorkingSet, change: ChangeOf<"DeviceAdded">): void => {
  const { at, device, key, token } = change
  onHolder(seen, key, (holder) => {
    const text = deviceText(holder.workspace, token)
    const before = found(seen, text)
    if (before !== undefined && before.key !== key) {
      // What a visitor loses does not keep it from being forgotten.
      onHolder(seen, before.key, (loser) => {
        const updatedAt = loser._tag === "Person" ? at : loser.updatedAt
        write(seen, withDevices(loser, without(loser.devices, token), updatedAt))
      })
    }
    bind(seen, text, key)
    write(seen, withDevices(holder, new Map([...holder.devices, [token, device]]), at))
  })
}

export const onDeviceRemoved = (seen: WorkingSet, { at, key, token }: ChangeOf<"DeviceRemoved">): void =>
  onHolder(seen, key, (holder) => {
    if (!holder.devices.has(token)) return
    release(seen, deviceText(holder.workspace, token))
    write(seen, withDevices(holder, without(holder.devices, token), at))
  })

const withDevices = (holder: Holder, devices: Devices, updatedAt: number): Holder =>
  holder._tag === "Person" ? changed(holder, { devices, updatedAt }) : { ...holder, devices, updatedAt }

const without = (devices: Devices, token: string): Devices =>
  new Map([...devices].filter(([other]) => other !== token))
