import { Effect, Layer, Option } from "effect"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { repeatErasures } from "@inlethq/engine/erasures/repeatErasures"
import { toActivityView } from "@inlethq/core/catalog/ActivityView"
import type { Command } from "@inlethq/core/Command"
import { mergeIn } from "@inlethq/core/person/mergeReceipt"
import type { Person } from "@inlethq/core/state/Person"
import {
  deviceText,
  identifierText,
  type Sequence,
  type SubjectKey,
  type WorkspaceId,
} from "@inlethq/core/values/Identifier"
import { toPlainSubject } from "@inlethq/core/state/Subject"
import {
  addDevice,
  byId,
  bySvcId,
  identify,
  merge,
  noon,
  objectOf,
  remove,
  unmerge,
  workspaceOf,
} from "../script/commands.ts"
import { joinSegment } from "../script/segmentCommands.ts"
import {
  compareScripts,
  inNew,
  memoryStore,
  playSteps,
  type Compared,
  type Comparison,
  type Services,
} from "../differential/differential.ts"
import { createWorkspaces } from "../copies/copies.ts"
import { plainDigest } from "../script/digest.ts"
import { submit } from "../copies/restoredErasures.ts"
import { needsOf } from "@inlethq/core/CommandTable"
import { firstDifference } from "../script/firstDifference.ts"
import { activity, apply, ledgerOf, load, sweepAll } from "../script/scenario.ts"
import { beginning, commandOf, hour, type Script } from "../script/script.ts"
import { aliveIn, comparable, peopleOf } from "./compareHistory.ts"
import { expectedUnmerge, movedTexts } from "./unmergeModel.ts"

/** The first workspace, in which the scripts make most people. */
const workspace = workspaceOf(1)

/** Two people, so that there is somebody to merge whatever a script does. Its commands are about the same names and things. */
export const couple = [
  identify(
    byId("id 1"),
    [
      ["plan", "Ada"],
      ["svc_subscription_preferences.topics.offers", false],
    ],
    { relatedTo: [[objectOf("1", "object 1"), [["plan", 1]]]] },
  ),
  identify(
    byId("id 2"),
    [
      ["name", "Ada"],
      ["svc_subscription_preferences.topics.news", true],
    ],
    {
      email: "2@example.com",
      anonymousId: "anonymous 2",
      relatedTo: [[objectOf("1", "object 1"), [["name", 2]]], [objectOf("1", "object 2")]],
    },
  ),
  addDevice(byId("id 2"), "token 2"),
  joinSegment(1, [byId("id 2")]),
]

/** Merges two people whom a script has made and undoes the merge. Returns a difference to before, or null. */
const roundTrip = <E>(store: Layer.Layer<Services, E>, script: Script) =>
  Effect.gen(function* () {
    yield* apply(...beginning, ...couple)
    const now = yield* playSteps(script, "one", noon)
    const before = yield* peopleOf(workspace.id)
    const [primary, secondary] = before.keys()
    if (primary === undefined || secondary === undefined) return null
    const merged = yield* mergePair(primary, secondary, now + 1)
    if (merged === null) return null
    yield* apply(unmerge(merged, { in: workspace, receivedAt: now + 2 }))
    const after = yield* peopleOf(workspace.id)
    const alive = yield* aliveIn(workspace.id)
    const difference = firstDifference(shown(after, alive), shown(before, alive), "people")
    return difference ?? (yield* unresolved(workspace.id, after))
  }).pipe((effect) => Effect.provide(effect, store, { local: true }))

/**
 * Plays one half of a script, merges two people, plays the other half and undoes the merge. Returns a difference to the
 * model, or null.
 */
