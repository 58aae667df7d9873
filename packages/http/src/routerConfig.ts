/**
 * The router options for paths outside ingestion. With the router's defaults, long path parameters would be rejected
 * and case would be ignored.
 */
export const routerConfig = { maxParamLength: 1000, caseSensitive: true, ignoreTrailingSlash: false }
