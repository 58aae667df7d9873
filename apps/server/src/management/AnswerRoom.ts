import type { IncomingMessage, ServerResponse } from "node:http"
import { managementPath } from "@inlet/api/management/ManagementApi"
import { ProblemDetails } from "effect/http"
import { forgetAnswer } from "../clientErrors.ts"
import { Deadlines } from "../ingestion/Deadlines.ts"
import { details } from "./details.ts"

/** What answers to operators may hold of the server, and for how long. */
export interface AnswerBounds {
  /** Lists, documents and streams that are answered at a time, from reading until the client has taken all of it. */
  readonly listsMax: number
  readonly documentsMax: number
  readonly streamsMax: number
  /** Calls that may wait until others have their answer, and how long. */
  readonly waitingMax: number
  readonly waitingMs: number
  /** How long a client may take nothing of its answer before its connection is cut. */
  readonly stalledMs: number
  /** How long an answer may take in all, unless it is a stream. */
  readonly answerMs: number
}

/** A list holds up to 1 MiB of documents; their objects take a few times as much until they are written. */
const answerBounds: AnswerBounds = {
  listsMax: 8,
  documentsMax: 32,
  streamsMax: 200,
  waitingMax: 500,
  waitingMs: 20_000,
  stalledMs: 15_000,
  answerMs: 120_000,
}

const retryAfterSeconds = 1

type Kind = "lists" | "documents" | "streams"

interface Waiting {
  readonly response: ServerResponse
  readonly answer: () => void
  readonly inTime: () => void
}

/** Places for answers of one kind, and the calls that wait for one. */
class Places {
  taken = 0
  readonly waiting = new Set<Waiting>()
  readonly max: number

  constructor(max: number) {
    this.max = max
  }
}

/**
 * Bounds what the management API's answers hold in memory: so many are read and sent at a time, the others wait in line. A client
 * that does not take its answer is cut off, so that its place is free again.
 */
export class AnswerRoom {
  private readonly bounds: AnswerBounds
  private readonly places: Readonly<Record<Kind, Places>>
  private readonly waits: Deadlines
  private readonly answers: Deadlines

  constructor(bounds: AnswerBounds = answerBounds) {
    this.bounds = bounds
    this.places = {
      lists: new Places(bounds.listsMax),
      documents: new Places(bounds.documentsMax),
      streams: new Places(bounds.streamsMax),
    }
    this.waits = new Deadlines(bounds.waitingMs)
    this.answers = new Deadlines(bounds.answerMs)
  }

  /** Answers a call as soon as there is a place, or turns it away. */
  admit(request: IncomingMessage, response: ServerResponse, answer: () => void): void {
    const kind = kindOf(request)
    if (kind === undefined) return answer()
    this.cutWhenStalled(response)
    const places = this.places[kind]
    if (places.taken < places.max) this.take(kind, response, answer)
    else if (kind === "streams" || places.waiting.size >= this.bounds.waitingMax) turnAway(response)
    else this.wait(places, response, answer)
  }

  private take(kind: Kind, response: ServerResponse, answer: () => void): void {
    const places = this.places[kind]
    places.taken++
    const inTime = kind === "streams" ? () => {} : this.answers.begin(() => response.destroy())
    response.once("close", () => {
      inTime()
      forgetAnswer(response)
      places.taken--
      const [next] = places.waiting
      if (next === undefined) return
      places.waiting.delete(next)
      next.inTime()
      this.take(kind, next.response, next.answer)
    })
    answer()
  }

  private wait(places: Places, response: ServerResponse, answer: () => void): void {
    const inTime = this.waits.begin(() => {
      if (places.waiting.delete(waiting)) turnAway(response)
    })
    const waiting: Waiting = { response, answer, inTime }
    places.waiting.add(waiting)
    response.once("close", () => {
      if (places.waiting.delete(waiting)) inTime()
    })
  }

  /** The time runs anew whenever bytes are taken, also while a large answer is sent in parts. */
  private cutWhenStalled(response: ServerResponse): void {
    response.setTimeout(this.bounds.stalledMs, () => {
      const { socket } = response
      if (socket !== null && socket.writableLength > 0) socket.destroy()
    })
  }
}

const path = /^[^?#]*/
const streamPath = /\/activity\/stream$/
const listPath = /\/(people|activity|objects|segments|forms|deliveries)$/

const kindOf = ({ method, url = "" }: IncomingMessage): Kind | undefined => {
  const [at = ""] = path.exec(url) ?? []
  if ((method !== "GET" && method !== "HEAD") || !at.startsWith(managementPath)) return undefined
  if (streamPath.test(at)) return "streams"
  return listPath.test(at) ? "lists" : "documents"
}

const turnAway = (response: ServerResponse): void => {
  const problem = {
    type: ProblemDetails.blankType,
    title: "Service Unavailable",
    status: 503,
    detail: details.busy(),
  }
  response.writeHead(problem.status, {
    "content-type": ProblemDetails.contentType,
    "cache-control": "no-store",
    "retry-after": String(retryAfterSeconds),
  })
  response.end(JSON.stringify(problem))
}
