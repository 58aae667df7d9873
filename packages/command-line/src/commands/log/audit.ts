import type { AuditDocument, AuditQuery } from "@inlethq/contract/workspaces/Audit"
import { AuditCursor } from "@inlethq/contract/values/Cursor"
import { exportAuditBytes } from "@inlethq/sdk/management/Exports"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { optionalFlag, pageFlags, timeFlag } from "../../flags/flags.ts"
import { timeColumn, type Column } from "../../output/table.ts"
import { onServer } from "../../server/onServer.ts"
import { showList } from "../../server/showList.ts"
import { expectPeriod, writeExport } from "../data/export.ts"

const columns: ReadonlyArray<Column<AuditDocument>> = [
  { ...timeColumn("AT", ({ at }) => at), isOptional: false },
  { heading: "WHO", text: ({ actor }) => actor.name ?? "unknown", style: () => "bold", shrinks: true },
  { heading: "ACTION", text: ({ action }) => action },
  {
    heading: "OUTCOME",
    text: ({ count, outcome, status }) =>
      [outcome, outcome === "done" ? null : status, count === 1 ? null : `×${count}`]
        .filter((part) => part !== null)
        .join(" "),
    style: ({ outcome }) => (outcome === "done" ? null : "red"),
  },
  { heading: "ON", text: ({ environment_id: id }) => (id === null ? "installation" : String(id)) },
  {
    heading: "WHAT",
    text: ({ changes, target }) =>
      [target?.name ?? target?.id ?? "", changes.map(({ setting }) => setting).join(",")]
        .filter((part) => part !== "")
        .join(": "),
    shrinks: true,
  },
  { heading: "FROM", text: ({ address }) => address ?? "", isOptional: true },
]

const filters = {
  only: optionalFlag(
    Flag.Int("only").pipe(Flag.withMetavar("WORKSPACE")),
    "Only actions on this workspace; 0 for those on the installation",
  ),
  actor: optionalFlag(Flag.String("actor"), "Only actions of the token with this name or id"),
  action: optionalFlag(
    Flag.String("action"),
    "Only this action, such as key.create, or those of a resource, such as key",
  ),
  outcome: optionalFlag(
    Flag.Literals("outcome", ["done", "refused", "failed", "begun"]),
    "Only actions that ended like this; nobody learned the end of those that have only begun",
  ),
  since: timeFlag("since", "Only actions at this time or later, in ISO 8601"),
  until: timeFlag("until", "Only actions before this time, in ISO 8601"),
}

type Given = {
  readonly [Name in keyof typeof filters]: (typeof filters)[Name] extends Flag.Flag<infer Value>
    ? Value
    : never
}

const queryOf = ({ action, actor, only, outcome, since, until }: Given): AuditQuery => ({
  ...(Option.isSome(only) ? { workspace: only.value } : {}),
  ...(Option.isSome(actor) ? { actor: actor.value } : {}),
  ...(Option.isSome(action) ? { action: action.value } : {}),
  ...(Option.isSome(outcome) ? { outcome: outcome.value } : {}),
  ...(Option.isSome(since) ? { since: since.value } : {}),
  ...(Option.isSome(until) ? { until: until.value } : {}),
})

export const auditCommand = Command.make(
  "audit",
  {
    ...filters,
    ...pageFlags(AuditCursor),
    export: optionalFlag(
      Flag.String("export").pipe(Flag.withMetavar("file")),
      "Write all selected records to a file as NDJSON, oldest first",
    ),
  },
  Effect.fnUntraced(function* ({ after, all, export: file, limit, ...given }) {
    const filter = queryOf(given)
    yield* expectPeriod(filter.since, filter.until)
    if (Option.isSome(file)) return yield* writeExport("records", exportAuditBytes(filter), file)
    const client = yield* ManagementClient
    yield* showList(
      { after, all, limit },
      (query) => client.audit.list({ query: { ...filter, ...query }, responseMode: "decoded-and-response" }),
      columns,
      { empty: "No records", hint: null },
    )
  }, onServer),
).pipe(
  Command.withDescription(
    "Show the audit log: who changed or exported what, and what was refused, newest first",
  ),
  Command.withExamples([
    { command: "inlet audit --only 1 --action key", description: "Keys of workspace 1" },
    {
      command: "inlet audit --actor CI --outcome refused",
      description: "What the token CI was not allowed to do",
    },
    {
      command: "inlet audit --export audit.ndjson --since 2027-01-01",
      description: "Save the records of a period",
    },
  ]),
)
