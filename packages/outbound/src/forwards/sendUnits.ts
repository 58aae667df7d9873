import type { AttemptResult } from "@inlethq/core/webhook/DeliveryQueue"
import { Effect } from "effect"
import type { Delivered } from "../sending/Delivered.ts"
import { verdictOf, type Verdict } from "./verdictOf.ts"

/**
 * The most requests for one batch whose items are refused. What is left then is sent again with the next attempt. One refused
 * item among a hundred costs ten.
 */
const requestsPerBatchMax = 40

/** What came of one unit of a batch. */
export interface UnitResult {
  readonly result: AttemptResult
  readonly delivered: Delivered
}

interface How<Unit, R> {
  /** Sends units in one request, in order. */
  readonly post: (units: ReadonlyArray<Unit>) => Effect.Effect<Delivered, never, R>
  /** Compares units with the log as it is now. Asked before every request, and before anything of an answer is kept. */
  readonly compare: (units: ReadonlyArray<Unit>) => Effect.Effect<Compared<Unit>>
}

/** What became of units since they were read. Those in neither set are gone. */
export interface Compared<Unit> {
  /** These are as they were. */
  readonly there: ReadonlySet<Unit>
  /** Somebody whom these named was erased, and the rest of them can be read again. */
  readonly changed: ReadonlySet<Unit>
}

/**
 * Sends units in order, and returns what came of each. If the receiver refuses a request without saying which item it does not
 * take, halves of it find the item, which is filed, and the rest goes on.
 */
export const sendUnits = <Unit extends Counted, R>(
  units: ReadonlyArray<Unit>,
  how: How<Unit, R>,
): Effect.Effect<ReadonlyMap<Unit, UnitResult>, never, R> => {
  const sending = new Sending(units, how)
  return Effect.as(sending.run(), sending.results)
}

/** A unit knows how many items of the request it is, and whether it tells that somebody was erased. */
interface Counted {
  readonly items: number
  readonly isErasing: boolean
}

/** The answer to a request. `delivered` is null if nothing was left to send. */
interface Answered {
  readonly delivered: Delivered | null
  readonly verdict: Verdict
}

class Sending<Unit extends Counted, R> {
  readonly results = new Map<Unit, UnitResult>()
  private rest: ReadonlyArray<Unit>
  /** The units that may no longer be sent. */
  private readonly gone = new Set<Unit>()
  private readonly how: How<Unit, R>
  private requests = 0

  constructor(units: ReadonlyArray<Unit>, how: How<Unit, R>) {
    this.rest = units
    this.how = how
  }

  readonly run = Effect.fnUntraced({ self: this }, function* (this: Sending<Unit, R>): Effect.fn.Return<
    void,
    never,
    R
  > {
    while (this.rest.length > 0) {
      const { delivered, verdict } = yield* this.ask(this.rest)
      this.forgetSettled()
      if (verdict._tag !== "Refused" || delivered === null) return
      if (verdict.refused.size > 0) continue
      const [only, ...others] = this.rest
      if (only !== undefined && others.length === 0) this.refuse(only, delivered)
      else if (this.requests >= requestsPerBatchMax) this.failRest(delivered)
      else yield* this.narrow(delivered)
      this.forgetSettled()
    }
  })

  /** Finds the first unit of the rest that is refused. Those before it are taken, and those after it stay. */
  private readonly narrow = Effect.fnUntraced(
    { self: this },
    function* (this: Sending<Unit, R>, whole: Delivered): Effect.fn.Return<void, never, R> {
      const { rest } = this
      let [low, high] = [0, rest.length]
      let answer: Delivered | null = null
      while (high - low > 1 || answer === null) {
        if (this.requests >= requestsPerBatchMax) return this.failRest(whole)
        const middle = low + Math.max(1, Math.floor((high - low) / 2))
        const { delivered, verdict } = yield* this.ask(rest.slice(low, middle))
        if (verdict._tag === "Refused") {
          high = middle
          if (middle - low === 1) answer = delivered
          continue
        }
        if (verdict._tag !== "Taken") return this.failRest(delivered ?? whole)
        low = middle
        // The receiver took each part of what it had refused as a whole.
        if (low >= high) return
      }
      const found = rest[low]
      if (found !== undefined && !this.results.has(found)) this.refuse(found, answer)
    },
  )

