import { calledName } from "@inlethq/contract/people/calledName"
import { ActivityCursor, PersonCursor } from "@inlethq/contract/values/Cursor"
import type { MergeDocument } from "@inlethq/contract/people/MergePreview"
import { pageItemsMax } from "@inlethq/contract/values/Page"
import type { PersonDocument } from "@inlethq/contract/people/People"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { optionalFlag, pageFlags, personArgument } from "../../flags/flags.ts"
import { momentFlags, momentOf } from "../../flags/moment.ts"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { unmergeSentences } from "@inlethq/log/explanation/unmergeSentences"
import { drawPerson, drawUnmerge } from "../../output/personPage.ts"
import { timeColumn } from "../../output/table.ts"
import { Connection } from "../../server/Connection.ts"
import { applyOperation } from "../../server/applyOperation.ts"
import {
  findPerson,
  findRemaining,
  identifiersToSuppress,
  suppressedIdentifiers,
} from "../../server/findPerson.ts"
import { onServer } from "../../server/onServer.ts"
import { show } from "../../server/show.ts"
import { showList } from "../../server/showList.ts"
import { WrongOption } from "../../texts/commandErrors.ts"
import { usageTexts } from "../../texts/usageTexts.ts"
import { exportPersonCommand } from "../data/exportPerson.ts"
import { confirmFlag, orNotConfirmed } from "../shared/confirm.ts"
import { mergeCommand } from "./mergePeople.ts"
import { calling, command, listing, raw, type Resource } from "../shared/resource.ts"

/** The number of activity entries in the output of `inlet people get`. */
const activityShown = 8

const get = Command.make(
  "get",
  {
    person: personArgument,
    ...momentFlags("The person as they were"),
  },
  Effect.fnUntraced(function* ({ person, ...moment }) {
    const { workspace } = yield* Connection
    const { isWanted: json } = yield* JsonOutput
    const client = yield* ManagementClient
    const { svc_id } = yield* findPerson(person)
    const params = { w: workspace, svc_id }
    const query = momentOf(moment)
    const activity =
      json || Object.keys(query).length > 0
        ? { items: [] }
        : yield* client.people.activity({ params, query: { limit: activityShown } })
    yield* show(client.people.get({ params, query, responseMode: "decoded-and-response" }), (found, screen) =>
      drawPerson(screen, found, activity.items),
    )
  }, onServer),
).pipe(
  Command.withDescription("Show a person with their attributes, devices, objects and newest activity"),
  Command.withExamples([
    { command: "inlet people get ada", description: "By id" },
    { command: "inlet people get ada@example.com --json", description: "By email, as JSON" },
    { command: "inlet people get ada --at 2026-11-01", description: "As they were at a time" },
  ]),
)

const people: Resource<PersonDocument> = {
  group: "people",
  about: "Look up and manage people",
  columns: [
    { heading: "SVC_ID", text: ({ svc_id }) => svc_id },
    { heading: "ID", text: ({ id }) => id ?? "", style: () => "bold", shrinks: true },
    { heading: "EMAIL", text: ({ email }) => email ?? "", shrinks: true },
    { heading: "NAME", text: ({ attributes }) => calledName(attributes) ?? "", shrinks: true },
    { heading: "ATTRIBUTES", text: ({ attributes }) => String(Object.keys(attributes).length) },
    timeColumn("UPDATED", ({ updated_at }) => updated_at),
  ],
  empty: "No people",
  examples: {
    list: {
      "inlet people list": "The newest 50 people",
      "inlet people list --search ada --limit 5": "Search by the beginning of an id, an email or a name",
      "inlet people list --filter 'plan:pro -country:DE'": "By attributes",
    },
    merges: { "inlet people merges ada": "Merges into the person ada" },
  },
}

const list = command(
  people,
  "list",
  "List people, newest first",
  {
    search: optionalFlag(
      Flag.String("search"),
      "Only people with an id, an email or a name that begins with this text; exact matches come first",
    ),
    filter: optionalFlag(
      Flag.String("filter"),
      "Only people to whom these conditions apply, such as 'plan:pro -country:DE' or 'segment:3'",
    ),
    ...pageFlags(PersonCursor),
  },
  listing(
    people,
    ({ client, w }, query, { filter, search }) =>
      Effect.andThen(
        Option.isSome(filter) && Option.isSome(search)
          ? new WrongOption({ message: usageTexts.searchOrFilter() })
          : Effect.void,
        client.people.list({
          params: { w },
          query: {
            ...(Option.isSome(search) && { q: search.value }),
            ...(Option.isSome(filter) && { filter: filter.value }),
            ...query,
          },
          ...raw,
        }),
      ),
    ({ search }) => (Option.exists(search, isCondition) ? filterHint : null),
  ),
)

/** A search for such a text finds only identifiers and names that begin with it. */
const isCondition = (search: string): boolean => /^-?[a-z_][\w.]*:\S/i.test(search)

const filterHint = "No people: an id, an email or a name has to begin with this. For conditions use --filter"

const remove = Command.make(
  "delete",
  { person: personArgument, ...confirmFlag },
  Effect.fnUntraced(function* ({ person, yes }) {
    const { svc_id } = yield* findPerson(person)
    yield* orNotConfirmed(yes, `Delete ${person} and erase their data?`)
    yield* applyOperation({ type: "person", action: "delete", identifiers: { svc_id } })
  }, onServer),
).pipe(
  Command.withDescription("Delete a person and erase their data; the person can be created again"),
  Command.withExamples([
    { command: "inlet people delete ada --yes", description: "Delete without a question" },
  ]),
)

