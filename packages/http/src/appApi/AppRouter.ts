import type { AppRoute } from "./AppCall.ts"
import { decodeLoosely } from "./AppQuery.ts"

type Matched =
  | { readonly _tag: "Found"; readonly route: AppRoute; readonly parameters: ReadonlyArray<string> }
  | { readonly _tag: "WrongMethod"; readonly methods: ReadonlyArray<string> }
  | { readonly _tag: "NotFound" }

/**
 * Finds the call of a method and a raw path without its query. The parameter with `*` takes all segments that the path has there, because
 * clients put ids into paths as they are, and ids may have slashes.
 */
export const findRoute = (routes: ReadonlyArray<AppRoute>, method: string, path: string): Matched => {
  const given = path.slice(1).split("/")
  const methods: Array<string> = []
  for (const route of routes) {
    const parameters = parametersOf(route.path.slice(1).split("/"), given)
    if (parameters === undefined) continue
    if (route.method === method) return { _tag: "Found", route, parameters: parameters.map(decodeLoosely) }
    methods.push(route.method)
  }
  return methods.length === 0 ? { _tag: "NotFound" } : { _tag: "WrongMethod", methods }
}

const parametersOf = (
  pattern: ReadonlyArray<string>,
  given: ReadonlyArray<string>,
): ReadonlyArray<string> | undefined => {
  const greedy = pattern.findIndex((segment) => segment.startsWith("*"))
  const extra = given.length - pattern.length
  if (greedy < 0 ? extra !== 0 : extra < 0) return undefined
  const parameters: Array<string> = []
  for (const [place, segment] of pattern.entries()) {
    if (place === greedy) {
      parameters.push(given.slice(place, place + extra + 1).join("/"))
      continue
    }
    const there = given[greedy >= 0 && place > greedy ? place + extra : place] ?? ""
    if (segment.startsWith(":")) parameters.push(there)
    else if (segment !== there) return undefined
  }
  return parameters.includes("") ? undefined : parameters
}
