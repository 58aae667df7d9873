import type { WhatIfDocument } from "@inlethq/contract/trial/WhatIf"
import { drawBacktest } from "./proofTree.ts"
import { section } from "./personPage.ts"
import { paint, type Screen } from "./Screen.ts"
import { drawTable } from "./table.ts"
import { count } from "./text.ts"

/** How a version decided an operation, without any value. */
export interface Verdict {
  readonly outcome: string
  readonly rule: string | null
  readonly codes: ReadonlyArray<string>
  readonly refused: ReadonlyArray<{ readonly path: string; readonly code: string }>
}

/** What two versions decided about the same part of a log. */
export interface BuildReport {
  readonly versions: { readonly now: string; readonly with: string }
  readonly from: number
  readonly to: number | null
  readonly entries: number
  /** SHA-256 over what this version decided, so that reports about the same range can be told. */
  readonly range_hash: string
  readonly differing: {
    readonly operations: number
    readonly items: ReadonlyArray<{
      readonly position: number | null
      readonly kind: string | null
      readonly differs: ReadonlyArray<string>
      readonly now: Verdict | null
      readonly tried: Verdict | null
    }>
    readonly complete: boolean
  }
}

type BuildItem = BuildReport["differing"]["items"][number]

type Group = WhatIfDocument["differing"]["groups"][number]

/** Draws what a trial of the log has found. */
export const drawWhatIf = (found: WhatIfDocument, screen: Screen): ReadonlyArray<string> => {
  const { backtest, differing, problem, summary, undecidable } = found
  if (backtest !== null) return [paint(screen, "bold", summary), "", ...drawBacktest(screen, backtest)]
  return [
    paint(screen, "bold", summary),
    ...(problem === null ? [] : [paint(screen, "yellow", problem)]),
    ...section(
      screen,
      "WOULD BE DIFFERENT",
      differing.groups.length === 0 ? [] : drawGroups(screen, differing.groups),
    ),
    ...section(
      screen,
      "NOT DECIDED AGAIN",
      undecidable.codes.map(
        ({ code, example, operations }) => `${count(operations)}  ${code}  such as ${example}`,
      ),
    ),
  ]
}

/** Draws what two versions decided about the same operations. */
export const drawBuildReport = (
  { differing, entries, from, to, versions }: BuildReport,
  screen: Screen,
): ReadonlyArray<string> => [
  paint(
    screen,
    "bold",
    `${versions.with} decides positions ${count(from)} to ${count(to ?? from)} as ${versions.now} does` +
      (differing.operations === 0 ? "" : `; ${count(differing.operations)} differ`),
  ),
  paint(screen, "dim", `${count(entries)} entries`),
  ...section(
    screen,
    "DIFFERENT",
    differing.items.length === 0
      ? []
      : drawTable(
          screen,
          [
            { heading: "POSITION", text: ({ position }: BuildItem) => String(position ?? "") },
            { heading: "KIND", text: ({ kind }: BuildItem) => kind ?? "" },
            { heading: "NOW", text: ({ now }: BuildItem) => decisionText(now), wraps: true },
            { heading: "TRIED", text: ({ tried }: BuildItem) => decisionText(tried), wraps: true },
            { heading: "DIFFERS", text: ({ differs }: BuildItem) => differs.join(", "), wraps: true },
          ],
          differing.items,
        ),
  ),
]

const drawGroups = (screen: Screen, groups: ReadonlyArray<Group>): ReadonlyArray<string> =>
  drawTable(
    screen,
    [
      { heading: "COUNT", text: ({ operations }: Group) => count(operations) },
      { heading: "NOW", text: ({ now }: Group) => decisionText(now), wraps: true },
      { heading: "TRIED", text: ({ tried }: Group) => decisionText(tried), wraps: true },
      { heading: "DIFFERS", text: ({ differs }: Group) => differs.join(", "), wraps: true },
      { heading: "SUCH AS", text: ({ example }: Group) => example },
    ],
    groups,
  )

const decisionText = (decision: BuildItem["now"]): string => {
  if (decision === null) return "not made"
  const { codes, outcome, refused } = decision
  const why = [...new Set([...codes, ...refused.map(({ code, path }) => `${path} ${code}`)])]
  return why.length === 0 ? outcome : `${outcome} (${why.join(", ")})`
}
