import { assert, describe, it } from "@effect/vitest"
import { makeCertificate } from "@inlethq/postgres-server/certificate"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createSecureContext } from "node:tls"
import { setImmediate } from "node:timers/promises"
import { readCertificate, watchCertificate } from "../../src/listener/Certificate.ts"

/** A folder that is removed with the scope, and functions that write a certificate and its key into it. */
const certificateFiles = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "certificate-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true })),
  ),
  (folder) => {
    const files = { certificate: join(folder, "cert.pem"), key: join(folder, "key.pem") }
    const write = (chain = "") => {
      const { cert, key } = makeCertificate("inlet")
      writeFileSync(files.certificate, cert + chain)
      writeFileSync(files.key, key)
      return cert
    }
    return { files, write }
  },
)

const damaged = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"

describe("a certificate with a damaged chain", () => {
  it.effect("a certificate with a damaged chain is refused at the start", () =>
    Effect.gen(function* () {
      const { files, write } = yield* certificateFiles
      write(damaged)
      const { message } = yield* Effect.flip(readCertificate(files))
      assert.match(message, /^INLET_TLS_CERT must be a certificate that TLS accepts/)
    }),
  )

  it.effect(
    "a damaged certificate file is not used, and a later valid certificate replaces the current certificate",
    () =>
      Effect.gen(function* () {
        const { files, write } = yield* certificateFiles
        write()
        let inUse = ""
        yield* watchCertificate(files, yield* readCertificate(files), ({ cert, key }) => {
          createSecureContext({ cert, key })
          inUse = cert
        })
        const nextRead = Effect.gen(function* () {
          yield* TestClock.adjust("1 second")
          // Node reads the files outside of the fibers, so the test clock does not wait for the reads.
          for (let turn = 0; turn < 100; turn++) yield* Effect.promise(() => setImmediate())
        })
        write(damaged)
        yield* Effect.repeat(nextRead, { times: 4 })
        assert.strictEqual(inUse, "")
        const last = write()
        yield* Effect.repeat(nextRead, { until: () => inUse === last })
      }),
  )
})
