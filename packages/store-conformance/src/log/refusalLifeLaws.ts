import { Effect } from "effect"
import type { Command } from "@inlethq/core/Command"
import type { Json } from "@inlethq/core/values/Json"
import { dayMs } from "@inlethq/core/values/Timestamp"
import {
  byAnonymousId,
  byEmail,
  byId,
  event,
  identify,
  merge,
  noon,
  remove,
  suppress,
} from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { numbers } from "../../../../tools/testing/randomNumbers.ts"
import { faultOf } from "./refusalLaws.ts"
import { activity, apply, sweepAll } from "../script/scenario.ts"

const peopleCount = 24
const visitorsCount = 20

/** A value that an operation has to leave out, and the numbers of the people and visitors whose erasure erases it. */
interface Claim {
  readonly value: string
  readonly names: ReadonlyArray<number>
}

/** One operation, and what it has to leave out. */
interface Step {
  readonly command: Command
  readonly claim?: Claim
}

/** Says which people were merged and erased. Visitors are numbered after the people. */
class Lives {
  private readonly into = new Map<number, number>()
  private readonly erased = new Set<number>()

  /** Returns the person into whom a person was merged, or by whom a visitor was identified. */
  heirOf(who: number): number {
    const heir = this.into.get(who)
    return heir === undefined ? who : this.heirOf(heir)
  }

  join(who: number, heir: number): void {
    this.into.set(who, heir)
  }

  erase(who: number): void {
    this.erased.add(who)
  }

  isErased(who: number): boolean {
    return this.erased.has(this.heirOf(who))
  }

  /** Returns the people who were neither merged into another person nor erased. */
  get people(): ReadonlyArray<number> {
    return Array.from({ length: peopleCount }, (_, n) => n).filter(
      (n) => this.heirOf(n) === n && !this.isErased(n),
    )
  }

  /** Returns the visitors who were not erased. The next event of an erased one is of a new visitor. */
  get visitors(): ReadonlyArray<number> {
    return Array.from({ length: visitorsCount }, (_, n) => peopleCount + n).filter((n) => !this.isErased(n))
  }
}

const id = (n: number) => byId(`person ${n}`)
const emailOf = (n: number) => `p${n}@example.com`
const cookieOf = (n: number) => `cookie ${n}`
const visitorOf = (n: number) => `visitor ${n}`

const arrivals = Array.from({ length: peopleCount }, (_, n) =>
  identify(id(n), [["plan", "new"]], { email: emailOf(n), anonymousId: cookieOf(n) }),
)

type Pick = (below: number) => number

/** The people and the visitor of an operation, and the time at which it is received. */
interface Chosen {
  readonly one: number
  readonly other: number
  readonly visitor: number
  readonly at: number
}

/** Returns an operation with a value that has to be left out: one of somebody else, a faulty one, or an old one. */
const claimStep = (pick: Pick, { at, one, other, visitor }: Chosen): Step => {
  const given = { receivedAt: at }
  const [email, cookie] = [emailOf(other), cookieOf(other)]
  const claim = { value: email, names: [one, other] }
  switch (pick(5)) {
    case 0:
      return { command: identify(id(one), [], { ...given, email }), claim }
    case 1:
      return {
        command: identify(id(one), [], { ...given, anonymousId: cookie }),
        claim: { ...claim, value: cookie },
      }
    case 2:
      return {
        command: { ...identify(id(one), [["seen", at]], given), faults: [faultOf(email)] },
        claim,
      }
    case 3:
      return {
        command: {
          ...event(byAnonymousId(visitorOf(visitor)), "seen", given),
          faults: [faultOf(email)],
        },
        claim: { ...claim, names: [visitor, other] },
      }
    default:
      return {
        command: identify(id(one), [["plan", `old ${at}`]], { ...given, at: noon - dayMs }),
        claim: { value: `old ${at}`, names: [one] },
      }
  }
}

const oneOf = (pick: Pick, from: ReadonlyArray<number>): number => {
  const chosen = from[pick(from.length)]
  if (chosen === undefined) throw new Error("nobody is left")
  return chosen
}

/** Returns one operation, and changes `lives` if the operation merges, identifies or erases somebody. */
const stepFrom = (pick: Pick, lives: Lives, at: number): Step => {
  const one = oneOf(pick, lives.people)
  const others = lives.people.filter((n) => n !== one)
  const other = oneOf(pick, others)
  const visitor = oneOf(pick, lives.visitors)
  const given = { receivedAt: at }
  const what = pick(24)
  if (what === 0 && others.length > 3) {
    lives.erase(one)
    const target = pick(2) === 0 ? id(one) : byEmail(emailOf(one))
    return { command: pick(2) === 0 ? remove(target, given) : suppress(target, given) }
  }
  if (what === 1 && others.length > 3) {
    lives.join(other, one)
    return { command: merge(id(one), id(other), given) }
  }
  if (what === 2 && lives.heirOf(visitor) === visitor) {
    lives.join(visitor, one)
    return { command: identify(id(one), [], { ...given, anonymousId: visitorOf(visitor) }) }
  }
  return claimStep(pick, { one, other, visitor, at })
}

/** The sequence of an entry, and the values that it shows as left out. */
type Kept = readonly [sequence: number, values: ReadonlyArray<Json>]

const holding = (kept: ReadonlyArray<Kept>) => kept.filter(([, values]) => values.length > 0)

/** Returns what the entries still have to show, in the order of the log. */
const expectedOf = (steps: ReadonlyArray<Step>, lives: Lives): ReadonlyArray<Kept> =>
  holding(
    steps.map(({ claim }, n) => {
      const isKept = claim !== undefined && !claim.names.some((who) => lives.isErased(who))
      return [arrivals.length + n + 1, isKept ? [claim.value] : []]
    }),
  )

const shown = Effect.map(activity({}, { limit: 100 }), (views) =>
  holding(views.map(({ refused, sequence }) => [sequence, refused.map(({ value }) => value)])),
)

/** The properties that every store must have for how long refused values are kept. */
export const refusalLifeLaws: ReadonlyArray<Law> = [
  {
    name: "contract §16 refused values: a refused value lives exactly as long as the people it names, whatever is merged, identified, deleted and suppressed",
    check: Effect.gen(function* () {
      yield* apply(...arrivals)
      const pick = numbers(29)
      const lives = new Lives()
      const steps: Array<Step> = []
      for (let round = 0; round < 24; round++) {
        const batch = Array.from({ length: 1 + pick(15) }, (_, n) =>
          stepFrom(pick, lives, noon + 1 + steps.length + n),
        )
        steps.push(...batch)
        yield* apply(...batch.map(({ command }) => command))
        const expected = expectedOf(steps, lives)
        yield* expectSame(`round ${round}, at once`, yield* shown, expected)
        if (pick(3) > 0) continue
        yield* sweepAll(noon + 1000)
        yield* expectSame(`round ${round}, after erasing`, yield* shown, expected)
      }
      yield* sweepAll(noon + 1000)
      yield* expectSame("in the end", yield* shown, expectedOf(steps, lives))
    }),
  },
]
