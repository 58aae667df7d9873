import type { PersonDocument } from "@inlet/api/management/People"
import { api, type PageOf } from "../api/api.ts"

const svcIdPattern = /^(svc_|cio_)?p1\d+$/

/**
 * Searches people by text, and returns a page of them. The text is the start of an id or email, or a complete `svc_id`
 * or anonymous id. An empty text finds all people.
 */
export const findPeople = async (
  w: string,
  text: string,
  after: string | undefined,
  signal: AbortSignal,
): Promise<PageOf<PersonDocument>> => {
  if (text === "") return api.people.list(w, { after }, signal)
  const byPrefix = await api.people.list(w, { q: text, after }, signal)
  if (byPrefix.items.length > 0 || after !== undefined) return byPrefix
  return svcIdPattern.test(text)
    ? api.people.list(w, { svc_id: text }, signal)
    : api.people.list(w, { anonymous_id: text }, signal)
}
