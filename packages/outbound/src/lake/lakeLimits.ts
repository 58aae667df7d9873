import { minuteMs } from "@inlet/core/values/Timestamp"

/** A file of the lake is completed when it has this many bytes, rows or milliseconds since its first row. */
export const fileBytesMax = 64 * 1024 * 1024
export const fileRowsMax = 1_000_000
export const fileMsMax = 5 * minuteMs

/** The most pages of the log in one batch: 2000 entries or 1.3 MB, unless a single entry is larger. */
export const lakePagesMax = 20

/** The number of rows that are built before other work may use the thread. */
export const rowsPerSlice = 20
