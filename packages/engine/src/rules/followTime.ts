import type { Command } from "@inlethq/core/Command"
import { systemEnvelope } from "./nextBuildStep.ts"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store, type DuePerson } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Clock, Effect, Option } from "effect"
import { Ingest } from "../commits/Ingest.ts"
import { Pace } from "./Pace.ts"

/** The largest number of people for whom one commit evaluates rules because time has passed. */
const peoplePerCommitMax = 500

/** The part of the time that these commits may take while requests arrive. */
const timeShare = 1 / 5

/**
 * Evaluates the rules about the people for whom time alone may have changed the truth of a leaf, in the order of the times
 * at which they were due. Returns whether more of them are waiting.
 */
export const followTime = () => {
  const pace = new Pace(timeShare)
  return Effect.gen(function* () {
    const store = yield* Store
    const due = yield* store.due(yield* Clock.currentTimeMillis, peoplePerCommitMax)
    for (const [workspace, people] of Map.groupBy(due, (one) => one.workspace))
      yield* commit(pace, workspace, people)
    return due.length === peoplePerCommitMax
  })
}

const commit = (pace: Pace, id: WorkspaceId, people: ReadonlyArray<DuePerson>) =>
  Effect.gen(function* () {
    const workspace = yield* (yield* Registry).workspace(id)
    if (Option.isNone(workspace)) return
    const ingest = yield* Ingest
    const now = yield* Clock.currentTimeMillis
    const commands = people.map(({ at, person }): Command => ({
      ...systemEnvelope(workspace.value, now, at),
      _tag: "FollowTime",
      person,
    }))
    yield* pace.run(id, ingest.submit(commands, 0))
  })
