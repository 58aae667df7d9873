import { Schema } from "effect"
import { WorkspaceId } from "../values/Identifier.ts"
import { defaultLimits, Limits } from "./Limits.ts"

export const Region = Schema.Literals(["us", "eu"])
export type Region = typeof Region.Type

/** A tenant: its people, activity and keys are apart from those of every other. */
export const Workspace = Schema.Struct({
  id: WorkspaceId,
  name: Schema.NonEmptyString,
  region: Region,
  /** Which identifiers name people here (contract §6): by `id`, by `email`, or by both. */
  identifiers: Schema.Struct({ id: Schema.Boolean, email: Schema.Boolean }),
  /** Whether the email of a person addressed by `id` may be changed. */
  emailUpdateById: Schema.Boolean,
  /** Whether the events of an anonymous visitor become those of the person who is identified with it (contract §7). */
  eventMerging: Schema.Boolean,
  rateLimit: Schema.Literals(["observe", "throttle"]),
  limits: Limits,
})
export type Workspace = typeof Workspace.Type

/** What a workspace is before anything is said about it. */
export const defaultSettings = (name: string, region: Region): Omit<Workspace, "id"> => ({
  name,
  region,
  identifiers: { id: true, email: true },
  emailUpdateById: false,
  eventMerging: true,
  rateLimit: "observe",
  limits: defaultLimits,
})
