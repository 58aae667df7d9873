import type { SenderDocument } from "@inlethq/contract/activity/ActivityLog"
import { clientName } from "./clientName.ts"

type Sender = SenderDocument | null

/** Returns the name of the key, or of the management token, with which something was sent. */
export const keyText = (sender: Sender): string => sender?.key?.name ?? sender?.token?.name ?? ""

/** Returns the client that sent something, without what every client of its kind says. */
export const clientText = (sender: Sender): string =>
  sender?.user_agent == null ? "" : clientName(sender.user_agent)

/** Returns who sent something in a few words: the client and the key. */
export const senderText = (sender: Sender): string =>
  [clientText(sender), keyText(sender)].filter((text) => text !== "").join(", ") || "unknown sender"
