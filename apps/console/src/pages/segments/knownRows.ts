import type { EventTypeDocument } from "@inlethq/contract/types/EventTypes"
import { contextFields } from "@inlethq/core/rule/contextKeys"
import { queryOptions, useQuery } from "@tanstack/react-query"
import { api } from "../../api/generated.ts"
import { useSettledText } from "../../shared/fields/useSettledText.ts"
import { newestEntries } from "../../shared/lists/newestEntries.ts"
import { countValues, type KnownValue } from "../../shared/query/QueryLanguage.ts"
import { isRecord } from "../../shared/values/isRecord.ts"
import { objectPrefix } from "../../shared/values/typeTitle.ts"
import { namedFilter, readTypes } from "../events/eventTypes.ts"
import type { RuleRow } from "./ruleRows.ts"
import { eventItem, objectItem, personItem, preferencesName } from "./sampleItems.ts"
import { valuesAt, type Sample } from "./sampledValues.ts"
import { countAfterMs } from "./useSettledRule.ts"

/** The time, in milliseconds, for which what was read is offered again. */
const freshMs = 60_000

/** The newest operations, people or objects in which values are looked for. */
const sampledMax = 200

const noTypes: ReadonlyArray<EventTypeDocument> = []

/** The names of events, pages and screens, and the kinds of objects, with how often there were any. */
const useTypes = (w: string): ReadonlyArray<EventTypeDocument> | undefined =>
  useQuery({
    queryKey: [w, "known values", "all types"],
    queryFn: ({ signal }) => readTypes(w, undefined, signal),
    staleTime: freshMs,
    retry: false,
  }).data

/** Names that a row can ask for, with counts. */
interface KnownNames {
  readonly names: ReadonlyArray<KnownValue>
  /** Whether these are all. */
  readonly isWhole: boolean
}

/** The names that a row can ask for. Undefined until they are read. */
export const useKnownNames = (w: string, kind: RuleRow["kind"]): KnownNames | undefined => {
  const types = useTypes(w)
  const forms = useForms(w, kind === "form")
  if (kind === "form") return forms
  if (types === undefined) return undefined
  const names =
    kind === "relationship"
      ? types
          .filter((type) => type.kind.startsWith(objectPrefix))
          .map((type) => ({ value: type.kind.slice(objectPrefix.length), count: type.count }))
      : types.filter((type) => type.kind === kind).map(({ count, name }) => ({ value: name, count }))
  return { names, isWhole: true }
}

const useForms = (w: string, isWanted: boolean): KnownNames | undefined =>
  useQuery({
    queryKey: [w, "known values", "forms"],
    queryFn: ({ signal }) => api.forms.list(w, { limit: sampledMax }, signal),
    enabled: isWanted,
    staleTime: freshMs,
    retry: false,
    select: ({ items, next }) => ({
      names: items.map(({ form_id }) => ({ value: form_id })),
      isWhole: next === null,
    }),
  }).data

/** A path of data, as rules write it. */
interface KnownPath extends KnownValue {
  /** Whether the path leads through a list. */
  readonly any: boolean
}

/** The paths that a kind of data has, with how many operations have each. */
const useShape = (
  w: string,
  type: readonly [kind: string, name: string] | undefined,
): ReadonlyArray<KnownPath> => {
  const types = useTypes(w) ?? noTypes
  const [kind = "", name = ""] = type ?? []
  const shape = useQuery({
    queryKey: [w, "known values", "shape", kind, name],
    queryFn: async ({ signal }) => (await api.types.get(w, kind, name, signal)).shape,
    enabled: types.some((one) => one.kind === kind && one.name === name),
    staleTime: freshMs,
    retry: false,
  })
  // The attributes of an object stand inside the data of the operations that set them.
  const prefix = kind.startsWith(objectPrefix) ? "attributes." : ""
  return (shape.data ?? [])
    .filter(({ path }) => path.startsWith(prefix) && !path.includes("*"))
    .map(({ count, path }) => ({
      value: path.slice(prefix.length).replaceAll("[]", "").replaceAll("\\", ""),
      count,
      any: path.includes("[]"),
    }))
}

