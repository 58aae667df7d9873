import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { lakeTables } from "@inlethq/lake/columns"
import { readAvro } from "@inlethq/lake/iceberg/avroFile"
import { Schema } from "effect"

const Metadata = Schema.fromJsonString(
  Schema.Struct({
    "current-snapshot-id": Schema.Int,
    snapshots: Schema.Array(
      Schema.Struct({
        "snapshot-id": Schema.Int,
        "manifest-list": Schema.String,
        summary: Schema.Record(Schema.String, Schema.String),
      }),
    ),
  }),
)
const Manifests = Schema.Array(Schema.Struct({ manifest_path: Schema.String }))
const Entries = Schema.Array(
  Schema.Struct({
    status: Schema.Int,
    data_file: Schema.Struct({ file_path: Schema.String, record_count: Schema.Int }),
  }),
)

/** A snapshot of a table of Iceberg in a folder. */
interface ReadSnapshot {
  readonly isCurrent: boolean
  readonly files: Array<{ readonly path: string; readonly rows: number }>
  /** The files that do not exist. */
  readonly missing: ReadonlyArray<object>
  /** All that its manifests say, as text. */
  readonly text: string
}

const metadataFolder = (folder: string, table: string) => join(folder, "lake/1", table, "metadata")

/**
 * Reads all snapshots that the version of a table names which readers see, or none if it has no version. Begins again if another
 * version was published meanwhile.
 */
export const snapshotsIn = async (folder: string, table: string): Promise<ReadonlyArray<ReadSnapshot>> => {
  for (;;) {
    const text = newestMetadata(folder, table)
    if (text === null) return []
    const found = await snapshotsOf(text).catch((cause: unknown) => {
      if (newestMetadata(folder, table) === text) throw cause
      return null
    })
    if (found !== null && newestMetadata(folder, table) === text) return found
  }
}

const newestMetadata = (folder: string, table: string): string | null => {
  const metadata = metadataFolder(folder, table)
  const hint = join(metadata, "version-hint.text")
  if (!existsSync(hint)) return null
  return readFileSync(join(metadata, `v${readFileSync(hint, "utf8")}.metadata.json`), "utf8")
}

const snapshotsOf = async (text: string): Promise<ReadonlyArray<ReadSnapshot>> => {
  const { snapshots, ...of } = Schema.decodeUnknownSync(Metadata)(text)
  const found: Array<ReadSnapshot> = []
  for (const snapshot of snapshots) {
    const listed = await contentsOf(snapshot["manifest-list"])
    found.push({
      isCurrent: snapshot["snapshot-id"] === of["current-snapshot-id"],
      files: listed.files,
      missing: [...listed.manifests, ...listed.files].filter(({ path }) => !existsSync(path)),
      text: JSON.stringify([snapshot.summary, listed.text]),
    })
  }
  return found
}

interface Contents {
  readonly manifests: ReadonlyArray<{ readonly path: string }>
  readonly files: ReadSnapshot["files"]
  readonly text: string
}

/** What lists of manifests were read. Their contents never change. */
const knownContents = new Map<string, Contents>()

const contentsOf = async (list: string): Promise<Contents> => {
  const known = existsSync(list) ? knownContents.get(list) : undefined
  if (known !== undefined) return known
  const listed = await readAvro(list)
  const manifests = Schema.decodeUnknownSync(Manifests)(listed).map(({ manifest_path: path }) => ({ path }))
  const entries: Array<unknown> = []
  for (const { path } of manifests) entries.push(...(await readAvro(path)))
  const files = Schema.decodeUnknownSync(Entries)(entries)
    .filter(({ status }) => status !== 2)
    .map(({ data_file }) => ({ path: data_file.file_path, rows: data_file.record_count }))
  const contents = { manifests, files, text: JSON.stringify([listed, entries]) }
  knownContents.set(list, contents)
  return contents
}

/** Returns the objects of all tables that no reader can come to. */
export const icebergGarbage = async (folder: string): Promise<ReadonlyArray<string>> => {
  const garbage: Array<string> = []
  for (const table of lakeTables) {
    const metadata = metadataFolder(folder, table)
    const version = readFileSync(join(metadata, "version-hint.text"), "utf8")
    const text = newestMetadata(folder, table)
    const lists = await snapshotsIn(folder, table)
    const named = `${text} ${lists.map((snapshot) => snapshot.text).join(" ")} version-hint.text v${version}.metadata.json`
    garbage.push(...readdirSync(metadata).filter((name) => !named.includes(name)))
  }
  return garbage
}
