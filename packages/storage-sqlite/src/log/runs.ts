/** The number of consecutive log positions in a run. The log of a workspace is indexed one run at a time. */
export const runEntries = 4096

/** Returns the run that contains a position. */
export const runOf = (sequence: number): number => Math.floor(sequence / runEntries)

export type Order = "asc" | "desc"
