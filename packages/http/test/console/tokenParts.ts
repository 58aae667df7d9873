import { Schema } from "effect"

/** Encodes a part of a token. */
export const encoded = (json: object) => Buffer.from(JSON.stringify(json)).toString("base64url")

const TokenBody = Schema.Struct({ id_token: Schema.String })

/** Returns the parts of the id token in an answer. */
export const partsOf = (body: unknown) => Schema.decodeUnknownSync(TokenBody)(body).id_token.split(".")
