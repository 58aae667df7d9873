import type { Envelope } from "../Envelope.ts"
import type { WorkingSet } from "../WorkingSet.ts"

/**
 * Returns a command with a receipt time no earlier than that of any command before it in its workspace (contract §16).
 * A clock that steps back must not make an update without a timestamp older than the one before it. A time computed
 * from the receipt moves with it.
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
