export const siteId = "bench-site"
export const apiKey = "bench-api-key-0123456789"
export const writeKey = "bench-write-key-0123456789"
export const managementToken = "bench-management-token-0123456789"

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`

/** Returns the Basic credentials of a Track API key. */
export const authorizationOf = (site: string, key: string): string => basic(`${site}:${key}`)

/** Basic credentials for the Track API. All benchmarked servers use the same credentials. */
export const authorization = authorizationOf(siteId, apiKey)

/** Basic credentials for the Pipelines API. */
export const writeAuthorization = basic(`${writeKey}:`)
