import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import { searchClauses } from "@inlethq/log/clauses/searchClauses"
import { Effect, Schema } from "effect"
import { type Asked } from "./askManagement.ts"
import { personCalled, svcIdOf } from "./personCalled.ts"
import { answerBytesMax, bytesOf } from "./shownValues.ts"
import { defineTool, type Tool, type ToolContext } from "./Tool.ts"
import { whatIf } from "./whatIfTool.ts"

/** The most rows in the answer of a tool. */
const rowsMax = 25

const Text = Schema.NonEmptyString.check(Schema.isMaxLength(2000))

const person = Text.annotate({ description: "an id, an email address, a svc_id or an anonymous id" })

const paging = {
  limit: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: rowsMax })).annotate({
      description: `the most rows to return, ${rowsMax} by default`,
    }),
  ),
  after: Schema.optionalKey(Text.annotate({ description: "the value of `next` in the answer before" })),
}

const since = Schema.optionalKey(Text.annotate({ description: "an ISO 8601 time, inclusive" }))
const until = Schema.optionalKey(Text.annotate({ description: "an ISO 8601 time, exclusive" }))

/**
 * Reads a page. A page that is too large is read again with half as many rows, because rows that were cut off would be missing from the next
 * page too.
 */
const readPage = Effect.fnUntraced(function* (
  { ask }: ToolContext,
  asked: Asked,
  { after, limit = rowsMax }: { readonly after?: string; readonly limit?: number },
) {
  let rows = limit
  for (;;) {
    const page: Json = yield* ask({ ...asked, query: { ...asked.query, after, limit: rows } })
    if (rows === 1 || bytesOf(page) <= answerBytesMax) return page
    rows = Math.floor(rows / 2)
  }
})

const findPerson = defineTool({
  name: "find_person",
  title: "Find people",
  description:
    "Finds people by a whole identifier, or by the beginning of an id, an email address or a word of a name.",
  input: { query: Text, ...paging },
  run: ({ after, limit, query }, context) =>
    readPage(
      context,
      { method: "GET", path: `${context.workspacePath}/people`, query: { q: query } },
      { ...(after === undefined ? {} : { after }), limit: limit ?? rowsMax },
    ).pipe(
      Effect.flatMap((page) =>
        isJsonObject(page) &&
        Array.isArray(page["items"]) &&
        page["items"].length === 0 &&
        after === undefined
          ? Effect.map(Effect.option(personCalled(context, query)), (found) => ({
              items: found._tag === "Some" ? [found.value] : [],
              next: null,
            }))
          : Effect.succeed(page),
      ),
    ),
})

const readPerson = defineTool({
  name: "person",
  title: "Read a person",
  description:
    "Reads a person with attributes, devices, relationships and segments, as they are or as they were at a moment.",
  input: {
    person,
    as_of: Schema.optionalKey(
      Text.annotate({ description: "an ISO 8601 time, or a position of the log, at which to read them" }),
    ),
  },
  run: ({ as_of, person }, context) =>
    Effect.flatMap(svcIdOf(context, person, as_of !== undefined), (svcId) =>
      context.ask({
        method: "GET",
        path: `${context.workspacePath}/people/${encodeURIComponent(svcId)}`,
        query: as_of === undefined ? {} : { [/^\d+$/.test(as_of) ? "position" : "at"]: as_of },
      }),
    ),
})

const why = defineTool({
  name: "why",
  title: "Explain an operation",
  description:
    "Says what one operation did and why it ended as it did: its entry, the rule that decided, and what the sender should do.",
  input: { operation_id: Text },
  run: ({ operation_id }, { ask, workspacePath }) =>
    ask({ method: "GET", path: `${workspacePath}/operations/${encodeURIComponent(operation_id)}` }),
})

const activity = defineTool({
  name: "activity",
  title: "Read the activity log",
  description: "Lists operations, newest first, of one person or of the workspace.",
  input: {
    person: Schema.optionalKey(person),
    filter: Schema.optionalKey(
      Text.annotate({ description: "a filter such as `name = 'order' and data.total > 100`" }),
    ),
    kind: Schema.optionalKey(Text.annotate({ description: "such as identify, event, merge" })),
    outcome: Schema.optionalKey(Text.annotate({ description: "such as applied, ignored, rejected" })),
    name: Schema.optionalKey(Text.annotate({ description: "the name of an event" })),
    since,
    until,
    ...paging,
  },
  run: ({ after, limit, person, workspace: _workspace, ...query }, context) =>
    Effect.gen(function* () {
      const path =
        person === undefined
          ? `${context.workspacePath}/activity`
          : `${context.workspacePath}/people/${encodeURIComponent(yield* svcIdOf(context, person))}/activity`
      const page = { ...(after === undefined ? {} : { after }), limit: limit ?? rowsMax }
      return yield* readPage(context, { method: "GET", path, query }, page)
    }),
})

const explainMembership = defineTool({
  name: "explain_membership",
  title: "Explain a membership",
  description:
    "Says why a person is in a segment by rule or is not: every part of the rule with what was found, and when they entered and left.",
  input: { segment_id: Schema.Int, person },
  run: ({ person, segment_id }, { ask, workspacePath }) =>
    ask({ method: "GET", path: `${workspacePath}/segments/${segment_id}/explain`, query: { person } }),
})

