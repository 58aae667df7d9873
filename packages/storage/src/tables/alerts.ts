import { Alert } from "@inlethq/core/alert/Alert"
import { nextMark, roomFor, type AlertMarks, type Alerts } from "@inlethq/core/ports/Alerts"
import { Sequence } from "@inlethq/core/values/Identifier"
import { Effect, Schema, Struct } from "effect"
import { integer, integerOrNull, text, type Row } from "../columns/columns.ts"
import { workspaceId } from "../columns/ids.ts"
import { fromStored, toStored } from "../columns/storedText.ts"
import { lockWorkspace } from "./settingsChanges.ts"
import type { Statements, Tables } from "./Tables.ts"

/** When an alert began and ended has columns of its own. */
const Doc = Schema.fromJsonString(
  Alert.mapFields(Struct.omit(["workspace", "alertId", "beganAt", "endedAt", "beganMark", "endedMark"])),
)
const encodeDoc = Schema.encodeSync(Doc)
const decodeDoc = Schema.decodeUnknownSync(Doc)

const columns = "workspace, id, began, began_mark, ended, ended_mark, doc"

const listSql = `SELECT ${columns} FROM alerts WHERE workspace = $1 ORDER BY began_mark DESC`

const marksSql = "SELECT id, began_mark, ended_mark FROM alerts WHERE workspace = $1"

const beginSql = `
  INSERT INTO alerts (${columns}) VALUES ($1, $2, $3, $4, NULL, NULL, $5)
  ON CONFLICT (workspace, id) DO UPDATE SET
    began = excluded.began, began_mark = excluded.began_mark, ended = NULL, ended_mark = NULL, doc = excluded.doc
  WHERE alerts.ended IS NOT NULL`

const endSql =
  "UPDATE alerts SET ended = $3, ended_mark = $4 WHERE workspace = $1 AND id = $2 AND ended IS NULL"

const removeSql = "DELETE FROM alerts WHERE workspace = $1 AND id = $2"

/** Makes the store of alerts. */
export const makeAlerts = (tables: Tables): Alerts["Service"] => ({
  list: (workspace) =>
    Effect.map(tables.read("read alerts", listSql, workspace), (rows) => rows.map(alertFromRow)),
  begin: (alert, newest) =>
    tables.write("save an alert", alert.workspace, (ask) =>
      Effect.gen(function* () {
        const { alertId, beganAt, workspace, ...rest } = alert
        if (yield* ask.isDeleted(workspace)) return false
        const known = yield* locked(ask, workspace)
        const room = roomFor(known, alertId)
        if (room === null) return false
        const values = [workspace, toStored(alertId), beganAt, nextMark(known, newest), encodeDoc(rest)]
        if ((yield* ask.run(beginSql, ...values)) === 0) return false
        for (const one of room) yield* ask.run(removeSql, workspace, toStored(one))
        return true
      }),
    ),
  end: ({ alertId, workspace }, at, newest) =>
    tables.write("save an alert", workspace, (ask) =>
      Effect.gen(function* () {
        const mark = nextMark(yield* locked(ask, workspace), newest)
        return (yield* ask.run(endSql, workspace, toStored(alertId), at, mark)) > 0
      }),
    ),
})

/** Returns the marks of all alerts, which two nodes must not count on from at once. */
const locked = <E>(ask: Statements<E>, workspace: Alert["workspace"]) =>
  Effect.andThen(
    lockWorkspace(ask, workspace),
    Effect.map(ask.rows(marksSql, workspace), (rows) => rows.map(marksFromRow)),
  )

const marksFromRow = (row: Row): AlertMarks => {
  const endedMark = integerOrNull(row["ended_mark"])
  return {
    alertId: fromStored(text(row["id"])),
    beganMark: Sequence.make(integer(row["began_mark"])),
    endedMark: endedMark === null ? null : Sequence.make(endedMark),
  }
}

const alertFromRow = (row: Row): Alert => ({
  ...decodeDoc(row["doc"]),
  ...marksFromRow(row),
  workspace: workspaceId(integer(row["workspace"])),
  beganAt: integer(row["began"]),
  endedAt: integerOrNull(row["ended"]),
})
