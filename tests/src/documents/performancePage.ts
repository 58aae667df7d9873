import { recordedFigures, type Figures } from "./figures.ts"

/** A row of the page: what it says, and the recorded figure that it shows. */
type Row = readonly [text: string, phase: string, scenario: string]

const loads: ReadonlyArray<Row> = [
  ["single events on 64 connections", "single", "Inlet, single event"],
  ["single events on 256 connections", "single", "Inlet, single event, 256 connections"],
  [
    "single events at half of the maximum rate",
    "single",
    "Inlet, single event at half of the rate of 64 connections",
  ],
  ["single events, 300,000 people stored", "history", "Inlet, single event on 300,000 people"],
  ["single events, each sync 2 ms slower", "slow-disk", "Inlet, single event, each sync 2 ms longer"],
  ["batches of 500 KB, half of the people get another name", "batch", "Inlet, v2 batch over 10,000 people"],
  ["batches of 500 KB, names stay", "batch", "Inlet, v2 batch over 10,000 people, same names"],
  ["Pipelines batches of 100 events", "batch", "Inlet, Pipelines batch of 100 events, 16 connections"],
  ["single events, three rules of segments count them", "rules", "Inlet, single event, 103 rules, 3 match"],
  ["single events, a webhook sends each", "webhooks", "Inlet, single event, a webhook on every entry"],
  ["single events beside a lake", "lake", "Inlet, single event beside its lake"],
  ["single events on PostgreSQL", "postgres", "Inlet on PostgreSQL, single event"],
  ["batches of 500 KB on PostgreSQL", "postgres", "Inlet on PostgreSQL, v2 batch over 10,000 people"],
]

const people = "300,000 people and 1,500,000 entries"

const reads: ReadonlyArray<Row> = [
  ["a page of 50 people", "pages", `Inlet, page of people, ${people}`],
  ["people whose id begins with a text", "pages", `Inlet, prefix search, ${people}`],
  ["the newest entries of a person with 100,000", "pages", `Inlet, person with 100,000 events, ${people}`],
  ["statistics of a day", "pages", `Inlet, statistics of a day, ${people}`],
  ["a merge of a person with a million events", "merge", "Inlet, merge of a person with 1,000,000 events"],
  ["a start, 300,000 people stored", "history", "start to the first accepted operation, 300,000 people"],
]

const memory: ReadonlyArray<Row> = [
  ["single events", "single", "Inlet, single event"],
  ["batches of 500 KB on four connections", "batch", "Inlet, v2 batch over 10,000 people"],
  ["the same with 1,000 rules of segments", "rules", "Inlet, v2 batch, 1000 rules, 30 match"],
  ["single events beside a lake", "lake", "Inlet, single event beside its lake"],
]

/** Returns the page with the most important figures, taken from those that `pnpm bench --record` wrote. */
export const performancePage = (root: string): string => {
  const figures = recordedFigures(root)
  const valueOf = ([, phase, scenario]: Row, column: string): string =>
    valueIn(figures, phase, scenario, column)
  const { cores, date, node } = phaseOf(figures, "single")
  const table = (header: ReadonlyArray<string>, rows: ReadonlyArray<Row>, columns: ReadonlyArray<string>) =>
    [
      header,
      header.map((_, at) => (at === 0 ? "---" : "--:")),
      ...rows.map((row) => [row[0], ...columns.map((column) => valueOf(row, column))]),
    ]
      .map((cells) => `| ${cells.join(" | ")} |\n`)
      .join("")
  return `# Performance

One node on ${cores} cores of a virtual machine (${date}, Node ${node.slice(1)}), which the program that sends the load and, for PostgreSQL, the database share. The disk syncs in 0.2 to 0.3 ms, and every request
is synced before its answer.

${table(["load", "rate", "p50 ms", "p99 ms"], loads, ["rate", "p50 ms", "p99 ms"])}
Nearly all work runs on one thread, so more cores help a node little; several workspaces on several nodes do. Reads while single events arrive at half of the maximum rate, and two operations that could be long:

${table(["read or operation", "p50 ms", "p99 ms"], reads, ["p50 ms", "p99 ms"])}
| memory of the node at most, with | MB |
|---|--:|
${memory.map((row) => `| ${row[0]} | ${valueOf(row, "RSS MB")} |\n`).join("")}
| on disk | bytes |
|---|--:|
| an event of 480 bytes, with its entry and its place in the indexes (SQLite, 2026-11-28) | 550 |
| an entry in a lake (2026-11-28) | 38 |

Calls of browsers and apps also say where they came from, in about a kilobyte. \`pnpm bench --only context\` sends single events and batches of 100 with the context of a browser, and batches of 100 with that of an app, in
turns with the same events without one; with \`--against REF\` it sends them to two builds.

\`pnpm bench\` measures your machine ([bench](../bench/README.md)). [Figures](figures.md) has every phase, [measurements](decisions/measurements.md) the targets that are missed and what limits the rates, and
[experiments](decisions/experiments.md) what was tried.
`
}

const phaseOf = (figures: ReadonlyMap<string, Figures>, phase: string): Figures => {
  const found = figures.get(phase)
  if (found === undefined) throw new Error(`bench/figures has no phase ${phase}`)
  return found
}

const valueIn = (
  figures: ReadonlyMap<string, Figures>,
  phase: string,
  scenario: string,
  column: string,
): string => {
  const { columns, rows } = phaseOf(figures, phase)
  const row = rows.find(([name]) => name === scenario)
  if (row === undefined) throw new Error(`bench/figures/${phase}.json has no scenario "${scenario}"`)
  return row[columns.indexOf(column)] ?? ""
}
