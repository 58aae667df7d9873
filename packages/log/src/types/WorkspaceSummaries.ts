import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { isEventKind, type ActivityEntry, type ActivityKind } from "@inlethq/core/log/ActivityEntry"
import { tookEffect } from "@inlethq/core/log/Outcome"
import type { CauseRow, ShapedTypeRow, TypeName } from "@inlethq/core/ports/LogSummaries"
import { dayMs } from "@inlethq/core/values/Timestamp"
import { Schema } from "effect"
import { causeKey, causeOf, CauseSummary, StoredCause } from "./CauseSummary.ts"
import { Counted } from "./Counted.ts"
import { looksLikeData } from "./looksLikeData.ts"
import { StoredPath, type Whom } from "./PathSummary.ts"
import { seenIn, type Seen } from "./Seen.ts"
import { anyKey, type PathBudget } from "./ShapeSummary.ts"
import { StoredType, TypeSummary } from "./TypeSummary.ts"

/** The most names of a workspace. Entries of further names count as `*`. */
export const namesMax = 2000

/** The most causes of a workspace. If there are more, those that were seen last the longest ago are forgotten. */
export const causesMax = 500

/** The name under which the attributes of people, and of objects of one type, are summarized. */
const attributesName = "attributes"

const decodeType = Schema.decodeUnknownSync(Schema.fromJsonString(StoredType))
const decodeShape = Schema.decodeUnknownSync(Schema.fromJsonString(StoredPath))
const decodeCause = Schema.decodeUnknownSync(Schema.fromJsonString(StoredCause))

/** Reads the summary of a name. */
export const typeFromRow = ({ doc, shape }: ShapedTypeRow, budget: PathBudget = { used: 0 }): TypeSummary =>
  TypeSummary.from({ type: decodeType(doc), shape: decodeShape(shape) }, budget)

/** Reads what is stored of a name beside its shape. */
export const storedTypeFrom = ({ doc }: { readonly doc: string }): StoredType => decodeType(doc)

/** Reads the summary of a cause. */
export const causeFromRow = ({ doc }: Pick<CauseRow, "doc">): CauseSummary =>
  CauseSummary.from(decodeCause(doc))

/** What changed since the last call of `takeChanges`, as rows. */
export interface SummaryChanges {
  readonly types: ReadonlyArray<ShapedTypeRow>
  readonly causes: ReadonlyArray<CauseRow>
  readonly forgottenCauses: ReadonlyArray<string>
  /** Whether keys of people who are gone were forgotten. */
  readonly hasForgotten: boolean
}

/** What the entries of one log have in common. It is a fold over the log, an entry at a time. */
export class WorkspaceSummaries {
  private readonly types = new Map<string, TypeName & { readonly summary: TypeSummary }>()
  private readonly causes = new Map<string, CauseSummary>()
  private readonly changedTypes = new Set<string>()
  private readonly changedCauses = new Set<string>()
  private readonly forgottenCauses = new Set<string>()
  private readonly budget: PathBudget = { used: 0 }
  private day = 0
  private hasErasures = false
  private hasForgotten = false

  /** Adds rows that `takeChanges` returned once. */
  load(types: ReadonlyArray<ShapedTypeRow>, causes: ReadonlyArray<CauseRow>): void {
    for (const row of types) {
      const { kind, name } = row
      this.types.set(keyOf(row), { kind, name, summary: typeFromRow(row, this.budget) })
    }
    for (const row of causes) this.causes.set(row.cause, causeFromRow(row))
  }

  /** Adds an entry. */
  add(record: ActivityRecord): void {
    const { entry, isErased } = record
    this.noteErasures(entry)
    const seen = seenIn(entry)
    const whom = isErased ? nobody : whomOf(record)
    const name = isErased ? null : typeNameOf(record)
    if (name !== null) this.addType(name, record, seen, whom)
    else if (!isErased) this.addRejected(entry, seen)
    this.addCause(entry, seen, whom)
  }

  /**
   * Returns people and objects of whom it has to be known whether they are gone, or null if nobody can have gone since the last
   * call of `forget`.
   */
  get doubtful(): ReadonlySet<number> | null {
    if (!this.hasErasures) return null
    return new Set(Array.from(this.types.values(), ({ summary }) => [...summary.shape.soleSenders()]).flat())
  }

  /** Forgets the keys that nobody has sent but people and objects who are gone. */
  forget(gone: ReadonlySet<number>): void {
    this.hasErasures = false
    for (const [key, { summary }] of this.types) {
      if (!summary.shape.forget(gone)) continue
      this.changedTypes.add(key)
      this.hasForgotten = true
    }
  }

