import type { Fault } from "@inlethq/core/log/Outcome"
import { pathTexts } from "@inlethq/wire/texts/pathTexts"

/** Where an identifier stands in the path, and a path as an example of what follows it. */
interface Place {
  readonly before: ReadonlyArray<string>
  readonly after: string
}

const places: ReadonlyArray<Place> = [
  { before: ["api", "v1", "customers"], after: "" },
  { before: ["api", "v1", "forms"], after: "/submit" },
  { before: ["api", "v1", "segments"], after: "/add_customers" },
  { before: ["unsubscribe"], after: "" },
]

/** The words that can follow an identifier in a path. */
const actions = new Set(["devices", "events", "suppress", "unsuppress", "submit", "remove_customers"])

/**
 * Returns the fault of a path that leads nowhere. Of a path that has no identifier, or more segments than its identifier
 * can have, it says what the path should be (contract §1).
 */
export const unknownPath = (segments: ReadonlyArray<string>): Fault => {
  const place = places.find(({ before }) => before.every((segment, index) => segments[index] === segment))
  if (place === undefined) return pathTexts.unknown("")
  const start = `/${place.before.join("/")}/`
  const last = segments.at(-1) ?? ""
  const after = actions.has(last) ? `/${last}` : place.after
  const given = segments.length - place.before.length
  if (given === 0) return pathTexts.incomplete("", { path: `${start}{identifier}${place.after}` })
  return given > 1 ? pathTexts.unescaped("", { path: `${start}a%2Fb${after}` }) : pathTexts.unknown("")
}
