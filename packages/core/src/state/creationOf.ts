import { readTime, secondMs, type EpochMillis } from "../values/Timestamp.ts"
import { createdAtName, valueOf } from "./Attributes.ts"
import type { Person } from "./Person.ts"

/**
 * Returns the `created_at` that is shown of a person: the one that a client sent, otherwise the time when the profile was
 * created. A stored number always means Unix seconds, however large, with a fraction if the person was imported from an
 * export. Text occurs too, because forms store `created_at` as text.
 */
export const creationOf = ({ attributes, createdAt }: Person): EpochMillis => {
  const stored = valueOf(attributes, createdAtName)
  if (stored === null) return createdAt
  return (typeof stored === "number" ? Math.round(stored * secondMs) : readTime(stored)) ?? createdAt
}
