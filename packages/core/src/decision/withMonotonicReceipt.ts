import type { Envelope } from "../Envelope.ts"
import type { WorkingSet } from "../WorkingSet.ts"

/**
 * Returns a command with a receipt time that is not earlier than the latest receipt time in the workspace (contract
 * §16). Receipt times would go back when the server's clock is set back. An update without a timestamp would then count
 * as older than the update before it. If the command's own time was computed from the receipt time, both times move by
 * the same amount.
 */
export const withMonotonicReceipt = <Command extends Envelope>(
  state: WorkingSet,
  command: Command,
): Command => {
  const { latestReceipt: latest } = state
  if (latest === null || command.receivedAt >= latest) return command
  const at = command.followsReceipt ? command.at + (latest - command.receivedAt) : command.at
  return { ...command, receivedAt: latest, at }
}
