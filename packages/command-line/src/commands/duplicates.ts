import { DuplicateCursor, PairCursor } from "@inlet/api/management/Cursor"
import type { DismissalDocument, DuplicateDocument } from "@inlet/api/management/Duplicates"
import { EvidenceReason } from "@inlet/core/log/evidence"
import { ManagementClient } from "@inlet/sdk/management/ManagementClient"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { optionalFlag, pageFlags, type PageFlags } from "../flags.ts"
import { printNote } from "../output/note.ts"
import { timeColumn, type Column } from "../output/table.ts"
import { Connection } from "../server/Connection.ts"
import { findPerson } from "../server/findPerson.ts"
import { onServer } from "../server/onServer.ts"
import { showList } from "../server/showList.ts"

type Paired = DuplicateDocument["people"][number]

/** Returns the shortest text that names a person for other commands. */
const nameOf = ({ email, id, svc_id }: Paired): string => id ?? email ?? svc_id

const columns: ReadonlyArray<Column<DuplicateDocument>> = [
  { heading: "FIRST", text: ({ people: [one] }) => nameOf(one), style: () => "bold", shrinks: true },
  { heading: "SECOND", text: ({ people: [, other] }) => nameOf(other), style: () => "bold", shrinks: true },
  { heading: "REASONS", text: ({ reasons }) => reasons.join(", ") },
  { heading: "OPERATION", text: ({ operation_ids: [newest = ""] }) => newest },
  timeColumn("LAST", ({ last_at }) => last_at),
]

const showPairs = Effect.fnUntraced(function* (
  reason: Option.Option<EvidenceReason>,
  page: PageFlags<typeof DuplicateCursor.Type>,
) {
  const { workspace } = yield* Connection
  const client = yield* ManagementClient
  const filter = Option.isSome(reason) ? { reason: reason.value } : {}
  yield* showList(
    page,
    (query) =>
      client.duplicates.list({
        params: { w: workspace },
        query: { ...filter, ...query },
        responseMode: "decoded-and-response",
      }),
    columns,
    "No duplicates",
  )
}, onServer)

const list = Command.make(
  "list",
  {
    reason: optionalFlag(
      Flag.Literals("reason", EvidenceReason.literals),
      "Only pairs for this reason: an identifier of one was refused to the other, a device moved, or an alias named both",
    ),
    ...pageFlags(DuplicateCursor),
  },
  ({ reason, ...page }) => showPairs(reason, page),
).pipe(
  Command.withDescription("List pairs of people who may be one, with the operations that say so"),
  Command.withExamples([
    { command: "inlet duplicates list", description: "The newest 50 pairs" },
    { command: "inlet duplicates list --reason device --all", description: "Pairs who shared a device" },
  ]),
)

const dismissalColumns: ReadonlyArray<Column<DismissalDocument>> = [
  { heading: "FIRST", text: ({ svc_ids: [one] }) => one },
  { heading: "SECOND", text: ({ svc_ids: [, other] }) => other },
  timeColumn("DISMISSED", ({ at }) => at),
]

const dismissed = Command.make(
  "dismissed",
  pageFlags(PairCursor),
  Effect.fnUntraced(function* (page) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    yield* showList(
      page,
      (query) =>
        client.duplicates.dismissed({
          params: { w: workspace },
          query,
          responseMode: "decoded-and-response",
        }),
      dismissalColumns,
      "No dismissed pairs",
    )
  }, onServer),
).pipe(
  Command.withDescription("List the pairs that are not suggested any more"),
  Command.withExamples([{ command: "inlet duplicates dismissed", description: "The first 50" }]),
)

const bothPeople = {
  one: Argument.String("person").pipe(Argument.withDescription("The id, email or svc_… of one of the two")),
  other: Argument.String("other").pipe(Argument.withDescription("The id, email or svc_… of the other")),
}

const dismiss = Command.make(
  "dismiss",
  bothPeople,
  Effect.fnUntraced(function* ({ one, other }) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    const [first, second] = yield* Effect.all([findPerson(one), findPerson(other)])
    yield* client.duplicates.dismiss({
      params: { w: workspace },
      payload: { svc_ids: [first.svc_id, second.svc_id] },
    })
    yield* printNote(`dismissed ${one} and ${other}`)
  }, onServer),
).pipe(
  Command.withDescription("Never suggest two people as duplicates again"),
  Command.withExamples([{ command: "inlet duplicates dismiss ada bob", description: "They are two people" }]),
)

const restore = Command.make(
  "restore",
  bothPeople,
  Effect.fnUntraced(function* ({ one, other }) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    const [first, second] = yield* Effect.all([findPerson(one), findPerson(other)])
    yield* client.duplicates.restore({
      params: { w: workspace, one: first.svc_id, other: second.svc_id },
    })
    yield* printNote(`restored ${one} and ${other}`)
  }, onServer),
).pipe(
  Command.withDescription("Suggest a dismissed pair again"),
  Command.withExamples([{ command: "inlet duplicates restore ada bob", description: "Undo a dismissal" }]),
)

export const duplicatesCommand = Command.make("duplicates", {}, () =>
  showPairs(Option.none(), { limit: Option.none(), after: Option.none(), all: false }),
).pipe(
  Command.withDescription("Pairs of people who may be one; without a subcommand, lists them"),
  Command.withSubcommands([list, dismissed, dismiss, restore]),
)
