import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { consolePath } from "@inlethq/contract/console/ConsoleApi"
import { ProblemDetails } from "effect/http"
import type { Authorize } from "../../access/requestCredentials.ts"
import { retryAfterSeconds } from "../../answerHeader.ts"
import { Deadlines } from "../../ingestion/Deadlines.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import { findEndpoints, openApiPath, type AnswerKind } from "./managementEndpoints.ts"

/** Limits on the responses of the management API that are in progress. */
export interface AnswerBounds {
  /**
   * The largest number of lists in progress. A response is in progress from the first read of the store until the client
   * has received the whole response.
   */
  readonly listsMax: number
  /** The largest number of documents in progress. */
  readonly documentsMax: number
  /** The largest number of streams in progress, exports included. */
  readonly streamsMax: number
  /** The largest number of streams in progress with one token, and the sessions that it opened. */
  readonly streamsPerTokenMax: number
  /** The largest number of streams in progress of one workspace. */
  readonly streamsPerWorkspaceMax: number
  /** The largest number of files of the console in progress. */
  readonly filesMax: number
  /** The largest number of tests of webhooks in progress. They are limited because each sends a request to a receiver. */
  readonly webhookTestsMax: number
  /** The largest number of calls that may wait for a slot. Further calls get a 503 response. */
  readonly waitingMax: number
  /**
   * The largest number of calls on one connection that may wait for an earlier call on it. Further calls get a 503
   * response.
   */
  readonly pipelinedMax: number
  /** The longest time that a call may wait for a slot. Afterwards the call gets a 503 response. */
  readonly waitingMs: number
  /** A client that does not read its response for this long is disconnected. */
  readonly stalledMs: number
  /** The longest total duration of a response. Streams may last longer. */
  readonly answerMs: number
}

/**
 * A list contains up to 1 MiB of documents. Until the documents are serialised, they need several times as much memory.
 * Therefore `listsMax` is small.
 */
const defaultBounds: AnswerBounds = {
  listsMax: 8,
  documentsMax: 32,
  streamsMax: 200,
  streamsPerTokenMax: 50,
  streamsPerWorkspaceMax: 100,
  filesMax: 64,
  webhookTestsMax: 8,
  waitingMax: 500,
  pipelinedMax: 16,
  waitingMs: 20_000,
  stalledMs: 15_000,
  answerMs: 120_000,
}

type Kind = "lists" | "documents" | "streams" | "files" | "webhookTests"

/** A call that needs a slot. */
interface Asked {
  readonly kind: Kind
  readonly socket: Socket
  readonly response: ServerResponse
  readonly answer: () => void
  /** Whose share of the streams the call uses. Empty for any other call. */
  readonly shares: ReadonlyArray<Share>
}

/** A token or a workspace that may take a part of the slots. */
interface Share {
  readonly name: string
  readonly max: number
}

/** A call that waits for a slot. */
interface Waiting {
  readonly asked: Asked
  readonly cancelDeadline: () => void
}

/**
 * The slots for responses of one kind, such as lists. Each response in progress occupies a slot. Waiting calls get a
 * free slot in the order of arrival.
 */
class Slots {
  taken = 0
  /** The slots that each token and each workspace takes. */
  private readonly takenBy = new Map<string, number>()
  readonly waiting = new Set<Waiting>()
  readonly max: number

  constructor(max: number) {
    this.max = max
  }

  isFreeFor({ shares }: Asked): boolean {
    return this.taken < this.max && shares.every(({ max, name }) => (this.takenBy.get(name) ?? 0) < max)
  }

  take({ shares }: Asked): void {
    this.taken++
    for (const { name } of shares) this.takenBy.set(name, (this.takenBy.get(name) ?? 0) + 1)
  }

  free({ shares }: Asked): void {
    this.taken--
    for (const { name } of shares) {
      const left = (this.takenBy.get(name) ?? 0) - 1
      if (left > 0) this.takenBy.set(name, left)
      else this.takenBy.delete(name)
    }
  }
}

/**
 * Limits the memory for responses of the management API. Only a fixed number of responses is in progress at a time, and
 * further calls wait. A client that stops reading its response is disconnected, which frees the slot of the response.
 * Calls without valid credentials take no slot, because they would keep operators out, and a connection has at most one.
 */
export class AnswerLimiter {
  private readonly authorize: Authorize
  private readonly bounds: AnswerBounds
  private readonly endpointsAt = findEndpoints()
  private readonly slots: Readonly<Record<Kind, Slots>>
  private readonly waits: Deadlines
  private readonly answers: Deadlines
  /** For each connection with a call that has or awaits a slot, the later calls on it. */
  private readonly pipelined = new WeakMap<Socket, Array<Asked>>()

  constructor(authorize: Authorize, bounds: AnswerBounds = defaultBounds) {
    this.authorize = authorize
    this.bounds = bounds
    this.slots = {
      lists: new Slots(bounds.listsMax),
      documents: new Slots(bounds.documentsMax),
      streams: new Slots(bounds.streamsMax),
      files: new Slots(bounds.filesMax),
      webhookTests: new Slots(bounds.webhookTestsMax),
    }
    this.waits = new Deadlines(bounds.waitingMs)
    this.answers = new Deadlines(bounds.answerMs)
  }