  private readonly ask = Effect.fnUntraced(
    { self: this },
    function* (this: Sending<Unit, R>, units: ReadonlyArray<Unit>): Effect.fn.Return<Answered, never, R> {
      const left = yield* this.stillThere(units)
      if (left.length === 0) return { delivered: null, verdict: { _tag: "Taken", refused: new Map() } }
      this.requests++
      const answer = yield* this.how.post(left)
      const items = left.reduce((sum, unit) => sum + unit.items, 0)
      const verdict = verdictOf(answer, items)
      const quotes = yield* this.quotable(left, answer, verdict)
      const [only] = left
      // What a receiver answers to several may quote any of them.
      const isQuoted = answer.status === null || (left.length === 1 && only !== undefined && quotes.has(only))
      const delivered = isQuoted ? answer : { ...answer, excerpt: null }
      settle(this.results, left, delivered, verdict, quotes)
      return { delivered, verdict }
    },
  )

  /** Returns the units of which the answer may be kept: they tell no erasure, and nobody was erased while it came. */
  private readonly quotable = Effect.fnUntraced(
    { self: this },
    function* (
      this: Sending<Unit, R>,
      units: ReadonlyArray<Unit>,
      { excerpt, status }: Delivered,
      verdict: Verdict,
    ): Effect.fn.Return<ReadonlySet<Unit>> {
      const hasRefused = (verdict._tag === "Taken" || verdict._tag === "Refused") && verdict.refused.size > 0
      const isKept = hasRefused || (units.length === 1 && status !== null && excerpt !== null)
      if (!isKept) return new Set()
      const { there } = yield* this.how.compare(units)
      return new Set([...there].filter(({ isErasing }) => !isErasing))
    },
  )

  private readonly stillThere = Effect.fnUntraced(
    { self: this },
    function* (this: Sending<Unit, R>, units: ReadonlyArray<Unit>): Effect.fn.Return<ReadonlyArray<Unit>> {
      const { changed, there } = yield* this.how.compare(units)
      const left: Array<Unit> = []
      let isWaiting = false
      for (const unit of units) {
        if (!there.has(unit) && !changed.has(unit)) this.gone.add(unit)
        else {
          // What follows a unit that is read again waits, so that the order stays.
          isWaiting ||= changed.has(unit)
          if (isWaiting) this.results.set(unit, { result: failed(readAgain), delivered: readAgain })
          else left.push(unit)
        }
      }
      return left
    },
  )

  private forgetSettled(): void {
    this.rest = this.rest.filter((unit) => !this.results.has(unit) && !this.gone.has(unit))
  }

  private refuse(unit: Unit, delivered: Delivered): void {
    this.results.set(unit, { result: { _tag: "Refused" }, delivered })
  }

  private failRest(delivered: Delivered): void {
    for (const unit of this.rest) {
      if (!this.results.has(unit)) this.results.set(unit, { result: failed(delivered), delivered })
    }
  }
}

/** What becomes of a unit that has to be read again before it is sent. */
export const readAgain: Delivered = {
  failure: { kind: "connection" },
  status: null,
  excerpt: null,
  retryAfterMs: 0,
  durationMs: 0,
}

const failed = ({ failure, retryAfterMs }: Delivered): AttemptResult => ({
  _tag: "Failed",
  failure: failure ?? { kind: "connection" },
  retryAfterMs,
})

/** Notes what an answer says of units. A unit with a refused item is refused. */
const settle = <Unit extends Counted>(
  results: Map<Unit, UnitResult>,
  units: ReadonlyArray<Unit>,
  delivered: Delivered,
  verdict: Verdict,
  quotes: ReadonlySet<Unit>,
): void => {
  let from = 0
  for (const unit of units) {
    const to = from + unit.items
    const refusal = refusalOf(verdict, from, to)
    if (refusal !== null) {
      const excerpt = quotes.has(unit) ? refusal : null
      results.set(unit, { result: { _tag: "Refused" }, delivered: { ...delivered, excerpt } })
    } else if (verdict._tag !== "Refused") {
      const result: AttemptResult =
        verdict._tag === "Taken"
          ? { _tag: "Delivered" }
          : verdict._tag === "Looped"
            ? { _tag: "Looped" }
            : failed(delivered)
      results.set(unit, { result, delivered })
    }
    from = to
  }
}

const refusalOf = (verdict: Verdict, from: number, to: number): string | null => {
  if (verdict._tag !== "Taken" && verdict._tag !== "Refused") return null
  for (let index = from; index < to; index++) {
    const refusal = verdict.refused.get(index)
    if (refusal !== undefined) return refusal
  }
  return null
}
