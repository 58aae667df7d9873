/** Entries that make a run of the log: what is indexed of it at a time. */
export const runEntries = 4096

/** The run that a position lies in. */
export const runOf = (sequence: number): number => Math.floor(sequence / runEntries)

export type Order = "asc" | "desc"
