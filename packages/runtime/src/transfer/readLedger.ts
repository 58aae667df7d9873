import { createReadStream, existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { digestKeyId, LedgerLine, recordInLine } from "@inlethq/contract/transfer/Erasures"
import { ExportEnd } from "@inlethq/contract/transfer/Exports"
import type { ErasureRecord } from "@inlethq/core/ledger/ErasureRecord"
import type { Digest } from "@inlethq/core/ports/Digest"
import { readErasures } from "@inlethq/storage-sqlite/transfer/readErasures"
import { Effect, Schema } from "effect"
import { readDigestKey } from "../digestKey.ts"
import { BackupRefused } from "./BackupRefused.ts"
import { backupTexts } from "./backupTexts.ts"
import { digestWith } from "../digestWith.ts"

/**
 * Reads an erasure ledger: that of a data directory, which a server may use meanwhile, or a file that `inlet erasure
 * ledger` wrote. Fails if it was written with another digest key than `digest`, because its digests would match nobody.
 */
export const readLedger = (
  path: string,
  digest: Digest["Service"],
): Effect.Effect<ReadonlyArray<ErasureRecord>, BackupRefused> =>
  Effect.tryPromise({
    try: () => (isDirectory(path) ? ofDirectory(path, digest) : ofFile(path, digest)),
    catch: (cause) => {
      const problem = cause instanceof Error ? cause.message : String(cause)
      return new BackupRefused({ problem: backupTexts.ledgerNotRead({ path, problem }) })
    },
  })

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

const ofDirectory = async (
  directory: string,
  digest: Digest["Service"],
): Promise<ReadonlyArray<ErasureRecord>> => {
  const key = readDigestKey(directory)
  if (!existsSync(join(directory, "inlet.db")) || key === undefined)
    throw new Error("it has no inlet.db and digest-key")
  expectKey(digestKeyId(digestWith(key)), digest)
  return readErasures(directory)
}

const decodeLine = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Union([LedgerLine, ExportEnd])))

const ofFile = async (path: string, digest: Digest["Service"]): Promise<ReadonlyArray<ErasureRecord>> => {
  const records: Array<ErasureRecord> = []
  let isWhole = false
  for await (const text of createInterface({ input: createReadStream(path) })) {
    const line = decodeLine(text)
    if ("end" in line) isWhole = line.count === records.length
    else {
      expectKey(line.key_id, digest)
      records.push(recordInLine(line))
    }
  }
  if (!isWhole) throw new Error("its last line is missing, so it is not the whole ledger")
  return records
}

const expectKey = (keyId: string, digest: Digest["Service"]): void => {
  if (keyId !== digestKeyId(digest)) throw new Error("it is the ledger of another installation")
}
