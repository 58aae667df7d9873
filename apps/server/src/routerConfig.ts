/** Matching of the routes outside ingestion. The defaults reject long path parameters and ignore case. */
export const routerConfig = { maxParamLength: 1000, caseSensitive: true, ignoreTrailingSlash: false }
