import { Effect, Option } from "effect"
import type { ApiKey } from "@inlethq/core/workspace/Credentials"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { keysPerWorkspaceMax, Registry } from "@inlethq/core/ports/Registry"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { expectRefused, expectSame, type Law } from "../script/Law.ts"
import { noon, workspaceOf } from "../script/commands.ts"

const settings = (name: string): Omit<Workspace, "id"> => {
  const { id: _, ...rest } = workspaceOf(1)
  return { ...rest, name }
}

const trackKey: ApiKey = {
  keyId: "track-1",
  workspace: WorkspaceId.make(1),
  kind: "track",
  name: "Website",
  siteId: "site",
  digest: "a1",
  createdAt: noon,
  prefix: "0f3a5c7e",
  lastUsedAt: null,
  expiresAt: noon + 1,
}

const writeKey: ApiKey = {
  ...trackKey,
  keyId: "write-1",
  kind: "pipelines",
  siteId: null,
  digest: "b2",
  createdAt: noon - 1,
  prefix: null,
  expiresAt: null,
}

const appKey: ApiKey = { ...writeKey, keyId: "app-1", kind: "app", scope: "read+segments" }

const keyOf = (n: number): ApiKey => ({ ...writeKey, keyId: `write-${n}`, digest: `d${n}` })

/** The properties that every store's registry of workspaces and keys must have. */
export const registryLaws: ReadonlyArray<Law<Registry>> = [
  {
    name: "gives workspaces ids from 1 on and stores their settings",
    check: Effect.gen(function* () {
      const registry = yield* Registry
      yield* expectSame("without workspaces", yield* registry.workspaces, [])
      const one = yield* registry.createWorkspace(settings("One"))
      const two = yield* registry.createWorkspace(settings("__proto__"))
      yield* expectSame("ids", [one.id, two.id], [WorkspaceId.make(1), WorkspaceId.make(2)])
      yield* expectSame("all", yield* registry.workspaces, [one, two])
      const renamed: Workspace = {
        ...one,
        name: "Uno",
        region: "eu",
        limits: { ...one.limits, personIdBytesMax: 9 },
      }
      yield* registry.updateWorkspace(one, renamed)
      yield* expectSame("updated", yield* registry.workspace(one.id), Option.some(renamed))
      yield* expectSame("other", yield* registry.workspace(two.id), Option.some(two))
      const late = { ...one, name: "Late" }
      yield* expectRefused("ChangedMeanwhile", registry.updateWorkspace(one, late))
      yield* expectSame(
        "an update from old settings",
        yield* registry.workspace(one.id),
        Option.some(renamed),
      )
      const unknown = { ...renamed, id: WorkspaceId.make(3) }
      yield* expectRefused("ChangedMeanwhile", registry.updateWorkspace(unknown, unknown))
      yield* expectSame("unknown", yield* registry.workspace(WorkspaceId.make(3)), Option.none())
    }),
  },
  {
    name: "a key grants access to its workspace until it is revoked",
    check: Effect.gen(function* () {
      const registry = yield* Registry
      const workspace = yield* registry.createWorkspace(settings("One"))
      const other = yield* registry.createWorkspace(settings("Two"))
      yield* registry.addKey(trackKey)
      yield* registry.addKey(writeKey)
      yield* registry.addKey({ ...writeKey, keyId: "write-2", digest: "c3", workspace: other.id })
      yield* expectSame("keys", yield* registry.keys(workspace.id), [trackKey, writeKey])
      yield* registry.addKey(appKey)
      const byApp = registry.find({ kind: "app", digest: "b2" })
      yield* expectSame("an app key", yield* byApp, Option.some({ key: appKey, workspace }))
      yield* registry.revokeKey(workspace.id, "app-1")
      yield* expectSame("the revoked app key", yield* byApp, Option.none())
      const bySite = registry.find({ kind: "track", siteId: "site" })
      const byDigest = registry.find({ kind: "pipelines", digest: "b2" })
      yield* expectSame("by site id", yield* bySite, Option.some({ key: trackKey, workspace }))
      yield* expectSame("by digest", yield* byDigest, Option.some({ key: writeKey, workspace }))
      yield* expectSame(
        "a track key's digest",
        yield* registry.find({ kind: "pipelines", digest: "a1" }),
        Option.none(),
      )
      yield* expectSame("unknown", yield* registry.find({ kind: "track", siteId: "" }), Option.none())
      yield* expectSame("revoked elsewhere", yield* registry.revokeKey(other.id, "track-1"), false)
      yield* expectSame("revoked", yield* registry.revokeKey(workspace.id, "track-1"), true)
      yield* expectSame("revoked again", yield* registry.revokeKey(workspace.id, "track-1"), false)
      yield* expectSame("the revoked key", yield* bySite, Option.none())
      yield* expectSame("keys left", yield* registry.keys(workspace.id), [writeKey])
    }),
  },
  {
    name: `a workspace has at most ${keysPerWorkspaceMax} API keys`,
    check: Effect.gen(function* () {
      const registry = yield* Registry
      const workspace = yield* registry.createWorkspace(settings("One"), [trackKey])
      const other = yield* registry.createWorkspace(settings("Two"))
      const numbers = Array.from({ length: keysPerWorkspaceMax - 1 }, (_, n) => n)
      yield* Effect.forEach(numbers, (n) => registry.addKey(keyOf(n)), { concurrency: 8 })
      yield* expectRefused("TooManyKeys", registry.addKey(keyOf(-1)))
      yield* registry.addKey({ ...keyOf(-2), workspace: other.id })
      yield* registry.revokeKey(workspace.id, trackKey.keyId)
      yield* registry.addKey(keyOf(-1))
      yield* expectSame("keys", (yield* registry.keys(workspace.id)).length, keysPerWorkspaceMax)
    }),
  },
  {
    name: "a key keeps its latest recorded use",
    check: Effect.gen(function* () {
      const registry = yield* Registry
      const workspace = yield* registry.createWorkspace(settings("One"), [trackKey, writeKey])
      yield* registry.recordUses([])
      yield* registry.recordUses([
        { keyId: "track-1", at: noon + 5 },
        { keyId: "unknown", at: noon },
      ])
      yield* registry.recordUses([
        { keyId: "write-1", at: noon + 2 },
        { keyId: "track-1", at: noon + 1 },
      ])
      const used = [
        { ...trackKey, lastUsedAt: noon + 5 },
        { ...writeKey, lastUsedAt: noon + 2 },
      ]
      yield* expectSame("keys", yield* registry.keys(workspace.id), used)
      const many = Array.from({ length: 1200 }, (_, n) => ({ keyId: `unknown ${n}`, at: noon }))
      yield* registry.recordUses([...many, { keyId: "write-1", at: noon + 9 }])
      const found = yield* registry.find({ kind: "pipelines", digest: writeKey.digest })
      yield* expectSame(
        "the key that is found",
        Option.map(found, ({ key }) => key.lastUsedAt),
        Option.some(noon + 9),
      )
    }),
  },
]
