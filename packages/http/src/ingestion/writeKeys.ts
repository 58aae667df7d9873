import { isJsonObject } from "@inlethq/core/values/Json"

/** The largest number of write keys that are read from one body. Calls with further keys are unauthorized. */
const keysPerBodyMax = 100

/**
 * Returns the write keys in a body: the key of the body itself and the keys of the calls in its batch (contract §3).
 */
export const writeKeysIn = (body: unknown): ReadonlySet<string> => {
  const keys = new Set<string>()
  if (!isJsonObject(body)) return keys
  const { batch } = body
  for (const holder of [body, ...(Array.isArray(batch) ? batch : [])]) {
    if (keys.size >= keysPerBodyMax) break
    const key = isJsonObject(holder) ? holder["writeKey"] : undefined
    if (typeof key === "string" && key !== "") keys.add(key)
  }
  return keys
}
