/*
 * What merges and deletions have to leave, from the pages alone: §6 of the contract, *merge …* and *delete of a merged person*, and
 * the table of `docs/history.md`. The model folds over commands one by one. A person is a tree: whoever was merged into them is a
 * branch, with everything that they had at that moment.
 */

/** A name of somebody: the kind of identifier, a space, and the identifier. */
export type Name = `${"id" | "email" | "cookie"} ${number}`
export type PersonName = Exclude<Name, `cookie ${number}`>

/** A command about a few people and things. Its number is in every value that it sets, so that each has one origin. */
export type ChainCommand = { readonly number: number } & (
  | {
      readonly what: "identify"
      readonly lead: PersonName
      readonly other: PersonName | null
      readonly cookie: Name | null
      /** Attributes and relationships, by what they are called. */
      readonly sets: ReadonlyArray<string>
    }
  | { readonly what: "add device"; readonly lead: PersonName; readonly token: string }
  | { readonly what: "event"; readonly lead: Name }
  | { readonly what: "merge"; readonly primary: PersonName; readonly secondary: PersonName }
  | { readonly what: "delete" | "suppress"; readonly lead: PersonName }
)

type Of<W extends ChainCommand["what"]> = Extract<ChainCommand, { readonly what: W }>

/** A merge, seen from the one who remained: who was merged, and what came from them. */
interface Branch {
  readonly of: Node
  readonly taken: Set<string>
}

/** Somebody, alive or merged: the number of the command that set each thing, and the numbers of events. */
class Node {
  readonly things = new Map<string, number>()
  readonly events: Array<number> = []
  readonly branches: Array<Branch> = []

  hasKindOf(name: string): boolean {
    return [...this.things.keys()].some((thing) => kindOf(thing) === kindOf(name))
  }
}

/** What a person has one of at most. */
const kindOf = (thing: string): string => /^(?:id|email) /.exec(thing)?.[0] ?? thing
const isName = (thing: string): boolean => /^(?:id|email|cookie) /.test(thing)
const isPersonName = (thing: string): boolean => /^(?:id|email) /.test(thing)

export interface ExpectedPerson {
  readonly things: ReadonlyMap<string, number>
  readonly events: ReadonlyArray<number>
}

export class ChainModel {
  /** The numbers of commands of which nothing may be left. */
  readonly erased = new Set<number>()
  private alive: Array<Node> = []
  /** Who had a name when a merge freed it; the one who was merged last. */
  private readonly freed = new Map<string, Node>()
  /** Events by names that nobody has. */
  private readonly waiting = new Map<string, Array<number>>()
  private readonly suppressed = new Set<string>()

  /** Applies a command. Returns whether it changes anybody. */
  apply(command: ChainCommand): boolean {
    if (namesOf(command).some((name) => this.suppressed.has(name))) return false
    switch (command.what) {
      case "identify":
        return this.identify(command)
      case "add device":
        return this.addDevice(command)
      case "event":
        return this.event(command)
      case "merge":
        return this.merge(command)
      case "delete":
      case "suppress":
        return this.erase(command)
    }
  }

  people(): ReadonlyArray<ExpectedPerson> {
    return this.alive.map((person) => ({
      things: new Map([...person.things].toSorted(([one], [other]) => (one < other ? -1 : 1))),
      events: eventsOf(person).toSorted((one, other) => one - other),
    }))
  }

  /** Undoes the oldest merge into somebody and divides the events. Returns whether there is one that can be undone. */
  undoOldest(name: Name): boolean {
    const root = this.find(name)
    const merged = root?.branches[0]?.of
    if (root === undefined || merged === undefined || this.isSuppressed(merged)) return false
    this.separate(root, merged)
    this.alive.push(merged)
    return true
  }

  /** Returns a name of everybody into whom somebody was merged. */
  primaries(): ReadonlyArray<string> {
    return this.alive.flatMap(({ branches, things }) =>
      branches.length === 0 ? [] : [[...things.keys()].find(isPersonName) ?? ""],
    )
  }

  /** Returns the names that lead to merged people, those who were merged through others first. */
  freedNames(): ReadonlyArray<string> {
    const found = [...this.freed.keys()].flatMap((name) => {
      const merged = this.find(name) === undefined ? this.mergedWith(name) : undefined
      return merged === undefined ? [] : [{ name, depth: this.depthOf(merged) }]
    })
    return found.toSorted((one, other) => other.depth - one.depth).map(({ name }) => name)
  }

  private depthOf(merged: Node): number {
    return Math.max(...this.alive.map((one) => pathTo(one, merged)?.length ?? 0))
  }

  private find(name: string): Node | undefined {
    return this.alive.find(({ things }) => things.has(name))
  }

  private create(): Node {
    const person = new Node()
    this.alive.push(person)
    return person
  }

  /** Gives a name to somebody unless they have another or it is somebody else's, with the events that waited for it. */
  private give(person: Node, name: string, number: number): void {
    if (this.find(name) !== undefined || person.hasKindOf(name)) return
    person.things.set(name, number)
    person.events.push(...this.takeWaiting(name))
  }

  private takeWaiting(name: string): ReadonlyArray<number> {
    const events = this.waiting.get(name) ?? []
    this.waiting.delete(name)
    return events
  }

