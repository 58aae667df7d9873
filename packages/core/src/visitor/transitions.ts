import { assign, noAttributes, personBounds } from "../Attributes.ts"
import type { Change } from "../Change.ts"
import type { IdentifyPerson } from "../Command.ts"
import type { Identifier, IdentifierKind, SubjectKey, WorkspaceId } from "../Identifier.ts"
import { heldBy } from "../HoldingsBudget.ts"
import { changeDevice } from "../device/putDevice.ts"
import { identifyPayload } from "../person/identifyPayload.ts"
import { relate } from "../relationship/relate.ts"
import { isForgotten, type Holder } from "../Subject.ts"
import type { EpochMillis } from "../Timestamp.ts"
import { dropped, effective, type Effects, type Verdict } from "../Verdict.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import type { Visitor } from "./Visitor.ts"
import { dropReasons } from "../faults.ts"

/** Somebody whom an identifier names and who is no person: the visitor known by it, if it was ever seen. */
interface Unknown {
  readonly identifier: Identifier
  readonly visitor: Visitor | null
}

/** Keeps what was said about an anonymous visitor until somebody is identified with it; creates no person (contract §13). */
export const identifyVisitor = (
  seen: WorkingSet,
  command: IdentifyPerson,
  unknown: Unknown,
  effects: Effects,
): Verdict => {
  if (command.updateOnly) return dropped(dropReasons.noPersonToUpdate(), "track-api §2.1 _update")
  const { receivedAt, relationships, workspace } = command
  const { change, key } = meet(workspace.id, unknown, receivedAt, effects)
  effects.changes.push(change)
  const visitor = remembered(unknown.visitor, receivedAt)
  const known = visitor?.attributes ?? noAttributes
  const entries = assign(known, command.assignments, command.at, personBounds(workspace.limits), effects)
  if (entries.size > 0) effects.changes.push({ _tag: "AttributesAssigned", key, entries, at: receivedAt })
  if (relationships !== null) {
    relate(seen, command, heldBy(key, visitor), relationships, effects)
  }
  if (command.device !== null) {
    changeDevice(seen, command, { key, holder: visitor }, command.device, effects)
  }
  return effective("pending", effects.faults, {
    rule: "contract §13 anonymous information",
    subject: key,
    data: identifyPayload(command, noneRefused),
    changes: effects.changes,
    fields: effects.fields,
  })
}

const noneRefused: ReadonlySet<IdentifierKind> = new Set()

/** The key of the visitor known by an identifier, and the change that notes that it was named again. */
export const meet = (
  workspace: WorkspaceId,
  { identifier, visitor }: Unknown,
  at: number,
  effects: Effects,
): { readonly key: SubjectKey; readonly change: Change } => {
  const key = visitor?.key ?? effects.newKey()
  return {
    key,
    change: { _tag: "VisitorSeen", key, workspace, knownAs: visitor?.knownAs ?? identifier, at },
  }
}

/** Notes that a request named somebody: a visitor is remembered for 30 days from then on, and so is the entry (contract §16). */
export const noteNamed = (holder: Holder, at: EpochMillis): ReadonlyArray<Change> => {
  if (holder._tag === "Person") return []
  const { key, knownAs, workspace } = holder
  return [{ _tag: "VisitorSeen", key, workspace, knownAs, at }]
}

/** A visitor, unless it is past its time: then nothing of it counts any more. */
export const remembered = (visitor: Visitor | null, now: number): Visitor | null =>
  visitor === null || isForgotten(visitor, now) ? null : visitor
