import type { Fault } from "@inlet/core/Outcome"

/** Why an event, a merge or a metric was refused (contract §4). */
export const errorBody = (faults: ReadonlyArray<Fault>) => ({
  meta: { error: faults.map((fault) => fault.message).join("; ") },
})

/** Why an identify, a device or a form was refused (contract §4). */
export const errorsBody = (faults: ReadonlyArray<Fault>) => ({
  meta: { errors: faults.map((fault) => fault.message) },
})

/** What a request without valid credentials is answered, with status 401 (contract §3). */
export const unauthorizedBody = { meta: { error: "Unauthorized request" } } as const
