import { Effect, Layer, Option } from "effect"
import { Catalog } from "@inlet/core/catalog/Catalog"
import { mergeIn } from "@inlet/core/history/mergeReceipt"
import type { Person } from "@inlet/core/state/Person"
import { deviceText, identifierText, type SubjectKey, type WorkspaceId } from "@inlet/core/values/Identifier"
import { toPlainSubject } from "@inlet/core/state/Subject"
import { bySvcId, identify, merge, noon, remove, unmerge, workspaceOf } from "../commands.ts"
import { compareScripts, playSteps, type Compared, type Comparison, type Services } from "../differential.ts"
import { firstDifference } from "../firstDifference.ts"
import { activity, apply, load, sweepAll } from "../scenario.ts"
import { beginning, commandOf, hour, type Script } from "../script.ts"
import { aliveIn, comparable, peopleOf } from "./compareHistory.ts"

/** The first workspace, in which the scripts make most people. */
const workspace = workspaceOf(1)

/** Merges two people whom a script has made and undoes the merge. Returns a difference to before, or null. */
const roundTrip = <E>(store: Layer.Layer<Services, E>, script: Script) =>
  Effect.gen(function* () {
    yield* apply(...beginning)
    const now = yield* playSteps(script, "one", noon)
    const before = yield* peopleOf(workspace.id)
    const [primary, secondary] = before.keys()
    if (primary === undefined || secondary === undefined) return null
    const merged = yield* mergeOf(primary, secondary, now + 1)
    if (merged === null) return null
    yield* apply(unmerge(merged, { in: workspace, receivedAt: now + 2 }))
    const after = yield* peopleOf(workspace.id)
    const alive = yield* aliveIn(workspace.id)
    const difference = firstDifference(shown(after, alive), shown(before, alive), "people")
    return difference ?? (yield* unresolved(workspace.id, after))
  }).pipe((effect) => Effect.provide(effect, store, { local: true }))

/**
 * Plays one half of a script, merges two people, plays the other half and undoes the merge. Returns a fault of the
 * result, or null.
 */
const withWorkBetween = <E>(store: Layer.Layer<Services, E>, { settings, steps }: Script) =>
  Effect.gen(function* () {
    yield* apply(...beginning)
    const half = Math.ceil(steps.length / 2)
    const now = yield* playSteps({ settings, steps: steps.slice(0, half) }, "one", noon)
    const [primary, secondary] = (yield* peopleOf(workspace.id)).keys()
    if (primary === undefined || secondary === undefined) return null
    const merged = yield* mergeOf(primary, secondary, now + 1)
    if (merged === null) return null
    let at = now + 1
    for (const step of steps.slice(half)) {
      at += step.hoursLater * hour
      yield* apply(commandOf(step, at, settings))
    }
    const { entries } = yield* apply(unmerge(merged, { in: workspace, receivedAt: at + 1 }))
    const [entry] = entries
    const people = yield* peopleOf(workspace.id)
    const isBack = people.has(secondary)
    const isApplied = entry?.outcome === "applied" || entry?.outcome === "partial"
    if (isBack !== isApplied)
      return `the outcome is ${entry?.outcome}, but the secondary is ${isBack ? "" : "not "}back`
    return yield* unresolved(workspace.id, people)
  }).pipe((effect) => Effect.provide(effect, store, { local: true }))

/** The value that only one person has. No reader may show it once that person is deleted. */
const secret = "only the secondary has this"

/**
 * Merges a person with a value of their own into somebody, undoes the merge and deletes the person. Returns where the
 * value is still shown, or null.
 */
const erasedAfter = <E>(store: Layer.Layer<Services, E>, script: Script) =>
  Effect.gen(function* () {
    yield* apply(...beginning)
    const now = yield* playSteps(script, "one", noon)
    const [primary, secondary] = (yield* peopleOf(workspace.id)).keys()
    if (primary === undefined || secondary === undefined) return null
    yield* apply(identify(bySvcId(secondary), [["secret", secret]], { in: workspace, receivedAt: now + 1 }))
    const merged = yield* mergeOf(primary, secondary, now + 2)
    if (merged === null) return null
    yield* apply(
      unmerge(merged, { in: workspace, receivedAt: now + 3 }),
      remove(bySvcId(secondary), { in: workspace, receivedAt: now + 4 }),
    )
    const shownAtOnce = yield* placeOfSecret
    yield* sweepAll(now + 5)
    return shownAtOnce ?? (yield* placeOfSecret)
  }).pipe((effect) => Effect.provide(effect, store, { local: true }))

const shows = (value: unknown): boolean =>
  JSON.stringify(value, (_, part: unknown) => (part instanceof Map ? [...part] : part)).includes(secret)

const placeOfSecret = Effect.gen(function* () {
  const entries = yield* activity({}, { workspace, limit: 100 })
  const entry = entries.find(shows)
  if (entry !== undefined) return `the entry at ${entry.sequence} of kind ${entry.kind} shows the secret`
  return shows([...(yield* peopleOf(workspace.id)).values()].map(toPlainSubject))
    ? "a person has the secret"
    : null
})

/** Merges two people, and reads the merge from the log. */
const mergeOf = Effect.fnUntraced(function* (primary: SubjectKey, secondary: SubjectKey, receivedAt: number) {
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
  const texts = new Map<string, SubjectKey>()
  for (const [key, { anonymousIds, devices, email, id: own }] of people) {
    if (own !== null) texts.set(identifierText("id", own), key)
    if (email !== null) texts.set(identifierText("email", email), key)
    for (const value of anonymousIds) texts.set(identifierText("anonymous_id", value), key)
    for (const token of devices.keys()) texts.set(deviceText(token), key)
  }
  const { identifiers } = yield* load({ workspace: id, identifiers: new Set(texts.keys()) })
  return firstDifference(identifiers, texts, "lookup texts")
})

/** Checks that undoing a merge at once changes nothing, on random scripts. */
export const compareRoundTrips = <E>(
  store: Layer.Layer<Services, E>,
  comparison: Comparison,
): Effect.Effect<Compared> => compareScripts((script) => roundTrip(store, script), comparison)

/** Checks that people are whole after a merge is undone, whatever happened in between, on random scripts. */
export const compareUnmerges = <E>(
  store: Layer.Layer<Services, E>,
  comparison: Comparison,
): Effect.Effect<Compared> => compareScripts((script) => withWorkBetween(store, script), comparison)

/** Checks that a person who was merged in between is erased as completely as any other, on random scripts. */
export const compareErasures = <E>(
  store: Layer.Layer<Services, E>,
  comparison: Comparison,
): Effect.Effect<Compared> => compareScripts((script) => erasedAfter(store, script), comparison)
