import type { KafkaCursors } from "@inlet/core/ports/KafkaCursors"
import { integer } from "@inlet/storage/columns"
import { sequenceOf } from "@inlet/storage/ids"
import type { Database } from "./engine/Database.ts"
import { readIsDeleted } from "./engine/deletedWorkspaces.ts"

/** Makes the store of Kafka cursors. The store has one row for each workspace that is copied to Kafka. */
export const makeKafkaCursors = (database: Database): KafkaCursors["Service"] => {
  const { durability } = database
  const read = database.reads.prepare("SELECT sequence FROM kafka_cursors WHERE workspace = ?")
  const advance = database.prepare(`
    INSERT INTO kafka_cursors (workspace, sequence) VALUES (?, ?)
    ON CONFLICT (workspace) DO UPDATE SET sequence = max(sequence, excluded.sequence)
  `)
  const isDeleted = readIsDeleted(database)
  return {
    position: (workspace) =>
      durability.read("read a Kafka cursor", () => {
        const row = read.get(workspace)
        return row === undefined ? null : sequenceOf(integer(row["sequence"]))
      }),
    advance: (workspace, sequence) =>
      durability.inTurn(
        durability.attempt("save a Kafka cursor", () =>
          database.writeUnsynced(() => {
            if (!isDeleted(workspace)) advance.run(workspace, sequence)
          }),
        ),
      ),
  }
}
