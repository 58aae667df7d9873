/** What `-o` takes. */
export const outputFormats = ["table", "json", "ndjson"] as const
export type OutputFormat = (typeof outputFormats)[number]
