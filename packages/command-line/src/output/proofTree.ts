import type { ProofDocument } from "@inlethq/contract/segments/RuleProof"
import type { BacktestDocument, MembershipExplanation } from "@inlethq/contract/segments/SegmentRules"
import { drawFields, type Field } from "./fields.ts"
import { section } from "./personPage.ts"
import { paint, type Screen } from "./Screen.ts"
import { count, counted, printable, valueText } from "./text.ts"
import { fullTime } from "./times.ts"

/** The largest number of operations that a line of a tree names. */
const operationsShownMax = 3

/** Draws why a person is in a segment or not: the rule as a tree, and when the person entered and left. */
export const drawMembership = (
  screen: Screen,
  { as_of, history, member, segment_id, state, svc_id, tree, version }: MembershipExplanation,
): ReadonlyArray<string> => [
  paint(screen, "bold", `${svc_id} is ${member ? "" : "not "}in segment ${segment_id}`),
  ...(hints[state] === null ? [] : [paint(screen, "yellow", hints[state])]),
  paint(screen, "dim", `as of ${fullTime(screen.times, as_of)}`),
  "",
  ...drawProof(screen, tree),
  ...section(
    screen,
    "HISTORY",
    drawFields(screen, [
      ...sinceVersion(member, version, history[0]),
      ...history.map(({ at, change, kind, name, operation_id }): Field => [
        fullTime(screen.times, at),
        `${change}  ${operation_id}  ${name ?? kind ?? ""}`,
      ]),
    ]),
  ),
]

/** Why somebody may be in a segment although its rule does not hold for them, or the other way round. */
const hints = {
  building: "the rule is still being built, so what it counts may not be complete",
  active: null,
  settling: "the rule is not yet evaluated again for everybody related to an object that changed",
  paused: "the segment is paused, so nobody enters or leaves, whatever the rule says",
} as const

/** Says where the membership comes from if the newest entry does not tell: a build, or an entry that was not read. */
const sinceVersion = (
  member: boolean,
  version: number,
  newest: MembershipExplanation["history"][number] | undefined,
): ReadonlyArray<Field> =>
  member === (newest?.change === "entered")
    ? []
    : [[`version ${version}`, `${member ? "entered" : "left"} when it was built, or by an older operation`]]

/** Draws a proof as a tree, one part a line. */
const drawProof = (screen: Screen, proof: ProofDocument, lead = "", rest = ""): ReadonlyArray<string> => [
  lead + lineOf(screen, proof),
  ...proof.nodes.flatMap((node, i) => {
    const isLast = i === proof.nodes.length - 1
    return drawProof(screen, node, rest + (isLast ? "└─ " : "├─ "), rest + (isLast ? "   " : "│  "))
  }),
]

const lineOf = (screen: Screen, { evidence, flips_at, flips_to, text, truth }: ProofDocument): string => {
  const why = evidence === null ? "" : `  ${paint(screen, "dim", printable(evidenceText(evidence)))}`
  const flip =
    flips_at === null
      ? ""
      : `  ${paint(screen, "yellow", `${flips_to === true ? "true" : "false"} from ${fullTime(screen.times, flips_at)}`)}`
  return `${paint(screen, truth ? "green" : "red", truth ? "✓" : "✗")} ${printable(text)}${why}${flip}`
}

const evidenceText = (evidence: NonNullable<ProofDocument["evidence"]>): string => {
  switch (evidence.type) {
    case "counted": {
      const ids = evidence.operations.flatMap(({ operation_id }) => operation_id ?? [])
      const shown = ids.slice(0, operationsShownMax).join(", ")
      const more = ids.length > operationsShownMax ? ", …" : ""
      const from = evidence.counted_from === null ? "" : `, counted from ${evidence.counted_from}`
      return `${counted(evidence.times, "time", "times")}${shown === "" ? "" : `: ${shown}${more}`}${from}`
    }
    case "values": {
      const value = evidence.values.length === 0 ? "not set" : evidence.values.map(valueText).join(", ")
      return evidence.operation_id === null ? value : `${value} (${evidence.operation_id})`
    }
    case "identifiers":
      return evidence.values.length === 0 ? "none" : evidence.values.join(", ")
    case "created":
      return `created ${evidence.created_at}`
    case "devices":
      return evidence.tokens.length === 0 ? "no such device" : evidence.tokens.join(", ")
    case "objects":
      return counted(evidence.objects.length, "object", "objects")
    case "segment":
      return evidence.member ? "in it" : "not in it"
  }
}

/** Draws what a rule would have done in the last days. */
export const drawBacktest = (screen: Screen, test: BacktestDocument): ReadonlyArray<string> => {
  const most = Math.max(1, ...test.days.map(({ entered, left }) => Math.max(entered, left)))
  const bar = (n: number) => "█".repeat(Math.ceil((n / most) * barWidth)).padEnd(barWidth)
  return [
    paint(
      screen,
      "bold",
      `${count(test.entered)} would have entered and ${count(test.left)} left; ${count(test.members)} would be in it now`,
    ),
    paint(
      screen,
      "dim",
      `${counted(test.checked, "person", "people")} checked${test.complete ? "" : ", not everybody or not everything they did"}`,
    ),
    "",
    ...test.days.map(
      ({ day, entered, left }) =>
        `${day}  ${paint(screen, "green", bar(entered))} ${`+${count(entered)}`.padEnd(8)} ${paint(screen, "red", bar(left))} -${count(left)}`,
    ),
    ...test.judged_by_present.map((leaf) =>
      paint(screen, "yellow", printable(`judged by today, because the log does not tell its past: ${leaf}`)),
    ),
  ]
}

const barWidth = 16
