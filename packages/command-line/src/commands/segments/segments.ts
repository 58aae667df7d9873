import { SegmentCursor } from "@inlethq/contract/values/Cursor"
import { sizeDaysDefault, type SegmentDocument } from "@inlethq/contract/segments/Segments"
import { sizeDaysMax } from "@inlethq/core/ports/SegmentSizes"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { optionalFlag, pageFlags } from "../../flags/flags.ts"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { drawSegment, drawSizes } from "../../output/segmentPage.ts"
import { drawTable } from "../../output/table.ts"
import { count } from "../../output/text.ts"
import { applyOperation } from "../../server/applyOperation.ts"
import { findPerson } from "../../server/findPerson.ts"
import { confirmFlag } from "../shared/confirm.ts"
import { show } from "../../server/show.ts"
import {
  calling,
  command,
  confirming,
  listing,
  raw,
  showing,
  type Reach,
  type Resource,
} from "../shared/resource.ts"
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

/** The number of people that are looked up at the same time. */
const lookupsAtOnce = 8

/** Says how people get into a segment, and how much of a build is done. */
const kindOf = ({ kind, next, progress, state }: SegmentDocument): string => {
  const built = next === null ? "" : ` (next version ${Math.floor((progress ?? 0) * 100)} %)`
  return state === null ? kind : `${kind}, ${state}${built}`
}

const segments: Resource<SegmentDocument> = {
  group: "segments",
  about: "Manage segments, by hand or by rule",
  columns: [
    { heading: "ID", text: ({ segment_id }) => String(segment_id), style: () => "bold" },
    { heading: "NAME", text: ({ name }) => name, shrinks: true },
    { heading: "KIND", text: kindOf },
    { heading: "PEOPLE", text: ({ size }) => count(size) },
    { heading: "DESCRIPTION", text: ({ description }) => description ?? "", shrinks: true },
  ],
  empty: "No segments",
  examples: {
    create: {
      'inlet segments create "Buyers" --rule buyers.json': "Let a rule decide who is in it",
      'inlet segments create "Beta testers"': "Print the id of the new segment",
    },
    list: { "inlet segments list": "Ids, names, kinds, states and sizes" },
    get: { "inlet segments get 3": "Name, size and people" },
    sizes: { "inlet segments sizes 3 --days 7": "The last week" },
    delete: { "inlet segments delete 3 --yes": "Delete without a question" },
    add: { "inlet segments add 3 ada bob": "Add two people" },
    remove: { "inlet segments remove 3 ada": "Remove one person" },
  },
}

const create = command(
  segments,
  "create",
  "Create a segment, empty or with the people for whom a rule holds",
  {
    name: Argument.String("name").pipe(Argument.withDescription("The name of the segment")),
    description: optionalFlag(Flag.String("description"), "What the segment is for"),
    rule: optionalRuleFlag,
    announce: announceFlag,
  },
  showing(
    ({ client, w }, { announce, description, name, rule }) =>
      Effect.flatMap(readOptionalRule(rule), (read) => {
        const about = Option.isSome(description) ? { description: description.value } : {}
        return client.segments.create({
          params: { w },
          payload: { name, ...about, ...read, announce },
          ...raw,
        })
      }),
    (segment, screen) => drawTable(screen, segments.columns, [segment]),
  ),
)

const list = command(
  segments,
  "list",
  "List segments, newest first",
  pageFlags(SegmentCursor),
  listing(segments, ({ client, w }, query) => client.segments.list({ params: { w }, query, ...raw })),
)

/** The number of people in the output of `inlet segments get`. */
const peopleShown = 20

const get = command(
  segments,
  "get",
  "Show a segment and its newest people",
  { segment: segmentArgument },
  calling(
    Effect.fnUntraced(function* ({ client, w }: Reach, { segment }: { readonly segment: SubjectKey }) {
      const { isWanted: json } = yield* JsonOutput
      const params = { w, segment_id: segment }
      const people = json
        ? { items: [] }
        : yield* client.segments.people({ params, query: { limit: peopleShown } })
      yield* show(client.segments.get({ params, ...raw }), (found, screen) =>
        drawSegment(screen, found, people.items),
      )
    }),
  ),
)

const sizes = command(
  segments,
  "sizes",
  "Show how many people a segment had on each of the last days",
  {
    segment: segmentArgument,
    days: Flag.Int("days").pipe(
      Flag.withDescription(`The number of days, up to ${sizeDaysMax}`),
      Flag.withDefault(sizeDaysDefault),
    ),
  },
  showing(
    ({ client, w }, { days, segment }) =>
      client.segments.sizes({ params: { w, segment_id: segment }, query: { days }, ...raw }),
    (found, screen) => drawSizes(screen, found),
  ),
)

const remove = command(
  segments,
  "delete",
  "Delete a segment; its people stay",
  { segment: segmentArgument, ...confirmFlag },
  confirming(
    ({ segment }) => `Delete segment ${segment}? Its people stay.`,
    ({ client, w }, { segment }) => client.segments.delete({ params: { w, segment_id: segment } }),
    ({ segment }) => `deleted ${segment}`,
  ),
)

const membership = (verb: "add" | "remove", about: string) =>
  command(
    segments,
    verb,
    about,
    {
      segment: segmentArgument,
      people: Argument.String("person").pipe(
        Argument.withDescription("People, by id, email or svc_…"),
        Argument.atLeast(1),
      ),
    },
    calling(({ client, w }, { people, segment }) =>
      Effect.gen(function* () {
        yield* client.segments.get({ params: { w, segment_id: segment } })
        const found = yield* Effect.forEach(people, findPerson, { concurrency: lookupsAtOnce })
        yield* applyOperation({
          type: "segment",
          action: verb,
          segment_id: segment,
          id_type: "svc_id",
          ids: found.map(({ svc_id }) => svc_id),
        })
      }),
    ),
  )

export const segmentsCommand = Command.make(segments.group).pipe(
  Command.withDescription(segments.about),
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
    membership("add", "Add people to a segment"),
    membership("remove", "Remove people from a segment"),
  ]),
)
