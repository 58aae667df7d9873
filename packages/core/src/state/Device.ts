import { Schema } from "effect"
import { Attributes } from "./Attributes.ts"

/** A mobile device of a person or a visitor, identified by its token (track-api §2.4). */
export const Device = Schema.Struct({
  platform: Schema.String,
  lastUsed: Schema.NullOr(Schema.Int),
  attributes: Attributes,
})
export type Device = typeof Device.Type

/** Devices by token. */
export const Devices = Schema.ReadonlyMap(Schema.String, Device)
export type Devices = typeof Devices.Type

export const noDevices: Devices = new Map()
