import { assert, it } from "@effect/vitest"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { CachedKey } from "../../src/credentials/KeyCache.ts"
import { makeRecentCredentials } from "../../src/credentials/RecentCredentials.ts"

const workspace = WorkspaceId.make(1)
const key: CachedKey = {
  key: {
    keyId: "web",
    workspace,
    kind: "pipelines",
    name: "web",
    siteId: null,
    digest: "d",
    prefix: null,
    createdAt: 0,
    lastUsedAt: null,
    expiresAt: null,
  },
  workspace: { ...defaultSettings("default", "us"), id: workspace },
  isUsed: true,
  until: Infinity,
  isForgotten: () => false,
}

it.effect("forgets credentials within a minute, although no call arrives any more", () =>
  Effect.gen(function* () {
    const recent = yield* makeRecentCredentials
    recent.add("the secret", key)
    assert.isDefined(recent.workspaceOf("the secret", 0))
    yield* TestClock.adjust("1 minute")
    assert.isUndefined(recent.workspaceOf("the secret", 0))
  }),
)