  /** Returns what changed since the last call. */
  takeChanges(): SummaryChanges {
    this.forgetOldCauses()
    const changes = {
      types: Array.from(this.changedTypes, (key) => this.typeRow(key)).flat(),
      causes: Array.from(this.changedCauses, (key) => this.causeRow(key)).flat(),
      forgottenCauses: [...this.forgottenCauses],
      hasForgotten: this.hasForgotten,
    }
    this.hasForgotten = false
    this.changedTypes.clear()
    this.changedCauses.clear()
    this.forgottenCauses.clear()
    return changes
  }

  /** The number of names and causes that changed since the last call of `takeChanges`. */
  get changes(): number {
    return this.changedTypes.size + this.changedCauses.size
  }

  /** People are erased by operations, and visitors for their age, at the latest every day. */
  private noteErasures({ kind, receivedAt }: ActivityEntry): void {
    const day = Math.floor(receivedAt / dayMs)
    if (day !== this.day || kind === "delete" || kind === "suppress" || kind === "object_delete") {
      this.hasErasures = true
    }
    this.day = day
  }

  private addCause(entry: ActivityEntry, seen: Seen, { key: subject }: Whom): void {
    const cause = causeOf(entry, (segment) => this.hasShared(segment))
    if (cause === null) return
    const key = causeKey(cause)
    const summary = this.causes.get(key) ?? new CauseSummary(cause, new Counted(seen))
    summary.add(seen, subject)
    this.causes.set(key, summary)
    this.changedCauses.add(key)
    this.forgottenCauses.delete(key)
  }

  private hasShared(key: string): boolean {
    for (const { summary } of this.types.values()) if (summary.shape.hasShared(key)) return true
    return false
  }

  private addType(wanted: TypeName, { entry }: ActivityRecord, seen: Seen, whom: Whom): void {
    const name = this.placeOf(wanted)
    const key = keyOf(name)
    const summary = this.types.get(key)?.summary ?? TypeSummary.begin(seen, this.budget)
    summary.add(entry.data, seen, whom)
    if (entry.plan !== undefined) summary.addViolation(seen)
    this.types.set(key, { ...name, summary })
    this.changedTypes.add(key)
  }

  /** Counts a call that a plan has rejected. A name that no other call has is not summarized. */
  private addRejected({ kind, outcome, plan }: ActivityEntry, seen: Seen): void {
    if (outcome !== "rejected" || plan === undefined || plan.name === null || kind === null) return
    const key = keyOf(this.placeOf(eventNameOf(kind, plan.name)))
    const summary = this.types.get(key)?.summary
    if (summary === undefined) return
    summary.addViolation(seen)
    this.changedTypes.add(key)
  }

  /** The name under which entries of a name count: its own, or `*` once there is no place for another. */
  private placeOf(name: TypeName): TypeName {
    const isKept = this.types.size < namesMax || this.types.has(keyOf(name))
    return isKept ? name : { kind: name.kind, name: anyKey }
  }

  private forgetOldCauses(): void {
    if (this.causes.size <= causesMax) return
    const oldestFirst = [...this.causes].toSorted(
      ([, a], [, b]) => a.counted.last.position - b.counted.last.position,
    )
    for (const [key] of oldestFirst.slice(0, this.causes.size - causesMax)) {
      this.causes.delete(key)
      this.changedCauses.delete(key)
      this.forgottenCauses.add(key)
    }
  }

  private typeRow(key: string): ReadonlyArray<ShapedTypeRow> {
    const found = this.types.get(key)
    if (found === undefined) return []
    const { shape, type } = found.summary.stored()
    return [{ kind: found.kind, name: found.name, doc: JSON.stringify(type), shape: JSON.stringify(shape) }]
  }

  private causeRow(key: string): ReadonlyArray<CauseRow> {
    const found = this.causes.get(key)
    return found === undefined ? [] : [{ cause: key, doc: JSON.stringify(found.stored()) }]
  }
}

const keyOf = ({ kind, name }: TypeName): string => JSON.stringify([kind, name])

const nobody: Whom = { key: 0, attached: [] }

const whomOf = ({ entry, owner, subject }: ActivityRecord): Whom => {
  const person = owner ?? (subject?._tag === "Person" ? subject : null)
  return person ?? { key: entry.subject ?? 0, attached: [] }
}

/** Returns under which name an entry is summarized, or null. Names that are data are `*`. */
const typeNameOf = ({ entry, subject }: ActivityRecord): TypeName | null => {
  const { kind, name, outcome } = entry
  if (kind === null || !tookEffect(outcome)) return null
  if (isEventKind(kind)) return eventNameOf(kind, name)
  if (kind === "identify") return { kind: "person", name: attributesName }
  if (kind !== "object_identify" || subject?._tag !== "DataObject") return null
  return { kind: `object:${subject.typeId}`, name: attributesName }
}

const eventNameOf = (kind: ActivityKind, name: string | null): TypeName => ({
  kind: kind === "anonymous_event" ? "event" : kind,
  name: name === null || looksLikeData(name) ? anyKey : name,
})
