import { Catalog, noFilter } from "@inlethq/core/catalog/Catalog"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { addressOfDelivery, addressOfEntry } from "@inlethq/core/decision/erasure"
import { addErasedRows, noErasedRows, type ErasedRows } from "@inlethq/core/ledger/ErasedRows"
import { isEventKind, type ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { isOfOther } from "@inlethq/core/log/Overwritten"
import { ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import { Digest, digestsOf } from "@inlethq/core/ports/Digest"
import { recipientsOf, type Delivery } from "@inlethq/core/state/Delivery"
import type { Person } from "@inlethq/core/state/Person"
import { identifierText, type Sequence, type SubjectKey } from "@inlethq/core/values/Identifier"
import { Effect, type Layer } from "effect"
import { bySvcId, noon, remove, workspaceOf } from "../script/commands.ts"
import {
  compareScripts,
  playSteps,
  type Compared,
  type Comparison,
  type Services,
} from "../differential/differential.ts"
import { plainDigest } from "../script/digest.ts"
import { firstDifference } from "../script/firstDifference.ts"
import { apply, ledgerOf, list, sweepAll } from "../script/scenario.ts"
import { beginning, type Script } from "../script/script.ts"
import { peopleOf } from "./compareHistory.ts"
import { couple } from "./compareUnmerge.ts"

const workspace = workspaceOf(1)

/**
 * Deletes a person after a script, and compares what the receipt counts with what a scan of the whole log and of all
 * deliveries before the deletion finds. Returns a difference, or null.
 */
const countsAfter = <E>(store: Layer.Layer<Services, E>, script: Script) =>
  Effect.gen(function* () {
    yield* apply(...beginning, ...couple)
    const now = yield* playSteps(script, "one", noon)
    yield* sweepAll(noon)
    const [person] = (yield* peopleOf(workspace.id)).values()
    if (person === undefined) return null
    const before = yield* wholeLog
    const deliveries = yield* list((catalog, { id }, page) => catalog.deliveries(id, page), { workspace })
    const expected = yield* expectedRows(
      person,
      before,
      deliveries.map(({ delivery }) => delivery),
    )
    yield* apply(remove(bySvcId(person.key), { in: workspace, receivedAt: now + 1 }))
    const record = (yield* ledgerOf(workspace)).at(-1)
    if (record === undefined) return "the ledger has no record"
    yield* sweepAll(noon)
    const left = new Set((yield* wholeLog).map(({ entry }) => entry.sequence))
    const gone = before.filter(({ entry }) => !left.has(entry.sequence)).length
    const actual = yield* (yield* ErasureLedger).erased(workspace.id, record)
    return (
      firstDifference(actual, expected, "erased rows") ??
      firstDifference(actual.events, gone, "entries that are gone")
    )
  }).pipe(Effect.provide(plainDigest), (effect) => Effect.provide(effect, store, { local: true }))

const wholeLog = Effect.gen(function* () {
  const catalog = yield* Catalog
  const found: Array<ActivityRecord> = []
  let after: Sequence | null = null
  do {
    const page: { readonly items: ReadonlyArray<ActivityRecord>; readonly next: Sequence | null } =
      yield* catalog.activity(
        workspace.id,
        { ...noFilter, withErased: true },
        { limit: 50, after, order: "asc" },
      )
    found.push(...page.items)
    after = page.next
  } while (after !== null)
  return found
})

const expectedRows = Effect.fnUntraced(function* (
  person: Person,
  records: ReadonlyArray<ActivityRecord>,
  deliveries: ReadonlyArray<Delivery>,
) {
  const digest = digestsOf(yield* Digest, workspace.id)
  const keys = [person.key, ...person.attached.map(({ key }) => key)].toSorted((a, b) => a - b)
  const addressed = person.email === null ? null : digest(`address:${identifierText("email", person.email)}`)
  const isTheirs = (address: string | null) => address !== null && address === addressed
  const recipientsIn = (delivery: Delivery) =>
    keys.filter((key) => recipientsOf(delivery).includes(key)).length
  let rows: ErasedRows = noErasedRows
  const add = (more: Partial<ErasedRows>) => {
    rows = addErasedRows(rows, { ...noErasedRows, ...more })
  }
  for (const { entry, subject } of records) {
    const found =
      subject?._tag === "Delivery"
        ? reportRows(keys, person.key, subject, isTheirs(addressOfEntry(digest, entry, subject)))
        : entryRows(keys, entry)
    const count = Object.values(found).reduce((sum, each) => sum + each, 0)
    if (count > 0) add({ ...found, from: entry.sequence, to: entry.sequence })
  }
  for (const delivery of deliveries) {
    const isAddressed = isTheirs(addressOfDelivery(digest, delivery)) && delivery.registered !== null
    add({ deliveries: recipientsIn(delivery) + Number(isAddressed) })
  }
  return rows
})

/**
 * Each key that is a recipient takes the content of the report. That of the person, who has the address, also takes it as long as
 * no smaller key has.
 */
const reportRows = (
  keys: ReadonlyArray<SubjectKey>,
  person: SubjectKey,
  delivery: Delivery,
  isAddressed: boolean,
) => {
  const recipients = keys.filter((key) => recipientsOf(delivery).includes(key))
  const isByAddress = isAddressed && recipients.every((key) => key > person)
  return { entries: recipients.length + Number(isByAddress) }
}

/** An entry that is about one of the keys loses its parts when that key is erased, so later keys find only what stays. */
const entryRows = (keys: ReadonlyArray<SubjectKey>, entry: ActivityEntry) => {
  const { kind, overwritten, parts, refused, subject } = entry
  const own = keys.find((key) => key === subject)
  const isEvent = isEventKind(kind)
  const mentions = keys.filter((key) => {
    if (key === subject) return false
    const staying = overwritten.some((one) => one.subject === key && isOfOther(one, subject))
    if (own !== undefined && key > own) return !isEvent && staying
    return (
      staying ||
      overwritten.some((one) => one.subject === key) ||
      parts.some((part) => part.subject === key) ||
      refused.some(({ other }) => other === key)
    )
  })
  return {
    events: Number(own !== undefined && isEvent),
    entries: Number(own !== undefined && !isEvent),
    mentions: mentions.length,
  }
}

/** Checks that the receipt of a deletion counts everything that the deletion erases, on random scripts. */
export const compareErasedRows = <E>(
  store: Layer.Layer<Services, E>,
  comparison: Comparison,
): Effect.Effect<Compared> => compareScripts((script) => countsAfter(store, script), comparison)
