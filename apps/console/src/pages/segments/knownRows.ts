import type { EventTypeDocument } from "@inlethq/contract/types/EventTypes"
import { contextFields } from "@inlethq/core/rule/contextKeys"
import { useQuery } from "@tanstack/react-query"
import { api } from "../../api/generated.ts"
import { countValues, type KnownValue } from "../../shared/query/QueryLanguage.ts"
import { filterValue } from "../../shared/values/filterValue.ts"
import { objectPrefix } from "../../shared/values/typeTitle.ts"
import { readTypes } from "../events/eventTypes.ts"
import { valuesAt, type Sample } from "./sampledValues.ts"
import type { RuleRow } from "./ruleRows.ts"

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

/** The names that a row can ask for, with counts. Undefined until they are read. */
export const useKnownNames = (w: string, kind: RuleRow["kind"]): ReadonlyArray<KnownValue> | undefined => {
  const types = useTypes(w)
  const forms = useForms(w, kind === "form")
  if (kind === "form") return forms
  if (kind === "relationship")
    return types
      ?.filter((type) => type.kind.startsWith(objectPrefix))
      .map((type) => ({ value: type.kind.slice(objectPrefix.length), count: type.count }))
  return types?.filter((type) => type.kind === kind).map(({ count, name }) => ({ value: name, count }))
}

const useForms = (w: string, isWanted: boolean): ReadonlyArray<KnownValue> | undefined =>
  useQuery({
    queryKey: [w, "known values", "forms"],
    queryFn: async ({ signal }) => (await api.forms.list(w, { limit: sampledMax }, signal)).items,
    enabled: isWanted,
    staleTime: freshMs,
    retry: false,
  }).data?.map(({ form_id }) => ({ value: form_id }))

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

/** The newest of what a condition is about, in which values are looked for. Undefined until it is read, and if there is none. */
export const useSample = (w: string, about: About): Sample | undefined => {
  const key = "name" in about ? [about.of, about.name] : [about.of]
  return useQuery({
    queryKey: [w, "known values", "sample", ...key],
    queryFn: ({ signal }) => sampleOf(w, about, signal),
    enabled: !("name" in about) || about.name.trim() !== "",
    staleTime: freshMs,
    retry: false,
  }).data
}

const sampleOf = async (w: string, about: About, signal: AbortSignal): Promise<Sample> => {
  switch (about.of) {
    case "event":
    case "page":
    case "screen":
    case "form": {
      const kind = about.of === "form" ? "form_submission" : about.of
      const filter = `kind:${kind} name:${filterValue(about.name)}`
      const { items, next } = await api.activity.list(w, { filter, limit: sampledMax }, signal)
      return {
        of: { one: nouns[about.of], many: `${nouns[about.of]}s` },
        items: items.map(({ context, data }) => ({ ...(isRecord(data) ? data : {}), context })),
        isWhole: next === null,
      }
    }
    case "object": {
      const page = await api.objects.list(w, { object_type_id: about.name, limit: sampledMax }, signal)
      return {
        of: { one: "object", many: "objects" },
        items: page.items.map(({ attributes, object_id }) => ({ ...attributes, object_id })),
        isWhole: page.next === null,
      }
    }
    case "person": {
      const page = await api.people.list(w, { limit: sampledMax }, signal)
      return {
        of: { one: "person", many: "people" },
        items: page.items.map(({ attributes, email, id, subscription_preferences }) => ({
          ...attributes,
          id,
          email,
          [preferences]: subscription_preferences,
        })),
        isWhole: page.next === null,
      }
    }
    case "device":
    case "relationship":
      return { of: { one: "", many: "" }, items: [], isWhole: false }
  }
}

const nouns = { event: "event", page: "page view", screen: "screen view", form: "submission" } as const

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The attribute that holds what a person subscribed to. */
const preferences = "svc_subscription_preferences"

/** The topics that the newest people are subscribed to or not, with how many have each. */
export const useKnownTopics = (w: string, isWanted: boolean): ReadonlyArray<KnownValue> | undefined =>
  useQuery({
    queryKey: [w, "known values", "sample", "person"],
    queryFn: ({ signal }) => sampleOf(w, { of: "person" }, signal),
    enabled: isWanted,
    staleTime: freshMs,
    retry: false,
    select: ({ items }) =>
      countValues(
        items
          .flatMap((person) => valuesAt(person, `${preferences}.topics`, false))
          .flatMap((topics) =>
            isRecord(topics) ? Object.keys(topics).map((name) => [name, 1] as const) : [],
          ),
      ),
  }).data