  private identify({ cookie, lead, number, other, sets }: Of<"identify">): boolean {
    const holder = other === null ? undefined : this.find(other)
    const byBody = holder?.hasKindOf(lead) === false ? holder : undefined
    const person = this.find(lead) ?? byBody ?? this.create()
    for (const name of [lead, other, cookie]) if (name !== null) this.give(person, name, number)
    for (const thing of sets) person.things.set(thing, number)
    return true
  }

  private addDevice({ lead, number, token }: Of<"add device">): boolean {
    const person = this.find(lead) ?? this.create()
    this.give(person, lead, number)
    for (const { things } of this.alive) things.delete(token)
    person.things.set(token, number)
    return true
  }

  private event({ lead, number }: Of<"event">): boolean {
    const person = this.find(lead)
    if (person === undefined) {
      this.waiting.set(lead, [...(this.waiting.get(lead) ?? []), number])
      return false
    }
    sourceOf(person, lead).events.push(number)
    return true
  }

  private merge(command: Of<"merge">): boolean {
    const [primary, secondary] = [this.find(command.primary), this.find(command.secondary)]
    if (primary === undefined || secondary === undefined || primary === secondary) return false
    const taken = new Set<string>()
    for (const [thing, number] of secondary.things) {
      if (primary.hasKindOf(thing)) {
        if (isPersonName(thing)) this.freed.set(thing, secondary)
        continue
      }
      taken.add(thing)
      primary.things.set(thing, number)
    }
    primary.branches.push({ of: secondary, taken })
    this.alive = this.alive.filter((one) => one !== secondary)
    return true
  }

  private erase({ lead, what }: Of<"delete" | "suppress">): boolean {
    const person = this.find(lead) ?? this.mergedWith(lead)
    if (person !== undefined) {
      const root = this.alive.find((one) => pathTo(one, person) !== null)
      if (root !== undefined && root !== person) {
        this.separate(root, person)
      }
      this.alive = this.alive.filter((one) => one !== person)
      this.forget(person, what)
      return true
    }
    const events = this.takeWaiting(lead)
    for (const number of events) this.erased.add(number)
    if (what === "suppress") this.suppressed.add(lead)
    return what === "suppress" || events.length > 0
  }

  /** Returns whoever was merged with a name that nobody has since, if the merge can be undone. */
  private mergedWith(name: string): Node | undefined {
    const merged = this.freed.get(name)
    if (merged?.things.has(name) !== true || this.isSuppressed(merged)) return undefined
    return this.alive.some((one) => pathTo(one, merged) !== null) ? merged : undefined
  }

  private isSuppressed({ things }: Node): boolean {
    return [...things.keys()].some((thing) => this.suppressed.has(thing))
  }

  /** Undoes the merge of somebody, however many lie between them and the living person. */
  private separate(root: Node, merged: Node): void {
    const path = pathTo(root, merged) ?? []
    const owners = [root, ...path.map(({ of }) => of)]
    for (const [thing, number] of merged.things) {
      // From the merge of the person on, whoever got it has it no more, as long as it is what they got.
      let isBack = false
      for (const [index, { taken }] of [...path.entries()].toReversed()) {
        const things = owners[index]?.things
        if (!taken.has(thing) || things?.get(thing) !== number) break
        things.delete(thing)
        taken.delete(thing)
        isBack = index === 0
      }
      // A name that is free goes back, too. A token that was seen elsewhere does not.
      const isGone = isName(thing) ? this.find(thing) !== undefined : thing.startsWith("device ") && !isBack
      if (isGone) merged.things.delete(thing)
      else if (isName(thing)) merged.events.push(...this.takeWaiting(thing))
    }
    const [last] = path.slice(-2, -1)
    const above = last?.of ?? root
    above.branches.splice(
      above.branches.findIndex(({ of }) => of === merged),
      1,
    )
  }

  private forget(person: Node, what: "delete" | "suppress"): void {
    for (const [thing, number] of person.things) {
      this.erased.add(number)
      if (what === "suppress" && isPersonName(thing)) this.suppressed.add(thing)
    }
    for (const number of eventsOf(person)) this.erased.add(number)
  }
}

const namesOf = (command: ChainCommand): ReadonlyArray<string> => {
  switch (command.what) {
    case "identify":
      return [command.lead, ...(command.other === null ? [] : [command.other])]
    case "merge":
      return [command.primary, command.secondary]
    case "add device":
    case "event":
    case "delete":
    case "suppress":
      return [command.lead]
  }
}

/** Returns whoever a name came from. */
const sourceOf = (person: Node, name: string): Node => {
  const from = person.branches.find(({ taken }) => taken.has(name))
  return from === undefined ? person : sourceOf(from.of, name)
}

const eventsOf = ({ branches, events }: Node): ReadonlyArray<number> => [
  ...events,
  ...branches.flatMap(({ of }) => eventsOf(of)),
]

/** Returns the merges that lead from somebody down to somebody merged, none for themselves, or null. */
const pathTo = (from: Node, to: Node): ReadonlyArray<Branch> | null => {
  if (from === to) return []
  for (const branch of from.branches) {
    const below = pathTo(branch.of, to)
    if (below !== null) return [branch, ...below]
  }
  return null
}
