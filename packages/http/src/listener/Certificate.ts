import { Effect, Result, Schedule } from "effect"
import { createPrivateKey, X509Certificate } from "node:crypto"
import { readFile, stat } from "node:fs/promises"
import { createSecureContext } from "node:tls"
import type { TlsFiles } from "../HttpSettings.ts"
import { WrongSetting } from "./WrongSetting.ts"

/** The interval at which the certificate files are checked for changes. */
const checkInterval = "1 second"

/** The largest PEM file that is read. A certificate chain usually has a few KB. */
const pemBytesMax = 1024 * 1024

/** A certificate with its chain and its private key, in PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/**
 * Reads the certificate and the private key, and checks that they match and that TLS accepts them. An error names the
 * environment variable of the invalid file.
 */
export const readCertificate = Effect.fnUntraced(function* (files: TlsFiles) {
  const certificate: Certificate = {
    cert: yield* readPem("INLET_TLS_CERT", files.certificate),
    key: yield* readPem("INLET_TLS_KEY", files.key),
  }
  yield* check(files, certificate)
  return certificate
})

const readPem = (variable: string, file: string) =>
  Effect.tryPromise({
    try: async () => {
      const { size } = await stat(file)
      if (size > pemBytesMax) throw new Error(`${file} has ${size} bytes, more than ${pemBytesMax}`)
      return readFile(file, "utf8")
    },
    catch: (cause) => wrong(variable, "a readable PEM file", cause),
  })

const wrong = (variable: string, expected: string, cause: unknown): WrongSetting =>
  new WrongSetting({
    variable,
    expected: `${expected} (${cause instanceof Error ? cause.message : String(cause)})`,
  })

const check = Effect.fnUntraced(function* (files: TlsFiles, { cert, key }: Certificate) {
  const certificate = yield* Effect.try({
    try: () => new X509Certificate(cert),
    catch: (cause) => wrong("INLET_TLS_CERT", `a PEM file with a certificate: ${files.certificate}`, cause),
  })
  const privateKey = yield* Effect.try({
    try: () => createPrivateKey(key),
    catch: (cause) =>
      wrong("INLET_TLS_KEY", `a PEM file with a private key that has no passphrase: ${files.key}`, cause),
  })
  if (!certificate.checkPrivateKey(privateKey)) {
    return yield* new WrongSetting({
      variable: "INLET_TLS_KEY",
      expected: `the private key of the certificate in ${files.certificate}`,
    })
  }
  // The checks above concern only the first certificate. `createSecureContext` also checks the rest of the chain, and
  // the length of the key.
  yield* Effect.try({
    try: () => createSecureContext({ cert, key }),
    catch: (cause) => wrong("INLET_TLS_CERT", `a certificate that TLS accepts: ${files.certificate}`, cause),
  })
})

/**
 * Calls `use` with each new certificate until the scope closes. Reads the files once a second. The certificate and the
 * key are usually replaced one after the other, so changed files are used only after two successive reads return the
 * same content. Invalid files are logged once, and the previous certificate stays in use.
 */
export const watchCertificate = (
  files: TlsFiles,
  inUse: Certificate,
  use: (certificate: Certificate) => void,
) => {
  let tried = textOf(inUse)
  let before = tried
  const look = Effect.gen(function* () {
    const found = yield* Effect.result(readCertificate(files))
    const text = Result.match(found, { onSuccess: textOf, onFailure: ({ message }) => message })
    const isSettled = text === before
    before = text
    if (!isSettled || text === tried) return
    tried = text
    if (Result.isFailure(found)) {
      return yield* Effect.logError(
        `the TLS certificate was not replaced; the previous one stays in use: ${found.failure.message}`,
      )
    }
    use(found.success)
    yield* Effect.logInfo("the TLS certificate was replaced")
  })
  return Effect.forkScoped(Effect.repeat(look, Schedule.spaced(checkInterval)))
}

const textOf = ({ cert, key }: Certificate): string => `${cert}\n${key}`
