import { destinationHoursKept, type DestinationHours } from "@inlethq/core/ports/DestinationHours"
import { Effect } from "effect"
import { integer } from "../columns/columns.ts"
import { toStored } from "../columns/storedText.ts"
import type { Tables } from "./Tables.ts"

const sinceSql = `
  SELECT hour, entries, lag_entries, lag_ms FROM destination_hours
  WHERE workspace = $1 AND destination = $2 AND hour >= $3 ORDER BY hour`

/** Returns SQL for the greater one of what a row has and what is added to it. */
const greatest = (column: string): string =>
  `${column} = CASE WHEN stored.${column} < excluded.${column} THEN excluded.${column} ELSE stored.${column} END`

const addSql = `
  INSERT INTO destination_hours AS stored (workspace, destination, hour, entries, lag_entries, lag_ms)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (workspace, destination, hour) DO UPDATE
    SET entries = stored.entries + excluded.entries, ${greatest("lag_entries")}, ${greatest("lag_ms")}`

const removeSql = "DELETE FROM destination_hours WHERE workspace = $1 AND hour < $2"

/** Makes the store of how destinations did, hour by hour. */
export const makeDestinationHours = (tables: Tables): DestinationHours["Service"] => ({
  add: (workspace, hours) =>
    hours.length === 0
      ? Effect.void
      : tables.writeUnsynced("save how far destinations are", workspace, (ask) =>
          Effect.gen(function* () {
            if (yield* ask.isDeleted(workspace)) return
            yield* ask.runEach(
              addSql,
              hours.map(({ destination, entries, hour, lagEntries, lagMs }) => [
                workspace,
                toStored(destination),
                hour,
                entries,
                lagEntries,
                lagMs,
              ]),
            )
            const newest = Math.max(...hours.map(({ hour }) => hour))
            yield* ask.run(removeSql, workspace, newest - destinationHoursKept)
          }),
        ),
  since: (workspace, destination, hour) =>
    Effect.map(
      tables.read("read how far destinations were", sinceSql, workspace, toStored(destination), hour),
      (rows) =>
        rows.map((row) => ({
          destination,
          hour: integer(row["hour"]),
          entries: integer(row["entries"]),
          lagEntries: integer(row["lag_entries"]),
          lagMs: integer(row["lag_ms"]),
        })),
    ),
})
