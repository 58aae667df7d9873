/** A promise with a method that resolves it. Node 20 has no `Promise.withResolvers`. */
export class Deferred {
  #resolve: (() => void) | undefined
  readonly promise = new Promise<void>((resolve) => {
    this.#resolve = resolve
  })

  resolve(): void {
    this.#resolve?.()
  }
}