/** What the fields of a condition can name, with a count where it is known. */
export const useKnownFields = (w: string, about: About): ReadonlyArray<KnownPath> => {
  const paths = useShape(w, shapeNamed(about))
  const known = new Set(paths.map(({ value }) => value))
  const others = otherFields[about.of].filter((value) => !known.has(value))
  return [...paths, ...others.map((value) => ({ value, any: false }))]
}

/** What a condition is about. */
export type About =
  | { readonly of: "event" | "page" | "screen" | "form" | "object"; readonly name: string }
  | { readonly of: "person" | "device" | "relationship" }

const shapeNamed = (about: About): readonly [kind: string, name: string] | undefined => {
  switch (about.of) {
    case "event":
    case "page":
    case "screen":
      return [about.of, about.name]
    case "object":
      return [`${objectPrefix}${about.name}`, "attributes"]
    case "person":
      return ["person", "attributes"]
    case "form":
    case "device":
    case "relationship":
      return undefined
  }
}

const otherFields: Readonly<Record<About["of"], ReadonlyArray<string>>> = {
  event: contextFields,
  page: contextFields,
  screen: contextFields,
  form: [],
  object: ["object_id"],
  person: ["id", "email", "created_at"],
  device: ["platform", "last_used", "token"],
  relationship: [],
}

/** The newest of what a condition is about, in which values are looked for. */
const sampleQuery = (w: string, about: About) =>
  queryOptions({
    queryKey: [w, "known values", "sample", about.of, ...("name" in about ? [about.name] : [])],
    queryFn: ({ signal }) => sampleOf(w, about, signal),
    staleTime: freshMs,
    retry: false,
  })

/** The newest of what a condition is about. Undefined until it is read, if there is none, and while its name is typed. */
export const useSample = (w: string, about: About): Sample | undefined => {
  const name = useSettledText("name" in about ? about.name.trim() : "", countAfterMs)
  const isNamed = !("name" in about) || (name !== undefined && name !== "")
  return useQuery({ ...sampleQuery(w, about), enabled: isNamed }).data
}

const sampleOf = async (w: string, about: About, signal: AbortSignal): Promise<Sample> => {
  switch (about.of) {
    case "event":
    case "page":
    case "screen":
    case "form": {
      const kind = about.of === "form" ? "form_submission" : about.of
      // Rules count only what took effect.
      const filter = `${namedFilter({ kind, name: about.name })} -outcome:rejected,dropped,ignored,duplicate`
      const { items, searchedTo } = await newestEntries(
        (after, limit) => api.activity.list(w, { filter, after, limit }, signal),
        sampledMax,
      )
      return {
        of: { one: nouns[about.of], many: `${nouns[about.of]}s` },
        items: items.map(eventItem),
        isWhole: searchedTo === null,
      }
    }
    case "object": {
      const page = await api.objects.list(w, { object_type_id: about.name, limit: sampledMax }, signal)
      return {
        of: { one: "object", many: "objects" },
        items: page.items.map(objectItem),
        isWhole: page.next === null,
      }
    }
    case "person": {
      const page = await api.people.list(w, { limit: sampledMax }, signal)
      return {
        of: { one: "person", many: "people" },
        items: page.items.map(personItem),
        isWhole: page.next === null,
      }
    }
    case "device":
    case "relationship":
      return { of: { one: "", many: "" }, items: [], isWhole: false }
  }
}

const nouns = { event: "event", page: "page view", screen: "screen view", form: "submission" } as const

/** The topics that the newest people are subscribed to or not, with how many have each. */
export const useKnownTopics = (w: string, isWanted: boolean): ReadonlyArray<KnownValue> | undefined =>
  useQuery({
    ...sampleQuery(w, { of: "person" }),
    enabled: isWanted,
    select: ({ items }) =>
      countValues(
        items
          .flatMap((person) => valuesAt(person, `${preferencesName}.topics`, false))
          .flatMap((topics) =>
            isRecord(topics) ? Object.keys(topics).map((name) => [name, 1] as const) : [],
          ),
      ),
  }).data