const segments = defineTool({
  name: "segments",
  title: "List segments",
  description:
    "Lists the segments of the workspace with their rules and sizes, or those that one person is in.",
  input: { person: Schema.optionalKey(person), ...paging },
  run: ({ after, limit, person }, context) =>
    person === undefined
      ? readPage(
          context,
          { method: "GET", path: `${context.workspacePath}/segments` },
          { ...(after === undefined ? {} : { after }), limit: limit ?? rowsMax },
        )
      : Effect.flatMap(svcIdOf(context, person), (svcId) =>
          context.ask({
            method: "GET",
            path: `${context.workspacePath}/people/${encodeURIComponent(svcId)}/segments`,
          }),
        ),
})

const eventTypes = defineTool({
  name: "event_types",
  title: "List event types",
  description: "Lists the kinds and names of events that arrive with counts, or the fields of one of them.",
  input: {
    kind: Schema.optionalKey(Text.annotate({ description: "such as event or page; with `name`, one type" })),
    name: Schema.optionalKey(Text),
    ...paging,
  },
  run: ({ after, kind, limit, name }, context) =>
    name === undefined
      ? readPage(
          context,
          { method: "GET", path: `${context.workspacePath}/event-types`, query: { kind } },
          { ...(after === undefined ? {} : { after }), limit: limit ?? rowsMax },
        )
      : context.ask({
          method: "GET",
          path: `${context.workspacePath}/event-types/${encodeURIComponent(kind ?? "event")}/${encodeURIComponent(name)}`,
        }),
})

const plans = defineTool({
  name: "plans",
  title: "Read plans",
  description:
    "Lists the plans of events and of attributes with their versions and with what becomes of calls that do not fit, or reads one of them with what its data should be. The activity log has such calls under the filter `plan:violated`.",
  input: {
    kind: Schema.optionalKey(
      Text.annotate({ description: "such as event or person; with `name`, one plan" }),
    ),
    name: Schema.optionalKey(Text),
    ...paging,
  },
  run: ({ after, kind, limit = rowsMax, name }, { ask, workspacePath }) =>
    name === undefined
      ? Effect.map(ask({ method: "GET", path: `${workspacePath}/plan` }), (answer) =>
          plansPage(answer, { kind, after, limit }),
        )
      : ask({
          method: "GET",
          path: `${workspacePath}/plan/${encodeURIComponent(kind ?? "event")}/${encodeURIComponent(name)}`,
        }),
})

/** Lists plans in the order of their kinds and names, without their schemas, which together are too long for an answer. */
const plansPage = (
  answer: Json,
  {
    after = "",
    kind,
    limit,
  }: { readonly kind: string | undefined; readonly after: string | undefined; readonly limit: number },
): Json => {
  const { plans: all = [], version = 0 } = isJsonObject(answer) ? answer : {}
  const listed = (Array.isArray(all) ? all : [])
    .flatMap((plan: Json) => (isJsonObject(plan) ? [plan] : []))
    .map(({ kind, mode, name, version }) => ({
      key: `${String(kind)} ${String(name)}`,
      row: { kind: kind ?? null, name: name ?? null, mode: mode ?? null, version: version ?? null },
    }))
    .filter(({ key, row }) => key > after && (kind === undefined || row.kind === kind))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const page = listed.slice(0, limit)
  const next = listed.length > limit ? (page.at(-1)?.key ?? null) : null
  return { version, items: page.map(({ row }) => row), next }
}

const drift = defineTool({
  name: "drift",
  title: "Read drift",
  description: "Lists what changed lately in the shape of what arrives, such as a new field or another type.",
  input: {
    since: Schema.optionalKey(Text.annotate({ description: "a time or a position; a day ago by default" })),
  },
  run: ({ since }, { ask, workspacePath }) =>
    ask({ method: "GET", path: `${workspacePath}/drift`, query: { since } }),
})

const health = defineTool({
  name: "health",
  title: "Read health",
  description:
    "Says how the server is, which needs a token for all workspaces, and why calls to the workspace failed since yesterday.",
  input: {},
  run: (_args, { ask, workspacePath }) =>
    Effect.all({
      server: ask({ method: "GET", path: "/status" }).pipe(
        Effect.catch(({ detail }) => Effect.succeed({ unavailable: detail })),
      ),
      causes: ask({ method: "GET", path: `${workspacePath}/causes` }),
    }),
})

const docs = defineTool({
  name: "docs",
  title: "Search the contract",
  description:
    "Searches what Inlet's contract and API references say about words, or reads one clause by the name that entries give in `rule`.",
  input: { query: Text.annotate({ description: "words, or the name of a rule such as `contract §12`" }) },
  run: ({ query }) => Effect.sync(() => ({ items: searchClauses(query, 5).map((found) => ({ ...found })) })),
})

/** The tools of every session. */
export const readingTools: ReadonlyArray<Tool> = [
  findPerson,
  readPerson,
  why,
  activity,
  explainMembership,
  segments,
  eventTypes,
  plans,
  drift,
  whatIf,
  health,
  docs,
]
