import { describe, it } from "@effect/vitest"
import { clearWritten } from "@inlethq/core/fold/WorkingSet"
import { by, event, identify, relateAcme, remove, submit } from "./commands.ts"
import { assertSame, blank, runWhole } from "./harness.ts"

/** Returns how many things each list of what a batch wrote has, and what stands in for one that is neither. */
const sizesOf = (written: object): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(written).map(([name, value]) => [
      name,
      value instanceof Map || value instanceof Set ? value.size : Array.isArray(value) ? value.length : 0,
    ]),
  )

describe("clearWritten", () => {
  it("forgets all that a batch wrote, names included", () => {
    const ada = by("id", "ada")
    const state = runWhole([
      identify(ada, { email: "ada@example.com", set: { name: "Ada" } }),
      identify(ada, { set: { name: "Ada King" } }),
      event(ada),
      relateAcme(ada, "add"),
      submit({ email: "ada@example.com" }),
      remove(ada),
    ])
    const { entries, names } = sizesOf(state.written)
    assertSame({ entries, names }, { entries: 6, names: 1 })
    clearWritten(state)
    assertSame(sizesOf(state.written), sizesOf(blank().written))
  })
})
