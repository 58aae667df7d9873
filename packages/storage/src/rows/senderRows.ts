import { Sender, senderText, storableSender, type SenderId } from "@inlethq/core/log/Sender"
import { Schema } from "effect"
import { integer, text, type Row } from "../columns/columns.ts"
import { senderId } from "../columns/ids.ts"
import { fromStored, toStored } from "../columns/storedText.ts"

/*
 * Rows of `senders`, which numbers the senders of a workspace. Rows are never changed, and are removed with their workspace
 * only.
 */

const decodeSender = Schema.decodeUnknownSync(Schema.fromJsonString(Sender))

/** Returns the column `doc` of a sender. Equal senders have equal documents. */
export const senderDoc = (sender: Sender): string => toStored(senderText(storableSender(sender)))

/** Decodes the columns `id` and `doc` of rows of `senders`. */
export const sendersIn = (rows: ReadonlyArray<Row>): ReadonlyMap<SenderId, Sender> =>
  new Map(rows.map((row) => [senderId(integer(row["id"])), decodeSender(fromStored(text(row["doc"])))]))
