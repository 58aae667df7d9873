interface Pause {
  readonly timer: ReturnType<typeof setTimeout>
  readonly end: () => void
  /** True if `endEarly` ends this pause. `endAll` ends every pause. */
  readonly endsEarly: boolean
}

/** Timers that do not keep the process alive, except while a call of `holdFor` waits. */
export class Pauses {
  readonly #running = new Set<Pause>()
  #holds = 0

  /**
   * Waits for `ms` milliseconds. `endAll` ends every pause at once, and `endEarly` ends only the pauses with
   * `endsEarly`.
   */
  wait(ms: number, endsEarly: boolean): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(pause.timer)
        this.#running.delete(pause)
        resolve()
      }
      const pause: Pause = { timer: setTimeout(() => end(), ms), end, endsEarly }
      this.#running.add(pause)
      if (this.#holds === 0) release(pause.timer)
    })
  }

  endEarly(): void {
    for (const pause of this.#running) if (pause.endsEarly) pause.end()
  }

  endAll(): void {
    for (const pause of this.#running) pause.end()
  }

  /** Waits for `promise` and returns its result. Until then, every pause keeps the process alive. */
  async holdFor<A>(promise: Promise<A>): Promise<A> {
    this.#holds++
    for (const { timer } of this.#running) hold(timer)
    try {
      return await promise
    } finally {
      this.#holds--
      if (this.#holds === 0) for (const { timer } of this.#running) release(timer)
    }
  }
}

type Timer = ReturnType<typeof setTimeout>

/** Timers are numbers in Deno, so Deno has functions in place of the methods `ref` and `unref`. */
declare const Deno:
  | { readonly refTimer: (id: number) => void; readonly unrefTimer: (id: number) => void }
  | undefined

const deno = typeof Deno === "undefined" ? undefined : Deno

/**
 * Lets the process exit before the timer fires. Timers in browsers and workers have no method for this and need none.
 */
const release = (timer: Timer | number): void => {
  if (typeof timer === "object") timer.unref()
  else deno?.unrefTimer(timer)
}

const hold = (timer: Timer | number): void => {
  if (typeof timer === "object") timer.ref()
  else deno?.refTimer(timer)
}
