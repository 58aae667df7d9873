import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The parts of V8's CPU profile format that the benchmark reads. */
interface Profile {
  readonly nodes: ReadonlyArray<ProfileNode>
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
  readonly startTime: number
}

interface ProfileNode {
  readonly id: number
  readonly callFrame: CallFrame
  readonly children?: ReadonlyArray<number>
  /** The number of samples for each line of the function. */
  readonly positionTicks?: ReadonlyArray<{ readonly line: number; readonly ticks: number }>
}

interface CallFrame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
}

type Ranking = ReadonlyArray<readonly [name: string, microseconds: number]>

/** The CPU time of one thread by group, function and line. The largest shares come first. */
export interface Times {
  readonly total: number
  readonly busy: number
  readonly groups: Ranking
  readonly functions: Ranking
  /** The CPU time of each line of Inlet's own code. Native functions count towards the line that calls them. */
  readonly lines: Ranking
}

/** Reads the CPU profiles of a server's threads between two times of the monotonic clock. */
export const readProfiles = (directory: string, from: number, to: number): ReadonlyArray<Times> =>
  readdirSync(directory)
    .filter((name) => name.endsWith(".cpuprofile"))
    .map((name) => timesOf(JSON.parse(readFileSync(join(directory, name), "utf8")), from, to))

const idle = "(idle)"

const timesOf = (profile: Profile, from: number, to: number): Times => {
  const parents = new Map(
    profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)),
  )
  const own = selfTimes(profile, from, to)
  const groups = new Map<string, number>()
  const functions = new Map<string, number>()
  const lines = new Map<string, number>()
  for (const node of profile.nodes) {
    const time = own.get(node.id) ?? 0
    if (time === 0) continue
    const caller = parents.get(node.id)?.callFrame
    add(functions, nameOf(node.callFrame, caller), time)
    for (const { line, share, text } of linesOf(node)) {
      add(groups, groupOf(node.callFrame, caller, text), time * share)
      if (text !== "" && isOurs(node.callFrame)) {
        add(lines, `${placeOf(node.callFrame, line)}  ${text}`, time * share)
      }
    }
  }
  const total = [...own.values()].reduce((sum, time) => sum + time, 0)
  return {
    total,
    busy: total - (groups.get(idle) ?? 0),
    groups: ranked(groups),
    functions: ranked(functions),
    lines: ranked(lines),
  }
}

const selfTimes = (profile: Profile, from: number, to: number): Map<number, number> => {
  const times = new Map<number, number>()
  let now = profile.startTime
  for (const [index, id] of profile.samples.entries()) {
    const delta = profile.timeDeltas[index] ?? 0
    now += delta
    if (now >= from && now <= to) times.set(id, (times.get(id) ?? 0) + delta)
  }
  return times
}

const add = (times: Map<string, number>, key: string, time: number) =>
  times.set(key, (times.get(key) ?? 0) + time)

const ranked = (times: Map<string, number>): Ranking => [...times].toSorted(([, a], [, b]) => b - a)

interface Line {
  readonly line: number
  readonly share: number
  readonly text: string
}

/**
 * Returns the lines in which a function spent its own time. Native functions count towards the line that calls them.
 */
const linesOf = ({ callFrame, positionTicks }: ProfileNode): ReadonlyArray<Line> => {
  const ticks = positionTicks?.reduce((sum, position) => sum + position.ticks, 0) ?? 0
  if (positionTicks === undefined || ticks === 0) return [{ line: 0, share: 1, text: "" }]
  const source = isOurs(callFrame) ? sourceOf(callFrame.url) : []
  return positionTicks.map(({ line, ticks: here }) => ({
    line,
    share: here / ticks,
    text: source[line - 1]?.trim() ?? "",
  }))
}

const isOurs = (frame: CallFrame) =>
  frame.url.startsWith("file:") && !sourceFileOf(frame).includes("/node_modules/")

/** Returns the source file of a function, also if it runs from a bundle, which names the file of each of its parts. */
const sourceFileOf = ({ lineNumber, url }: CallFrame): string => {
  if (!url.startsWith("file:") || !url.includes("/dist/") || url.includes("/node_modules/")) return url
  const lines = sourceOf(url)
  for (let at = Math.min(lineNumber, lines.length - 1); at >= 0; at--) {
    const line = lines[at] ?? ""
    if (line.startsWith(partStart)) return `/${line.slice(partStart.length)}`
  }
  return url
}

const partStart = "//#region "

const sources = new Map<string, ReadonlyArray<string>>()

const sourceOf = (url: string): ReadonlyArray<string> => {
  const known = sources.get(url)
  if (known !== undefined) return known
  const lines = readFileSync(fileURLToPath(url), "utf8").split("\n")
  sources.set(url, lines)
  return lines
}

/** Returns the part of the server to which a line of code belongs, such as "codec" or "SQLite". */
const groupOf = (frame: CallFrame, caller: CallFrame | undefined, text: string): string => {
  if (frame.url === "" && frame.functionName.startsWith("(")) return frame.functionName
  const file = sourceFileOf(frame)
  if (file.includes("/packages/storage-") && /\.(run|get|all|iterate|exec)\(/.test(text)) {
    const calling = caller === undefined ? "" : sourceFileOf(caller)
    return calling.endsWith("/engine/Database.ts") ? "SQLite: begin, commit and fsync" : "SQLite: statements"
  }
  if (/JSON\.(parse|stringify)/.test(text)) return "JSON"
  for (const [part, group] of places) if (file.includes(part)) return group
  return frame.url === "" || frame.url.startsWith("node:") ? "HTTP and node" : "other"
}

/** The groups of code by file. A file belongs to the first entry with a `part` that its URL contains. */
const places: ReadonlyArray<readonly [part: string, group: string]> = [
  ["/effect/dist/http", "Effect HTTP"],
  ["/effect/dist/Schema", "Effect Schema"],
  ["/effect/dist/internal/schema", "Effect Schema"],
  ["/node_modules/", "Effect runtime"],
  ["/packages/wire/", "codec"],
  ["/packages/log/", "log"],
  ["/packages/contract/", "contract"],
  ["/packages/core/", "core"],
  ["/packages/engine/", "engine"],
  ["/packages/storage", "storage: rows from and to objects"],
  ["/packages/http/", "http"],
  ["/packages/outbound/", "outbound"],
  ["/packages/runtime/", "runtime"],
]

const nameOf = (frame: CallFrame, caller: CallFrame | undefined): string => {
  const name = frame.functionName === "" ? "(anonymous)" : frame.functionName
  if (frame.url !== "") return `${name} ${placeOf(frame, frame.lineNumber + 1)}`
  return caller === undefined || name.startsWith("(") ? name : `${name} < ${caller.functionName}`
}

/** Returns a file and a line of it; of a bundle its own line, and the source file. */
const placeOf = (frame: CallFrame, line: number): string => {
  const source = sourceFileOf(frame)
  const place = `${shortFile(frame.url)}:${line}`
  return source === frame.url ? place : `${shortFile(source)} (${place})`
}

const shortFile = (url: string): string => url.split("/").slice(-2).join("/")
