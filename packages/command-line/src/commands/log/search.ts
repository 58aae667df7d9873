import {
  FoundKind,
  searchLimitDefault,
  type FoundDocument,
  type FoundInWorkspace,
} from "@inlethq/contract/server/Search"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { optionalFlag } from "../../flags/flags.ts"
import { printNote } from "../../output/note.ts"
import { drawTable, type Column } from "../../output/table.ts"
import { Connection } from "../../server/Connection.ts"
import { onServer } from "../../server/onServer.ts"
import { show } from "../../server/show.ts"
import { WrongOption } from "../../texts/commandErrors.ts"
import { usageTexts } from "../../texts/usageTexts.ts"

const columns: ReadonlyArray<Column<FoundDocument>> = [
  { heading: "KIND", text: ({ kind }) => kind },
  { heading: "FOUND", text: (found) => nameOf(found), style: () => "bold", shrinks: true },
  { heading: "NAME", text: (found) => ("name" in found ? (found.name ?? "") : ""), shrinks: true },
  { heading: "MATCH", text: (found) => (isOfMerged(found) ? "merged" : found.exact ? "exact" : "begins") },
  { heading: "SHOW WITH", text: (found) => commandFor(found), shrinks: true },
]

const columnsEverywhere: ReadonlyArray<Column<FoundInWorkspace>> = [
  { heading: "WORKSPACE", text: ({ environment_id, name }) => `${environment_id} ${name}`, shrinks: true },
  { heading: "KIND", text: ({ found }) => found.kind },
  { heading: "FOUND", text: ({ found }) => nameOf(found), style: () => "bold", shrinks: true },
  { heading: "NAME", text: ({ found }) => ("name" in found ? (found.name ?? "") : ""), shrinks: true },
  {
    heading: "SHOW WITH",
    text: ({ environment_id, found }) => `${commandFor(found)} --workspace ${environment_id}`,
    shrinks: true,
  },
]

const isOfMerged = (found: FoundDocument): boolean => found.kind === "person" && found.merged_svc_id !== null

const nameOf = (found: FoundDocument): string => {
  switch (found.kind) {
    case "person":
      return found.email ?? found.id ?? found.svc_id
    case "object":
      return `${found.object_type_id}/${found.object_id}`
    case "delivery":
      return found.delivery_id
    case "segment":
      return String(found.segment_id)
    case "form":
      return found.form_id
    case "operation":
      return found.operation_id
  }
}

/** Returns the command that shows what was found. */
const commandFor = (found: FoundDocument): string => {
  switch (found.kind) {
    case "person":
      return `inlet people get ${found.svc_id}`
    case "object":
      return `inlet objects get ${nameOf(found)}`
    case "delivery":
      return `inlet deliveries get ${found.delivery_id}`
    case "segment":
      return `inlet segments get ${found.segment_id}`
    case "form":
      return "inlet forms list"
    case "operation":
      return `inlet why ${found.operation_id}`
  }
}

const searchEverywhere = Effect.fnUntraced(function* (text: string) {
  const client = yield* ManagementClient
  const call = client.search.everywhere({ query: { q: text }, responseMode: "decoded-and-response" })
  const { items, not_searched } = yield* show(call, (found, screen) =>
    found.items.length === 0 ? [] : drawTable(screen, columnsEverywhere, found.items),
  )
  if (not_searched > 0) yield* printNote(`Workspaces that were not searched: ${not_searched}`)
  else if (items.length === 0) yield* printNote("Nothing found")
})

export const searchCommand = Command.make(
  "search",
  {
    text: Argument.String("text").pipe(
      Argument.withDescription(
        "An identifier of any kind, its beginning, or the beginning of a word of a name",
      ),
    ),
    kind: optionalFlag(Flag.Literals("kind", FoundKind.literals), "Find only this kind"),
    everywhere: Flag.Boolean("all-workspaces").pipe(
      Flag.withDescription("Find what the text names in full, in every workspace that the token may read"),
      Flag.withDefault(false),
    ),
    limit: optionalFlag(
      Flag.Int("limit"),
      `Of each kind, find at most this many that are not exact; ${searchLimitDefault} without it`,
    ),
  },
  Effect.fnUntraced(function* ({ everywhere, kind, limit, text }) {
    if (everywhere) {
      if (Option.isSome(kind) || Option.isSome(limit))
        return yield* new WrongOption({ message: usageTexts.searchEverywhere() })
      return yield* searchEverywhere(text)
    }
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    const query = {
      q: text,
      ...(Option.isSome(kind) && { kind: kind.value }),
      ...(Option.isSome(limit) && { limit: limit.value }),
    }
    const params = { w: workspace }
    const call = client.search.find({ params, query, responseMode: "decoded-and-response" })
    const found = yield* show(call, ({ items }, screen) =>
      items.length === 0 ? [] : drawTable(screen, columns, items),
    )
    for (const one of found.items.filter(isOfMerged))
      yield* printNote(`${text} was merged into ${nameOf(one)}`)
    if (found.partly_searched.length > 0) {
      yield* printNote(`Only a part was searched of: ${found.partly_searched.join(", ")}`)
    } else if (found.items.length === 0) yield* printNote("Nothing found")
  }, onServer),
).pipe(
  Command.withDescription(
    "Find people, objects, deliveries, segments, forms and operations, exact matches first",
  ),
  Command.withExamples([
    { command: "inlet search ada@example.com", description: "By an identifier" },
    { command: "inlet search lovelace --kind person", description: "People by a word of their name" },
    { command: "inlet search acme", description: "Objects of any type, among others" },
    { command: "inlet search ada --all-workspaces", description: "In which workspace somebody is" },
  ]),
)
