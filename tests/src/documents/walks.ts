import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { guideBlocks } from "../guideBlocks.ts"
import { readDocument } from "./documents.ts"

/** The ways of docs/start.md from nothing to the first explained call. */
export const ways = ["With npx", "With one file", "From a clone"] as const

/** One way: the commands that it shows, and what each prints. */
export interface Walk {
  readonly start: string
  readonly welcome: string
  readonly call: string
  readonly answer: string
  readonly why: string
  readonly explanation: string
}

export const walkOf = (way: (typeof ways)[number]): Walk => {
  const page = readDocument("docs/start.md")
  const [section = ""] = page.split(`\n## ${way}\n`).slice(1)
  const texts = guideBlocks(section.split("\n## ")[0] ?? "").map(({ text }) => text)
  const [start = "", welcome = "", call = "", answer = "", why = "", explanation = ""] = texts
  if (texts.length !== 6) throw new Error(`the section ${way} has ${texts.length} blocks instead of 6`)
  return { start, welcome, call, answer, why, explanation }
}

/** Makes the call of a walk with curl, and returns what it prints. */
export const makeCall = async ({ call }: Walk, env: Readonly<Record<string, string>>): Promise<string> => {
  const variables = { PATH: process.env["PATH"] ?? "", ...env }
  return (await promisify(execFile)("sh", ["-euc", call.replace("curl", "curl -sS")], { env: variables }))
    .stdout
}

/** Returns the words of an output without what differs from run to run: times, keys, ports, folders, the release of curl. */
export const wordsOf = (output: string): ReadonlyArray<string> =>
  output
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:Z| UTC)/g, "<time>")
    .replaceAll(/curl\/[\d.]+/g, "curl")
    .replaceAll(/127\.0\.0\.1:\d+/g, "<address>")
    .replaceAll(/\b[0-9a-f]{20,}\b|\b[0-9a-f]{8}…/g, "<secret>")
    .replaceAll(/(?<=\(data in |token in )[^)]*?(?=\)|\/management-token)/g, "<folder>")
    .split(/\s+/)
    .filter((word) => word !== "")
