import { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Effect } from "effect"
import type { NodeWatch } from "./watchNode.ts"
import type { Database } from "../engine/Database.ts"

/** Runs work on the database that only reads, or also writes, while this node may. */
export type WhileFit = <A, E, R>(
  operation: string,
  isWrite: boolean,
  work: Effect.Effect<A, E, R>,
) => Effect.Effect<A, E | StoreUnavailable, R>

/**
 * Refuses work while this node is unfit: writes in any case, and reads too while the tables have another format. If a statement is
 * rejected because another node has just changed the tables, this is found out before anybody is told of a bug.
 */
export const whileFitOn = ({ look, unfit }: NodeWatch): WhileFit => {
  const refusal = (operation: string, isWrite: boolean) => {
    const cause = unfit()
    return cause !== null && (isWrite || cause.fault._tag === "OtherFormat")
      ? new StoreUnavailable({ operation, cause })
      : null
  }
  const orRefused = Effect.fnUntraced(function* (operation: string, defect: unknown) {
    yield* Effect.ignore(look)
    return yield* refusal(operation, false) ?? Effect.die(defect)
  })
  return (operation, isWrite, work) =>
    Effect.suspend(() => {
      const refused = refusal(operation, isWrite)
      return refused === null
        ? Effect.catchDefect(work, (defect) => orRefused(operation, defect))
        : Effect.fail(refused)
    })
}

/** Returns the database for everything that a node does with its data. */
export const fitDatabase = (database: Database["Service"], whileFit: WhileFit): Database["Service"] => ({
  write: (operation, workspace, body) =>
    whileFit(operation, true, database.write(operation, workspace, body)),
  read: (operation, body) => whileFit(operation, false, database.read(operation, body)),
  snapshot: (operation, msMax) => whileFit(operation, false, database.snapshot(operation, msMax)),
  query: (operation, sql, parameters) =>
    whileFit(operation, false, database.query(operation, sql, parameters)),
  listen: database.listen,
  notify: (channel, payload) => whileFit("notify other nodes", false, database.notify(channel, payload)),
})
