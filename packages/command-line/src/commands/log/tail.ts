import { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import { fromTheBeginning } from "@inlethq/contract/values/StreamPart"
import { StreamPosition } from "@inlethq/contract/values/Cursor"
import { toIso } from "@inlethq/core/values/Timestamp"
import { pageItemsMax } from "@inlethq/contract/values/Page"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Console, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { timeFlag } from "../../flags/flags.ts"
import { succeedWhenInterrupted } from "../../server/interruption.ts"
import { drawEntry } from "../../output/entryLine.ts"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { printNote } from "../../output/note.ts"
import { currentScreen } from "../../output/Screen.ts"
import { counted } from "../../output/text.ts"
import { fullTime, zoneName } from "../../output/times.ts"
import { Connection } from "../../server/Connection.ts"
import { onServer } from "../../server/onServer.ts"
import { recentEntries } from "../../tail/recentEntries.ts"
import { followActivity } from "../../tail/followActivity.ts"

const Entry = Schema.fromJsonString(ActivityDocument)

/** Prints an entry: with `--json` as the server sent it, otherwise as one aligned line. */
const printEntry = Effect.fnUntraced(function* (text: string) {
  const { isWanted, print } = yield* JsonOutput
  // As in jq, an entry that the expression does not fit is reported, and the others follow.
  if (isWanted) {
    return yield* print(text).pipe(Effect.catchTag("CommandFailed", ({ message }) => printNote(message)))
  }
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

/** The number of earlier entries that are printed with `--until` and without `--lines`. */
const untilLinesDefault = 10

/**
 * Prints the newest entries that match a filter, oldest first, and a note if none match or if the log was searched only
 * in part. Leaves out entries after the position `newest`, because the activity stream contains these entries.
 */
const printRecent = Effect.fnUntraced(function* (wanted: Parameters<typeof recentEntries>[0]) {
  const { times } = yield* currentScreen
  const { entries, searchedTo } = yield* recentEntries(wanted)
  for (const entry of entries) yield* printEntry(yield* Schema.encodeEffect(Entry)(entry))
  if (searchedTo !== null) {
    // The millisecond of `searchedTo` may have more entries, so the next search includes it.
    const until = toIso(Date.parse(searchedTo.at) + 1)
    const back = `searched back to ${fullTime(times, searchedTo.at)}`
    return yield* printNote(
      `Found ${counted(entries.length, "entry", "entries")}, ${back}; continue with --until ${until}`,
    )
  }
  if (entries.length === 0) yield* printNote("No earlier entry matches")
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
    until: timeFlag(
      "until",
      `Print only earlier entries, received before this time in ISO 8601, and end (with --lines, else ${untilLinesDefault})`,
    ),
  },
  Effect.fnUntraced(
    function* ({ filter, lines, until }) {
      const { isWanted: json } = yield* JsonOutput
      const { url, workspace } = yield* Connection
      const newest = yield* newestPosition
      const terms = filter.join(" ")
      if (Option.isSome(until)) {
        const wanted = { filter: terms, until: until.value, lines: lines === 0 ? untilLinesDefault : lines }
        if (newest !== undefined) yield* printRecent({ ...wanted, newest })
        return
      }
      const screen = yield* currentScreen
      if (screen.isTerminal && !json) {
        const zone = zoneName(screen.times)
        yield* printNote(`Watching workspace ${workspace} on ${url}, times in ${zone}, Ctrl-C ends`)
      }
      if (newest !== undefined && lines > 0) {
        yield* printRecent({ filter: terms, lines, newest, until: undefined })
      }
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
      command: "inlet tail -n 20 object:1/acme --until 2026-01-31T12:00:00Z",
      description: "The last 20 operations on an object before a time",
    },
    {
      command: "inlet tail -- -outcome:applied,created",
      description: "Only operations that were not applied completely",
    },
    {
      command: "inlet tail --jq '.data.total' 'name:order_*'",
      description: "What a jq expression makes of each entry",
    },
  ]),
)
