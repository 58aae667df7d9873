/**
 * The keys that client libraries send in a context, with the keys inside those that are objects. A context may have any others, so
 * a field is refused only if it is one of these misspelled.
 */
export const contextKeys: Readonly<Record<string, ReadonlyArray<string>>> = {
  page: ["path", "referrer", "search", "title", "url"],
  campaign: ["name", "source", "medium", "term", "content", "id"],
  referrer: ["id", "type", "name", "url", "link"],
  app: ["name", "version", "build", "namespace"],
  device: ["id", "token", "advertisingId", "adTrackingEnabled", "name", "manufacturer", "model", "type"],
  os: ["name", "version"],
  library: ["name", "version"],
  screen: ["width", "height", "density"],
  network: ["wifi", "cellular", "bluetooth", "carrier"],
  userAgentData: ["brands", "mobile", "platform"],
  location: [],
  consent: [],
  traits: [],
  ip: [],
  locale: [],
  timezone: [],
  userAgent: [],
  groupId: [],
  active: [],
  channel: [],
}

/** Keys that hold objects of the sender's own keys, and a list of objects. A condition on the whole of one says little. */
const notCompared: ReadonlySet<string> = new Set(["location", "consent", "traits", "userAgentData.brands"])

/** The fields of conditions on an event that are worth offering: each single value that client libraries send in a context. */
export const contextFields: ReadonlyArray<string> = Object.entries(contextKeys)
  .flatMap(([key, inside]) => (inside.length === 0 ? [key] : inside.map((name) => `${key}.${name}`)))
  .filter((path) => !notCompared.has(path))
  .map((path) => `context.${path}`)
