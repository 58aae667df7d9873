interface Task {
  readonly cost: number
  readonly done: () => void
}

/** A simulated machine. Threads take turns on its cores, first come, first served. Times are in µs. */
export class Machine {
  now = 0
  private free: number
  private readonly ready: Array<Thread> = []
  private readonly events: Array<{ readonly at: number; readonly run: () => void }> = []

  constructor(cores: number) {
    this.free = cores
  }

  after(micros: number, run: () => void): void {
    const at = this.now + micros
    let low = 0
    let high = this.events.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.events[middle]?.at ?? 0) > at) low = middle + 1
      else high = middle
    }
    this.events.splice(low, 0, { at, run })
  }

  runUntil(end: number): void {
    for (let next = this.events.pop(); next !== undefined && next.at < end; next = this.events.pop()) {
      this.now = next.at
      next.run()
    }
  }

  request(thread: Thread): void {
    this.ready.push(thread)
    this.dispatch()
  }

  private dispatch(): void {
    while (this.free > 0) {
      const thread = this.ready.shift()
      if (thread === undefined) return
      this.free--
      const { cost, done } = thread.next()
      thread.busyMicros += cost
      this.after(cost, () => {
        this.free++
        done()
        thread.ended()
        this.dispatch()
      })
    }
  }
}

/** A thread that runs its tasks in order. Nothing interrupts a task. */
export class Thread {
  busyMicros = 0
  private readonly machine: Machine
  private readonly tasks: Array<Task> = []
  private readonly wake: number
  private isActive = false

  constructor(machine: Machine, wake: number) {
    this.machine = machine
    this.wake = wake
  }

  /** Adds a task. A sleeping thread first needs the time to wake up. */
  add(cost: number, done: () => void): void {
    this.tasks.push({ cost: this.isActive ? cost : cost + this.wake, done })
    if (this.isActive) return
    this.isActive = true
    this.machine.request(this)
  }

  next(): Task {
    const task = this.tasks.shift()
    if (task === undefined) throw new Error("a thread without a task has no turn")
    return task
  }

  ended(): void {
    this.isActive = this.tasks.length > 0
    if (this.isActive) this.machine.request(this)
  }
}
