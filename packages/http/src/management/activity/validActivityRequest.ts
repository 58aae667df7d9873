import { requestedActivity, type RequestedActivity } from "@inlethq/log/reading/filteredActivity"
import { InvalidRequest } from "@inlethq/contract/access/Problem"
import { Effect } from "effect"
import { problemTexts } from "../../problems/problemTexts.ts"

/** Reads the query parameters of a list of activity. Fails with a 400 if the filter is invalid. */
export const validActivityRequest = (
  ...parameters: Parameters<typeof requestedActivity>
): Effect.Effect<RequestedActivity, InvalidRequest> =>
  Effect.mapError(
    Effect.fromResult(requestedActivity(...parameters)),
    ({ message }) => new InvalidRequest({ detail: problemTexts.wrongFilter({ problem: message }) }),
  )
