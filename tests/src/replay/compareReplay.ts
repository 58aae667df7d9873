import { decodeReplayed, readsStore } from "@inlethq/log/replay/decodeReplayed"
import { replayedEntries } from "@inlethq/log/replay/replayedEntries"
import type { ReplayedEntry } from "@inlethq/contract/transfer/ReplayedEntry"
import type { ExportedEntity } from "@inlethq/contract/transfer/Imports"
import { defaultBrand } from "@inlethq/wire/decoding/Brand"
import type { Command } from "@inlethq/core/Command"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Snapshots } from "@inlethq/core/catalog/Snapshots"
import { Store } from "@inlethq/core/ports/Store"
import type { Attributes } from "@inlethq/core/state/Attributes"
import { Sequence, SubjectKey } from "@inlethq/core/values/Identifier"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { noon } from "@inlethq/store-conformance/script/commands"
import { createSegment } from "@inlethq/store-conformance/script/segmentCommands"
import {
  compareScripts,
  playSteps,
  type Compared,
  type Comparison,
  type Services,
} from "@inlethq/store-conformance/differential/differential"
import { firstDifference } from "@inlethq/store-conformance/script/firstDifference"
import { activity, apply, list } from "@inlethq/store-conformance/script/scenario"
import { beginning, commandOf, type Script } from "@inlethq/store-conformance/script/script"
import { Effect, Result, Stream, type Layer } from "effect"

export type ReplayServices = Services | Snapshots

/**
 * The steps of a script in the first workspace that delete nobody, without housekeeping. Both kinds of identifier name
 * people, because the scripts use them as if they did.
 */
const withoutErasures = ({ settings, steps }: Script): Script => ({
  settings: { ...settings, identifiedBy: "both", recordsMax: null },
  steps: steps.map((step) => ({
    ...step,
    workspace: 1,
    housekeeping: "none" as const,
    what: isErasure(step) ? "event" : step.what,
  })),
})

const isErasure = ({ what }: Script["steps"][number]): boolean => what === "delete" || what === "suppress"

/** The workspace that the commands of a script name. */
const workspaceIn = ({ settings, steps: [step] }: Script): Workspace | undefined =>
  step === undefined ? undefined : commandOf(step, noon, settings).workspace

const readEntries = (workspace: Workspace) =>
  Effect.scoped(
    Effect.gen(function* () {
      const snapshot = yield* (yield* Snapshots).open(workspace.id)
      const range = { from: Sequence.make(1), to: null }
      const pages = yield* Stream.runCollect(replayedEntries(snapshot, workspace, range, () => true))
      return pages.flat()
    }),
  )

/** Replays entries as the management import does. */
const replay = Effect.fnUntraced(function* (
  workspace: Workspace,
  entries: ReadonlyArray<ReplayedEntry>,
  segmentOf: (key: unknown) => SubjectKey | undefined,
) {
  const target = { store: yield* Store, catalog: yield* Catalog }
  const receipt = {
    workspace,
    brand: defaultBrand,
    source: "management" as const,
    receivedAt: Number.MAX_SAFE_INTEGER,
    batchIndex: null,
  }
  let waiting: Array<Command> = []
  for (const exported of entries.flatMap(({ entities }) => entities)) {
    if (readsStore(exported)) waiting = yield* Effect.as(apply(...waiting), new Array<Command>())
    const decoded = yield* decodeReplayed(target, receipt, withSegment(exported, segmentOf))
    waiting.push(Result.isSuccess(decoded) ? decoded.success : decoded.failure)
  }
  yield* apply(...waiting)
})

const withSegment = (
  exported: ExportedEntity,
  segmentOf: (key: unknown) => SubjectKey | undefined,
): ExportedEntity => {
  const { segment_id, ...entity } = exported.entity
  const key = segment_id === undefined ? undefined : segmentOf(segment_id)
  return key === undefined ? exported : { ...exported, entity: { ...entity, segment_id: key } }
}

