import { assert, layer } from "@effect/vitest"
import { blocks } from "@inlethq/wire/csv/Blocks"
import type { ImportKind } from "@inlethq/wire/csv/ImportFile"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { Store } from "@inlethq/core/ports/Store"
import { byId, identify } from "@inlethq/store-conformance/script/commands"
import { Effect, Stream } from "effect"
import { runImport } from "../../src/management/imports/importsRun.ts"
import { Tally } from "../../src/management/imports/importsTally.ts"
import { apply, memory, newWorkspace } from "./managementServer.ts"
import { peopleRows } from "./managementUploads.ts"

/** The size of the files, in bytes: one block. */
const fileBytes = 256 * 1024

/** The largest number of rows, and of bytes of the file, for which an import may keep other work from running. */
const rowsPerTurn = 500
const bytesPerTurn = 4 * 1024

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

const filled = (header: string, rows: string): Uint8Array =>
  latin1(header + rows.repeat(Math.floor((fileBytes - header.length) / rows.length)))

/** Counts the turns of the event loop while an effect runs. */
const turnsWhile = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const state = { turns: 0, isOver: false }
      const tick = () => {
        state.turns++
        if (!state.isOver) setImmediate(tick)
      }
      setImmediate(tick)
      return state
    }),
    (state) => Effect.map(effect, (result) => ({ result, turns: state.turns })),
    (state) => Effect.sync(() => void (state.isOver = true)),
  )

const shapes: ReadonlyArray<readonly [string, ImportKind, Uint8Array]> = [
  ["rows in Latin-1", "people", filled("id\n", "\u00E9\n")],
  ["blank lines", "people", filled("id\n", "\n")],
  ["lone CRs", "people", filled("id\n", "\r")],
  ["rows with a quote inside", "people", filled("id\n", 'a"\n')],
  ["rows with text after a quote", "people", filled("id\n", '"a"b\n')],
  ["rows of the wrong width", "people", filled("id,a\n", "a\n")],
  ["rows without an identifier", "people", filled("id,a\n", ",a\n")],
  ["events of unknown people", "events", filled("_svc_name,_svc_customer_id\n", "a,nobody\n")],
  ["valid rows", "people", latin1(`id,email,n\n${peopleRows(1, 8000)}`)],
]

layer(memory)("an import that shares its thread", (it) => {
  it.effect.each(shapes)("lets other work run after every slice of a file of %s", ([, kind, bytes]) =>
    Effect.gen(function* () {
      const services = { ingest: yield* Ingest, store: yield* Store }
      const workspace = yield* newWorkspace
      yield* apply(identify(byId("ada"), [], { in: workspace }))
      const file = { kind, workspace, file: blocks(Stream.succeed(bytes)), key: undefined }
      const imported = Effect.suspend(() =>
        Effect.map(
          runImport(services, file, new Tally(100, "svc"), () => Effect.void),
          ({ tally }) => tally.summary,
        ),
      )
      for (const time of ["first", "second"]) {
        const { result, turns } = yield* turnsWhile(imported)
        const expected = Math.max(result.rows / rowsPerTurn, bytes.length / bytesPerTurn)
        assert.isAtLeast(turns, Math.floor(expected), `the ${time} import`)
      }
    }),
  )
})
