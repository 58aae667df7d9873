import type { DriftDocument, EventTypeDocument } from "@inlethq/contract/types/EventTypes"
import { TypeCursor } from "@inlethq/contract/values/Cursor"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { optionalFlag, pageFlags, type PageQuery } from "../../flags/flags.ts"
import { timeColumn } from "../../output/table.ts"
import { count } from "../../output/text.ts"
import { drawType } from "../../output/typePage.ts"
import { onServer } from "../../server/onServer.ts"
import { command, listing, raw, showing, type Resource } from "../shared/resource.ts"
import { check } from "./checkTypes.ts"
import { generate } from "./generateTypes.ts"

/** The days that a line of a list shows. */
const daysShown = 7

const types: Resource<EventTypeDocument> = {
  group: "types",
  about: "What events and attributes look like, as it was seen; without a subcommand, lists the names",
  columns: [
    { heading: "KIND", text: ({ kind }) => kind },
    { heading: "NAME", text: ({ name }) => name, style: () => "bold", shrinks: true },
    { heading: "COUNT", text: ({ count: total }) => count(total) },
    {
      heading: "LAST DAYS",
      text: ({ days }) =>
        days
          .slice(-daysShown)
          .map((day) => day.count)
          .join(" "),
      isOptional: true,
    },
    { heading: "PATHS", text: ({ paths }) => count(paths) },
    timeColumn("LAST", ({ last }) => last.at),
  ],
  empty: "No names",
  examples: {
    list: { "inlet types list": "The first 100 names", "inlet types list --kind event --all": "All events" },
    show: {
      'inlet types show "Order Placed"': "The shape of an event",
      "inlet types show attributes --kind person": "The attributes of people",
    },
    drift: {
      "inlet types drift": "What changed in the last day",
      "inlet types drift --since 2026-01-31": "Since a day",
    },
  },
}

interface Kind {
  readonly kind: Option.Option<string>
}

const showTypes = listing(
  types,
  ({ client, w }, { limit, after }: PageQuery<typeof TypeCursor.Type>, { kind }: Kind) =>
    client.types.list({
      params: { w },
      query: {
        ...(limit !== undefined && { limit }),
        ...(after !== undefined && { after }),
        ...(Option.isSome(kind) && { kind: kind.value }),
      },
      ...raw,
    }),
)

const list = command(
  types,
  "list",
  "List the names of events, pages and screens, and the attributes of people and objects",
  {
    kind: optionalFlag(Flag.String("kind"), "Only event, page, screen, person or object:TYPE"),
    ...pageFlags(TypeCursor),
  },
  showTypes,
)

const show = command(
  types,
  "show",
  "Show how often a name came, who sent it, and what its data look like",
  {
    name: Argument.String("name").pipe(Argument.withDescription("The name, or attributes")),
    kind: Flag.String("kind").pipe(
      Flag.withDescription("event, page, screen, person or object:TYPE"),
      Flag.withDefault("event"),
    ),
  },
  showing(({ client, w }, { kind, name }: { readonly kind: string; readonly name: string }) => {
    return client.types.get({ params: { w, kind, name }, ...raw })
  }, drawType),
)

const driftColumns: Pick<Resource<DriftDocument>, "columns" | "empty"> = {
  columns: [
    timeColumn("AT", ({ at }) => at),
    { heading: "KIND", text: ({ kind }) => kind },
    { heading: "NAME", text: ({ name }) => name, style: () => "bold", shrinks: true },
    { heading: "CHANGE", text: ({ summary }) => summary, wraps: true },
    { heading: "KEY", text: ({ sender }) => sender?.key?.name ?? "", isOptional: true },
    { heading: "OPERATION", text: ({ operation_id }) => operation_id },
  ],
  empty: "Nothing changed",
}

const drift = command(
  types,
  "drift",
  "List what changed in what events and attributes look like, with the first operation that shows it",
  { since: optionalFlag(Flag.String("since"), "A time or a position of the log; a day ago by default") },
  (given: { readonly since: Option.Option<string> }) =>
    listing(driftColumns, ({ client, w }, _query: PageQuery<never>, { since }: typeof given) =>
      Effect.map(
        client.types.drift({
          params: { w },
          query: Option.isSome(since) ? { since: since.value } : {},
          ...raw,
        }),
        ([{ items }, response]) => [{ items, next: null }, response] as const,
      ),
    )({ ...given, limit: Option.none(), after: Option.none(), all: false }),
)

const firstTypes = { kind: Option.none(), limit: Option.none(), after: Option.none(), all: false }

export const typesCommand = Command.make(types.group, {}, () => onServer(showTypes(firstTypes))).pipe(
  Command.withDescription(types.about),
  Command.withSubcommands([list, show, drift, generate, check]),
)