const withWorkBetween = <E>(store: Layer.Layer<Services, E>, { settings, steps }: Script) =>
  Effect.gen(function* () {
    yield* apply(...beginning, ...couple)
    const half = Math.ceil(steps.length / 2)
    const start = yield* playSteps({ settings, steps: steps.slice(0, half) }, "one", noon)
    const [primaryBefore, secondaryBefore] = (yield* peopleOf(workspace.id)).values()
    if (primaryBefore === undefined || secondaryBefore === undefined) return null
    const mergedAt = start + 1
    const done = yield* mergePair(primaryBefore.key, secondaryBefore.key, mergedAt)
    const merged = (yield* peopleOf(workspace.id)).get(primaryBefore.key)
    if (done === null || merged === undefined) return null
    let undoneAt = mergedAt
    const isDivided = steps.length % 2 === 0
    const moved = movedTexts(primaryBefore, secondaryBefore)
    const events = new Map<Sequence, SubjectKey>()
    for (const step of steps.slice(half)) {
      undoneAt += step.hoursLater * hour
      const next = commandOf(step, undoneAt, settings)
      const named = yield* textNamed(next)
      const { entries } = yield* apply(next)
      const [entry] = entries
      const isOfPrimary = named?.holder === primaryBefore.key && entry?.outcome === "applied"
      if (!isOfPrimary) continue
      const goesBack = isDivided && moved.has(named.text) && !named.hasDevice
      events.set(entry.sequence, goesBack ? secondaryBefore.key : primaryBefore.key)
    }
    undoneAt++
    const before = yield* peopleOf(workspace.id)
    const command = unmerge(done, { in: workspace, receivedAt: undoneAt, divide: isDivided })
    const now = yield* load({ ...needsOf(workspace.id, [command]), identifiers: textsOf(secondaryBefore) })
    const { position } = done.receipt
    const moments = {
      primaryBefore,
      secondaryBefore,
      merged,
      mergedAt,
      now,
      undoneAt,
      position,
      isDivided,
    }
    const expected = expectedUnmerge(moments)
    const { entries } = yield* apply(command)
    const people = yield* peopleOf(workspace.id)
    const alive = yield* aliveIn(workspace.id)
    const after = new Map(before)
    for (const one of expected === null ? [] : [expected.primary, expected.secondary]) after.set(one.key, one)
    const outcome = expected === null ? "dropped" : expected.stays.size > 0 ? "partial" : "applied"
    const paths = entries.flatMap(({ refused }) => refused.map(({ path }) => path))
    return (
      firstDifference(shown(people, alive), shown(after, alive), "people") ??
      firstDifference(new Set(paths), new Set(expected?.stays), "what stays") ??
      firstDifference(entries[0]?.outcome, outcome, "the outcome") ??
      (expected === null ? null : yield* eventsElsewhere(events)) ??
      (yield* unresolved(workspace.id, people))
    )
  }).pipe((effect) => Effect.provide(effect, store, { local: true }))

/** Returns by which lookup text an event names somebody, and whom, or null. */
const textNamed = Effect.fnUntraced(function* (command: Command) {
  if (command._tag !== "RecordEvent" || command.workspace.id !== workspace.id) return null
  const { device, target } = command
  if (target?._tag !== "ByIdentifier") return null
  const text = identifierText(target.kind, target.value)
  const { identifiers } = yield* load({ workspace: workspace.id, identifiers: new Set([text]) })
  return { text, holder: identifiers.get(text), hasDevice: device !== null }
})

/** Returns an event that belongs to somebody else than expected, or null. */
const eventsElsewhere = Effect.fnUntraced(function* (events: ReadonlyMap<Sequence, SubjectKey>) {
  const catalog = yield* Catalog
  for (const [sequence, expected] of events) {
    const found = yield* catalog.operation(workspace.id, sequence)
    if (Option.isNone(found) || found.value.isErased) continue
    const { person } = toActivityView(found.value)
    if (person?.key !== expected) return `event ${sequence} belongs to ${person?.key}, expected ${expected}`
  }
  return null
})

/** The value that only one person has. No reader may show it once that person is deleted. */
export const secret = "only the secondary has this"

/**
 * Merges a person with a value of their own into somebody, undoes the merge and deletes the person. Returns where the
 * value is still shown, or null.
 */
const erasedAfter = <E>(store: Layer.Layer<Services, E>, script: Script) =>
  Effect.gen(function* () {
    yield* apply(...beginning, ...couple)
    const now = yield* playSteps(script, "one", noon)
    const [primary, secondary] = (yield* peopleOf(workspace.id)).keys()
    if (primary === undefined || secondary === undefined) return null
    yield* apply(identify(bySvcId(secondary), [["secret", secret]], { in: workspace, receivedAt: now + 1 }))
    const merged = yield* mergePair(primary, secondary, now + 2)
    if (merged === null) return null
    yield* apply(
      unmerge(merged, { in: workspace, receivedAt: now + 3 }),
      remove(bySvcId(secondary), { in: workspace, receivedAt: now + 4 }),
    )
    const shownAtOnce = yield* placeOfSecret
    yield* sweepAll(now + 5)
    return shownAtOnce ?? (yield* placeOfSecret)
  }).pipe((effect) => Effect.provide(effect, store, { local: true }))

/**
 * Merges a person with a value of their own into somebody, which is when a backup is made. Then undoes the merge and deletes
 * the person, on the memory store, whose ledger the restored backup gets. Returns where the backup still shows the value, or
 * null.
 */
