import type { PersonDocument } from "@inlethq/contract/people/People"
import type { QueryClient } from "@tanstack/react-query"
import { api } from "../../api/generated.ts"
import {
  countValues,
  fitting,
  type KnownValue,
  type QueryLanguage,
} from "../../shared/query/QueryLanguage.ts"
import { valueText } from "./attributeText.ts"

/** The newest people in whom values of attributes are looked for. */
const sampledMax = 200

/** The time, in milliseconds, for which values that were read are offered again. */
const freshMs = 60_000

const keys = {
  id: "id of the person",
  email: "email, or a part such as *@example.com",
  svc_id: "id that Inlet gave",
  anonymous_id: "id of a browser or device",
  segment: "id of a segment",
  is: "subscribed or unsubscribed",
}

const examples = [
  ["is:unsubscribed", "who unsubscribed"],
  ["email:*@example.com", "emails that end so"],
] as const

/** Makes the language of queries for people, with the attributes and values of the newest of them. */
export const peopleLanguage = (
  queries: QueryClient,
  w: string,
): QueryLanguage & { readonly prepare: () => Promise<void> } => {
  const offered: Record<string, string> = { ...keys }
  const values = new Map<string, ReadonlyArray<KnownValue>>([
    ["is", [{ value: "subscribed" }, { value: "unsubscribed" }]],
  ])
  const prepare = async (): Promise<void> => {
    const people = await queries.fetchQuery({
      queryKey: [w, "known values", "people"],
      queryFn: ({ signal }) => api.people.list(w, { limit: sampledMax }, signal),
      staleTime: freshMs,
    })
    for (const [name, found] of attributesOf(people.items)) {
      if (!Object.hasOwn(keys, name))
        offered[name] = `attribute of ${found.people} of the newest ${people.items.length}`
      if (!values.has(name)) values.set(name, countValues(found.texts.map((text) => [text, 1])))
    }
  }
  return {
    keys: offered,
    examples,
    known: (key, typed) => fitting(values.get(key) ?? [], typed),
    prepare,
    load: async (key) => {
      await prepare()
      if (key !== "segment") return
      const { items } = await queries.fetchQuery({
        queryKey: [w, "known values", "segments of people"],
        queryFn: ({ signal }) => api.segments.list(w, { limit: sampledMax }, signal),
        staleTime: freshMs,
      })
      values.set(
        "segment",
        items.map(({ name, segment_id, size }) => ({ value: String(segment_id), hint: name, count: size })),
      )
    },
  }
}

interface FoundAttribute {
  people: number
  readonly texts: Array<string>
}

const attributesOf = (people: ReadonlyArray<PersonDocument>): ReadonlyMap<string, FoundAttribute> => {
  const found = new Map<string, FoundAttribute>()
  for (const { attributes } of people) {
    for (const [name, value] of Object.entries(attributes)) {
      // Another sign would end the key.
      if (!/^[^\s:="\\*,]+$/.test(name)) continue
      const one = found.get(name) ?? { people: 0, texts: [] }
      one.people++
      one.texts.push(valueText(value))
      found.set(name, one)
    }
  }
  return found
}
