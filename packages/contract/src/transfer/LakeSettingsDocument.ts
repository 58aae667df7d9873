import {
  ErasureDays,
  erasureDaysDefault,
  LakeReaders,
  type LakeSettings,
} from "@inlethq/core/workspace/LakeSettings"
import { Schema } from "effect"

/** The longest path, address or key of a lake, in characters. */
const textLengthMax = 1000

const text = Schema.NonEmptyString.check(
  Schema.isMaxLength(textLengthMax),
  // File systems, headers and URLs cut or refuse them, each in its own way.
  Schema.isPattern(/^[^\p{Cc}]*$/u, { expected: "a text without control characters" }),
)

const FolderPath = text
  .check(Schema.isPattern(/^\//, { expected: "an absolute path" }))
  .annotate({ description: "the absolute path of a folder on the machine of the server" })

const BucketUrl = text
  .check(
    Schema.isPattern(/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/.*)?$/, { expected: "s3://bucket/prefix" }),
    // An URL with these parts leads out of the prefix, or out of the bucket.
    Schema.isPattern(/^(?!.*\/\.{1,2}(\/|$))/, { expected: "a prefix without the parts . and .." }),
  )
  .annotate({ description: "the bucket, and the prefix of all keys, such as s3://events/inlet" })

const Endpoint = text.check(
  Schema.isPattern(/^https?:\/\/[^/\\?#@\s]+\/?$/, { expected: "http://host or https://host" }),
)

const erasure_days = ErasureDays.annotate({
  description:
    "the days within which the rows of a deleted person leave the files, 7 by default; 0 is at once",
})

const readable_by = LakeReaders.annotate({
  description:
    "who of the machine may read the folders and files: the user that runs the server (owner, the default), also the group, or all",
})

const folder = { target: Schema.Literal("folder"), url: FolderPath }

const bucket = {
  target: Schema.Literal("s3"),
  url: BucketUrl,
  endpoint: Endpoint,
  region: text,
  access_key_id: text,
}

/** Where a lake is written. The secret of a bucket is never shown. */
export const LakeSettingsDocument = Schema.Union([
  Schema.Struct({ ...folder, erasure_days, readable_by }),
  Schema.Struct({ ...bucket, erasure_days }),
]).annotate({ identifier: "LakeSettings", description: "where the lake of a workspace is written" })
export type LakeSettingsDocument = typeof LakeSettingsDocument.Type

/** What a client sends to begin a lake, or to change where it is written. */
export const NewLakeSettings = Schema.Union([
  Schema.Struct({
    target: Schema.Literal("folder"),
    url: Schema.optionalKey(
      FolderPath.annotate({
        description:
          "the absolute path of a folder on the machine of the server; the present one if it is left out",
      }),
    ),
    erasure_days: Schema.optionalKey(erasure_days),
    readable_by: Schema.optionalKey(readable_by),
  }),
  Schema.Struct({
    ...bucket,
    secret_access_key: text,
    erasure_days: Schema.optionalKey(erasure_days),
  }),
]).annotate({ identifier: "NewLakeSettings", description: "where the lake of a workspace shall be written" })
export type NewLakeSettings = typeof NewLakeSettings.Type

/**
 * Returns the settings to store, or null if they name no folder and there is no present one. `sealed` is the encrypted secret
 * of a bucket.
 */
export const lakeSettingsOf = (
  given: NewLakeSettings,
  current: LakeSettings | null,
  sealed: string,
): LakeSettings | null => {
  const erasureDays = given.erasure_days ?? erasureDaysDefault
  switch (given.target) {
    case "folder": {
      const url = given.url ?? (current?.target === "folder" ? current.url : null)
      const { readable_by: readableBy = "owner" } = given
      return url === null ? null : { target: "folder", url, erasureDays, readableBy }
    }
    case "s3": {
      const { access_key_id: accessKeyId, endpoint, region, url } = given
      return { target: "s3", url, endpoint, region, accessKeyId, secret: sealed, erasureDays }
    }
  }
}

export const lakeSettingsDocument = (settings: LakeSettings): LakeSettingsDocument => {
  switch (settings.target) {
    case "folder":
      return {
        target: "folder",
        url: settings.url,
        erasure_days: settings.erasureDays,
        readable_by: settings.readableBy ?? "owner",
      }
    case "s3": {
      const { accessKeyId: access_key_id, endpoint, erasureDays: erasure_days, region, url } = settings
      return { target: "s3", url, endpoint, region, access_key_id, erasure_days }
    }
  }
}
