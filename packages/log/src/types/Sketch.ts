/** The number of registers of a sketch. Estimates of large counts are wrong by about an eighth. */
const registers = 64
const registerBits = 6

/** The letters that stand for the values of registers, from 0 on. */
const letters = "0123456789abcdefghijklmnopqrstuvwxyz"

/**
 * Estimates how many different texts were added (HyperLogLog). It holds nothing of a text: many texts have the same effect on
 * each register, and a register shows only the rarest of them.
 */
export class Sketch {
  private readonly ranks: Uint8Array

  constructor(ranks = new Uint8Array(registers)) {
    this.ranks = ranks
  }

  static fromText(text: string): Sketch {
    const sketch = new Sketch()
    for (let index = 0; index < registers; index++) {
      sketch.ranks[index] = Math.max(0, letters.indexOf(text.charAt(index)))
    }
    return sketch
  }

  add(text: string): void {
    const hash = hashOf(text)
    const register = hash & (registers - 1)
    const rank = Math.min(Math.clz32((hash >>> registerBits) << registerBits), 32 - registerBits) + 1
    if (rank > (this.ranks[register] ?? 0)) this.ranks[register] = rank
  }

  merge({ ranks }: Sketch): void {
    for (const [register, rank] of ranks.entries()) {
      if (rank > (this.ranks[register] ?? 0)) this.ranks[register] = rank
    }
  }

  get estimate(): number {
    let sum = 0
    let empty = 0
    for (const rank of this.ranks) {
      sum += 2 ** -rank
      if (rank === 0) empty++
    }
    const raw = (0.709 * registers * registers) / sum
    const isSmall = raw <= 2.5 * registers && empty > 0
    return Math.round(isSmall ? registers * Math.log(registers / empty) : raw)
  }

  toText(): string {
    return Array.from(this.ranks, (rank) => letters.charAt(rank))
      .join("")
      .replace(/0+$/, "")
  }
}

/** FNV-1a, whose bits MurmurHash's last step mixes. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
