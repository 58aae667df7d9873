import type { WorkspaceDocument } from "@inlethq/contract/workspaces/Workspaces"
import { drawFields, type Field } from "./fields.ts"
import { section } from "./personPage.ts"
import { paint, type Screen } from "./Screen.ts"
import { count, counted, printable } from "./text.ts"

/** Draws the settings and the limits of a workspace. */
export const drawWorkspace = (workspace: WorkspaceDocument, screen: Screen): ReadonlyArray<string> => {
  const { kafka, records_max: records, retention_days: days } = workspace
  return [
    paint(screen, "bold", printable(workspace.name)),
    ...drawFields(screen, [
      ["environment id", String(workspace.environment_id)],
      ["region", workspace.region],
      ["identifiers", workspace.identifiers.join(", ")],
      ["email update by id", workspace.email_update_by_id ? "yes" : "no"],
      ["event merging", workspace.event_merging ? "yes" : "no"],
      ["placeholder ids", workspace.placeholder_ids],
      ["unknown events", workspace.unknown_events],
      ["context", workspace.context],
      ["bots", workspace.bots],
      ["omitted", workspace.omit.length === 0 ? "nothing" : workspace.omit.map(printable).join(", ")],
      ["addresses", workspace.ip],
      ["rate limit", workspace.rate_limit],
      ["events are kept", days === null ? "for ever" : counted(days, "day", "days")],
      ["history is kept", counted(workspace.history_days, "day", "days")],
      ["rejected calls are kept", counted(workspace.rejected_days, "day", "days")],
      ["audit records are kept", counted(workspace.audit_days, "day", "days")],
      [
        "alert on refusals",
        `from ${workspace.alerts.error_rate_percent} %, and ${count(workspace.alerts.errors_min)} in 10 minutes`,
      ],
      ["alert on lag", `from ${counted(workspace.alerts.lag_seconds, "second", "seconds")}`],
      ["records", records === null ? "unlimited" : `at most ${count(records)}`],
      ["kafka topic", kafka === null ? "none" : kafka.topic],
    ]),
    ...section(
      screen,
      "LIMITS",
      drawFields(
        screen,
        Object.entries(workspace.limits).map(([name, limit]): Field => [name, count(limit)]),
      ),
    ),
  ]
}
