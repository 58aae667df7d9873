import { describe, expect, it } from "vitest"
import { EmulatorUnavailable, loadingError, requireNode } from "../src/requirements.ts"

describe("the requirements of the emulator", () => {
  it.each(["20.20.2", "22.18.0", "18.0.0"])(
    "Node %s is too old, and the error names the oldest",
    (version) => {
      expect(() => requireNode(version)).toThrow(
        new EmulatorUnavailable(`the emulator needs Node 22.19 or later: this is Node ${version}`),
      )
    },
  )

  it.each(["22.19.0", "24.0.0", "26.10.0"])("Node %s is new enough", (version) => {
    expect(() => requireNode(version)).not.toThrow()
  })

  it.each(["@inlethq/runtime", "@inlethq/contract", "effect"])(
    "the error for the missing package %s says what to install",
    (missing) => {
      const text = `Cannot find package '${missing}' imported from /app/InletEmulator.js`
      const error = Object.assign(new Error(text), { code: "ERR_MODULE_NOT_FOUND" })
      expect(loadingError(error)).toEqual(
        new EmulatorUnavailable(
          `the emulator needs the package ${missing}: run npm install --save-dev @inlethq/testing`,
        ),
      )
    },
  )

  it("another error stays as it is", () => {
    const error = new TypeError("text")
    expect(loadingError(error)).toBe(error)
  })
})
