/** A promise that is resolved from outside. Node 20 has no `Promise.withResolvers`. */
export class Deferred {
  #resolve: (() => void) | undefined
  readonly promise = new Promise<void>((resolve) => {
    this.#resolve = resolve
  })

  resolve(): void {
    this.#resolve?.()
  }
}
