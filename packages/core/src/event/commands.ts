import { Schema } from "effect"
import { envelope } from "../Envelope.ts"
import { DeviceChange } from "../device/commands.ts"
import { EventKind } from "../log/ActivityEntry.ts"
import { Reference } from "../values/Identifier.ts"

/** Record what somebody did (track-api §2.5). `target` is null for an event that nobody can be given. */
export const RecordEvent = Schema.TaggedStruct("RecordEvent", {
  ...envelope,
  kind: EventKind,
  target: Schema.NullOr(Reference),
  /** The anonymous id that the request named, beside its target or as its target. */
  anonymousId: Schema.NullOr(Schema.NonEmptyString),
  name: Schema.NonEmptyString,
  data: Schema.Json,
  /** What the request says of a device beside; null for nothing. */
  device: Schema.NullOr(DeviceChange),
})
export type RecordEvent = typeof RecordEvent.Type
