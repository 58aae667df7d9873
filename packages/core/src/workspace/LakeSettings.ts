import { Schema } from "effect"

/** The days within which the rows of a deleted person leave the files; 0 means as soon as possible. */
export const ErasureDays = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 }))

export const erasureDaysDefault = 7

/** Who of the machine may read the files of a lake in a folder, apart from the user that runs the server. */
export const LakeReaders = Schema.Literals(["owner", "group", "all"])
export type LakeReaders = typeof LakeReaders.Type

const LakeFolder = Schema.Struct({
  target: Schema.Literal("folder"),
  /** The absolute path of the folder. */
  url: Schema.NonEmptyString,
  erasureDays: ErasureDays,
  /** Missing if only the owner may. */
  readableBy: Schema.optionalKey(LakeReaders),
})

const LakeBucket = Schema.Struct({
  target: Schema.Literal("s3"),
  /** The bucket and the prefix of its keys, such as `s3://events/inlet`. */
  url: Schema.NonEmptyString,
  endpoint: Schema.NonEmptyString,
  region: Schema.NonEmptyString,
  accessKeyId: Schema.NonEmptyString,
  /** Encrypted, as `SecretBox` does it. */
  secret: Schema.NonEmptyString,
  erasureDays: ErasureDays,
})

/** Where a workspace writes its lake. */
export const LakeSettings = Schema.Union([LakeFolder, LakeBucket])
export type LakeSettings = typeof LakeSettings.Type

/** Returns whether a lake is written to another place from now on, so that it has to begin anew. */
export const isElsewhere = (before: LakeSettings | null, after: LakeSettings | null): boolean =>
  placeOf(before) !== placeOf(after)

const placeOf = (lake: LakeSettings | null): string | null =>
  lake === null ? null : JSON.stringify([lake.target, lake.url, lake.target === "s3" ? lake.endpoint : null])
