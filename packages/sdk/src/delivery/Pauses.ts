interface Pause {
  readonly timer: ReturnType<typeof setTimeout>
  readonly end: () => void
  /** Whether `endEarly` ends the pause. */
  readonly endsEarly: boolean
}

/** Timers that let the process exit, unless someone waits for what happens after them. */
export class Pauses {
  readonly #running = new Set<Pause>()
  #holds = 0

  /** Waits for this time. A pause that `endsEarly` is cut short by `endEarly`, all pauses are by `endAll`. */
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

  /** Keeps the process alive during all pauses until `promise` is settled. */
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

/** Deno's functions for timers, which are numbers there. */
declare const Deno:
  | { readonly refTimer: (id: number) => void; readonly unrefTimer: (id: number) => void }
  | undefined

const deno = typeof Deno === "undefined" ? undefined : Deno

/** Lets the process exit before the timer fires. Timers of browsers and workers never keep anything alive. */
const release = (timer: Timer | number): void => {
  if (typeof timer === "object") timer.unref()
  else deno?.unrefTimer(timer)
}

const hold = (timer: Timer | number): void => {
  if (typeof timer === "object") timer.ref()
  else deno?.refTimer(timer)
}
