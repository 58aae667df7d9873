import {
  hasEnded,
  ImportId,
  ImportJob,
  importsUnfinishedMax,
  type ImportJobs,
  type KeptImportError,
} from "@inlethq/core/ports/ImportJobs"
import { WorkspaceDeleted } from "@inlethq/core/ports/Store"
import { goneText } from "@inlethq/core/values/Identifier"
import { Effect, Option, Schema, Struct } from "effect"
import { integer, text, type Row } from "../columns/columns.ts"
import { workspaceId } from "../columns/ids.ts"
import { fromStored, toStored } from "../columns/storedText.ts"
import type { Tables } from "./Tables.ts"

/** The workspace, the id and the version of an import have columns of their own. */
const Doc = Schema.fromJsonString(ImportJob.mapFields(Struct.omit(["workspace", "id", "version"])))
const encodeDoc = Schema.encodeSync(Doc)
const decodeDoc = Schema.decodeUnknownSync(Doc)

/** What the column `ended` has until an import has ended. */
const unfinished = 0

/** The largest number of imports that one step of pruning forgets, each with its errors. */
const prunedMax = 20

const columns = "workspace, id, version, doc"

const countSql = `SELECT count(*) AS found FROM imports WHERE workspace = $1 AND ended = ${unfinished}`

const addSql = "INSERT INTO imports (workspace, id, ended, version, doc) VALUES ($1, $2, $3, $4, $5)"

const saveSql = `
  UPDATE imports SET ended = $3, version = version + 1, doc = $5 WHERE workspace = $1 AND id = $2 AND version = $4`

const errorSql =
  "INSERT INTO import_errors (workspace, job, number, line, message) VALUES ($1, $2, $3, $4, $5)"

const nameSql = "INSERT INTO import_error_names (workspace, digest, job, number) VALUES ($1, $2, $3, $4)"

/** The position at which somebody was deleted is found by each identifier that they had. */
const forgetErasedSql = `
  DELETE FROM import_errors WHERE workspace = $1 AND job = $2 AND number >= $3 AND EXISTS (
    SELECT 1 FROM import_error_names AS named
    JOIN identifiers AS gone ON gone.workspace = named.workspace AND gone.text = '${goneText("")}' || named.digest
    WHERE named.workspace = $1 AND named.job = $2 AND named.number = import_errors.number AND gone.subject > $4
  )`

const errorsSql = `
  SELECT number, line, message FROM import_errors
  WHERE workspace = $1 AND job = $2 AND number > $3 ORDER BY number LIMIT $4`

/** Makes the store of imports. */
export const makeImportJobs = (tables: Tables): ImportJobs["Service"] => ({
  add: makeAdd(tables),
  find: (workspace, id) =>
    Effect.map(
      tables.read(
        "read an import",
        `SELECT ${columns} FROM imports WHERE workspace = $1 AND id = $2`,
        workspace,
        id,
      ),
      ([row]) => (row === undefined ? Option.none() : Option.some(jobIn(row))),
    ),
  list: (workspace, { after, limit, order }) => {
    const [compare, direction] = order === "asc" ? [">", "ASC"] : ["<", "DESC"]
    const from = after ?? (order === "asc" ? "" : afterEveryId)
    return Effect.map(
      tables.read(
        "read imports",
        `SELECT ${columns} FROM imports WHERE workspace = $1 AND id ${compare} $2 ORDER BY id ${direction} LIMIT $3`,
        workspace,
        from,
        limit + 1,
      ),
      (rows) => {
        const items = rows.slice(0, limit).map(jobIn)
        return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
      },
    )
  },
  unfinished: (limit) =>
    Effect.map(
      tables.read(
        "read imports",
        `SELECT ${columns} FROM imports WHERE ended = ${unfinished} ORDER BY id, workspace LIMIT $1`,
        limit,
      ),
      (rows) => rows.map(jobIn),
    ),
  save: (job, errors) => {
    const write = job.state === "running" ? tables.writeUnsynced : tables.write
    return write("save an import", job.workspace, (ask) =>
      Effect.gen(function* () {
        const saved = yield* ask.run(saveSql, job.workspace, job.id, endOf(job), job.version, docOf(job))
        if (saved === 0) return false
        yield* ask.runEach(
          errorSql,
          errors.map(({ line, message, number }) => [job.workspace, job.id, number, line, toStored(message)]),
        )
        const names = errors.flatMap(({ names, number }) =>
          [...new Set(names)].map((digest) => [job.workspace, digest, job.id, number]),
        )
        if (names.length === 0) return true
        yield* ask.runEach(nameSql, names)
        yield* ask.run(forgetErasedSql, job.workspace, job.id, errors[0]?.number ?? 0, job.after)
        return true
      }),
    )
  },
  errors: (workspace, id, { after, limit }) =>
    Effect.map(tables.read("read the errors of an import", errorsSql, workspace, id, after, limit), (rows) =>
      rows.map(errorIn),
    ),
  prune: makePrune(tables),
})

const makeAdd =
  (tables: Tables): ImportJobs["Service"]["add"] =>
  (job) =>
    tables
      .write("add an import", job.workspace, (ask) =>
        Effect.gen(function* () {
          if (yield* ask.isDeleted(job.workspace)) return new WorkspaceDeleted({ workspace: job.workspace })
          const [row] = yield* ask.rows(countSql, job.workspace)
          if (integer(row?.["found"]) >= importsUnfinishedMax) return false
          yield* ask.run(addSql, job.workspace, job.id, endOf(job), job.version, docOf(job))
          return true
        }),
      )
      .pipe(
        Effect.flatMap((added) =>
          added instanceof WorkspaceDeleted ? Effect.fail(added) : Effect.succeed(added),
        ),
      )

/** Comes after every id in the order of ids. */
const afterEveryId = "imp_~"

const docOf = (job: ImportJob): string => encodeDoc(job)

const endOf = (job: ImportJob): number => (hasEnded(job) ? (job.endedAt ?? 1) : unfinished)

const jobIn = (row: Row): ImportJob => ({
  ...decodeDoc(text(row["doc"])),
  workspace: workspaceId(integer(row["workspace"])),
  id: ImportId.make(text(row["id"])),
  version: integer(row["version"]),
})

const errorIn = (row: Row): KeptImportError => ({
  number: integer(row["number"]),
  line: integer(row["line"]),
  message: fromStored(text(row["message"])),
})

const makePrune = (tables: Tables): ImportJobs["Service"]["prune"] =>
  Effect.fnUntraced(function* (before) {
    const expired = yield* tables.read(
      "read ended imports",
      `SELECT workspace, id FROM imports WHERE ended > ${unfinished} AND ended < $1 ORDER BY ended LIMIT ${prunedMax}`,
      before,
    )
    for (const row of expired) {
      const [workspace, id] = [workspaceId(integer(row["workspace"])), text(row["id"])]
      yield* tables.write("forget an import", workspace, (ask) =>
        Effect.gen(function* () {
          yield* ask.run("DELETE FROM import_error_names WHERE workspace = $1 AND job = $2", workspace, id)
          yield* ask.run("DELETE FROM import_errors WHERE workspace = $1 AND job = $2", workspace, id)
          yield* ask.run("DELETE FROM imports WHERE workspace = $1 AND id = $2", workspace, id)
        }),
      )
    }
    return expired.length < prunedMax
  })
