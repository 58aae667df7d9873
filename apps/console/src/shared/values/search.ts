type Search = Readonly<Record<string, unknown>>

const text = (search: Search, name: string): string | undefined => {
  const value = search[name]
  return typeof value === "string" && value !== "" ? value : undefined
}

/** Returns the named query parameters of a URL. Missing and empty parameters are left out. */
const texts = <const Name extends string>(
  search: Search,
  names: ReadonlyArray<Name>,
): Partial<Record<Name, string>> => {
  const found: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const value = text(search, name)
    if (value !== undefined) found[name] = value
  }
  return found
}

/** Reads the query parameters of the URL that lists operations. */
export const activitySearch = (search: Search) =>
  texts(search, ["filter", "from", "to", "last", "columns", "system"])

/**
 * Reads the query parameters of the URL that lists people. `q` and `columns` are about the list, `position` is a moment
 * in the history of the person that is shown beside it, `against` another one to compare it with, and the others filter the activity of this person.
 */
export const peopleSearch = (search: Search) =>
  texts(search, ["q", "columns", "filter", "from", "to", "last", "position", "against"])

/** Returns the query parameters that are about the list of people, without those about the activity of one person. */
export const peopleListSearch = (search: Search) => texts(search, ["q", "columns"])

/** Reads the query parameters of the URL that shows the audit log. */
export const auditSearch = (search: Search) =>
  texts(search, ["on", "actor", "action", "outcome", "from", "to", "last"])

/** Reads the query parameter of the URL that lists keys: the id of the key to point at. */
export const keySearch = (search: Search) => texts(search, ["key"])

/** Reads the query parameters of the URL that lists causes of errors. */
export const errorsSearch = (search: Search) => texts(search, ["q", "only", "from", "to", "last", "columns"])

/** Reads the query parameters of the URL that lists names of events: a kind, a text to search for, and since when changes are shown. */
export const eventsSearch = (search: Search) => texts(search, ["kind", "q", "last", "columns"])

/** Reads the query parameters of the URL that lists segments: a text to search for, and of whom the open segment says why they are in it. */
export const segmentsSearch = (search: Search) => texts(search, ["q", "why"])

/** Reads the query parameters of the URL that creates a segment: the kind and the name of what its people sent. */
export const newSegmentSearch = (search: Search) => texts(search, ["kind", "name"])

/**
 * Reads the query parameters of the URL that lists objects. `position` is a moment in the history of the object that is shown
 * beside the list.
 */
export const objectSearch = (search: Search) => texts(search, ["type", "q", "position"])

/** Reads the query parameter of the URLs that list deliveries and forms. */
export const listSearch = (search: Search) => texts(search, ["q"])

/** Reads the query parameter that contains the view to open after signing in. */
export const signInSearch = (search: Search) => texts(search, ["from"])

/** Writes the query parameters of a URL as plain text, so that `?filter=kind:event` can be typed and read. */
export const stringifySearch = (search: Search): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === "string" && value !== "") parameters.set(name, value)
  }
  return parameters.size === 0 ? "" : `?${parameters}`
}

export const parseSearch = (search: string): Search => Object.fromEntries(new URLSearchParams(search))
