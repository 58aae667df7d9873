/** Returns a URL without its query and without what stands like a query in its fragment. A text without either stays as it is. */
export const withoutQuery = (url: string): string => {
  const { before, fragment } = partsOf(url)
  const ends = fragment.indexOf("?")
  const own = ends < 0 ? fragment : fragment.slice(0, ends)
  return before + (isParameters(own) ? "" : own)
}

/**
 * Returns a URL without what signs somebody in: a name and password before the host, and the parameters of the query and the fragment
 * whose name or value is that of a token or a password.
 */
export const withoutTokens = (url: string): string => {
  const { before, fragment, query } = partsOf(url.replace(userInfo, "$1"))
  const start = fragment.indexOf("?")
  const cut = isParameters(fragment)
    ? withoutSecrets("#", fragment.slice(1))
    : start < 0
      ? fragment
      : fragment.slice(0, start) + withoutSecrets("?", fragment.slice(start + 1))
  return before + (query === null ? "" : withoutSecrets("?", query)) + cut
}

/** What stands before the host, such as `ada:password@`. */
const userInfo = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i

const partsOf = (url: string) => {
  const hash = url.indexOf("#")
  const whole = hash < 0 ? url : url.slice(0, hash)
  const start = whole.indexOf("?")
  return {
    before: start < 0 ? whole : whole.slice(0, start),
    query: start < 0 ? null : whole.slice(start + 1),
    /** Begins with `#`, or is empty. */
    fragment: hash < 0 ? "" : url.slice(hash),
  }
}

/** Some sites sign people in with `#access_token=…`. A fragment such as `#/pricing` is a place. */
const isParameters = (fragment: string): boolean => /^#[^/?=&]+=/.test(fragment)

const withoutSecrets = (mark: "?" | "#", parameters: string): string => {
  const all = parameters.split("&")
  const kept = all.filter((parameter) => !isSecret(parameter))
  return kept.length === all.length ? mark + parameters : kept.length === 0 ? "" : mark + kept.join("&")
}

const isSecret = (parameter: string): boolean => {
  const equals = parameter.indexOf("=")
  const name = equals < 0 ? parameter : parameter.slice(0, equals)
  const plain = decoded(name)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")
  const value = equals < 0 ? "" : parameter.slice(equals + 1)
  return secretNames.has(plain) || secretEnd.test(plain) || webToken.test(value)
}

/** Names of parameters in lower case, without what is neither a letter nor a digit. */
const secretNames: ReadonlySet<string> = new Set([
  "auth",
  "authorization",
  "code",
  "credential",
  "credentials",
  "hmac",
  "jwt",
  "key",
  "otp",
  "pass",
  "pin",
  "pwd",
  "session",
  "sid",
  "sig",
  "ticket",
])

/** `access_token`, `X-Amz-Signature`, `apiKey`, `PHPSESSID` and the like. */
const secretEnd =
  /(?:token|secret|password|passwd|signature|apikey|accesskey|sessionid|sessid|credential|otp)$/

/** A JSON Web Token. */
const webToken = /^eyJ[\w-]+\.[\w-]+\./

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
