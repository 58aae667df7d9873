import { hash } from "node:crypto"

/** Returns a strong entity tag for a text. */
export const etagOf = (text: string): string => `"${hash("sha256", text, "hex").slice(0, 32)}"`

/**
 * Returns whether an `If-None-Match` header names an entity tag. The comparison is weak (RFC 9110 section 13.1.2),
 * because proxies that compress a response make its tag weak.
 */
export const isKnownTag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? "").split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag)
