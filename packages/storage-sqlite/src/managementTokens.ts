import { namedTokensMax, TooManyTokens, type ManagementTokens } from "@inlet/core/ports/ManagementTokens"
import { integer } from "@inlet/storage/columns"
import { toStored } from "@inlet/storage/storedText"
import { tokenDoc, tokenFromRow } from "@inlet/storage/tokenRows"
import { wholeInstallation } from "@inlet/storage/transfer/transferTables"
import { Effect, Option } from "effect"
import type { Database } from "./engine/Database.ts"

const columns = "workspace, id, created, used, doc"

export const makeManagementTokens = (database: Database): ManagementTokens["Service"] => {
  const { durability } = database
  const all = database.reads.prepare(`SELECT ${columns} FROM management_tokens ORDER BY created, id`)
  const count = database.prepare("SELECT count(*) AS tokens FROM management_tokens")
  const insert = database.prepare(`INSERT INTO management_tokens (${columns}) VALUES (?, ?, ?, ?, ?)`)
  const remove = database.prepare(`DELETE FROM management_tokens WHERE id = ? RETURNING ${columns}`)
  const use = database.prepare(
    "UPDATE management_tokens SET used = ?1 WHERE id = ?2 AND coalesce(used, -1) < ?1",
  )
  return {
    all: durability.read("read management tokens", () => all.all().map(tokenFromRow)),
    add: (token) =>
      durability
        .write("add a management token", () =>
          database.write(() => {
            if (integer(count.get()?.["tokens"]) >= namedTokensMax) return false
            const { createdAt, tokenId, usedAt } = token
            insert.run(wholeInstallation, toStored(tokenId), createdAt, usedAt, tokenDoc(token))
            return true
          }),
        )
        .pipe(Effect.flatMap((added) => (added ? Effect.void : Effect.fail(new TooManyTokens())))),
    revoke: (tokenId) =>
      durability.write("revoke a management token", () =>
        database.write(() => Option.map(Option.fromUndefinedOr(remove.get(toStored(tokenId))), tokenFromRow)),
      ),
    used: (uses) =>
      durability.write("record the use of management tokens", () =>
        database.write(() => {
          for (const [tokenId, at] of uses) use.run(at, toStored(tokenId))
        }),
      ),
  }
}
