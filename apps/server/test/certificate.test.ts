import { assert, describe, it } from "@effect/vitest"
import { makeCertificate } from "@inlet/postgres-server/certificate"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { readCertificate, watchCertificate } from "../src/Certificate.ts"

/** A folder that is removed with the scope, and functions that write a certificate and its key into it. */
const certificateFiles = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "certificate-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true })),
  ),
  (folder) => {
    const files = { certificate: join(folder, "cert.pem"), key: join(folder, "key.pem") }
    const write = () => {
      const { cert, key } = makeCertificate("inlet")
      writeFileSync(files.certificate, cert)
      writeFileSync(files.key, key)
      return cert
    }
    return { files, write }
  },
)

describe("the watched certificate", () => {
  it.effect("is replaced by a later certificate after TLS has refused one", () =>
    Effect.gen(function* () {
      const { files, write } = yield* certificateFiles
      write()
      const offered: Array<string> = []
      yield* watchCertificate(files, yield* readCertificate(files), ({ cert }) => {
        offered.push(cert)
        if (offered.length === 1) throw new Error("ee key too small")
      })
      const isOffered = Effect.fnUntraced(function* (cert: string) {
        while (!offered.includes(cert)) {
          yield* TestClock.adjust("1 second")
          // The files are read outside of the fibers.
          yield* Effect.promise(() => setImmediate())
        }
      })
      const refused = write()
      yield* isOffered(refused)
      const accepted = write()
      yield* isOffered(accepted)
      assert.deepStrictEqual(offered, [refused, accepted])
    }),
  )
})