const suppress = Command.make(
  "suppress",
  { person: personArgument, ...confirmFlag },
  Effect.fnUntraced(function* ({ person, yes }) {
    yield* orNotConfirmed(yes, `Delete ${person} and ignore all calls about them?`)
    const identifiers = yield* identifiersToSuppress(person)
    yield* applyOperation({ type: "person", action: "suppress", identifiers })
  }, onServer),
).pipe(
  Command.withDescription("Delete a person and ignore all later calls about them"),
  Command.withExamples([
    { command: "inlet people suppress ada@example.com", description: "Suppress an email" },
  ]),
)

const unsuppress = Command.make(
  "unsuppress",
  { person: personArgument },
  Effect.fnUntraced(function* ({ person }) {
    const identifiers = yield* suppressedIdentifiers(person)
    yield* applyOperation({ type: "person", action: "unsuppress", identifiers })
  }, onServer),
).pipe(
  Command.withDescription("Accept calls about a suppressed person again"),
  Command.withExamples([{ command: "inlet people unsuppress ada", description: "End a suppression" }]),
)

const mergesUndoable: Pick<Resource<MergeDocument>, "columns" | "empty"> = {
  columns: [
    { heading: "SVC_ID", text: ({ secondary }) => secondary.svc_id },
    { heading: "ID", text: ({ secondary }) => secondary.id ?? "", style: () => "bold", shrinks: true },
    { heading: "EMAIL", text: ({ secondary }) => secondary.email ?? "", shrinks: true },
    timeColumn("MERGED", ({ at }) => at),
    timeColumn("UNDO UNTIL", ({ until }) => until),
  ],
  empty: "No merges that can be undone",
}

const merges = command(
  people,
  "merges",
  "List who was merged into a person and can be separated again",
  { person: personArgument, ...pageFlags(ActivityCursor) },
  calling((reach, { person, ...page }) =>
    Effect.flatMap(findPerson(person), ({ svc_id }) =>
      showList(
        page,
        (query) => reach.client.merges.list({ params: { w: reach.w, svc_id }, query, ...raw }),
        mergesUndoable.columns,
        { empty: mergesUndoable.empty, hint: null },
      ),
    ),
  ),
)

/**
 * Returns the `svc_id` of both people of a merge: of the person who stays and of who was merged, as `inlet people merges`
 * lists them. The latter alone is enough, by their `svc_id` or by what the merge freed.
 */
const mergedPeople = Effect.fnUntraced(function* (person: string, named: Option.Option<string>) {
  const { workspace: w } = yield* Connection
  const client = yield* ManagementClient
  if (Option.isNone(named)) {
    const remaining = yield* findRemaining(person)
    if (remaining !== undefined) return { primary: remaining.svc_id, secondary: remaining.merged_svc_id }
    const { svc_id: primary } = yield* findPerson(person)
    return { primary, secondary: person }
  }
  const { svc_id: primary } = yield* findPerson(person)
  const { items } = yield* client.merges.list({
    params: { w, svc_id: primary },
    query: { limit: pageItemsMax },
  })
  const merge = items.find(({ secondary: { email, id } }) => id === named.value || email === named.value)
  return { primary, secondary: merge?.secondary.svc_id ?? named.value }
})

const unmerge = Command.make(
  "unmerge",
  {
    person: Argument.String("person").pipe(
      Argument.withDescription(
        "The person who stays; or only who was merged, by svc_id, or by an id or email they had",
      ),
    ),
    secondary: Argument.String("secondary").pipe(
      Argument.withDescription("Who was merged: the id, email or svc_id that inlet people merges lists"),
      Argument.optional,
    ),
    preview: Flag.Boolean("preview").pipe(
      Flag.withDescription("Show what would come back and what would not, and change nothing"),
      Flag.withDefault(false),
    ),
    divide: Flag.Boolean("divide").pipe(
      Flag.withDescription(
        "Also return the events since the merge that named the person by an identifier of who was merged",
      ),
      Flag.withDefault(false),
    ),
    ...confirmFlag,
  },
  Effect.fnUntraced(function* ({ divide, person, preview, secondary: named, yes }) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    const { primary, secondary } = yield* mergedPeople(person, named)
    const params = { w: workspace, svc_id: primary }
    const query = { secondary, ...(divide && { divide: "true" as const }) }
    if (preview) {
      const shown = client.merges.unmergePreview({ params, query, responseMode: "decoded-and-response" })
      yield* show(shown, (found, screen) => drawUnmerge(screen, found, divide))
      return
    }
    yield* orNotConfirmed(yes, `Undo the merge of ${Option.getOrElse(named, () => person)}?`)
    const found = yield* client.merges.unmergePreview({ params, query })
    yield* applyOperation(
      {
        type: "person",
        action: "unmerge",
        primary: { svc_id: primary },
        secondary: { svc_id: secondary },
        ...(divide && { divide }),
      },
      unmergeSentences(found, { isDivided: divide, isDone: true }),
    )
  }, onServer),
).pipe(
  Command.withDescription("Undo a merge: the merged person is a person again"),
  Command.withExamples([
    { command: "inlet people unmerge ada bob --preview", description: "See what would come back" },
    { command: "inlet people unmerge ada bob --yes", description: "Separate the person bob from ada again" },
    {
      command: "inlet people unmerge svc_p11000000003 --preview",
      description: "The same by who was merged",
    },
  ]),
)

export const peopleCommand = Command.make(people.group).pipe(
  Command.withDescription(people.about),
  Command.withSubcommands([
    get,
    list,
    exportPersonCommand,
    remove,
    suppress,
    unsuppress,
    mergeCommand,
    merges,
    unmerge,
  ]),
)
