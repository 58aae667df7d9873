/** What the routes beside ingestion are matched by; the defaults refuse long parameters and ignore case. */
export const routerConfig = { maxParamLength: 1000, caseSensitive: true, ignoreTrailingSlash: false }
