import { dayMs, hourMs, minuteMs } from "@inlethq/core/values/Timestamp"

/** A file of the lake is completed when it has this many bytes, rows or milliseconds since its first row. */
export const fileBytesMax = 64 * 1024 * 1024
export const fileRowsMax = 1_000_000
export const fileMsMax = 5 * minuteMs

/** The pause between two looks at whether somebody asked for complete files. */
export const flushLookMs = 1000

/**
 * The files of a range are completed when it changes this many subjects, or has this many deletions. The thread keeps the
 * first in memory, and one transaction notes the second.
 */
export const rangeSubjectsMax = 100_000
export const rangeDeletionsMax = 1000

/** The most pages of the log that are copied at a time: 2000 entries or 1.3 MB, unless a single entry is larger. */
export const copiedPagesMax = 20

/** While commits run, this many pages are copied at a time, and copying uses this part of the time of one core. */
export const busyPagesMax = 4
export const busyShare = 1 / 4

/** The number of rows that are built before other work may use the thread. */
export const rowsPerSlice = 20

/** The pause between two looks at whether files must be rewritten, joined or removed. */
export const maintainInterval = "5 seconds"

/** The pause between two looks at whether files can be joined, and for objects that belong to no file. */
export const joinMs = hourMs

/** Adjacent files are joined once there are this many, and at most this many at a time. */
export const joinedFilesMin = 8
export const joinedFilesMax = 100

/**
 * Replaced files stay for this long, so that whoever has read a manifest finds all its files. Only files with rows of deleted
 * people that an operator wants removed now go at once.
 */
export const replacedMsMax = hourMs

/** A snapshot that this node did not commit is removed once it is this old. */
export const garbageMsMin = hourMs

/**
 * People and objects are written again at the earliest after this time, and after this many times as long as it took,
 * so that large workspaces are not read all the time.
 */
export const snapshotMsMin = 5 * minuteMs
export const snapshotPauses = 20

/**
 * The owners of all subjects are compared with those in the store at the earliest after the first time, if some may differ, and
 * at the latest after the second.
 */
export const ownersMsMin = 5 * minuteMs
export const ownersMsMax = dayMs

/** The most subjects whose owners are corrected at a time, apart from one group of them. */
export const repairedRowsMax = 100_000

/** The most people or objects that are read at a time. */
export const snapshotPageMax = 200
