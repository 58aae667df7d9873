import { Catalog } from "@inlethq/core/catalog/Catalog"
import { mergesInto } from "@inlethq/engine/erasures/merges"
import type { Person } from "@inlethq/core/state/Person"
import { identifierText, type Identifier, type SubjectKey } from "@inlethq/core/values/Identifier"
import { Effect, type Layer } from "effect"
import {
  byAnonymousId,
  bySvcId,
  event,
  identify,
  noon,
  remove,
  suppress,
  workspaceOf,
} from "../script/commands.ts"
import {
  compareScripts,
  playSteps,
  type Compared,
  type Comparison,
  type Services,
} from "../differential/differential.ts"
import { apply, load, sweepAll } from "../script/scenario.ts"
import { beginning, commandOf, hour, type Script } from "../script/script.ts"
import { peopleOf } from "./compareHistory.ts"
import { couple, mergePair, placeOfSecret, secret } from "./compareUnmerge.ts"

const workspace = workspaceOf(1)

/**
 * Plays one half of a script, merges a person with a value of their own into somebody, plays the other half, and deletes or
 * suppresses by an identifier that the merge freed. Returns what is left of the person, or null.
 */
const deletedByFreed = <E>(store: Layer.Layer<Services, E>, { settings, steps }: Script) =>
  Effect.gen(function* () {
    yield* apply(...beginning, ...couple)
    const half = Math.ceil(steps.length / 2)
    let now = yield* playSteps({ settings, steps: steps.slice(0, half) }, "one", noon)
    const [primary, secondary] = (yield* peopleOf(workspace.id)).values()
    if (primary === undefined || secondary === undefined) return null
    const name = freedOf(primary, secondary)
    now++
    const known = { anonymousId: `cookie: ${secret}`, in: workspace, receivedAt: now }
    yield* apply(identify(bySvcId(secondary.key), [["secret", secret]], known))
    now++
    const merged = yield* mergePair(primary.key, secondary.key, now)
    if (name === null || merged === null) return null
    const owner = (yield* peopleOf(workspace.id)).get(primary.key)
    if (owner?.anonymousIds.includes(known.anonymousId) === true) {
      now++
      yield* apply(event(byAnonymousId(known.anonymousId), secret, { in: workspace, receivedAt: now }))
    }
    for (const step of steps.slice(half)) {
      now += step.hoursLater * hour
      yield* apply(commandOf(step, now, settings))
    }
    const isExpected = yield* isMergedStill(primary.key, secondary.key, name, now)
    // The merge stays while another identifier of the person is suppressed.
    const isSuppressed = yield* isAnySuppressed(secondary)
    const { end, entry } = yield* erase(steps.length % 2 === 0 ? remove : suppress, name, now + 1)
    if (!isExpected || entry === undefined || entry.outcome === "ignored" || isSuppressed) return null
    if (entry.outcome !== "applied") return `the outcome is ${entry.outcome}`
    if (end?.kind !== "unmerge" || end.sequence !== entry.sequence + 1)
      return `no merge is undone: ${end?.kind}`
    if (entry.subject !== secondary.key) return `the entry is about ${entry.subject}`
    const atOnce = (yield* left(primary.key, secondary.key, now + 1)) ?? (yield* placeOfSecret)
    if (atOnce !== null) return `at once: ${atOnce}`
    yield* sweepAll(now + 2)
    const later = (yield* left(primary.key, secondary.key, now + 2)) ?? (yield* placeOfSecret)
    if (later !== null) return later
    const again = (yield* erase(remove, name, now + 3)).entry?.outcome
    return again === "dropped" || again === "ignored" ? null : `a second deletion is ${again}`
  }).pipe((effect) => Effect.provide(effect, store, { local: true }))

/** Returns an identifier that a merge of two people frees, or null. */
const freedOf = (primary: Person, { email, id }: Person): Identifier | null => {
  if (id !== null && primary.id !== null) return { kind: "id", value: id }
  return email !== null && primary.email !== null ? { kind: "email", value: email } : null
}

const isAnySuppressed = Effect.fnUntraced(function* ({ email, id }: Person) {
  const catalog = yield* Catalog
  return (
    (id !== null && (yield* catalog.isSuppressed(workspace.id, { kind: "id", value: id }))) ||
    (email !== null && (yield* catalog.isSuppressed(workspace.id, { kind: "email", value: email })))
  )
})

const mergesNow = Effect.fnUntraced(function* (primary: SubjectKey, now: number) {
  const person = (yield* peopleOf(workspace.id)).get(primary)
  if (person === undefined) return null
  const all = { after: null, limit: 100, order: "desc" } as const
  return (yield* mergesInto(yield* Catalog, person, now, all)).items
})

/** Returns whether the merge can be undone, and nobody has the identifier. */
const isMergedStill = Effect.fnUntraced(function* (
  primary: SubjectKey,
  secondary: SubjectKey,
  { kind, value }: Identifier,
  now: number,
) {
  const merges = yield* mergesNow(primary, now)
  const text = identifierText(kind, value)
  const { identifiers, subjects } = yield* load({ workspace: workspace.id, identifiers: new Set([text]) })
  const key = identifiers.get(text)
  const isTaken = key !== undefined && subjects.get(key)?._tag === "Person"
  return !isTaken && merges !== null && merges.some((one) => one.secondary === secondary)
})

/** Returns what is wrong with the primary after the deletion, or null. */
const left = Effect.fnUntraced(function* (primary: SubjectKey, secondary: SubjectKey, now: number) {
  const merges = yield* mergesNow(primary, now)
  if (merges === null) return "the primary is gone"
  return merges.some((one) => one.secondary === secondary) ? "the merge can be undone" : null
})

/** Commits a deletion. Returns its entry, and that of the merge that was undone for it. */
const erase = Effect.fnUntraced(function* (
  make: typeof remove | typeof suppress,
  name: Identifier,
  receivedAt: number,
) {
  const { entries, state } = yield* apply(
    make({ _tag: "ByIdentifier", ...name }, { in: workspace, receivedAt }),
  )
  const [entry] = entries
  return { entry, end: state.written.entries.find((one) => one !== entry) }
})

/** Checks that deleting somebody by an identifier that a merge freed leaves nothing of them, on random scripts. */
export const compareFreed = <E>(
  store: Layer.Layer<Services, E>,
  comparison: Comparison,
): Effect.Effect<Compared> => compareScripts((script) => deletedByFreed(store, script), comparison)