/** Returns the people, objects and segments of a workspace, without keys. */
export const shownIn = Effect.fnUntraced(function* (workspace: Workspace) {
  const segments = yield* list((catalog, { id }, page) => catalog.segments(id, page), { workspace })
  const names = new Map(segments.map(({ segment }) => [segment.key, segment.name]))
  const people = yield* list((catalog, { id }, page) => catalog.people(id, null, page), { workspace })
  const objects = yield* list((catalog, { id }, page) => catalog.objects(id, null, page), { workspace })
  return {
    people: new Map(
      people.map(({ person, relationships, segments }) => [
        `${person.id} ${person.email} ${person.anonymousIds.toSorted().join(" ")}`,
        {
          id: person.id,
          email: person.email,
          anonymousIds: person.anonymousIds.toSorted(),
          attributes: person.attributes,
          devices: new Map(
            Array.from(person.devices, ([token, device]) => [
              token,
              { ...device, attributes: valuesOf(device.attributes) },
            ]),
          ),
          relationships: new Map(
            relationships.map(({ attributes, object }) => [
              `${object.typeId}/${object.objectId}`,
              valuesOf(attributes),
            ]),
          ),
          segments: segments.map((key) => names.get(key)).toSorted(),
          createdAt: person.createdAt,
        },
      ]),
    ),
    objects: new Map(
      objects.map(({ object }) => [
        `${object.typeId}/${object.objectId}`,
        { attributes: valuesOf(object.attributes), createdAt: object.createdAt },
      ]),
    ),
    segments: segments.map(({ segment, size }) => [segment.name, size]),
  }
})

const valuesOf = (attributes: Attributes) =>
  new Map(
    Array.from(attributes, ([name, { value }]) => [name, value] as const).filter(
      ([, value]) => value !== null,
    ),
  )

/** Returns what the entries of a workspace say was read otherwise. */
const keptIn = (workspace: Workspace) =>
  Effect.map(activity({}, { workspace, limit: 50 }), (entries) => entries.flatMap(({ keptAs }) => keptAs))

/** Plays a script, and replays its log into an empty store. Returns what both show. */
const replayed = <E, E2>(
  source: Layer.Layer<ReplayServices, E>,
  target: Layer.Layer<ReplayServices, E2>,
  script: Script,
  workspace: Workspace,
) =>
  Effect.gen(function* () {
    const { entries, expected, segments } = yield* Effect.gen(function* () {
      yield* apply(...beginning)
      yield* playSteps(script, "one", noon)
      const segments = yield* list((catalog, { id }, page) => catalog.segments(id, page), { workspace })
      const expected = { ...(yield* shownIn(workspace)), kept: yield* keptIn(workspace) }
      return { entries: yield* readEntries(workspace), segments, expected }
    }).pipe((effect) => Effect.provide(effect, source, { local: true }))
    const actual = yield* Effect.gen(function* () {
      const keys = new Map<unknown, SubjectKey>()
      for (const { segment } of segments) {
        const { state } = yield* apply(createSegment(segment.name, { in: workspace, receivedAt: noon }))
        keys.set(segment.key, SubjectKey.make(state.nextKey - 1))
      }
      yield* replay(workspace, entries, (key) => keys.get(key))
      return { ...(yield* shownIn(workspace)), kept: yield* keptIn(workspace) }
    }).pipe((effect) => Effect.provide(effect, target, { local: true }))
    return { actual, expected }
  })

/** Checks that replaying a log into an empty workspace gives equal people, objects and segments, on random scripts. */
export const compareReplay = <E, E2>(
  source: Layer.Layer<ReplayServices, E>,
  target: Layer.Layer<ReplayServices, E2>,
  comparison: Comparison,
): Effect.Effect<Compared> =>
  compareScripts(
    Effect.fnUntraced(function* (given: Script) {
      const script = withoutErasures(given)
      const workspace = workspaceIn(script)
      if (workspace === undefined) return null
      const { actual, expected } = yield* replayed(source, target, script, workspace)
      return firstDifference(actual, expected)
    }),
    comparison,
  )

/** Checks that a replay brings back nobody who was erased, on random scripts. */
export const compareErased = <E, E2>(
  source: Layer.Layer<ReplayServices, E>,
  target: Layer.Layer<ReplayServices, E2>,
  comparison: Comparison,
): Effect.Effect<Compared> =>
  compareScripts(
    Effect.fnUntraced(function* ({ settings, steps }: Script) {
      const script: Script = {
        settings: { ...settings, identifiedBy: "both", recordsMax: null },
        steps: steps.map((step) => ({ ...step, workspace: 1, housekeeping: "none" as const })),
      }
      const workspace = workspaceIn(script)
      if (workspace === undefined) return null
      const { actual, expected } = yield* replayed(source, target, script, workspace)
      const names = (shown: typeof actual) =>
        [...shown.people.values()].flatMap(({ email, id }) => id ?? email ?? [])
      const known = new Set(names(expected))
      const back = names(actual).find((name) => !known.has(name))
      return back === undefined ? null : `${back} came back`
    }),
    comparison,
  )
