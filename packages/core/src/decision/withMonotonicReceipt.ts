import type { Envelope } from "../Envelope.ts"
import type { WorkingSet } from "../WorkingSet.ts"

/**
 * Returns a command as received no earlier than any other of its workspace before it (contract §16), so that an update without a
 * stamp is never older than one before it, even after the clock stepped back. A time reckoned from the receipt moves with it.
 */
export const withMonotonicReceipt = <Command extends Envelope>(
  state: WorkingSet,
  command: Command,
): Command => {
  const latest = state.latestReceipts.get(command.workspace.id)
  if (latest === undefined || command.receivedAt >= latest) return command
  const at = command.followsReceipt ? command.at + (latest - command.receivedAt) : command.at
  return { ...command, receivedAt: latest, at }
}
