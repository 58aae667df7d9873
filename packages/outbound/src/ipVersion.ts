import { isIP } from "node:net"

/** Returns 4 or 6, or undefined for a text that is not an IP address, such as an IPv6 address with a zone. */
export const ipVersion = (text: string): 4 | 6 | undefined => {
  const version = text.includes("%") ? 0 : isIP(text)
  return version === 4 || version === 6 ? version : undefined
}
