import type { EventTypeDocument } from "@inlethq/contract/types/EventTypes"
import type { QueryClient } from "@tanstack/react-query"
import type { ActivityDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { activityKeys, activityValues, countriesLike } from "./activityKeys.ts"
import { countValues, fitting, type KnownValue, type QueryLanguage } from "./QueryLanguage.ts"
import { contextValues } from "./contextValues.ts"

/** The time, in milliseconds, for which values that were read are offered again. */
const freshMs = 60_000

/** The newest operations in which values of pages, campaigns and the like are looked for. */
const sampledMax = 500

const dayMs = 86_400_000

const examples = [
  ["-outcome:applied,created", "everything that went wrong"],
  ["kind:event", "events only"],
  ["reason:*", "with a reason"],
] as const

/** The names of the keys whose values are read with the newest operations. */
const sampledKeys = ["source", "page", "campaign", "app", "country", "library"] as const

/** Makes the language of queries for operations: the filter language (docs/filters.md) with the values of a workspace. */
export const activityLanguage = (queries: QueryClient, w: string): QueryLanguage => {
  const values = new Map<string, ReadonlyArray<KnownValue>>()
  const reader = readersOf(queries, w)
  return {
    keys: activityKeys,
    examples,
    known: (key, typed) => {
      const found = values.get(isSearched(key) ? `${key} ${typed}` : key) ?? []
      if (key === "country") return countriesLike(typed, found)
      const fixed = Object.entries(activityValues[key] ?? {}).map(([value, hint]) => ({ value, hint }))
      return isSearched(key) ? found : fitting(withCounts(fixed, found), typed)
    },
    load: async (key, typed) => {
      for (const [name, read] of await reader(key, typed)) values.set(name, read)
    },
  }
}

const isSearched = (key: string): boolean => key === "person" || key === "object"

/** Returns the fixed values of a key with how often each was found, and found ones that are not fixed. */
const withCounts = (
  fixed: ReadonlyArray<KnownValue>,
  found: ReadonlyArray<KnownValue>,
): ReadonlyArray<KnownValue> => {
  const counts = new Map(found.map((one) => [one.value, one]))
  const counted = fixed.map((one) => ({ ...one, ...counts.get(one.value), hint: one.hint ?? "" }))
  const names = new Set(fixed.map(({ value }) => value))
  return [...counted, ...found.filter(({ value }) => !names.has(value))]
}

type Read = ReadonlyArray<readonly [key: string, values: ReadonlyArray<KnownValue>]>

/** Returns a function that reads the values of a key, and of those that are read with it. */
const readersOf = (queries: QueryClient, w: string) => {
  const read = <Found>(name: string, queryFn: (signal: AbortSignal) => Promise<Found>): Promise<Found> =>
    queries.fetchQuery({
      queryKey: [w, "known values", name],
      queryFn: ({ signal }) => queryFn(signal),
      staleTime: freshMs,
    })
  const types = () =>
    read("types", async (signal) => (await api.types.list(w, { limit: 1000 }, signal)).items)
  const causes = () =>
    read("causes", async (signal) => {
      const since = new Date(Date.now() - 30 * dayMs).toISOString()
      return (await api.types.causes(w, { since }, signal)).items
    })
  const readers: Readonly<Record<string, (typed: string) => Promise<Read>>> = {
    kind: () => read("stats", (signal) => outcomesAndKinds(w, signal)),
    outcome: () => read("stats", (signal) => outcomesAndKinds(w, signal)),
    name: async () => [["name", namesIn(await types())]],
    client: async () => sendersIn(await types()),
    key: async () => sendersIn(await types()),
    reason: async () => causeValues(await causes()),
    rule: async () => causeValues(await causes()),
    segment: () => read("segments", (signal) => segmentsOf(w, signal)),
    entered: () => read("segments", (signal) => segmentsOf(w, signal)),
    left: () => read("segments", (signal) => segmentsOf(w, signal)),
    person: (typed) => read(`person ${typed}`, (signal) => searched(w, "person", typed, signal)),
    object: (typed) => read(`object ${typed}`, (signal) => searched(w, "object", typed, signal)),
    ...Object.fromEntries(
      sampledKeys.map((key) => [key, () => read("sample", (signal) => sampled(w, signal))]),
    ),
  }
  return async (key: string, typed: string): Promise<Read> => (await readers[key]?.(typed)) ?? []
}

const outcomesAndKinds = async (w: string, signal: AbortSignal): Promise<Read> => {
  const from = new Date(Date.now() - dayMs).toISOString()
  const { steps } = await api.stats.get(w, { from, step: dayMs / 1000 }, signal)
  const counts = steps.flatMap((step) => step.counts)
  return [
    ["kind", countValues(counts.map(({ count, kind }) => [kind, count]))],
    ["outcome", countValues(counts.map(({ count, outcome }) => [outcome, count]))],
  ]
}

/** Events, pages and screens have names. Names that look like data were put together as `*`. */
const namesIn = (types: ReadonlyArray<EventTypeDocument>): ReadonlyArray<KnownValue> =>
  countValues(
    types
      .filter(({ kind, name }) => ["event", "page", "screen"].includes(kind) && name !== "*")
      .map(({ count, name }) => [name, count]),
  )

const sendersIn = (types: ReadonlyArray<EventTypeDocument>): Read => {
  const all = types.flatMap(({ senders }) => senders)
  return [
    ["client", countValues(all.map(({ count, sender }) => [sender?.user_agent, count]))],
    ["key", countValues(all.map(({ count, sender }) => [sender?.key?.name ?? sender?.token?.name, count]))],
  ]
}

type Cause = Awaited<ReturnType<typeof api.types.causes>>["items"][number]

const causeValues = (causes: ReadonlyArray<Cause>): Read => [
  [
    "reason",
    countValues(causes.flatMap(({ count, reasons }) => reasons.map(({ code }) => [code, count] as const))),
  ],
  ["rule", countValues(causes.map(({ count, rule }) => [rule, count]))],
]

const segmentsOf = async (w: string, signal: AbortSignal): Promise<Read> => {
  const { items } = await api.segments.list(w, { limit: 200 }, signal)
  const values = items.map(({ name, segment_id, size }) => ({
    value: String(segment_id),
    hint: name,
    count: size,
  }))
  return [
    ["segment", values],
    ["entered", values],
    ["left", values],
  ]
}

const searched = async (
  w: string,
  kind: "person" | "object",
  typed: string,
  signal: AbortSignal,
): Promise<Read> => {
  if (typed === "") return []
  const { items } = await api.search.find(w, { q: typed, kind, limit: 8 }, signal)
  const values = items.flatMap((one): ReadonlyArray<KnownValue> => {
    if (one.kind === "person")
      return [{ value: one.id ?? one.email ?? one.svc_id, hint: one.name ?? one.email ?? "" }]
    return one.kind === "object" ? [{ value: `${one.object_type_id}/${one.object_id}` }] : []
  })
  return [[`${kind} ${typed}`, values]]
}

const sampled = async (w: string, signal: AbortSignal): Promise<Read> => {
  const { items } = await api.activity.list(w, { limit: sampledMax }, signal)
  return sampledKeys.map((key) => [
    key,
    countValues(items.map((entry: ActivityDocument) => [contextValues[key](entry), 1])),
  ])
}
