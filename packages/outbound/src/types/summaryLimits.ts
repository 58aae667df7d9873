/** The most pages of the log that are read at once, and while commits are running. */
export const pagesMax = 20
export const busyPagesMax = 4

/** The share of one processor that a backlog takes while commits are running. */
export const busyShare = 0.1

/** The shortest time between two times that summaries are stored. */
export const storedMsMin = 1000

/** Storing what many entries changed takes longer. Between two times, at least this many times as long passes. */
export const storedRestFactor = 20

/** The most rows, and characters of all but the last of them, that one transaction stores. */
export const storedRowsMax = 50
export const storedCharactersMax = 64 * 1024

/** Summaries are stored at the latest when this many names and causes have changed. */
export const changedRowsMax = 500

/** The most workspaces whose summaries are in memory. Those of others are read again when their logs go on. */
export const openWorkspacesMax = 3

/** The thread that summarizes ends when nothing was read for so long. */
export const idleMsMax = 60_000
