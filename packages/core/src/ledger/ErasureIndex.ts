import { identifierText, type Identifier, type Sequence, type SubjectKey } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import { subjectDigest, type ErasureRecord } from "./ErasureRecord.ts"

/**
 * Says what the ledger of a workspace erased, for whoever keeps or brings in data from outside the store: files of a lake,
 * the log of another server, an import.
 */
export class ErasureIndex {
  private readonly digest: (text: string) => string
  /** The log position before which everything about a key is erased, by the digest of the key. */
  private readonly positions = new Map<string, Sequence>()
  /** The time of the last erasure of whoever had an identifier, by its digest. */
  private readonly times = new Map<string, EpochMillis>()

  /** `digest` computes the digests of the workspace (see `digestsOf`). */
  constructor(digest: (text: string) => string, records: Iterable<ErasureRecord>) {
    this.digest = digest
    for (const record of records) this.add(record)
  }

  add({ action, at, freed = [], identifiers, position, subjects }: ErasureRecord): void {
    if (action === "unsuppress") return
    for (const subject of subjects) raise(this.positions, subject, position)
    for (const identifier of identifiers) raise(this.times, identifier, at)
    // The operation by which the person lost it named them, too.
    for (const one of freed) raise(this.times, one.identifier, one.at + 1)
  }

  /** Returns whether what the log has at a position about a person, visitor or merged person is erased. */
  erasesEntry(subject: SubjectKey, sequence: Sequence): boolean {
    return sequence < (this.positions.get(subjectDigest(this.digest, subject)) ?? 0)
  }

  /** Returns whether what was recorded about an identifier at a time is erased. */
  erasesIdentifier({ kind, value }: Identifier, at: EpochMillis): boolean {
    return at < (this.times.get(this.digest(identifierText(kind, value))) ?? 0)
  }
}

const raise = <N extends number>(map: Map<string, N>, key: string, to: N): void => {
  const before = map.get(key)
  if (before === undefined || before < to) map.set(key, to)
}
