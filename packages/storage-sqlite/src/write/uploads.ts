import { uploadRetentionMs, type UploadPart } from "@inlet/core/ports/Upload"
import { text } from "@inlet/storage/columns"
import type { Database } from "../engine/Database.ts"

/** The largest number of expired uploads that each new upload removes. */
const removedMax = 100

/**
 * Returns a function that stores the digest of a part of an upload under the part's name. If a digest was stored
 * under this name in the last `uploadRetentionMs` milliseconds, the function changes nothing. Returns the stored
 * digest.
 */
export const uploads = (database: Database): ((part: UploadPart) => string) => {
  const one = database.prepare("SELECT digest FROM uploads WHERE workspace = ? AND name = ? AND at >= ?")
  const insert = database.prepare(
    "INSERT OR REPLACE INTO uploads (workspace, name, digest, at) VALUES (?, ?, ?, ?)",
  )
  const prune = database.prepare(`
    DELETE FROM uploads WHERE (workspace, name) IN
      (SELECT workspace, name FROM uploads WHERE at < ? ORDER BY at LIMIT ${removedMax})
  `)
  return ({ at, digest, name, workspace }) => {
    const since = at - uploadRetentionMs
    const registered = () => one.get(workspace, name, since)?.["digest"]
    const known = registered()
    if (known !== undefined) return text(known)
    return database.write(() => {
      const found = registered()
      if (found !== undefined) return text(found)
      prune.run(since)
      insert.run(workspace, name, digest, at)
      return digest
    })
  }
}
