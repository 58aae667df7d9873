import { Schema } from "effect"
import { envelope } from "../fold/Envelope.ts"
import { DeviceChange } from "../device/commands.ts"
import { EventKind } from "../log/ActivityEntry.ts"
import { Reference } from "../values/Identifier.ts"

/** Record an event (track-api §2.5). `target` is null for an event that cannot be assigned to a person later. */
export const RecordEvent = Schema.TaggedStruct("RecordEvent", {
  ...envelope,
  kind: EventKind,
  target: Schema.NullOr(Reference),
  /** The anonymous id in the request. It can be the same identifier as `target`. */
  anonymousId: Schema.NullOr(Schema.NonEmptyString),
  name: Schema.NonEmptyString,
  data: Schema.Json,
  /** A device to update or remove; null if the event names no device. */
  device: Schema.NullOr(DeviceChange),
})
export type RecordEvent = typeof RecordEvent.Type
