import { describe, expect, it } from "vitest"
import { Inlet, type InletOptions } from "@inlethq/sdk"
import { readUrl } from "../src/InletOptions.ts"

const valid = { url: "http://127.0.0.1:8080", writeKey: "key" }

describe("options of a client", () => {
  it.each<readonly [InletOptions<never>, string]>([
    [{ writeKey: "key" }, "url is missing: set the option or INLET_URL to an http or https address"],
    [{ ...valid, url: "inlet.example.com" }, "url must be an http or https address such as"],
    [{ ...valid, url: "ftp://inlet.example.com" }, "url must be an http or https address such as"],
    [{ url: valid.url }, "writeKey is missing: set the option or INLET_WRITE_KEY to a Pipelines key"],
    [{ ...valid, writeKey: "schlüssel" }, "writeKey must be printable ASCII without spaces and colons"],
    [{ ...valid, batchCallsMax: 0 }, "batchCallsMax must be an integer from 1 to 2147483647: 0"],
    [{ ...valid, requestTimeoutMs: 2 ** 31 }, "requestTimeoutMs must be an integer from 1 to 2147483647"],
    [{ ...valid, batchWaitMs: 0.5 }, "batchWaitMs must be an integer from 0 to 2147483647: 0.5"],
  ])("the options %j throw an error that says what is expected", (options, message) => {
    expect(() => new Inlet(options)).toThrow(message)
  })

  it("warns once of options that no client has", () => {
    const warnings: Array<string> = []
    const misspelt = {
      ...valid,
      batchCalls: 5,
      flushInterval: 10,
      onWarning: (text: string) => warnings.push(text),
    }
    expect(new Inlet(misspelt).pending).toBe(0)
    expect(warnings).toEqual(["inlet: unknown options have no effect: batchCalls, flushInterval"])
  })

  it.each([
    ["https://inlet.example.com", "https://inlet.example.com/v1/batch?outcomes=true"],
    ["https://inlet.example.com/", "https://inlet.example.com/v1/batch?outcomes=true"],
    ["https://inlet.example.com/v1", "https://inlet.example.com/v1/batch?outcomes=true"],
    ["https://example.com/inlet/v1/", "https://example.com/inlet/v1/batch?outcomes=true"],
  ])("calls for the url %s are sent to %s", (url, expected) => {
    expect(readUrl(url)).toBe(expected)
  })
})
