import { evidenceIn } from "../log/evidence.ts"
import type { Subject } from "../state/Subject.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import { currentPersonOf } from "../fold/WorkingSet.ts"
import { toActivityView, type ActivityRecord } from "./ActivityView.ts"
import type { EvidenceRecord } from "./Catalog.ts"

/** Returns what an entry says about people who are still there and still two. `subjects` has the others that it names. */
export const evidenceRecords = (
  record: ActivityRecord,
  subjects: ReadonlyMap<SubjectKey, Subject>,
): ReadonlyArray<EvidenceRecord> => {
  const evidence = record.isErased ? [] : evidenceIn(record.entry)
  const { person = null } = evidence.length === 0 ? {} : toActivityView(record)
  if (person === null) return []
  return evidence.flatMap(({ other: key, reason }) => {
    const subject = subjects.get(key)
    const other = subject?._tag === "Person" ? subject : subject && currentPersonOf(subjects, subject)
    if (other === undefined || other === null || other.key === person.key) return []
    return [{ entry: record.entry, reason, people: [person, other] as const }]
  })
}
