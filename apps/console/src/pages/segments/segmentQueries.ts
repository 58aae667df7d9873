import { queryOptions } from "@tanstack/react-query"
import { api } from "../../api/generated.ts"
import { collectionKeys } from "../../api/collectionKeys.ts"

export const segmentKeys = collectionKeys("segments")

/** One segment. */
export const segmentQuery = (w: string, segmentId: string) =>
  queryOptions({
    queryKey: segmentKeys.one(w, segmentId),
    queryFn: ({ signal }) => api.segments.get(w, segmentId, signal),
  })

/** The largest number of segments that can be chosen. Older ones can be named in a row with JSON. */
export const segmentsListed = 500

/** The newest segments, to choose one and to name those in rules. */
export const newestSegmentsQuery = (w: string) =>
  queryOptions({
    queryKey: [...segmentKeys.all(w), "newest"],
    queryFn: ({ signal }) => api.segments.list(w, { limit: segmentsListed }, signal),
  })
