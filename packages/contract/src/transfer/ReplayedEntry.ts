import { ActivityKind, type ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { innerKey } from "@inlethq/core/values/deduplicationKeys"
import { Sequence } from "@inlethq/core/values/Identifier"
import { Schema } from "effect"
import { ExportedEntity } from "./Imports.ts"
import { IsoTime } from "../values/IsoTime.ts"

/**
 * Why an entry is not replayed:
 * - `no_effect`: it changed nothing, because it was refused, a duplicate or about somebody unknown
 * - `erased`: whoever it is about was deleted or suppressed
 * - `server`: the server recorded it by itself, such as a step of building a rule, and the other server does its own
 * - `settings`: it changed a segment, which is carried over as it is today, or registered a delivery
 * - `unnamed`: nothing names whom it is about, for example an event that nobody can receive any more
 */
export const LeftOut = Schema.Literals(["no_effect", "erased", "server", "settings", "unnamed"])
export type LeftOut = typeof LeftOut.Type

/** A log entry as the operations that it records. */
export const ReplayedEntry = Schema.Struct({
  position: Sequence,
  received_at: IsoTime,
  kind: Schema.NullOr(ActivityKind),
  left_out: Schema.NullOr(LeftOut),
  entities: Schema.Array(ExportedEntity),
}).annotate({
  identifier: "ReplayedEntry",
  description:
    "a log entry as the operations that it records, as entities of the management import; `left_out` says why it has none",
})
export type ReplayedEntry = typeof ReplayedEntry.Type

const replayKeyPrefix = innerKey("replay:")

/** Returns the deduplication key of what replays an entry. */
export const replayKey = (workspace: number, position: number): string =>
  `${replayKeyPrefix}${workspace}:${position}`

/**
 * Returns whether webhooks leave out an entry, because it was replayed without asking for webhooks. Only those replayed
 * entries have no sender.
 */
export const isQuietReplay = ({ id, sender }: Pick<ActivityEntry, "id" | "sender">): boolean =>
  sender === null && id?.startsWith(replayKeyPrefix) === true
