import type { RecordEvent } from "./commands.ts"
import { changeDevice } from "../device/putDevice.ts"
import { resolve } from "../decision/resolve.ts"
import { type Holder, remembered } from "../state/Subject.ts"
import { dropped, effective, type Verdict } from "../decision/Verdict.ts"
import { DecisionDraft } from "../decision/DecisionDraft.ts"
import { meet } from "../visitor/transitions.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import { dropReasons } from "../log/faults.ts"

/**
 * Records what somebody did (track-api §2.5, §3). What was done by somebody unknown is kept under the identifier that
 * named them and is theirs once they are identified (contract §7, §8); nobody is created.
 */
export const record = (seen: WorkingSet, command: RecordEvent): Verdict => {
  const { data, faults, name, target } = command
  if (target === null) {
    return effective("pending", faults, { rule: "track-api §4.3 rule 4", subject: null, name, data })
  }
  const found = resolve(seen, command.workspace.id, target)
  switch (found._tag) {
    case "UnknownSvcId":
      return { ...dropped(dropReasons.unknownSvcId(), "contract §8 events of the unknown"), name }
    case "Somebody": {
      const { person } = found
      const verdict = effective("applied", faults, {
        rule: "track-api §2.5",
        subject: person.key,
        name,
        data,
      })
      return command.device === null
        ? verdict
        : withDevice(seen, command, verdict, person, new DecisionDraft(seen, faults))
    }
    case "Nobody": {
      const { receivedAt, workspace } = command
      const draft = new DecisionDraft(seen, faults)
      const { change, key } = meet(workspace.id, found, receivedAt, draft)
      const rule =
        found.identifier.kind === "anonymous_id"
          ? "contract §7 unattached events"
          : "contract §8 events of the unknown"
      const verdict = effective("pending", faults, { rule, subject: key, name, data, changes: [change] })
      return withDevice(seen, command, verdict, remembered(found.visitor, receivedAt), draft)
    }
  }
}

/** Adds what the request says of a device beside the event; few do. */
const withDevice = (
  seen: WorkingSet,
  command: RecordEvent,
  verdict: Verdict,
  holder: Holder | null,
  draft: DecisionDraft,
): Verdict => {
  const { device } = command
  if (device === null || verdict.subject === null) return verdict
  changeDevice(seen, command, { key: verdict.subject, holder }, device, draft)
  return {
    ...effective(verdict.outcome === "pending" ? "pending" : "applied", draft.faults, verdict),
    changes: [...verdict.changes, ...draft.changes],
    fields: draft.fields,
  }
}
