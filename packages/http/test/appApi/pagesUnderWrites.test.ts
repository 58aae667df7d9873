import { assert, describe, it } from "@effect/vitest"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Command } from "@inlethq/core/Command"
import { Digest } from "@inlethq/core/ports/Digest"
import { ExportFiles } from "@inlethq/core/ports/ExportFiles"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { byId, event, identify, merge, remove } from "@inlethq/store-conformance/script/commands"
import { Effect, Schema } from "effect"
import { listActivities } from "../../src/appApi/activities.ts"
import type { AppCall, AppEndpoint } from "../../src/appApi/AppCall.ts"
import { AppQuery } from "../../src/appApi/AppQuery.ts"
import { searchCustomers } from "../../src/appApi/customers.ts"
import { apply, memory } from "../management/managementServer.ts"
import { exportChecks } from "./exportChecks.ts"

const callOf = Effect.gen(function* () {
  const registry = yield* Registry
  const call: AppCall = {
    catalog: yield* Catalog,
    store: yield* Store,
    turns: yield* Turns,
    ingest: yield* Ingest,
    exports: yield* ExportFiles,
    exportChecks: yield* exportChecks,
    digest: yield* Digest,
    workspace: yield* registry.createWorkspace(defaultSettings("test", "us")),
    origin: "http://localhost",
    parameters: [],
    query: new AppQuery(""),
    body: { filter: { attribute: { field: "plan", operator: "eq", value: "pro" } } },
  }
  return call
})

/** The people before the first page is read. The ones after them join later. */
const peopleBefore = 8

const Who = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: peopleBefore + 3 }))
const Step = Schema.Struct({
  what: Schema.Literals(["read", "join", "leave", "delete", "merge", "record"]),
  who: Who,
  other: Who,
})
const Script = Schema.Array(Step).check(Schema.isMaxLength(30))
const Limit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4 }))

/** Reads a list from page to page. */
class Reading {
  readonly seen: Array<string> = []
  isOver = false
  private start = ""
  private readonly call: AppCall
  private readonly endpoint: AppEndpoint
  private readonly query: string
  private readonly keysOf: (page: unknown) => ReadonlyArray<string>

  constructor(
    call: AppCall,
    endpoint: AppEndpoint,
    query: string,
    keysOf: (page: unknown) => ReadonlyArray<string>,
  ) {
    this.call = call
    this.endpoint = endpoint
    this.query = query
    this.keysOf = keysOf
  }

  readonly read = Effect.fnUntraced({ self: this }, function* (this: Reading) {
    if (this.isOver) return
    const query = new AppQuery(`${this.query}&start=${this.start}`)
    const { json } = yield* this.endpoint({ ...this.call, query })
    const page: unknown = JSON.parse(json ?? "")
    const keys = this.keysOf(page)
    const { next } = Object(page)
    assert.isTrue(keys.length > 0 || next === undefined, "an empty page that another one follows")
    this.seen.push(...keys)
    if (next === undefined) this.isOver = true
    else this.start = next
  })
}

const nameOf = (who: number): string => `p${who}`
const eventOf = (who: number): string => `event of ${who}`

const commandOf = ({ other, what, who }: typeof Step.Type, own: object): Command | undefined => {
  const one = byId(nameOf(who))
  switch (what) {
    case "read":
      return undefined
    case "join":
      return { ...identify(one, [["plan", "pro"]]), ...own }
    case "leave":
      return { ...identify(one, [["plan", "free"]]), ...own }
    case "delete":
      return { ...remove(one), ...own }
    case "merge":
      return who === other ? undefined : { ...merge(one, byId(nameOf(other))), ...own }
    case "record":
      return { ...event(one, `later event of ${who}`), ...own }
  }
}

describe("pages of the App API", () => {
  it.effect.prop(
    "show once whatever is there from the first page to the last, and nothing twice",
    [Script, Limit],
    ([script, limit]) =>
      Effect.gen(function* () {
        const call = yield* callOf
        const own = { workspace: call.workspace }
        for (let who = 0; who < peopleBefore; who++) {
          yield* apply(
            { ...identify(byId(nameOf(who)), [["plan", "pro"]]), ...own },
            { ...event(byId(nameOf(who)), eventOf(who)), ...own },
          )
        }
        // Somebody who is deleted and comes back is another person, with another `cio_id`.
        const people = new Reading(call, searchCustomers, `limit=${limit}`, (page) => {
          const identifiers: ReadonlyArray<{ readonly id: string; readonly cio_id: string }> =
            Object(page).identifiers
          return identifiers.map(({ cio_id, id }) => `${id} ${cio_id}`)
        })
        const events = new Reading(call, listActivities, `type=event&limit=${limit}`, (page) => {
          const activities: ReadonlyArray<{ readonly name: string; readonly id: string }> =
            Object(page).activities
          return activities.map(({ id, name }) => `${name} ${id}`)
        })
        const changed = new Set<number>()
        yield* people.read()
        yield* events.read()
        for (const step of script) {
          const command = commandOf(step, own)
          if (command !== undefined) {
            yield* apply(command)
            if (step.what !== "join" && step.what !== "record") changed.add(step.who)
            if (step.what === "merge") changed.add(step.other)
          } else if (step.what === "read") {
            yield* people.read()
            yield* events.read()
          }
        }
        yield* Effect.repeat(people.read(), { until: () => people.isOver })
        yield* Effect.repeat(events.read(), { until: () => events.isOver })
        assert.strictEqual(new Set(people.seen).size, people.seen.length, `twice: ${people.seen}`)
        assert.strictEqual(new Set(events.seen).size, events.seen.length, `twice: ${events.seen}`)
        for (let who = 0; who < peopleBefore; who++) {
          if (changed.has(who)) continue
          for (const [seen, name] of [
            [people.seen, nameOf(who)],
            [events.seen, eventOf(who)],
          ] as const) {
            assert.isTrue(
              seen.some((one) => one.startsWith(`${name} `)),
              `${name} is missing`,
            )
          }
        }
      }).pipe(Effect.provide(memory)),
  )
})
