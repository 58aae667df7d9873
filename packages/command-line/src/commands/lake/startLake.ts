import { resolve } from "node:path"
import type { LakeDocument } from "@inlethq/contract/transfer/Lake"
import type { NewLakeSettings } from "@inlethq/contract/transfer/LakeSettingsDocument"
import { ErasureDays, LakeReaders } from "@inlethq/core/workspace/LakeSettings"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { WrongOption } from "../../texts/commandErrors.ts"
import { cliTexts } from "../../texts/cliTexts.ts"
import { optionalFlag } from "../../flags/flags.ts"
import { printNote } from "../../output/note.ts"
import { Connection, isHere } from "../../server/Connection.ts"
import { onServer } from "../../server/onServer.ts"
import { variable } from "../../server/variable.ts"
import { confirmFlag, orNotConfirmed } from "../shared/confirm.ts"
import { untilLake } from "./untilLake.ts"

const flags = {
  dir: optionalFlag(
    Flag.String("dir").pipe(Flag.withMetavar("folder")),
    "Write into this folder of the machine on which the server runs",
  ),
  bucket: optionalFlag(
    Flag.String("bucket").pipe(Flag.withMetavar("url")),
    "Write into this bucket, such as s3://events/inlet, with the key in AWS_SECRET_ACCESS_KEY",
  ),
  endpoint: optionalFlag(
    Flag.String("endpoint").pipe(Flag.withMetavar("url")),
    "The S3-compatible server of the bucket (default: that of AWS in the region)",
  ),
  region: optionalFlag(Flag.String("region"), "The region of the bucket (AWS_REGION; default: us-east-1)"),
  accessKeyId: optionalFlag(
    Flag.String("access-key-id").pipe(Flag.withMetavar("id")),
    "The id of the key (AWS_ACCESS_KEY_ID)",
  ),
  erasureDays: optionalFlag(
    Flag.Int("erasure-days").pipe(Flag.withMetavar("DAYS"), Flag.withSchema(ErasureDays)),
    "Take deleted people out of the files within this many days, from 0 to 30 (default: 7)",
  ),
  readableBy: optionalFlag(
    Flag.Literals("readable-by", LakeReaders.literals),
    "Who of the machine may read the folder: the user of the server (owner, the default), its group, or all",
  ),
  ...confirmFlag,
}

interface Given {
  readonly dir: Option.Option<string>
  readonly bucket: Option.Option<string>
  readonly endpoint: Option.Option<string>
  readonly region: Option.Option<string>
  readonly accessKeyId: Option.Option<string>
  readonly erasureDays: Option.Option<number>
  readonly readableBy: Option.Option<LakeReaders>
}

export const startLake = Command.make(
  "start",
  flags,
  Effect.fnUntraced(function* ({ yes, ...given }) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    const lake = yield* settingsFrom(given)
    const params = { w: workspace }
    const before = yield* client.lake.get({ params })
    if (before.url !== null && before.url !== lake.url)
      yield* orNotConfirmed(yes, `Forget the files in ${before.url}, and begin a new lake?`)
    yield* client.workspaces.update({ params, payload: { lake } })
    const { failure, lag } = yield* untilLake(isWritten)
    if (failure === null)
      yield* printNote(lag > 0 ? "The rest is being written: inlet lake status" : "Read it: inlet lake sql")
  }, onServer),
).pipe(
  Command.withDescription(
    "Write the log of the workspace, its people and its objects as Parquet files from now on, or change where",
  ),
  Command.withExamples([
    { command: "inlet lake start --dir /var/lib/inlet/lake", description: "Into a folder" },
    {
      command: "AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… inlet lake start --bucket s3://events/inlet",
      description: "Into a bucket",
    },
  ]),
)

const isWritten = ({ lag, snapshot_to, to }: LakeDocument): boolean =>
  lag === 0 && to !== null && snapshot_to !== null

const settingsFrom = Effect.fnUntraced(function* ({ bucket, dir, erasureDays, readableBy, ...given }: Given) {
  const days = Option.isSome(erasureDays) ? { erasure_days: erasureDays.value } : {}
  if (Option.isSome(dir) && Option.isNone(bucket)) {
    const { url } = yield* Connection
    // The paths of another machine are its own.
    const path = isHere(new URL(url).hostname) ? resolve(dir.value) : dir.value
    const readers = Option.isSome(readableBy) ? { readable_by: readableBy.value } : {}
    return { target: "folder", url: path, ...days, ...readers } satisfies NewLakeSettings
  }
  if (Option.isNone(bucket) || Option.isSome(dir))
    return yield* new WrongOption({ message: cliTexts.lakeTarget() })
  return { target: "s3", url: bucket.value, ...(yield* accessFrom(given)), ...days } satisfies NewLakeSettings
})

/** The key comes from the variables that every S3 client reads, so that no secret is in the history of a shell. */
const accessFrom = Effect.fnUntraced(function* ({
  accessKeyId,
  endpoint,
  region: given,
}: Pick<Given, "accessKeyId" | "endpoint" | "region">) {
  const region = Option.getOrElse(given, () => variable("AWS_REGION") ?? "us-east-1")
  const id = Option.getOrElse(accessKeyId, () => variable("AWS_ACCESS_KEY_ID"))
  const secret = variable("AWS_SECRET_ACCESS_KEY")
  if (id === undefined || secret === undefined)
    return yield* new WrongOption({ message: cliTexts.lakeKeyMissing() })
  return {
    endpoint: Option.getOrElse(endpoint, () => `https://s3.${region}.amazonaws.com`),
    region,
    access_key_id: id,
    secret_access_key: secret,
  }
})
