import { plainRow, type Row } from "./report.ts"

/** The target for Inlet's peak memory, in MB. */
const megabytesMax = 300

/** The target for the longest time, in milliseconds, for which Inlet's main thread is blocked. */
const blockedMaxMs = 20

/**
 * Returns two rows of the result table: Inlet's peak memory over all scenarios, and the longest time for which its main
 * thread was blocked.
 */
export const overallRows = (rows: ReadonlyArray<Row>, megabytes: number): ReadonlyArray<Row> => [
  plainRow("Inlet, memory over all scenarios", {
    rssMegabytes: megabytes,
    target: { text: `<= ${megabytesMax} MB`, met: megabytes <= megabytesMax },
  }),
  blockedRow(rows),
]

const blockedRow = (rows: ReadonlyArray<Row>): Row => {
  const longest = rows
    .filter((row) => !row.isBaseline)
    .reduce((a, b) => ((b.blockedMs ?? 0) > (a.blockedMs ?? 0) ? b : a))
  const { ownMs, workedMs } = longest
  const blockedMs = longest.blockedMs ?? 0
  return plainRow("Inlet, longest blocked time of all scenarios", {
    blockedMs,
    ownMs,
    workedMs,
    othersCpu: longest.othersCpu,
    target: { text: `blocked <= ${blockedMaxMs} ms`, met: blockedMs <= blockedMaxMs },
  })
}