const restoredAfter = <E>(store: Layer.Layer<Services, E>, { settings, steps }: Script) =>
  Effect.gen(function* () {
    const half = { settings, steps: steps.slice(0, steps.length >> 1) }
    const backup = Effect.gen(function* () {
      yield* createWorkspaces
      yield* apply(...beginning, ...couple)
      const now = yield* playSteps(half, "one", noon)
      const [primary, secondary] = (yield* peopleOf(workspace.id)).keys()
      if (primary === undefined || secondary === undefined) return null
      yield* apply(identify(bySvcId(secondary), [["secret", secret]], { in: workspace, receivedAt: now + 1 }))
      const merged = yield* mergePair(primary, secondary, now + 2)
      return merged === null ? null : { merged, now, secondary }
    })
    const newer = yield* Effect.gen(function* () {
      const made = yield* backup
      if (made === null) return []
      const { merged, now, secondary } = made
      yield* apply(
        unmerge(merged, { in: workspace, receivedAt: now + 3 }),
        remove(bySvcId(secondary), { in: workspace, receivedAt: now + 4 }),
      )
      return yield* ledgerOf(workspace)
    }).pipe(inNew(memoryStore))
    if (newer.length === 0) return null
    return yield* Effect.gen(function* () {
      const now = (yield* backup)?.now ?? noon
      yield* repeatErasures(newer, submit)
      const shownAtOnce = yield* placeOfSecret
      yield* sweepAll(now + 5)
      return shownAtOnce ?? (yield* placeOfSecret)
    }).pipe(Effect.provide(plainDigest), inNew(store))
  })

const shows = (value: unknown): boolean =>
  JSON.stringify(value, (_, part: unknown) => (part instanceof Map ? [...part] : part)).includes(secret)

/** Returns where the secret of the merged person is shown, or null. */
export const placeOfSecret = Effect.gen(function* () {
  const entries = yield* activity({}, { workspace, limit: 100 })
  const entry = entries.find(shows)
  if (entry !== undefined) return `the entry at ${entry.sequence} of kind ${entry.kind} shows the secret`
  return shows([...(yield* peopleOf(workspace.id)).values()].map(toPlainSubject))
    ? "a person has the secret"
    : null
})

/** Merges two people, and reads the merge from the log. */
export const mergePair = Effect.fnUntraced(function* (
  primary: SubjectKey,
  secondary: SubjectKey,
  receivedAt: number,
) {
  const command = merge(bySvcId(primary), bySvcId(secondary), { in: workspace, receivedAt })
  const [entry] = (yield* apply(command)).entries
  if (entry?.outcome !== "applied") return null
  const record = yield* (yield* Catalog).operation(workspace.id, entry.sequence)
  return Option.isNone(record) ? null : mergeIn(record.value.entry)
})

const shown = (people: ReadonlyMap<SubjectKey, Person>, alive: ReadonlySet<SubjectKey>) =>
  new Map(Array.from(people, ([key, person]) => [key, comparable(person, alive)]))

/** Returns an identifier or a device of somebody that leads to somebody else or to nobody, or null. */
const unresolved = Effect.fnUntraced(function* (id: WorkspaceId, people: ReadonlyMap<SubjectKey, Person>) {
  const texts = new Map(
    [...people].flatMap(([key, one]) => [...textsOf(one)].map((text) => [text, key] as const)),
  )
  const { identifiers } = yield* load({ workspace: id, identifiers: new Set(texts.keys()) })
  return firstDifference(identifiers, texts, "lookup texts")
})

const textsOf = ({ anonymousIds, devices, email, id }: Person): ReadonlySet<string> =>
  new Set([
    ...(id === null ? [] : [identifierText("id", id)]),
    ...(email === null ? [] : [identifierText("email", email)]),
    ...anonymousIds.map((value) => identifierText("anonymous_id", value)),
    ...[...devices.keys()].map(deviceText),
  ])

/** Checks that undoing a merge at once changes nothing, on random scripts. */
export const compareRoundTrips = <E>(
  store: Layer.Layer<Services, E>,
  comparison: Comparison,
): Effect.Effect<Compared> => compareScripts((script) => roundTrip(store, script), comparison)

/** Checks that undoing a merge gives what the model says, whatever happened in between, on random scripts. */
export const compareUnmerges = <E>(
  store: Layer.Layer<Services, E>,
  comparison: Comparison,
): Effect.Effect<Compared> => compareScripts((script) => withWorkBetween(store, script), comparison)

/** Checks that a person who was merged in between is erased as completely as any other, on random scripts. */
export const compareErasures = <E>(
  store: Layer.Layer<Services, E>,
  comparison: Comparison,
): Effect.Effect<Compared> => compareScripts((script) => erasedAfter(store, script), comparison)

/** Checks that nothing of a person comes back with a backup from while they were merged, on random scripts. */
export const compareRestoredMerges = <E>(
  store: Layer.Layer<Services, E>,
  comparison: Comparison,
): Effect.Effect<Compared> => compareScripts((script) => restoredAfter(store, script), comparison)
