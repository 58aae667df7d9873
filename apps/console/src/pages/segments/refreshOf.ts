import type { SegmentDocument } from "../../api/documents.ts"

/** The milliseconds after which segments are read again while a build changes them. */
const buildingRefreshMs = 1000

/** Returns when segments are to be read again, so that the list and the panel say the same, or false. */
export const refreshOf = (segments: ReadonlyArray<SegmentDocument>): number | false =>
  segments.some(({ next, state }) => next !== null || state === "settling") ? buildingRefreshMs : false
