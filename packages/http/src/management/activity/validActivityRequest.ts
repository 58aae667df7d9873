import { requestedActivity, type RequestedActivity } from "@inlet/api/log/filteredActivity"
import { InvalidRequest } from "@inlet/api/management/Problem"
import { Effect } from "effect"
import { details } from "../../problems/details.ts"

/** Reads the query parameters of a list of activity. Fails with a 400 if the filter is invalid. */
export const validActivityRequest = (
  ...parameters: Parameters<typeof requestedActivity>
): Effect.Effect<RequestedActivity, InvalidRequest> =>
  Effect.mapError(
    Effect.fromResult(requestedActivity(...parameters)),
    ({ message }) => new InvalidRequest({ detail: details.wrongFilter({ problem: message }) }),
  )
