import { DuplicateCursor, PairCursor } from "@inlethq/contract/values/Cursor"
import type { DismissalDocument, DuplicateDocument } from "@inlethq/contract/people/Duplicates"
import { EvidenceReason } from "@inlethq/core/log/evidence"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { optionalFlag, pageFlags, type PageQuery } from "../../flags/flags.ts"
import { printNote } from "../../output/note.ts"
import { timeColumn } from "../../output/table.ts"
import { findPerson } from "../../server/findPerson.ts"
import { onServer } from "../../server/onServer.ts"
import { calling, command, listing, raw, type Reach, type Resource } from "../shared/resource.ts"

type Paired = DuplicateDocument["people"][number]

/** Returns the shortest text that names a person for other commands. */
const nameOf = ({ email, id, svc_id }: Paired): string => id ?? email ?? svc_id

const duplicates: Resource<DuplicateDocument> = {
  group: "duplicates",
  about: "Pairs of people who may be one; without a subcommand, lists them",
  columns: [
    { heading: "FIRST", text: ({ people: [one] }) => nameOf(one), style: () => "bold", shrinks: true },
    { heading: "SECOND", text: ({ people: [, other] }) => nameOf(other), style: () => "bold", shrinks: true },
    { heading: "REASONS", text: ({ reasons }) => reasons.join(", ") },
    { heading: "OPERATION", text: ({ operation_ids: [newest = ""] }) => newest },
    timeColumn("LAST", ({ last_at }) => last_at),
  ],
  empty: "No duplicates",
  examples: {
    list: {
      "inlet duplicates list": "The newest 50 pairs",
      "inlet duplicates list --reason device --all": "Pairs who shared a device",
    },
    dismissed: { "inlet duplicates dismissed": "The first 50" },
    dismiss: { "inlet duplicates dismiss ada bob": "They are two people" },
    restore: { "inlet duplicates restore ada bob": "Undo a dismissal" },
  },
}

interface Filter {
  readonly reason: Option.Option<EvidenceReason>
}

const showPairs = listing(
  duplicates,
  ({ client, w }, query: PageQuery<typeof DuplicateCursor.Type>, { reason }: Filter) =>
    client.duplicates.list({
      params: { w },
      query: { ...(Option.isSome(reason) && { reason: reason.value }), ...query },
      ...raw,
    }),
)

const list = command(
  duplicates,
  "list",
  "List pairs of people who may be one, with the operations that say so",
  {
    reason: optionalFlag(
      Flag.Literals("reason", EvidenceReason.literals),
      "Only pairs for this reason: an identifier of one was refused to the other, a device moved, or an alias named both",
    ),
    ...pageFlags(DuplicateCursor),
  },
  showPairs,
)

const dismissals: Pick<Resource<DismissalDocument>, "columns" | "empty"> = {
  columns: [
    { heading: "FIRST", text: ({ svc_ids: [one] }) => one },
    { heading: "SECOND", text: ({ svc_ids: [, other] }) => other },
    timeColumn("DISMISSED", ({ at }) => at),
  ],
  empty: "No dismissed pairs",
}

const dismissed = command(
  duplicates,
  "dismissed",
  "List the pairs that are not suggested any more",
  pageFlags(PairCursor),
  listing(dismissals, ({ client, w }, query) =>
    client.duplicates.dismissed({ params: { w }, query, ...raw }),
  ),
)

const bothPeople = {
  one: Argument.String("person").pipe(Argument.withDescription("The id, email or svc_… of one of the two")),
  other: Argument.String("other").pipe(Argument.withDescription("The id, email or svc_… of the other")),
}

interface Pair {
  readonly one: string
  readonly other: string
}

/** Changes what is known of a pair, and says so. */
const onPair = <A, E, R>(
  change: (reach: Reach, svcIds: readonly [string, string]) => Effect.Effect<A, E, R>,
  done: string,
) =>
  calling(
    Effect.fnUntraced(function* (reach: Reach, { one, other }: Pair) {
      const [first, second] = yield* Effect.all([findPerson(one), findPerson(other)])
      yield* change(reach, [first.svc_id, second.svc_id])
      yield* printNote(`${done} ${one} and ${other}`)
    }),
  )

const dismiss = command(
  duplicates,
  "dismiss",
  "Never suggest two people as duplicates again",
  bothPeople,
  onPair(
    ({ client, w }, svc_ids) => client.duplicates.dismiss({ params: { w }, payload: { svc_ids } }),
    "dismissed",
  ),
)

const restore = command(
  duplicates,
  "restore",
  "Suggest a dismissed pair again",
  bothPeople,
  onPair(
    ({ client, w }, [one, other]) => client.duplicates.restore({ params: { w, one, other } }),
    "restored",
  ),
)

const firstPairs = { reason: Option.none(), limit: Option.none(), after: Option.none(), all: false }

export const duplicatesCommand = Command.make(duplicates.group, {}, () =>
  onServer(showPairs(firstPairs)),
).pipe(
  Command.withDescription(duplicates.about),
  Command.withSubcommands([list, dismissed, dismiss, restore]),
)
