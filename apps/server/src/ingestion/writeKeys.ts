import { isJsonObject } from "@inlet/core/values/Json"

/** Different write keys that one body can name; calls with others are unauthorized. */
const keysPerBodyMax = 100

/** The write keys that a body names: at its top, and in the calls of a batch (contract §3). */
export const keysIn = (body: unknown): ReadonlySet<string> => {
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
