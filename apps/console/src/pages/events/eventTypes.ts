import type { EventTypeDocument } from "@inlethq/contract/types/EventTypes"
import { api } from "../../api/generated.ts"
import { objectPrefix } from "../../shared/values/typeTitle.ts"
import type { QueryFields } from "../../shared/query/rowsLanguage.ts"
import { filterValue } from "../../shared/values/filterValue.ts"
import { keyText } from "../../shared/values/senderText.ts"
import { usePages, type Pages } from "../../shared/lists/usePages.ts"

const dayMs = 86_400_000

/** The milliseconds between two reads of the names: of many names, they are read less often. */
const refreshMs = 10_000
const manyRefreshMs = 60_000
const manyNames = 300

/** The kinds of names to choose from. Objects have a kind of each type. */
export const kindChoices = {
  event: "Events",
  page: "Pages",
  screen: "Screens",
  person: "People",
  object: "Objects",
} as const

export type KindChoice = keyof typeof kindChoices

/** Returns the chosen kind in the query parameters, events by default. */
export const kindIn = (kind: string | undefined): KindChoice =>
  kind !== undefined && isChoice(kind) ? kind : "event"

const isChoice = (kind: string): kind is KindChoice => Object.hasOwn(kindChoices, kind)

/** Reads all names of all kinds. There are at most 2,000. */
export const useEventTypes = (w: string): Pages<EventTypeDocument> =>
  usePages(
    [w, "event-types", "all"],
    async (_, signal) => ({ items: await readTypes(w, undefined, signal), next: null }),
    ({ length }) => (length > manyNames ? manyRefreshMs : refreshMs),
  )

/** Returns a test whether something is of a kind. */
export const isOfKind =
  (choice: KindChoice) =>
  ({ kind }: Pick<EventTypeDocument, "kind">): boolean =>
    choice === "object" ? kind.startsWith(objectPrefix) : kind === choice

/** Reads all names of a kind, or of all kinds. */
export const readTypes = async (
  w: string,
  kind: string | undefined,
  signal: AbortSignal,
): Promise<ReadonlyArray<EventTypeDocument>> => {
  const items: Array<EventTypeDocument> = []
  let after: string | undefined
  do {
    const page = await api.types.list(w, { kind, after }, signal)
    items.push(...page.items)
    after = page.next ?? undefined
  } while (after !== undefined)
  return items
}

/** What a query compares of a name that was seen, beside the name itself. */
export const typeFields: QueryFields<EventTypeDocument>["fields"] = {
  key: {
    hint: "name of a key that sends it",
    texts: ({ senders }) => senders.map(({ sender }) => keyText(sender)).filter((text) => text !== ""),
  },
  client: {
    hint: "client that sends it",
    texts: ({ senders }) => senders.flatMap(({ sender }) => sender?.user_agent ?? []),
  },
  is: {
    hint: "new or silent",
    texts: (type) => [...(isNew(type) ? ["new"] : []), ...(type.silent_since === null ? [] : ["silent"])],
  },
}

/** Returns whether a name came for the first time within the last day. */
export const isNew = ({ first }: Pick<EventTypeDocument, "first">): boolean =>
  Date.parse(first.at) > Date.now() - dayMs

/** Returns a key of a name. */
export const typeKey = ({ kind, name }: Pick<EventTypeDocument, "kind" | "name">): string => `${kind} ${name}`

/** Returns the kind of entries that a name counts, in the filter language. Attributes come with several kinds. */
export const isNamed = (kind: string): kind is "event" | "page" | "screen" =>
  kind === "event" || kind === "page" || kind === "screen"

/** Returns the filter that finds the operations of a name. Events of visitors have a kind of their own. */
export const namedFilter = ({ kind, name }: { readonly kind: string; readonly name: string }): string =>
  `kind:${kind === "event" ? "event,anonymous_event" : kind} name:${filterValue(name)}`
