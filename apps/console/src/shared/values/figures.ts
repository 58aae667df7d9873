const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 })
const fine = new Intl.NumberFormat("en", { maximumFractionDigits: 1 })

/** Returns a number with separators, such as "12,345". */
export const count = (value: number): string => whole.format(value)

/** Returns a count with its noun, such as "1 person" or "12,345 people". */
export const counted = (value: number, one: string, many: string): string =>
  `${count(value)} ${value === 1 ? one : many}`

/** Returns a rate, such as "0.3 a second". A rate that is not 0 is never shown as 0. */
export const rate = (perSecond: number): string => {
  if (perSecond > 0 && perSecond < 0.05) return "below 0.1 a second"
  return `${perSecond < 10 ? perSecond.toFixed(1) : count(perSecond)} a second`
}

const sizes = ["bytes", "KB", "MB", "GB", "TB"] as const

/** Returns a size in bytes with its unit, such as "12.3 MB". A KB is 1024 bytes. */
export const byteSize = (bytes: number): string => {
  const power = Math.min(sizes.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${fine.format(bytes / 1024 ** power)} ${sizes[power]}`
}

/** Returns a duration with its unit, such as "850 ms" or "2.5 s". */
export const duration = (ms: number): string =>
  ms < 1000 ? `${fine.format(ms)} ms` : `${fine.format(ms / 1000)} s`
