import type { SubjectKey } from "@inlet/core/values/Identifier"
import { isLinked } from "@inlet/core/state/Subject"
import type { WorkingSet } from "@inlet/core/WorkingSet"
import type { Database } from "../engine/Database.ts"

/** Saves which subjects name which since a batch, and how many name each segment and object. */
export const linkWriter = (database: Database): ((seen: WorkingSet) => void) => {
  const link = database.prepare("INSERT OR IGNORE INTO links (target, subject) VALUES (?, ?)")
  const unlink = database.prepare("DELETE FROM links WHERE target = ? AND subject = ?")
  const resize = database.prepare(
    "INSERT INTO sizes (subject, size) VALUES (?, ?) ON CONFLICT (subject) DO UPDATE SET size = size + excluded.size",
  )
  // The batch may not have loaded the target. Segments and objects that something names have a row.
  const resizeKnown = database.prepare("UPDATE sizes SET size = size + ? WHERE subject = ?")

  return ({ subjects, written }) => {
    const growth = new Map<SubjectKey, number>()
    for (const [key, targets] of written.links) {
      const subject = subjects.get(key)
      for (const target of targets) {
        const names = isLinked(subject, target)
        const { changes } = (names ? link : unlink).run(target, key)
        if (changes !== 0) growth.set(target, (growth.get(target) ?? 0) + (names ? 1 : -1))
      }
    }
    for (const [target, by] of growth) {
      const seen = subjects.get(target)
      if (by === 0) continue
      if (seen === undefined) resizeKnown.run(by, target)
      else if (seen._tag === "Segment" || seen._tag === "DataObject") resize.run(target, by)
    }
  }
}
