import { isJsonObject } from "@inlet/core/values/Json"

/** The maximum number of different write keys read from one body. Calls with further keys are unauthorized. */
const keysPerBodyMax = 100

/** Returns the write keys in a body: its own, and those of the calls in its batch (contract §3). */
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
