export const siteId = "bench-site"
export const apiKey = "bench-api-key-0123456789"
export const writeKey = "bench-write-key-0123456789"
export const managementToken = "bench-management-token-0123456789"

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`

/** The Basic credentials of the Track API that every server here takes. */
export const authorization = basic(`${siteId}:${apiKey}`)

/** Those of the Pipelines API. */
export const writeAuthorization = basic(`${writeKey}:`)
