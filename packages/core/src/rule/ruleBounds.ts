import { dayMs, hourMs, minuteMs } from "../values/Timestamp.ts"

/** The largest number of bytes of a rule as JSON. */
export const ruleBytesMax = 64 * 1024

/** The largest number of `and`, `or` and `not` around a leaf. */
export const ruleDepthMax = 8

/** The largest number of leaves of one rule. */
export const ruleLeavesMax = 50

/** The largest number of conditions in one `where`. */
export const conditionsMax = 20

/** The largest number of values that `in` compares with. */
export const valuesMax = 100

/** The largest number of bytes of a text in a rule, such as a value or the path of a field. */
export const ruleTextBytesMax = 1000

/** The largest number of occurrences that a rule can ask for. */
export const countMax = 100

export const durationMsMin = minuteMs
export const durationMsMax = 730 * dayMs

/** The largest number of rules in a chain of rules that name each other's segments. */
export const segmentDepthMax = 5

/** The letters of durations such as `30d`, in milliseconds. */
export const durationUnits = { m: minuteMs, h: hourMs, d: dayMs, w: 7 * dayMs } as const

/** The largest number of segments with rules in a workspace. */
export const rulesMax = 1000

/** The largest number of different leaves in the rules of a workspace. */
export const ruleLeavesTotalMax = 5000

/** The time, in milliseconds, after the start of a build in which it begins again with the rules that wait for it. */
export const joinMsMax = 10_000

/** The largest number of people related to an object who are followed in the commit that changes it. A build follows the rest. */
export const relatedPeopleMax = 1000
