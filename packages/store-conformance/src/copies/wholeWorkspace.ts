import { Dismissals, pairOf } from "@inlethq/core/ports/Dismissals"
import { ForwardStore } from "@inlethq/core/ports/ForwardStore"
import { ImportJobs } from "@inlethq/core/ports/ImportJobs"
import { Alerts } from "@inlethq/core/ports/Alerts"
import { lakeCursor, LakeFiles } from "@inlethq/core/ports/LakeFiles"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import { LogSummaries, summariesCursor } from "@inlethq/core/ports/LogSummaries"
import { Registry } from "@inlethq/core/ports/Registry"
import { DestinationHours } from "@inlethq/core/ports/DestinationHours"
import { SavedViews } from "@inlethq/core/ports/SavedViews"
import { Store } from "@inlethq/core/ports/Store"
import { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import { Sequence, SubjectKey } from "@inlethq/core/values/Identifier"
import { EventPosition } from "@inlethq/core/webhook/EventPosition"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Effect } from "effect"
import {
  addDevice,
  byAnonymousId,
  byEmail,
  byId,
  event,
  identify,
  identifyObject,
  noon,
  objectOf,
  register,
  remove,
  report,
  submitForm,
  suppress,
} from "../script/commands.ts"
import { createSegment, joinSegment } from "../script/segmentCommands.ts"
import { importJob } from "../tables/importLaws.ts"
import { lakeFile } from "../tables/lakeLaws.ts"
import { typeRow } from "../tables/summaryLaws.ts"
import { refuse } from "../log/rejectionLaws.ts"
import { apply, personBy } from "../script/scenario.ts"
import { forwardOf } from "../tables/forwardLaws.ts"
import { webhookOf } from "../tables/webhookLaws.ts"

/** The number of events, which fill one run of the SQLite store's index of the log. */
const events = 4200

/** Returns a text that every personal text in a workspace contains. */
export const markOf = ({ id }: Workspace): string => `mark-${id}-`

/**
 * Creates a workspace that has rows in every table once housekeeping has indexed its log and people of it are deleted.
 * Every text of the workspace contains its mark.
 */
export const wholeWorkspace = Effect.fnUntraced(function* (settings: Omit<Workspace, "id">) {
  const registry = yield* Registry
  const created = yield* registry.createWorkspace(settings)
  const mark = markOf(created)
  const workspace: Workspace = { ...created, name: mark }
  yield* registry.updateWorkspace(created, workspace)
  const key = { name: mark, createdAt: noon, prefix: mark, lastUsedAt: noon, expiresAt: null }
  yield* registry.addKey({
    ...key,
    workspace: workspace.id,
    keyId: `${mark}key`,
    kind: "track",
    siteId: `${mark}site`,
    digest: `${mark}digest`,
  })
  yield* people(workspace)
  yield* dismissal(workspace)
  yield* (yield* SavedViews).add({
    workspace: workspace.id,
    viewId: `${mark}view`,
    page: "live",
    name: mark,
    query: { filter: mark },
    createdAt: noon,
    updatedAt: noon,
  })
  yield* (yield* Alerts).begin(
    {
      workspace: workspace.id,
      alertId: `${mark}alert`,
      condition: "lag",
      subject: `${mark}webhook`,
      summary: mark,
      operationId: null,
      beganAt: noon,
    },
    null,
  )
  yield* webhook(workspace)
  yield* (yield* ForwardStore).create(
    forwardOf(`${mark}forward`, { workspace: workspace.id, name: mark }),
    EventPosition.make(0),
  )
  const hour = { destination: `${mark}destination`, hour: 7, entries: 1, lagEntries: 2, lagMs: 3 }
  yield* (yield* DestinationHours).add(workspace.id, [hour])
  const cursor = { workspace: workspace.id, destination: `${mark}destination` }
  yield* (yield* LogCursors).advance(cursor, Sequence.make(7), null)
  yield* lake(workspace)
  yield* summaries(workspace)
  yield* (yield* Store).registerUpload({
    workspace: workspace.id,
    name: `${mark}part`,
    digest: mark,
    at: noon,
  })
  const job = { ...importJob(1, workspace.id), name: mark }
  yield* (yield* ImportJobs).add(job)
  yield* (yield* ImportJobs).save(job, [{ number: 1, line: 1, message: mark, names: [mark] }])
  return workspace
})

