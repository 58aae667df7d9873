import type { RecordEvent } from "../Command.ts"
import { resolve } from "../Resolution.ts"
import { dropped, effective, type Verdict } from "../Verdict.ts"
import { meet } from "../visitor/transitions.ts"
import type { WorkingSet } from "../WorkingSet.ts"

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
      return { ...dropped("unknown svc_id", "contract §8"), name }
    case "Somebody":
      return effective("applied", faults, { rule: "track-api §2.5", subject: found.person.key, name, data })
    case "Nobody": {
      const { changes, key } = meet(seen, command.workspace.id, found, command.receivedAt)
      const rule = found.identifier.kind === "anonymous_id" ? "contract §7" : "contract §8"
      return effective("pending", faults, { rule, subject: key, name, data, changes })
    }
  }
}
