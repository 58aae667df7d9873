import { Schema } from "effect"
import { envelope } from "../fold/Envelope.ts"
import { Assignment } from "../state/Attributes.ts"
import { Reference } from "../values/Identifier.ts"

/** The fields of a device in a request (track-api §2.4). */
const deviceParts = {
  token: Schema.NonEmptyString,
  platform: Schema.NonEmptyString,
  lastUsed: Schema.NullOr(Schema.Int),
  /**
   * True if `lastUsed` is the `last_used` in the request. If false, `lastUsed` is the time of the call (Pipelines API)
   * or null (Track API).
   */
  lastUsedGiven: Schema.Boolean,
  assignments: Schema.Array(Assignment),
}

/** A change to a device in an identify call or an event (contract §13). */
export const DeviceChange = Schema.Union([
  Schema.TaggedStruct("DeviceUpdate", deviceParts),
  Schema.TaggedStruct("DeviceRemoval", { token: Schema.NonEmptyString }),
])
export type DeviceChange = typeof DeviceChange.Type

/** Add a device to a person or a visitor, or update it (track-api §2.4). An unknown person is created. */
export const AddDevice = Schema.TaggedStruct("AddDevice", {
  ...envelope,
  target: Reference,
  ...deviceParts,
})
export type AddDevice = typeof AddDevice.Type

/** Remove a device from a person or a visitor (track-api §2.4). */
export const DeleteDevice = Schema.TaggedStruct("DeleteDevice", {
  ...envelope,
  target: Reference,
  token: Schema.NonEmptyString,
})
export type DeleteDevice = typeof DeleteDevice.Type