const people = Effect.fnUntraced(function* (workspace: Workspace) {
  const mark = markOf(workspace)
  const here = { in: workspace }
  const ada = byId(`${mark}ada`)
  const bob = byId(`${mark}bob`)
  const acme = objectOf("1", `${mark}acme`)
  yield* (yield* Registry).sender(workspace.id, { key: null, userAgent: `${mark}client`, route: null })
  yield* apply(
    identify(ada, [[`${mark}name`, `${mark}value`]], { ...here, email: `${mark}ada@example.com` }),
    identify(bob, [], { ...here, email: `${mark}bob@example.com` }),
    identify(byId(`${mark}cyd`), [], here),
    event(byAnonymousId(`${mark}cookie`), `${mark}seen`, here),
    addDevice(ada, `${mark}token`, [[`${mark}os`, mark]], here),
    identifyObject(acme, [[`${mark}plan`, mark]], [[ada], [bob]], here),
    createSegment(`${mark}segment`, here),
    joinSegment(1, [ada], here),
    submitForm(`${mark}form`, [["id", `${mark}ada`]], here),
    register(`${mark}delivery`, bob, { ...here, recipient: `${mark}bob@example.com`, subject: mark }),
    report(`${mark}other`, "opened", { ...here, recipient: `${mark}fay@example.com` }),
    report(`${mark}delivery`, "opened", { ...here, recipient: `${mark}bob@example.com` }),
    suppress(byEmail(`${mark}eve@example.com`), here),
    createSegment(`${mark}buyers`, { ...here, rule: { event: { name: `${mark}bought` } } }),
    event(ada, `${mark}planned`, {
      ...here,
      plan: { name: mark, version: 1, violations: [{ path: mark, clause: "type", got: "text(5)" }] },
    }),
    event(ada, `${mark}bought`, { ...here, provenance: { context: { locale: mark, page: { url: mark } } } }),
    refuse({ [`${mark}key`]: mark }, { name: `${mark}refused` }, here),
  )
  for (let from = 0; from < events; from += 600) {
    const some = Array.from({ length: 600 }, (_, n) => from + n)
    yield* apply(
      ...some.map((n) =>
        event(ada, `${mark}event`, { ...here, data: { [mark]: n }, deduplicationKey: `${mark}${n}` }),
      ),
    )
  }
})

/**
 * Deletes people of a workspace that `wholeWorkspace` has made. Housekeeping has done nothing about them yet.
 */
export const deletePeople = Effect.fnUntraced(function* (workspace: Workspace) {
  const mark = markOf(workspace)
  yield* apply(remove(byId(`${mark}bob`), { in: workspace }), remove(byId(`${mark}cyd`), { in: workspace }))
})

/** Dismisses a pair of people who are not deleted. */
const dismissal = Effect.fnUntraced(function* (workspace: Workspace) {
  const mark = markOf(workspace)
  yield* apply(identify(byId(`${mark}dan`), [], { in: workspace }))
  const ada = yield* personBy({ kind: "id", value: `${mark}ada` }, workspace)
  const dan = yield* personBy({ kind: "id", value: `${mark}dan` }, workspace)
  if (ada === null || dan === null) return
  yield* (yield* Dismissals).save(workspace.id, { ...pairOf(ada.key, dan.key), at: noon })
})

const lake = Effect.fnUntraced(function* (workspace: Workspace) {
  const { token } = yield* (yield* LogCursors).claim(lakeCursor(workspace.id))
  const path = (n: number) => `${markOf(workspace)}file-${n}`
  const rewrite = { ...lakeFile(1, 1, { path: path(1) }), newPath: path(3), newSha256: "11" }
  const rewritten = [{ position: Sequence.make(3), rewrite }]
  const commit = { workspace: workspace.id, token, now: noon, followed: [], rewritten }
  const noticed = [{ position: Sequence.make(3), subject: SubjectKey.make(2), receivedAt: noon }]
  const added = [1, 2].map((n) => lakeFile(n, n, { path: path(n) }))
  yield* (yield* LakeFiles).commit({ ...commit, added, replaced: [], to: Sequence.make(2), noticed })
  yield* (yield* LakeFiles).commit({ ...commit, added: [], replaced: [path(1)], to: null, noticed: [] })
})

const summaries = Effect.fnUntraced(function* (workspace: Workspace) {
  const { token } = yield* (yield* LogCursors).claim(summariesCursor(workspace.id))
  const mark = markOf(workspace)
  yield* (yield* LogSummaries).commit({
    workspace: workspace.id,
    token,
    to: Sequence.make(1),
    types: [typeRow(`${mark}bought`)],
    causes: [{ cause: `${mark}cause`, doc: "{}" }],
    forgottenCauses: [],
    hasForgotten: true,
  })
})

const webhook = Effect.fnUntraced(function* (workspace: Workspace) {
  const store = yield* WebhookStore
  const mark = markOf(workspace)
  const one = webhookOf(`${mark}webhook`, { workspace: workspace.id, name: mark })
  const position = EventPosition.make(4)
  yield* store.create(one, position)
  const common = { position, nextAt: noon + 1000, attempts: 1 }
  yield* store.record([
    {
      workspace: workspace.id,
      webhookId: one.webhookId,
      progress: { position, ahead: [] },
      held: {
        _tag: "Hold",
        event: {
          ...common,
          subject: null,
          state: "retrying",
          expiresAt: noon + 9000,
          isInOrder: true,
          receivedAt: noon,
          heldAt: noon,
        },
      },
      attempt: {
        position,
        eventId: mark,
        operationId: mark,
        number: 1,
        at: noon,
        status: "retrying",
        responseStatus: 503,
        durationMs: 12,
        responseExcerpt: mark,
        nextAt: noon + 1000,
      },
    },
  ])
})
