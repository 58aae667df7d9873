import { ImportId, type ImportFiles } from "@inlethq/core/ports/ImportJobs"
import { integer, text } from "@inlethq/storage/columns/columns"
import { workspaceId } from "@inlethq/storage/columns/ids"
import type { Tables } from "@inlethq/storage/tables/Tables"
import { Effect, Option, Stream } from "effect"

/** The bytes of a file in one row, as Base64. A row is written in a transaction of its own. */
const partBytes = 192 * 1024

const addSql = "INSERT INTO import_parts (workspace, job, part, bytes) VALUES ($1, $2, $3, $4)"

const partSql = "SELECT bytes FROM import_parts WHERE workspace = $1 AND job = $2 AND part = $3"

const listSql = "SELECT DISTINCT workspace, job FROM import_parts"

/** Keeps the files of imports in the database, where every node can read them. */
export const makeImportFiles = (tables: Tables): ImportFiles["Service"] => ({
  save: ({ id, workspace }, parts) => {
    const add = (part: Uint8Array, number: number) =>
      tables.write("save the file of an import", workspace, (ask) =>
        ask.run(addSql, workspace, id, number, Buffer.from(part).toString("base64")),
      )
    return parts.pipe(
      Stream.flatMap(cut),
      Stream.zipWithIndex,
      Stream.runForEach(([part, n]) => add(part, n)),
    )
  },
  read: ({ id, workspace }) =>
    Stream.paginate(0, (part) =>
      Effect.map(tables.read("read the file of an import", partSql, workspace, id, part), ([row]) =>
        row === undefined
          ? ([[], Option.none<number>()] as const)
          : ([[Buffer.from(text(row["bytes"]), "base64")], Option.some(part + 1)] as const),
      ),
    ),
  remove: ({ id, workspace }) =>
    Effect.asVoid(
      tables.write("remove the file of an import", workspace, (ask) =>
        ask.run("DELETE FROM import_parts WHERE workspace = $1 AND job = $2", workspace, id),
      ),
    ),
  list: Effect.map(tables.read("list the files of imports", listSql), (rows) =>
    rows.map((row) => ({
      workspace: workspaceId(integer(row["workspace"])),
      id: ImportId.make(text(row["job"])),
    })),
  ),
})

/** Cuts what a client sent at once into parts. */
const cut = (bytes: Uint8Array): Stream.Stream<Uint8Array> =>
  Stream.fromIterable(
    Array.from({ length: Math.ceil(bytes.length / partBytes) }, (_, i) =>
      bytes.subarray(i * partBytes, (i + 1) * partBytes),
    ),
  )
