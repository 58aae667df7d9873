import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect, Option, Schema } from "effect"
import { readPrivate, writePrivate } from "./PrivateFile.ts"

/** A server and a workspace that a person has given a name. */
export const Profile = Schema.Struct({
  url: Schema.String,
  ingestion_url: Schema.optionalKey(Schema.String),
  token: Schema.optionalKey(Schema.String),
  workspace: Schema.optionalKey(WorkspaceId),
})
export type Profile = typeof Profile.Type

/** All profiles by name, and the name of the profile in use. */
const Profiles = Schema.Struct({
  current: Schema.NullOr(Schema.String),
  profiles: Schema.Record(Schema.String, Profile),
})
export type Profiles = typeof Profiles.Type

const file = "profiles.json"
const ProfileFile = Schema.fromJsonString(Profiles)

const noProfiles: Profiles = { current: null, profiles: {} }

export const readProfiles = Effect.map(
  readPrivate(file, ProfileFile),
  Option.getOrElse(() => noProfiles),
)

export const writeProfiles = (profiles: Profiles) => writePrivate(file, ProfileFile, profiles)
