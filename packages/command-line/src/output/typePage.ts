import type {
  EventTypeShapeDocument,
  PathDocument,
  SightingDocument,
} from "@inlethq/contract/types/EventTypes"
import { drawFields } from "./fields.ts"
import { section } from "./personPage.ts"
import { paint, type Screen } from "./Screen.ts"
import { drawTable, type Column } from "./table.ts"
import { count, printable } from "./text.ts"
import { minute } from "./times.ts"

/** Returns the types at a path, the most frequent first. */
const typesText = (types: PathDocument["types"]): string =>
  Object.entries(types)
    .toSorted(([, a], [, b]) => b - a)
    .map(([type]) => type)
    .join(" | ")

const columns: ReadonlyArray<Column<PathDocument>> = [
  { heading: "PATH", text: ({ path }) => path, style: () => "bold", shrinks: true },
  { heading: "TYPE", text: ({ types }) => typesText(types) },
  { heading: "FORMAT", text: ({ formats }) => Object.keys(formats).join(", "), isOptional: true },
  {
    heading: "PRESENT",
    text: ({ presence }) => (presence === null ? "" : `${Math.floor(presence * 100)} %`),
  },
  { heading: "VALUES", text: ({ distinct }) => `~${count(distinct)}`, isOptional: true },
]

/** Draws what is known of a name: counts, senders and the shape of its data. */
export const drawType = (document: EventTypeShapeDocument, screen: Screen): ReadonlyArray<string> => {
  const { first, last, sampled, senders, shape, violations } = document
  const total = document.count
  const at = (seen: SightingDocument) => `${minute(screen.times, seen.at)} ${seen.operation_id}`
  return [
    paint(screen, "bold", printable(`${document.kind} ${document.name}`)),
    ...drawFields(screen, [
      [
        "count",
        sampled === total ? count(total) : `${count(total)}, of which ${count(sampled)} were looked at`,
      ],
      ["first", at(first)],
      ["last", at(last)],
      ...(violations === undefined
        ? []
        : [["violations", `${count(violations.count)}, last ${at(violations.last)}`] as const]),
      ...senders.map(({ count: sent, sender }, index): [string, string] => [
        index === 0 ? "sent by" : "",
        `${count(sent)} ${sender?.key?.name ?? sender?.token?.name ?? "unknown"} ${sender?.user_agent ?? ""}`,
      ]),
    ]),
    ...section(screen, "DATA", drawTable(screen, columns, shape)),
  ]
}
