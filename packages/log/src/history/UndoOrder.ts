import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { deletionFreeing } from "@inlethq/core/person/freed"

/**
 * Undoes entries in the order opposite to that of their operations. A deletion can end merges, whose entries come after those of
 * other calls of the request, so they are undone once the walk has come to the deletion.
 */
export class UndoOrder {
  private readonly undo: (entry: ActivityEntry) => void
  /** The ends of merges that deletions made, newest first, until the walk has come to the deletions. */
  private readonly freed: Array<{ readonly entry: ActivityEntry; readonly deletion: number }> = []

  constructor(undo: (entry: ActivityEntry) => void) {
    this.undo = undo
  }

  add(entry: ActivityEntry): void {
    const deletion = deletionFreeing(entry)
    if (deletion === undefined) this.undo(entry)
    else this.freed.push({ entry, deletion })
  }

  /** Undoes the ends of merges that deletions after a position made. */
  passed(position: number): void {
    while ((this.freed.at(0)?.deletion ?? 0) > position) {
      const next = this.freed.shift()
      if (next !== undefined) this.undo(next.entry)
    }
  }
}
