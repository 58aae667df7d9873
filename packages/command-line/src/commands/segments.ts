import { SegmentCursor } from "@inlet/api/management/Cursor"
import { sizeDaysDefault, type SegmentDocument } from "@inlet/api/management/Segments"
import { sizeDaysMax } from "@inlet/core/ports/SegmentSizes"
import { ManagementClient } from "@inlet/sdk/management/ManagementClient"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { optionalFlag, pageFlags } from "../flags.ts"
import { JsonOutput } from "../output/JsonOutput.ts"
import { printNote } from "../output/note.ts"
import { drawSegment, drawSizes } from "../output/segmentPage.ts"
import { drawTable, type Column } from "../output/table.ts"
import { count } from "../output/text.ts"
import { applyOperation } from "../server/applyOperation.ts"
import { Connection } from "../server/Connection.ts"
import { findPerson } from "../server/findPerson.ts"
import { onServer } from "../server/onServer.ts"
import { confirmFlag, orNotConfirmed } from "./confirm.ts"
import { show } from "../server/show.ts"
import { segmentArgument } from "./segmentArgument.ts"
import {
  announceFlag,
  backtest,
  optionalRuleFlag,
  preview,
  readOptionalRule,
  update,
  watch,
  why,
} from "./segmentRules.ts"
import { showList } from "../server/showList.ts"

/** The number of people that are looked up at the same time. */
const lookupsAtOnce = 8

/** Says how people get into a segment, and how much of a build is done. */
const kindOf = ({ kind, next, progress, state }: SegmentDocument): string => {
  const built = next === null ? "" : ` (next version ${Math.floor((progress ?? 0) * 100)} %)`
  return state === null ? kind : `${kind}, ${state}${built}`
}

const columns: ReadonlyArray<Column<SegmentDocument>> = [
  { heading: "ID", text: ({ segment_id }) => String(segment_id), style: () => "bold" },
  { heading: "NAME", text: ({ name }) => name, shrinks: true },
  { heading: "KIND", text: kindOf },
  { heading: "PEOPLE", text: ({ size }) => count(size) },
  { heading: "DESCRIPTION", text: ({ description }) => description ?? "", shrinks: true },
]

const create = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(Argument.withDescription("The name of the segment")),
    description: optionalFlag(Flag.String("description"), "What the segment is for"),
    rule: optionalRuleFlag,
    announce: announceFlag,
  },
  Effect.fnUntraced(function* ({ announce, description, name, rule }) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    const payload = {
      name,
      ...(Option.isSome(description) ? { description: description.value } : {}),
      ...(yield* readOptionalRule(rule)),
      announce,
    }
    yield* show(
      client.segments.create({ params: { w: workspace }, payload, responseMode: "decoded-and-response" }),
      (segment, screen) => drawTable(screen, columns, [segment]),
    )
  }, onServer),
).pipe(
  Command.withDescription("Create a segment, empty or with the people for whom a rule holds"),
  Command.withExamples([
    {
      command: 'inlet segments create "Buyers" --rule buyers.json',
      description: "Let a rule decide who is in it",
    },
    { command: 'inlet segments create "Beta testers"', description: "Print the id of the new segment" },
  ]),
)

const list = Command.make(
  "list",
  pageFlags(SegmentCursor),
  Effect.fnUntraced(function* (page) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    yield* showList(
      page,
      (query) =>
        client.segments.list({ params: { w: workspace }, query, responseMode: "decoded-and-response" }),
      columns,
      "No segments",
    )
  }, onServer),
).pipe(
  Command.withDescription("List segments, newest first"),
  Command.withExamples([
    { command: "inlet segments list", description: "Ids, names, kinds, states and sizes" },
  ]),
)

/** The number of people in the output of `inlet segments get`. */
const peopleShown = 20

const get = Command.make(
  "get",
  { segment: segmentArgument },
  Effect.fnUntraced(function* ({ segment }) {
    const { workspace } = yield* Connection
    const { isWanted: json } = yield* JsonOutput
    const client = yield* ManagementClient
    const params = { w: workspace, segment_id: segment }
    const call = client.segments.get({ params, responseMode: "decoded-and-response" })
    const people = json
      ? { items: [] }
      : yield* client.segments.people({ params, query: { limit: peopleShown } })
    yield* show(call, (found, screen) => drawSegment(screen, found, people.items))
  }, onServer),
).pipe(
  Command.withDescription("Show a segment and its newest people"),
  Command.withExamples([{ command: "inlet segments get 3", description: "Name, size and people" }]),
)

const sizes = Command.make(
  "sizes",
  {
    segment: segmentArgument,
    days: Flag.Int("days").pipe(
      Flag.withDescription(`The number of days, up to ${sizeDaysMax}`),
      Flag.withDefault(sizeDaysDefault),
    ),
  },
  Effect.fnUntraced(function* ({ days, segment }) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    const params = { w: workspace, segment_id: segment }
    yield* show(
      client.segments.sizes({ params, query: { days }, responseMode: "decoded-and-response" }),
      (found, screen) => drawSizes(screen, found),
    )
  }, onServer),
).pipe(
  Command.withDescription("Show how many people a segment had on each of the last days"),
  Command.withExamples([{ command: "inlet segments sizes 3 --days 7", description: "The last week" }]),
)

const remove = Command.make(
  "delete",
  { segment: segmentArgument, ...confirmFlag },
  Effect.fnUntraced(function* ({ segment, yes }) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    yield* orNotConfirmed(yes, `Delete segment ${segment}? Its people stay.`)
    yield* client.segments.delete({ params: { w: workspace, segment_id: segment } })
    yield* printNote(`deleted ${segment}`)
  }, onServer),
).pipe(
  Command.withDescription("Delete a segment; its people stay"),
  Command.withExamples([
    { command: "inlet segments delete 3 --yes", description: "Delete without a question" },
  ]),
)

const membership = (verb: "add" | "remove") =>
  Command.make(
    verb,
    {
      segment: segmentArgument,
      people: Argument.String("person").pipe(
        Argument.withDescription("People, by id, email or svc_…"),
        Argument.atLeast(1),
      ),
    },
    Effect.fnUntraced(function* ({ people, segment }) {
      const { workspace } = yield* Connection
      const client = yield* ManagementClient
      yield* client.segments.get({ params: { w: workspace, segment_id: segment } })
      const found = yield* Effect.forEach(people, findPerson, { concurrency: lookupsAtOnce })
      yield* applyOperation({
        type: "segment",
        action: verb,
        segment_id: segment,
        id_type: "svc_id",
        ids: found.map(({ svc_id }) => svc_id),
      })
    }, onServer),
  )

export const segmentsCommand = Command.make("segments").pipe(
  Command.withDescription("Manage segments, by hand or by rule"),
  Command.withSubcommands([
    create,
    list,
    get,
    sizes,
    update,
    remove,
    why,
    watch,
    preview,
    backtest,
    membership("add").pipe(
      Command.withDescription("Add people to a segment"),
      Command.withExamples([{ command: "inlet segments add 3 ada bob", description: "Add two people" }]),
    ),
    membership("remove").pipe(
      Command.withDescription("Remove people from a segment"),
      Command.withExamples([{ command: "inlet segments remove 3 ada", description: "Remove one person" }]),
    ),
  ]),
)
