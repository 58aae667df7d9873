import type { EmulatorOptions, InletEmulator } from "./InletEmulator.ts"
import { loadingError, requireNode } from "./requirements.ts"

export { EmulatorRestarted, ExpectationFailed } from "./expectations.ts"
export { EmulatorUnavailable } from "./requirements.ts"
export type { Fault } from "./emulator/Faults.ts"
export type { EmulatorSnapshot } from "./emulator/Emulator.ts"
export type { EmulatorOptions, InletEmulator } from "./InletEmulator.ts"

/**
 * Starts a whole Inlet server inside this process. The server has a store in memory and new keys. Rejects with
 * `EmulatorUnavailable` if a package is missing or Node is too old.
 */
export const createInlet = async (options?: EmulatorOptions): Promise<InletEmulator> => {
  requireNode()
  const { InletEmulator } = await loadEmulator()
  return InletEmulator.start(options)
}

/** Loads the server on demand, so that a missing package is an error of `createInlet` and does not stop the program. */
const loadEmulator = async () => {
  try {
    return await import("./InletEmulator.ts")
  } catch (error) {
    throw loadingError(error)
  }
}
