import { Principal } from "@inlethq/contract/access/Access"
import type { Registry } from "@inlethq/core/ports/Registry"
import { Effect } from "effect"

/** Returns the workspaces that the sender of a request may see, in the order of their ids. */
export const ownWorkspaces = Effect.fnUntraced(function* (registry: Registry["Service"]) {
  const { workspaces: own } = yield* Principal
  return (yield* registry.workspaces)
    .filter(({ id }) => own === null || own.includes(id))
    .toSorted((a, b) => a.id - b.id)
})
