/**
 * The kind of number that fills a slot (a range of digits) of a request. The kind `same` repeats the person of the
 * previous slot.
 */
export type SlotKind = "person" | "same" | "event" | "random"

interface Slot {
  readonly kind: SlotKind
  readonly offset: number
  readonly width: number
}

/** The functions that generate the numbers for the slots (ranges of digits) of a request. */
export interface Sources {
  /** Returns the number of the person to write into the next slot. */
  readonly person: () => number
  /** Returns a number that no other event of this job has. */
  readonly event: () => number
  readonly random: () => number
}

/** A request that is built once and sent many times. The slots are ranges of digits that change with each sending. */
export interface Template {
  readonly bytes: Buffer
  readonly slots: ReadonlyArray<Slot>
  /** The number of events in one request. */
  readonly events: number
}

/** The number of digits in a person's number. */
const personDigits = 10

/**
 * The number of digits in an event's number. An event id is the job's prefix of 14 characters followed by this number,
 * so the id is as long as a ULID.
 */
const eventDigits = 12

export const person = `<person:${personDigits}>`

/** A placeholder that repeats the person of the previous slot. */
export const same = `<same:${personDigits}>`

export const event = `<event:${eventDigits}>`

/** Returns a placeholder for random digits inside a JSON string. */
export const random = (width: number): string => `<random:${width}>`

/** Returns a placeholder for a random number in JSON. The placeholder must be the whole value of a key. */
export const randomNumber = (width: number): string => `<number:${width}>`

const marker = /"<number:(\d+)>"|<(person|same|event|random):(\d+)>/g

/**
 * Builds the bytes of a request. The text must be ASCII, because offsets of characters are used as offsets of bytes.
 */
export const compile = (text: string): Template => {
  const slots: Array<Slot> = []
  let out = ""
  let from = 0
  for (const match of text.matchAll(marker)) {
    out += text.slice(from, match.index)
    from = match.index + match[0].length
    const width = Number(match[1] ?? match[3])
    if (match[1] !== undefined) {
      // A JSON number must not begin with a zero, so the first digit is fixed.
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

/** Writes new digits into the slots (ranges of digits) of a request. */
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
