import type { Envelope } from "../fold/Envelope.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"

/**
 * Returns a command with the times that it is decided by. Its receipt time is not earlier than the latest receipt time in
 * the workspace (contract §16). Receipt times would go back when the server's clock is set back. An update without a
 * timestamp would then count as older than the update before it. If the command's own time was computed from the receipt
 * time, both times move by the same amount.
 *
 * The command's own time is not later than its receipt, so nothing is ordered later than that. A time that the client
 * sent and that lies ahead stays as the original timestamp (contract §8).
 */
export const withSettledTimes = <Command extends Envelope>(state: WorkingSet, command: Command): Command => {
  const { at, followsReceipt } = command
  const receivedAt = Math.max(command.receivedAt, state.latestReceipt ?? command.receivedAt)
  if (receivedAt === command.receivedAt && at <= receivedAt) return command
  return {
    ...command,
    receivedAt,
    at: Math.min(followsReceipt ? at + (receivedAt - command.receivedAt) : at, receivedAt),
    originalTimestamp: command.originalTimestamp ?? (at > receivedAt && !followsReceipt ? at : null),
  }
}
