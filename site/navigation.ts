import { readdirSync } from "node:fs"

/** A group of pages in the sidebar and in `llms.txt`. */
export interface Section {
  readonly title: string
  readonly isCollapsed?: true
  /** Left out of the search, and optional in `llms.txt`: what tests and measurements have found. */
  readonly isEvidence?: true
  /** Paths below `docs`, with the title in the sidebar where the heading of the page is too long. */
  readonly pages: ReadonlyArray<string | readonly [path: string, title: string]>
}

/** The pages in the bar at the top. */
export const front = [
  ["start.md", "Start"],
  ["concepts.md", "Concepts"],
  ["entry.md", "The entry"],
  ["moving.md", "Moving"],
  ["compared.md", "Compared"],
  ["operations.md", "Operations"],
] as const

const decisions = readdirSync(new URL("../docs/decisions", import.meta.url))
  .filter((name) => /^\d{4}-.*\.md$/.test(name))
  .toSorted()
  .map((name) => `decisions/${name}`)

/** Every page of the documentation, in the order in which it is read. */
export const sections: ReadonlyArray<Section> = [
  {
    title: "First steps",
    pages: [
      ["README.md", "Inlet"],
      "start.md",
      "concepts.md",
      "entry.md",
      ["moving.md", "Moving"],
      ["compared.md", "Compared"],
    ],
  },
  { title: "Send", pages: ["sdk.md", "emulator.md", "openapi.md"] },
  {
    title: "Look and change",
    pages: [
      "console.md",
      "cli.md",
      ["filters.md", "Filters"],
      "history.md",
      ["duplicates.md", "Duplicates"],
      "segments.md",
      ["types.md", "Types and drift"],
      ["plans.md", "Plans"],
      ["what-if.md", "What if"],
      "replay.md",
      "app-api.md",
      "mcp.md",
    ],
  },
  {
    title: "Pass on",
    pages: [
      "webhooks.md",
      ["forward.md", "Forwards"],
      ["beside.md", "Beside the hosted service"],
      "kafka.md",
      "lake.md",
    ],
  },
  {
    title: "Operate",
    pages: [
      "operations.md",
      "operations/settings.md",
      "operations/running.md",
      "operations/access.md",
      ["operations/sign-in.md", "Company sign-in"],
      "operations/monitoring.md",
      "operations/data.md",
      "operations/transfer.md",
      "operations/backup.md",
      ["postgresql.md", "Several nodes"],
      ["citus.md", "Citus"],
      "erasure.md",
      "security.md",
      "performance.md",
    ],
  },
  {
    title: "Reference",
    isCollapsed: true,
    pages: ["contract.md", "references.md", "management.md", "errors.md", "limits.md", "glossary.md"],
  },
  {
    title: "Change the code",
    isCollapsed: true,
    pages: ["architecture.md", "extending.md"],
  },
  {
    title: "Evidence",
    isCollapsed: true,
    isEvidence: true,
    pages: [
      "compatibility.md",
      "bounds.md",
      "figures.md",
      ["decisions/measurements.md", "Measurements"],
      "decisions/experiments.md",
    ],
  },
  { title: "Decisions", isCollapsed: true, isEvidence: true, pages: decisions },
]
