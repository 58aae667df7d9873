import { ServerDocument } from "@inlethq/contract/server/Server"
import type { Inlet } from "../src/Inlet.ts"
import { Management, read } from "../src/Management.ts"

/** Returns the state of a server from the management API. */
export const serverState = async (inlet: Inlet): Promise<ServerDocument> =>
  read(ServerDocument, (await new Management(inlet).call("GET", "/server")).json)