  /**
   * Calls `answer` as soon as a slot is free. Responds with 503 if too many calls wait, if this call waits too long, or
   * if the call requests a stream and all slots for streams are taken, or those of its token or workspace.
   */
  admit(request: IncomingMessage, response: ServerResponse, answer: () => void): void {
    const kind = this.kindOf(request)
    if (kind === undefined) return answer()
    this.cutWhenStalled(response)
    const asked: Asked = { kind, socket: request.socket, response, answer, shares: [] }
    if (kind === "files") return this.enter(asked)
    this.authorize(request, (token) => {
      if (token === null) answer()
      else this.enter(kind === "streams" ? { ...asked, shares: this.sharesOf(request, token) } : asked)
    })
  }

  private sharesOf({ url = "" }: IncomingMessage, token: string): ReadonlyArray<Share> {
    const { streamsPerTokenMax, streamsPerWorkspaceMax } = this.bounds
    const workspace = workspaceIn.exec(pathOf(url))?.[1]
    return [
      { name: `token ${token}`, max: streamsPerTokenMax },
      ...(workspace === undefined ? [] : [{ name: `workspace ${workspace}`, max: streamsPerWorkspaceMax }]),
    ]
  }

  /** Returns the kind of response that a request gets. Other writes than tests of webhooks need no slot. */
  private kindOf({ method, url = "" }: IncomingMessage): Kind | undefined {
    const reads = method === "GET" || method === "HEAD"
    const at = pathOf(url)
    if (reads && (at.startsWith(consolePath) || at === openApiPath)) return "files"
    const endpoints = this.endpointsAt(url)
    if (reads) return endpoints && kinds[endpoints.find((one) => one.method === "GET")?.kind ?? "document"]
    return endpoints?.some((one) => one.method === method && one.kind === "webhookTest")
      ? "webhookTests"
      : undefined
  }

  /** Gives the call a slot, once no earlier call on its connection has or awaits one. */
  private enter(asked: Asked): void {
    const later = this.pipelined.get(asked.socket)
    if (later === undefined) {
      this.pipelined.set(asked.socket, [])
      this.start(asked)
    } else if (later.length < this.bounds.pipelinedMax) later.push(asked)
    else turnAway(asked.response)
  }

  private start(asked: Asked): void {
    const { kind, socket } = asked
    const slots = this.slots[kind]
    if (slots.isFreeFor(asked)) return this.take(asked)
    if (kind !== "streams" && slots.waiting.size < this.bounds.waitingMax) return this.wait(asked)
    turnAway(asked.response)
    this.startLater(socket)
  }

  /** Starts the next call on a connection. */
  private startLater(socket: Socket): void {
    const next = socket.destroyed ? undefined : this.pipelined.get(socket)?.shift()
    if (next === undefined) this.pipelined.delete(socket)
    else this.start(next)
  }

  private take(asked: Asked): void {
    const { answer, kind, response, socket } = asked
    const slots = this.slots[kind]
    slots.take(asked)
    const cancelDeadline = kind === "streams" ? () => {} : this.answers.begin(() => response.destroy())
    onceOver(asked, () => {
      cancelDeadline()
      slots.free(asked)
      this.takeWaiting(slots)
      this.startLater(socket)
    })
    answer()
  }

  private takeWaiting(slots: Slots): void {
    const [next] = slots.waiting
    if (next === undefined) return
    slots.waiting.delete(next)
    next.cancelDeadline()
    this.take(next.asked)
  }

  private wait(asked: Asked): void {
    const { kind, response, socket } = asked
    const { waiting: all } = this.slots[kind]
    const cancelDeadline = this.waits.begin(() => {
      if (!all.delete(waiting)) return
      turnAway(response)
      this.startLater(socket)
    })
    const waiting: Waiting = { asked, cancelDeadline }
    all.add(waiting)
    onceOver(asked, () => {
      if (!all.delete(waiting)) return
      cancelDeadline()
      this.startLater(socket)
    })
  }

  /** Disconnects a client that stops reading its response. The timeout restarts each time the client reads a part. */
  private cutWhenStalled(response: ServerResponse): void {
    response.setTimeout(this.bounds.stalledMs, () => {
      const { socket } = response
      if (socket !== null && socket.writableLength > 0) socket.destroy()
    })
  }
}

/**
 * Calls `end` once the response is complete or its connection has ended. A response behind another response of its
 * connection emits no event when the connection ends.
 */
const onceOver = ({ response, socket }: Asked, end: () => void): void => {
  let isOver = false
  const over = () => {
    if (isOver) return
    isOver = true
    response.off("close", over)
    socket.off("close", disconnected)
    end()
  }
  // A response that has begun ends after its connection.
  const disconnected = () => void setImmediate(over)
  response.once("close", over)
  socket.once("close", disconnected)
}

const path = /^[^?#]*/

const workspaceIn = /\/workspaces\/(\d+)\//

const kinds: Readonly<Record<AnswerKind, Kind>> = {
  list: "lists",
  document: "documents",
  stream: "streams",
  webhookTest: "webhookTests",
}

/** Returns the path of a URL as the router reads it: without percent-encoding, except that of reserved characters. */
const pathOf = (url: string): string => {
  const [at = ""] = path.exec(url) ?? []
  if (!at.includes("%")) return at
  try {
    return decodeURI(at)
  } catch {
    // The router answers 404 to a path that cannot be decoded.
    return at
  }
}

const turnAway = (response: ServerResponse): void => {
  const problem = {
    type: ProblemDetails.blankType,
    title: "Service Unavailable",
    status: 503,
    detail: problemTexts.busy(),
  }
  response.writeHead(problem.status, {
    "content-type": ProblemDetails.contentType,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "retry-after": String(retryAfterSeconds),
  })
  response.end(JSON.stringify(problem))
}
