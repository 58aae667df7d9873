import { Forward } from "@inlethq/core/forward/Forward"
import {
  ForwardNameTaken,
  forwardsPerWorkspaceMax,
  TooManyForwards,
  type ForwardKey,
  type ForwardStore,
} from "@inlethq/core/ports/ForwardStore"
import { ChangedMeanwhile } from "@inlethq/core/ports/ChangedMeanwhile"
import type { Sequence } from "@inlethq/core/values/Identifier"
import type { EventPosition } from "@inlethq/core/webhook/EventPosition"
import { Effect, Option, Schema } from "effect"
import { integer, text, type Row } from "../../columns/columns.ts"
import { sequenceOf } from "../../columns/ids.ts"
import { fromStored, toStored } from "../../columns/storedText.ts"
import { lockWorkspace } from "../settingsChanges.ts"
import type { Statements, Tables } from "../Tables.ts"
import { createProgress, removeProgress } from "../webhooks/progress.ts"

const ForwardText = Schema.fromJsonString(Forward)
const encodeForward = Schema.encodeSync(ForwardText)
const decodeForward = Schema.decodeUnknownSync(ForwardText)

const docOf = (forward: Forward): string => toStored(encodeForward(forward))

const forwardFromRow = (row: Row): Forward => decodeForward(fromStored(text(row["doc"])))

const keyValues = ({ forwardId, workspace }: ForwardKey): readonly [number, string] => [
  workspace,
  toStored(forwardId),
]

const allSql = "SELECT doc FROM forwards ORDER BY workspace, created, id"
const ofWorkspaceSql = "SELECT doc FROM forwards WHERE workspace = $1 ORDER BY created, id"
const oneSql = "SELECT doc FROM forwards WHERE workspace = $1 AND id = $2"
const createSql = "INSERT INTO forwards (workspace, id, created, doc) VALUES ($1, $2, $3, $4)"
const updateSql = "UPDATE forwards SET doc = $3 WHERE workspace = $1 AND id = $2"
const removeSql = "DELETE FROM forwards WHERE workspace = $1 AND id = $2"
const removeNamesSql = "DELETE FROM forward_names WHERE workspace = $1 AND forward = $2"

const namesSql = `
  SELECT position, at, sealed FROM forward_names
  WHERE workspace = $1 AND forward = $2 AND position BETWEEN $3 AND $4 ORDER BY position`

const forgetSql = "DELETE FROM forward_names WHERE workspace = $1 AND forward = $2 AND position = $3"
const untoldSql = "SELECT forward FROM forward_names WHERE workspace = $1 AND position = $2 ORDER BY forward"

/** Makes the store of forwards. Each write is one transaction in one workspace, under the lock of the workspace. */
export const makeForwardStore = ({ read, write }: Tables): ForwardStore["Service"] => ({
  all: Effect.map(read("read forwards", allSql), (rows) => rows.map(forwardFromRow)),
  forwards: (workspace) =>
    Effect.map(read("read forwards", ofWorkspaceSql, workspace), (rows) => rows.map(forwardFromRow)),
  forward: (key) =>
    Effect.map(read("read a forward", oneSql, ...keyValues(key)), ([row]) =>
      Option.map(Option.fromUndefinedOr(row), forwardFromRow),
    ),
  create: (forward, position) =>
    Effect.flatMap(
      write("create a forward", forward.workspace, (ask) => create(ask, forward, position)),
      orFail,
    ),
  update: (before, after) =>
    Effect.flatMap(
      write("update a forward", before.workspace, (ask) => update(ask, before, after)),
      orFail,
    ),
  remove: (key) =>
    write("remove a forward", key.workspace, (ask) =>
      Effect.gen(function* () {
        yield* removeProgress(ask, { workspace: key.workspace, webhookId: key.forwardId })
        yield* ask.run(removeNamesSql, ...keyValues(key))
        return (yield* ask.run(removeSql, ...keyValues(key))) > 0
      }),
    ),
  names: (key, sequences) => {
    if (sequences.length === 0) return Effect.succeed([])
    const wanted = new Set(sequences)
    const between = [Math.min(...sequences), Math.max(...sequences)] as const
    return Effect.map(read("read untold names", namesSql, ...keyValues(key), ...between), (rows) =>
      rows.map(namesFromRow).filter(({ sequence }) => wanted.has(sequence)),
    )
  },
  forget: (key, sequences) =>
    sequences.length === 0
      ? Effect.void
      : Effect.asVoid(
          write("forget told names", key.workspace, (ask) =>
            Effect.forEach(sequences, (sequence) => ask.run(forgetSql, ...keyValues(key), sequence), {
              discard: true,
            }),
          ),
        ),
  untold: (workspace, sequence) =>
    Effect.map(read("read untold names", untoldSql, workspace, sequence), (rows) =>
      rows.map((row) => fromStored(text(row["forward"]))),
    ),
})

const namesFromRow = (
  row: Row,
): { readonly sequence: Sequence; readonly at: number; readonly sealed: string } => ({
  sequence: sequenceOf(integer(row["position"])),
  at: integer(row["at"]),
  sealed: text(row["sealed"]),
})

type Refusal = TooManyForwards | ForwardNameTaken | ChangedMeanwhile

const orFail = <E extends Refusal>(refusal: E | null): Effect.Effect<void, E> =>
  refusal === null ? Effect.void : Effect.fail(refusal)

/** The lock lets nobody else add a forward or take a name in between. */
const create = Effect.fnUntraced(function* <E>(
  ask: Statements<E>,
  forward: Forward,
  position: EventPosition,
): Effect.fn.Return<TooManyForwards | ForwardNameTaken | null, E> {
  yield* lockWorkspace(ask, forward.workspace)
  const others = (yield* ask.rows(ofWorkspaceSql, forward.workspace)).map(forwardFromRow)
  if (others.length >= forwardsPerWorkspaceMax) return new TooManyForwards()
  if (others.some(({ name }) => name === forward.name)) return new ForwardNameTaken()
  yield* createProgress(ask, { workspace: forward.workspace, webhookId: forward.forwardId }, position)
  yield* ask.run(createSql, ...keyValues(forward), forward.createdAt, docOf(forward))
  return null
})

const update = Effect.fnUntraced(function* <E>(
  ask: Statements<E>,
  before: Forward,
  after: Forward,
): Effect.fn.Return<ForwardNameTaken | ChangedMeanwhile | null, E> {
  yield* lockWorkspace(ask, before.workspace)
  const all = (yield* ask.rows(ofWorkspaceSql, before.workspace)).map(forwardFromRow)
  const found = all.find(({ forwardId }) => forwardId === before.forwardId)
  if (found?.updatedAt !== before.updatedAt) return new ChangedMeanwhile()
  if (all.some(({ forwardId, name }) => name === after.name && forwardId !== after.forwardId)) {
    return new ForwardNameTaken()
  }
  yield* ask.run(updateSql, ...keyValues(before), docOf(after))
  return null
})
