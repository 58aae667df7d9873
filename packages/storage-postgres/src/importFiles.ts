import type { ExportFileKey, ExportFiles } from "@inlethq/core/ports/ExportFiles"
import { ImportId, type ImportFileKey, type ImportFiles } from "@inlethq/core/ports/ImportJobs"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { integer, text } from "@inlethq/storage/columns/columns"
import { workspaceId } from "@inlethq/storage/columns/ids"
import type { Tables } from "@inlethq/storage/tables/Tables"
import { Effect, Option, Stream } from "effect"

/** The bytes of a file in one row, as Base64. A row is written in a transaction of its own. */
const partBytes = 192 * 1024

/** The table of files, which has a column `job` with the name of each, and how names become keys. */
interface Kept<Key> {
  readonly table: string
  /** What the files are of, for messages. */
  readonly of: string
  readonly jobOf: (key: Key) => string
  readonly keyOf: (workspace: WorkspaceId, job: string) => Key
}

/** Keeps the files of imports in the database, where every node can read them. */
export const makeImportFiles = (tables: Tables): ImportFiles["Service"] =>
  keptFiles<ImportFileKey>(tables, {
    table: "import_parts",
    of: "an import",
    jobOf: ({ id }) => id,
    keyOf: (workspace, job) => ({ workspace, id: ImportId.make(job) }),
  })

/** Keeps the files of exports likewise. A file with a name that is taken is not saved. */
export const makeExportFiles = (tables: Tables): ExportFiles["Service"] =>
  keptFiles<ExportFileKey>(tables, {
    table: "export_parts",
    of: "an export",
    jobOf: ({ name }) => name,
    keyOf: (workspace, name) => ({ workspace, name }),
  })

const keptFiles = <Key extends { readonly workspace: WorkspaceId }>(
  tables: Tables,
  { jobOf, keyOf, of, table }: Kept<Key>,
) => {
  const addSql = `INSERT INTO ${table} (workspace, job, part, bytes) VALUES ($1, $2, $3, $4)`
  const partSql = `SELECT bytes FROM ${table} WHERE workspace = $1 AND job = $2 AND part = $3`
  return {
    save: <E>(key: Key, parts: Stream.Stream<Uint8Array, E>) => {
      const add = (part: Uint8Array, number: number) =>
        tables.write(`save the file of ${of}`, key.workspace, (ask) =>
          ask.run(addSql, key.workspace, jobOf(key), number, Buffer.from(part).toString("base64")),
        )
      return parts.pipe(
        Stream.flatMap(cut),
        Stream.zipWithIndex,
        Stream.runForEach(([part, n]) => add(part, n)),
      )
    },
    read: (key: Key) =>
      Stream.paginate(0, (part) =>
        Effect.map(tables.read(`read the file of ${of}`, partSql, key.workspace, jobOf(key), part), ([row]) =>
          row === undefined
            ? ([[], Option.none<number>()] as const)
            : ([[Buffer.from(text(row["bytes"]), "base64")], Option.some(part + 1)] as const),
        ),
      ),
    remove: (key: Key) =>
      Effect.asVoid(
        tables.write(`remove the file of ${of}`, key.workspace, (ask) =>
          ask.run(`DELETE FROM ${table} WHERE workspace = $1 AND job = $2`, key.workspace, jobOf(key)),
        ),
      ),
    list: Effect.map(tables.read("list files", `SELECT DISTINCT workspace, job FROM ${table}`), (rows) =>
      rows.map((row) => keyOf(workspaceId(integer(row["workspace"])), text(row["job"]))),
    ),
  }
}

/** Cuts what a client sent at once into parts. */
const cut = (bytes: Uint8Array): Stream.Stream<Uint8Array> =>
  Stream.fromIterable(
    Array.from({ length: Math.ceil(bytes.length / partBytes) }, (_, i) =>
      bytes.subarray(i * partBytes, (i + 1) * partBytes),
    ),
  )
