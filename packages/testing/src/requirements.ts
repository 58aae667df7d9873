import { fillText } from "@inlethq/sdk/texts/fillText"
import { emulatorTexts } from "./emulatorTexts.ts"

/** Thrown if the Node or the packages that the emulator needs are missing. */
export class EmulatorUnavailable extends Error {
  override readonly name = "EmulatorUnavailable"
}

/** The oldest Node that runs the server, as `engines` of `@inlethq/testing` names it. */
const oldestNode = [22, 19] as const

/** The packages of which the emulator is made. npm installs them with it. */
const packages = ["@inlethq/runtime", "@inlethq/contract", "effect"]

/** Throws an `EmulatorUnavailable` if this Node is too old for the server. */
export const requireNode = (version: string = process.versions.node): void => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const [majorMin, minorMin] = oldestNode
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return
  throw new EmulatorUnavailable(fillText(emulatorTexts.nodeTooOld, { min: oldestNode.join("."), version }))
}

/**
 * Returns the error to throw if a module of the emulator cannot be loaded. If a package is missing, the error says what to
 * install. Otherwise it is the given one.
 */
export const loadingError = (error: unknown): unknown => {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_MODULE_NOT_FOUND") return error
  const name = packages.find((known) => error.message.startsWith(`Cannot find package '${known}'`))
  if (name === undefined) return error
  const text = fillText(emulatorTexts.packageMissing, { name, packages: "@inlethq/testing" })
  return new EmulatorUnavailable(text, { cause: error })
}
