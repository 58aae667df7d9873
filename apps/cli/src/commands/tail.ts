import { ActivityDocument, fromTheBeginning } from "@inlet/api/management/ActivityLog"
import { StreamPosition } from "@inlet/api/management/Cursor"
import { pageItemsMax } from "@inlet/api/management/Page"
import { ManagementClient } from "@inlet/sdk/management/ManagementClient"
import { Console, Effect, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { inlet } from "../inlet.ts"
import { succeedWhenInterrupted } from "../interruption.ts"
import { drawEntry } from "../output/entryLine.ts"
import { printJson } from "../output/json.ts"
import { printNote } from "../output/note.ts"
import { currentScreen } from "../output/Screen.ts"
import { zoneName } from "../output/times.ts"
import { Connection } from "../server/Connection.ts"
import { onServer } from "../server/onServer.ts"
import { followActivity } from "../tail/followActivity.ts"

const Entry = Schema.fromJsonString(ActivityDocument)

/** Prints an entry: with `--json` as the server sent it, otherwise as one aligned line. */
const printEntry = Effect.fnUntraced(function* (text: string) {
  const { json } = yield* inlet
  if (json) return yield* printJson(text)
  const entry = yield* Schema.decodeUnknownEffect(Entry)(text)
  yield* Console.log(drawEntry(yield* currentScreen, entry))
})

/** Returns the position of the newest log entry, or undefined if the log is empty. */
const newestPosition = Effect.gen(function* () {
  const { workspace } = yield* Connection
  const client = yield* ManagementClient
  const { items } = yield* client.activity.list({ params: { w: workspace }, query: { limit: 1 } })
  const [newest] = items
  return newest === undefined ? undefined : newest.sequence
})

/**
 * Prints the last `lines` entries that match a filter, oldest first. Leaves out entries after the position `newest`,
 * because the activity stream contains these entries.
 */
const printRecent = Effect.fnUntraced(function* (filter: string, lines: number, newest: number) {
  const { workspace } = yield* Connection
  const client = yield* ManagementClient
  const query = { limit: lines, ...(filter === "" ? {} : { filter }) }
  const { items } = yield* client.activity.list({ params: { w: workspace }, query })
  for (const entry of items.filter(({ sequence }) => sequence <= newest).toReversed()) {
    yield* printEntry(yield* Schema.encodeEffect(Entry)(entry))
  }
})

export const tailCommand = Command.make(
  "tail",
  {
    filter: Argument.String("filter").pipe(
      Argument.withDescription(
        "Terms such as kind:event, with -- before them if the first begins with a dash, see docs/filters.md",
      ),
      Argument.variadic(),
    ),
    lines: Flag.Int("lines").pipe(
      Flag.withAlias("n"),
      Flag.withDescription(`Print this many earlier entries first, up to ${pageItemsMax}`),
      Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: pageItemsMax }))),
      Flag.withDefault(0),
    ),
  },
  Effect.fnUntraced(
    function* ({ filter, lines }) {
      const { json } = yield* inlet
      const { url, workspace } = yield* Connection
      const newest = yield* newestPosition
      const terms = filter.join(" ")
      const screen = yield* currentScreen
      if (screen.isTerminal && !json) {
        const zone = zoneName(screen.times)
        yield* printNote(`Watching workspace ${workspace} on ${url}, times in ${zone}, Ctrl-C ends`)
      }
      if (newest !== undefined && lines > 0) yield* printRecent(terms, lines, newest)
      return yield* followActivity({
        filter: terms,
        after: newest === undefined ? fromTheBeginning : yield* Schema.encodeEffect(StreamPosition)(newest),
        onEntry: printEntry,
        onLost: printNote("Connection lost, waiting for the server"),
        onReconnected: printNote("Connected again"),
      })
    },
    onServer,
    succeedWhenInterrupted,
  ),
).pipe(
  Command.withDescription("Show the activity log live, and continue without gaps after the server restarts"),
  Command.withExamples([
    { command: "inlet tail", description: "Every operation, as it arrives" },
    { command: "inlet tail 'kind:event person:ada'", description: "The events of one person" },
    {
      command: "inlet tail -- -outcome:applied,created",
      description: "Only operations that were not applied completely",
    },
    {
      command: "inlet tail --json 'name:order_*' | jq .data",
      description: "Print each entry as one line of JSON, for programs",
    },
  ]),
)
