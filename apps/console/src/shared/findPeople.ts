import type { PersonDocument } from "@inlet/api/management/People"
import { api, type PageOf } from "../api/api.ts"

const svcIdPattern = /^(svc_|cio_)?p1\d+$/

const attributePattern = /^attributes\.([^=]+)=(.*)$/

/**
 * An attribute in a search text such as `attributes.plan=pro`. Without a value, the search finds people with any value
 * of the attribute.
 */
interface WantedAttribute {
  readonly attribute: string
  readonly value: string | undefined
}

/** Returns the attribute in a search text, or undefined if the text is an identifier or empty. */
export const attributeIn = (text: string): WantedAttribute | undefined => {
  const [, attribute, value] = attributePattern.exec(text) ?? []
  return attribute === undefined ? undefined : { attribute, value: value === "" ? undefined : value }
}

/**
 * Searches people by text, and returns a page of them. The text is the start of an id or email, a complete `svc_id` or
 * anonymous id, or an attribute such as `attributes.plan=pro`. An empty text finds all people.
 */
export const findPeople = async (
  w: string,
  text: string,
  after: string | undefined,
  signal: AbortSignal,
): Promise<PageOf<PersonDocument>> => {
  const wanted = attributeIn(text)
  if (wanted !== undefined) return api.people.list(w, { ...wanted, after }, signal)
  if (text === "") return api.people.list(w, { after }, signal)
  const byPrefix = await api.people.list(w, { q: text, after }, signal)
  if (byPrefix.items.length > 0 || after !== undefined) return byPrefix
  return svcIdPattern.test(text)
    ? api.people.list(w, { svc_id: text }, signal)
    : api.people.list(w, { anonymous_id: text }, signal)
}
