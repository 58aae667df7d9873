import type { BacktestDocument, PreviewDocument } from "@inlethq/contract/segments/SegmentRules"
import { saying } from "@inlethq/wire/texts/sentences"
import { InvalidRequest } from "@inlethq/contract/access/Problem"
import { decisionTexts } from "@inlethq/core/log/operationTexts"
import { checkSegments } from "@inlethq/core/rule/checkSegments"
import { decodeRule } from "@inlethq/core/rule/decodeRule"
import { rulesOf } from "@inlethq/core/rule/definitions"
import { describeLeaf } from "@inlethq/core/rule/describeLeaf"
import { segmentsIn, type Rule } from "@inlethq/core/rule/Rule"
import type { RuleFault } from "@inlethq/core/rule/RuleFault"
import { RuleTrial, type Crossing } from "@inlethq/core/rule/RuleTrial"
import type { Person } from "@inlethq/core/state/Person"
import type { Store } from "@inlethq/core/ports/Store"
import { svcIdText, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Json } from "@inlethq/core/values/Json"
import { dayMs, toIso, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { Effect, Result } from "effect"
import { BrandInUse } from "../../BrandInUse.ts"
import { readingOf, readTried, type TrialReader } from "./readTried.ts"
import { fromManyPlaces, newestFirst } from "./triedPeople.ts"

/** How much a preview and a backtest read. A rule that does not read the log is tried on more people. */
const trialLimits = {
  preview: { peopleMax: 1000, entriesMax: 50_000 },
  previewWithoutLog: { peopleMax: 10_000, entriesMax: 50_000 },
  backtest: { peopleMax: 5000, entriesMax: 200_000 },
} as const

/** The largest number of people that a preview or a backtest names. */
const examplesMax = 10

/** Decodes a rule, or fails with a 400 that names the path of the fault. */
export const validRule = Effect.fnUntraced(function* (
  store: Store["Service"],
  workspace: WorkspaceId,
  source: Json,
) {
  const decoded = decodeRule(source)
  if (Result.isFailure(decoded)) return yield* wrongRule(decoded.failure)
  const rule = decoded.success
  const named = segmentsIn(rule)
  if (named.size === 0) return rule
  const { rules, subjects } = yield* store.view(readingOf(workspace, named))
  const wrong = checkSegments(rule, null, {
    rules: rulesOf(rules),
    exists: (segment) => subjects.get(segment)?._tag === "Segment",
  })
  return wrong === undefined ? rule : yield* wrongRule(wrong)
})

const wrongRule = Effect.fnUntraced(function* ({ message, path }: RuleFault) {
  const reason = decisionTexts.invalidRule(`rule${path}`, { message })
  return yield* new InvalidRequest({ detail: saying(yield* BrandInUse, reason) })
})

/** Returns for how many people a rule holds now. */
export const previewOf = Effect.fnUntraced(function* (
  reader: Omit<TrialReader, "peopleMax" | "entriesMax">,
  rule: Rule,
  now: EpochMillis,
) {
  const trial = new RuleTrial(rule)
  const examples: Array<Person> = []
  let matches = 0
  const limits = trial.readsLog ? trialLimits.preview : trialLimits.previewWithoutLog
  const since = trial.readsLog ? trial.since(now) : null
  const people = yield* sampleOf(reader, limits.peopleMax)
  const reached = yield* readTried({ ...reader, ...limits }, people, trial, since, (tried) => {
    if (!trial.holds(tried, now)) return
    matches++
    if (examples.length < examplesMax) examples.push(tried.person)
  })
  const document: PreviewDocument = { matches, ...reached, examples: examples.map(named) }
  return document
})

/** The number of places from which a preview reads people if there may be more than it checks. */
const sampledPlaces = 50

/** Returns all people of a workspace if there cannot be more than `peopleMax`, otherwise a random sample. */
const sampleOf = Effect.fnUntraced(function* (
  reader: Omit<TrialReader, "peopleMax" | "entriesMax">,
  peopleMax: number,
) {
  const { nextKey } = yield* reader.store.view(readingOf(reader.workspace, new Set()))
  const last = nextKey - 1
  if (last <= peopleMax) return newestFirst(reader)
  return yield* fromManyPlaces(reader, last, {
    places: sampledPlaces,
    peoplePerPlace: peopleMax / sampledPlaces,
  })
})

/** Returns who would have entered and left in the last days, had a segment had the rule. */
export const backtestOf = Effect.fnUntraced(function* (
  reader: Omit<TrialReader, "peopleMax" | "entriesMax">,
  rule: Rule,
  days: number,
  now: EpochMillis,
) {
  const trial = new RuleTrial(rule)
  const from = now - days * dayMs
  const tally = new Tally(from, now)
  const { checked, complete } = yield* readTried(
    { ...reader, ...trialLimits.backtest },
    newestFirst(reader),
    trial,
    trial.since(from),
    (tried) => {
      const { crossings, isIn } = trial.replay(tried, { from, to: now })
      tally.add(tried.person, crossings, isIn)
    },
  )
  const document: BacktestDocument = {
    from: toIso(from),
    to: toIso(now),
    entered: tally.entered,
    left: tally.left,
    members: tally.members,
    checked,
    complete,
    days: tally.days,
    examples: tally.examples,
    judged_by_present: trial.judgedByPresent.map((leaf) => describeLeaf(leaf, () => undefined)),
  }
  return document
})

/** Counts the people who would have entered and left, by day. */
class Tally {
  entered = 0
  left = 0
  members = 0
  private readonly byDay = new Map<string, { entered: number; left: number }>()
  private newest: Array<{ readonly person: Person } & Crossing> = []

  constructor(from: EpochMillis, to: EpochMillis) {
    for (let at = from; dayOf(at) < dayOf(to); at += dayMs) this.byDay.set(dayOf(at), { entered: 0, left: 0 })
    this.byDay.set(dayOf(to), { entered: 0, left: 0 })
  }

  add(person: Person, crossings: ReadonlyArray<Crossing>, isIn: boolean): void {
    if (isIn) this.members++
    for (const { at, change } of crossings) {
      this[change]++
      const day = this.byDay.get(dayOf(at))
      if (day !== undefined) day[change]++
    }
    const last = crossings.at(-1)
    if (last === undefined) return
    const found = [...this.newest, { person, ...last }].toSorted((a, b) => b.at - a.at)
    this.newest = found.slice(0, examplesMax)
  }

  get days(): BacktestDocument["days"] {
    return Array.from(this.byDay, ([day, counts]) => ({ day, ...counts }))
  }

  get examples(): BacktestDocument["examples"] {
    return this.newest.map(({ at, change, person }) => ({ ...named(person), change, at: toIso(at) }))
  }
}

const dayOf = (at: EpochMillis): string => toIso(at).slice(0, 10)

const named = ({ email, id, key, workspace }: Person) => ({ svc_id: svcIdText(workspace, key), id, email })
