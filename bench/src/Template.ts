/** What a slot of a request is filled with each time it is sent. */
export type SlotKind = "person" | "same" | "event" | "random"

interface Slot {
  readonly kind: SlotKind
  readonly offset: number
  readonly width: number
}

/** Where the digits of the slots come from. */
export interface Sources {
  /** The number of the next person. */
  readonly person: () => number
  /** A number that no other event of this job has. */
  readonly event: () => number
  readonly random: () => number
}

/** A request whose bytes are built once; only digits change from one sending to the next. */
export interface Template {
  readonly bytes: Buffer
  readonly slots: ReadonlyArray<Slot>
  /** Events with an id that one sending holds. */
  readonly events: number
}

/** Digits of a person's number, wherever one stands. */
const personDigits = 10

/** Digits of an event's number; with a job's tag of 14 characters an event id is as long as a ULID. */
const eventDigits = 12

export const person = `<person:${personDigits}>`

/** The person of the slot before. */
export const same = `<same:${personDigits}>`

export const event = `<event:${eventDigits}>`

/** Digits that differ each time, inside a text. */
export const random = (width: number): string => `<random:${width}>`

/** A JSON number that differs each time, where it is the whole value of a key. */
export const randomNumber = (width: number): string => `<number:${width}>`

const marker = /"<number:(\d+)>"|<(person|same|event|random):(\d+)>/g

/** Builds the bytes of a request; all text is ASCII, so that a character is a byte. */
export const compile = (text: string): Template => {
  const slots: Array<Slot> = []
  let out = ""
  let from = 0
  for (const match of text.matchAll(marker)) {
    out += text.slice(from, match.index)
    from = match.index + match[0].length
    const width = Number(match[1] ?? match[3])
    if (match[1] !== undefined) {
      // A number must not begin with a zero, so its first digit stays.
      slots.push({ kind: "random", offset: out.length + 1, width: width - 1 })
      out += "1".repeat(width)
    } else {
      slots.push({ kind: match[2] as SlotKind, offset: out.length, width })
      out += "0".repeat(width)
    }
  }
  const bytes = Buffer.from(out + text.slice(from), "latin1")
  return { bytes, slots, events: slots.filter((slot) => slot.kind === "event").length }
}

/** Writes new digits into a copy of the template's bytes. */
export const fill = (bytes: Buffer, slots: ReadonlyArray<Slot>, sources: Sources): void => {
  let last = 0
  for (const slot of slots) {
    if (slot.kind === "person") last = sources.person()
    writeDigits(bytes, slot, slot.kind === "person" || slot.kind === "same" ? last : sources[slot.kind]())
  }
}

const zero = 0x30

const writeDigits = (bytes: Buffer, { offset, width }: Slot, value: number): void => {
  let rest = value
  for (let i = offset + width - 1; i >= offset; i--) {
    const next = Math.floor(rest / 10)
    bytes[i] = zero + (rest - next * 10)
    rest = next
  }
}
