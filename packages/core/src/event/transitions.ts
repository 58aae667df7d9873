import type { RecordEvent } from "./commands.ts"
import { applyDeviceChange } from "../device/upsertDevice.ts"
import { resolvePerson } from "../decision/resolvePerson.ts"
import { movedName } from "../person/movedNames.ts"
import type { Person } from "../state/Person.ts"
import { type Holder, unlessExpired } from "../state/Subject.ts"
import { dropped, accepted, type Verdict } from "../decision/Verdict.ts"
import { DecisionDraft } from "../decision/DecisionDraft.ts"
import { ensureVisitor } from "../visitor/transitions.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import { dropTexts } from "../log/operationTexts.ts"

/**
 * Records an event (track-api §2.5, §3). Creates no person. If no person has the event's identifier, the event is
 * stored under that identifier and later belongs to the person who receives it (contract §7, §8).
 */
export const recordEvent = (state: WorkingSet, command: RecordEvent): Verdict => {
  const { data, faults, name, target } = command
  if (target === null) {
    return accepted("pending", faults, { rule: "track-api §4.3 rule 4", subject: null, name, data })
  }
  const found = resolvePerson(state, target)
  switch (found._tag) {
    case "UnknownSvcId":
      return { ...dropped(dropTexts.unknownSvcId(), "contract §8 events of unknown people"), name }
    case "KnownPerson": {
      const { person } = found
      const verdict = accepted("applied", faults, {
        rule: "track-api §2.5",
        subject: person.key,
        name,
        data,
      })
      // What an event says about a device stays with the person, and so does the event.
      return command.device === null
        ? withMovedName(state, command, verdict, person, { reference: target, by: found.by })
        : withDevice(state, command, verdict, person, new DecisionDraft(state, faults))
    }
    case "UnknownIdentifier": {
      const { receivedAt } = command
      const draft = new DecisionDraft(state, faults)
      const { change, key } = ensureVisitor(found, receivedAt, draft)
      const rule =
        found.identifier.kind === "anonymous_id"
          ? "contract §7 unattached events"
          : "contract §8 events of unknown people"
      const verdict = accepted("pending", faults, { rule, subject: key, name, data, changes: [change] })
      return withDevice(state, command, verdict, unlessExpired(found.visitor, receivedAt), draft)
    }
  }
}

/** Records an event under its own key if it names the person by an identifier that a merge moved to them. */
const withMovedName = (
  state: WorkingSet,
  { receivedAt: at, workspace }: RecordEvent,
  verdict: Verdict,
  person: Person,
  named: Parameters<typeof movedName>[2],
): Verdict => {
  const attachedMax = workspace.limits.identifiersPerPersonMax
  const moved = movedName(state, person, named, { at, attachedMax })
  if (moved === null) return verdict
  const changes = moved.change === null ? verdict.changes : [...verdict.changes, moved.change]
  return { ...verdict, changes, via: moved.key }
}

/** Adds, updates or removes the device that an event names. Does nothing if the event names no device. */
const withDevice = (
  state: WorkingSet,
  command: RecordEvent,
  verdict: Verdict,
  holder: Holder | null,
  draft: DecisionDraft,
): Verdict => {
  const { device } = command
  if (device === null || verdict.subject === null) return verdict
  applyDeviceChange(state, command, { key: verdict.subject, holder }, device, draft)
  return {
    ...accepted(verdict.outcome === "pending" ? "pending" : "applied", draft.faults, verdict),
    changes: [...verdict.changes, ...draft.changes],
    fields: draft.fields,
  }
}
