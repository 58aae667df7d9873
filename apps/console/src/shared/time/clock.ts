import { useSyncExternalStore } from "react"

/** The milliseconds between two updates of relative times. */
const tickMs = 5_000

let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

const tick = (): void => {
  now = Date.now()
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  timer ??= setInterval(tick, tickMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Returns the current time in milliseconds. All components that show relative times update together. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now)
