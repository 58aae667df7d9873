/** The query parameters of an address. */
export type ViewQuery = Readonly<Record<string, string>>
