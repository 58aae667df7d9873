import { ApiKey } from "@inlet/core/workspace/Credentials"
import { integerOrNull, text, type Row } from "@inlet/storage/columns"
import { Schema } from "effect"

const { lastUsedAt: _, ...stored } = ApiKey.fields

/** The part of a key that never changes. Its row keeps it as JSON. Rows of earlier versions have no prefix or expiry. */
const StoredKey = Schema.Struct({
  ...stored,
  prefix: Schema.optionalKey(stored.prefix),
  expiresAt: Schema.optionalKey(stored.expiresAt),
})

const decodeKey = Schema.decodeUnknownSync(Schema.fromJsonString(StoredKey))
const encodeKey = Schema.encodeSync(Schema.fromJsonString(StoredKey))

/** Decodes a key from the columns `key`, its JSON, and `last_used`. */
export const keyFromRow = (row: Row): ApiKey => ({
  prefix: null,
  expiresAt: null,
  ...decodeKey(text(row["key"])),
  lastUsedAt: integerOrNull(row["last_used"] ?? null),
})

/** Returns the JSON of a key without its last use, which has a column of its own. */
export const keyText = (key: ApiKey): string => encodeKey(key)
