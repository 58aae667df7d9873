import type { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Digest } from "@inlethq/core/ports/Digest"
import { deliveryText } from "@inlethq/core/values/Identifier"
import { stateCodes } from "@inlethq/storage/columns/codes"
import { integer } from "@inlethq/storage/columns/columns"
import { sequenceOf, workspaceId } from "@inlethq/storage/columns/ids"
import type { OpenScan } from "@inlethq/storage/read/activity"
import { makeCatalog as catalogOver } from "@inlethq/storage/read/catalog"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { Database } from "../engine/Database.ts"
import { indexedText } from "../tables/indexedText.ts"
import { hasEnded, LogScan } from "./LogScan.ts"
import { readQueries } from "./queries.ts"
import { makeRead, type Read } from "./Read.ts"

/** The methods of a database that the catalog uses. */
export type ReadDatabase = Pick<Database["Service"], "read" | "query">

/** Makes the catalog, the read interface for operators. */
export const makeCatalog = (database: ReadDatabase, digest: Digest["Service"]): Catalog["Service"] => {
  const readOf = makeRead(database)
  return catalogOver(
    (what, body) => {
      const read = readOf(what)
      return body((slice) => read((connection) => slice(readQueries(connection))))
    },
    digest,
    {
      openScan: openScan(readOf("activity"), digest),
      workspacesOfDelivery: workspacesOfDelivery(database),
    },
  )
}

const openScan =
  (read: Read, digest: Digest["Service"]): OpenScan =>
  (_, entries, after) => {
    const scan = new LogScan(digest, entries, after)
    let state = scan.begin
    return (wanted, most) => {
      // Each slice is a transaction of its own. If the filter leaves out entries of the
      // first slice, more slices follow. These read as many entries as possible, so that few are needed.
      const itemsMax = state === scan.begin ? wanted : most
      return Effect.map(
        read((connection) => scan.slice(connection, state, itemsMax)),
        (sliced) => {
          state = sliced.state
          return {
            items: sliced.items,
            position: state.searchedTo < 1 ? null : sequenceOf(state.searchedTo),
            hasEnded: hasEnded(state),
            isFull: state.bytes > entries.bytesMax,
          }
        },
      )
    }
  }

/** The query looks the delivery up in each workspace, because the index begins with the workspace. */
const workspacesSql = `
  SELECT heads.workspace FROM heads
  CROSS JOIN LATERAL (
    SELECT subject FROM identifiers WHERE identifiers.workspace = heads.workspace AND text = $1 OFFSET 0
  ) AS found
  JOIN subjects ON subjects.workspace = heads.workspace AND subjects.key = found.subject
  WHERE subjects.state = ${stateCodes.delivery} ORDER BY heads.workspace`

const ownersSql = "SELECT workspace FROM heads ORDER BY workspace"

const inWorkspaceSql = `
  SELECT subjects.workspace FROM identifiers
  JOIN subjects ON subjects.workspace = $1 AND subjects.key = identifiers.subject
  WHERE identifiers.workspace = $1 AND identifiers.text = $2 AND subjects.state = ${stateCodes.delivery}`

/** Where tables are distributed, each workspace is asked in a statement of its own. */
const readWorkspacesOf = (connection: Connection, text: string) =>
  connection.rowForm === "placed"
    ? connection.query(workspacesSql, [text])
    : Effect.gen(function* () {
        const owners = yield* connection.query(ownersSql)
        const found = yield* Effect.forEach(
          owners,
          (row) => connection.query(inWorkspaceSql, [integer(row["workspace"]), text]),
          { concurrency: "unbounded" },
        )
        return found.flat()
      })

/** Ingestion calls this function. Therefore it, unlike the reads of operators, does not wait for its turn. */
const workspacesOfDelivery =
  (database: ReadDatabase): Catalog["Service"]["workspacesOfDelivery"] =>
  (deliveryId) =>
    Effect.map(
      database.read("read a delivery", (connection) =>
        readWorkspacesOf(connection, indexedText(deliveryText(deliveryId))),
      ),
      (rows) => rows.map((row) => workspaceId(integer(row["workspace"]))),
    )
