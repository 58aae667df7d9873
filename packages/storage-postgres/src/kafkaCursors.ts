import type { KafkaCursors } from "@inlet/core/ports/KafkaCursors"
import { integer } from "@inlet/storage/columns"
import { sequenceOf } from "@inlet/storage/ids"
import { Effect } from "effect"
import type { Database } from "./engine/Database.ts"
import { expectWorkspace } from "./tables/deletedWorkspaces.ts"

const readSql = "SELECT sequence FROM kafka_cursors WHERE workspace = $1"

const advanceSql = `
  INSERT INTO kafka_cursors AS stored (workspace, sequence) VALUES ($1, $2)
  ON CONFLICT (workspace) DO UPDATE SET sequence = greatest(stored.sequence, excluded.sequence)
`

/** Makes the store of Kafka cursors. The store has one row for each workspace that is copied to Kafka. */
export const makeKafkaCursors = (database: Database["Service"]): KafkaCursors["Service"] => ({
  position: (workspace) =>
    Effect.map(database.query("read a Kafka cursor", readSql, [workspace]), ([row]) =>
      row === undefined ? null : sequenceOf(integer(row["sequence"])),
    ),
  advance: (workspace, sequence) =>
    database
      .write("save a Kafka cursor", workspace, (connection) =>
        Effect.andThen(
          expectWorkspace(connection, workspace),
          connection.execute(advanceSql, [workspace, sequence]),
        ),
      )
      .pipe(
        Effect.asVoid,
        Effect.catchTag("WorkspaceDeleted", () => Effect.void),
      ),
})
