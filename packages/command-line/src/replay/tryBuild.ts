import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import { ExportTrailer } from "@inlethq/contract/transfer/Exports"
import type { WorkspacePatch } from "@inlethq/contract/workspaces/Workspaces"
import { Effect, Schema, Stream } from "effect"
import { createHash } from "node:crypto"
import type { BuildReport, Verdict } from "../output/whatIfPage.ts"
import { replayLog } from "./replayLog.ts"
import type { ReplaySource } from "./ReplaySource.ts"
import { ReplayTally } from "./ReplayTally.ts"
import type { ReplayTarget } from "./ReplayTarget.ts"
import { startBuild } from "./startBuild.ts"
import { decidingSettings } from "./triedSettings.ts"
import { memoryTarget, targetOf, triedEntriesMax } from "./trySettings.ts"

/** The most differing operations that a report lists. */
const listedMax = 1000

const isTrailer = Schema.is(ExportTrailer)

/** Decides a part of a log by this version and by another build, each in memory and beginning without people, and compares every operation. */
export const tryBuild = Effect.fnUntraced(function* (source: ReplaySource, path: string) {
  const current = decidingSettings(yield* source.client.workspaces.get({ params: { w: source.workspace } }))
  const now = yield* memoryTarget(current)
  const other = yield* startBuild(path)
  const tried = yield* targetOf(other.client, other.url, known(current))
  const tally = new ReplayTally()
  for (const [target, counted] of [
    [now, tally],
    [tried, new ReplayTally()],
  ] as const) {
    yield* replayLog(source, { target, webhooks: false, rate: null, entriesMax: triedEntriesMax }, counted)
  }
  const found = yield* compareLogs(now, tried)
  const versions = {
    now: (yield* now.client.server.status()).version,
    with: (yield* tried.client.server.status()).version,
  }
  const { from, to } = source.query
  const report: BuildReport = {
    versions,
    from: from ?? 1,
    to: tally.position ?? to ?? null,
    entries: tally.entries,
    ...found,
  }
  return report
}, Effect.scoped)

/** Settings that have their default are left out, so that a version that does not know them can be tried. */
const known = ({
  bots,
  context,
  ip,
  omit,
  placeholder_ids,
  ...settings
}: WorkspacePatch): WorkspacePatch => ({
  ...settings,
  ...(bots !== "mark" && bots !== undefined && { bots }),
  ...(context !== "keep" && context !== undefined && { context }),
  ...(ip !== "truncate" && ip !== undefined && { ip }),
  ...(omit !== undefined && omit.length > 0 && { omit }),
  ...(placeholder_ids !== "mark" && placeholder_ids !== undefined && { placeholder_ids }),
})

const entriesOf = ({ client, workspace }: ReplayTarget) =>
  Stream.unwrap(
    Effect.map(client.exports.activity({ params: { w: workspace }, query: {} }), (lines) =>
      Stream.filter(lines, (line): line is ActivityDocument => !isTrailer(line)),
    ),
  ).pipe(
    Stream.map((entry): ActivityDocument | null => entry),
    (entries) => Stream.concat(entries, Stream.make(null)),
  )

/** Compares two logs, entry by entry. The one that ends first has no verdict on what comes after. */
const compareLogs = Effect.fnUntraced(function* (now: ReplayTarget, tried: ReplayTarget) {
  const hash = createHash("sha256")
  const items: Array<BuildReport["differing"]["items"][number]> = []
  let operations = 0
  yield* Stream.runForEach(Stream.zip(entriesOf(now), entriesOf(tried)), ([one, other]) =>
    Effect.sync(() => {
      if (one !== null) hash.update(`${one.sequence} ${one.outcome}\n`)
      const differs = differences(one, other)
      if (differs.length === 0) return
      operations++
      const shown = one ?? other
      if (items.length < listedMax && shown !== null) {
        items.push({
          position: positionIn(shown),
          kind: shown.kind,
          differs,
          now: one && verdictOf(one),
          tried: other && verdictOf(other),
        })
      }
    }),
  )
  const differing = { operations, items, complete: items.length === operations }
  return { range_hash: hash.digest("hex"), differing }
})

/** Returns the position of the entry that an operation repeats, or null for what is there beforehand. */
const positionIn = ({ id }: ActivityDocument): number | null => {
  const [, position] = /replay:\d+:(\d+)/.exec(id ?? "") ?? []
  return position === undefined ? null : Number(position)
}

const verdictOf = ({ outcome, reasons, refused, rule }: ActivityDocument): Verdict => ({
  outcome,
  rule,
  codes: reasons.map(({ code }) => code).toSorted(),
  refused: refused
    .map(({ code, path }) => ({ path: path.replace(/^devices\..*?(?=\.[a-z_]+$|$)/, "devices.*"), code }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1)),
})

const differences = (one: ActivityDocument | null, other: ActivityDocument | null): ReadonlyArray<string> => {
  if (one === null || other === null) return one === other ? [] : ["outcome"]
  const [a, b] = [verdictOf(one), verdictOf(other)]
  return [
    ...(a.outcome === b.outcome ? [] : ["outcome"]),
    ...(a.rule === b.rule ? [] : ["clause"]),
    ...(isSame(a.codes, b.codes) ? [] : ["codes"]),
    ...(isSame(a.refused, b.refused) ? [] : ["refused"]),
    ...(isSame(one.changes, other.changes) ? [] : ["changes"]),
    ...(isSame(one.data, other.data) ? [] : ["data"]),
  ]
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
