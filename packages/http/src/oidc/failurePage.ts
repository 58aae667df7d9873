import { hash } from "node:crypto"
import { HttpServerResponse } from "effect/http"

/** What the page about a failed sign-in says. */
interface Failure {
  readonly status: number
  readonly message: string
  readonly remedy: string
}

const style = `
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; color-scheme: light dark;
    font: 15px/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText; }
  main { box-sizing: border-box; width: 100%; max-width: 34rem; padding: 1rem; }
  h1 { font-size: 1.25rem; }
  p { overflow-wrap: anywhere; }
  a { color: LinkText; margin-right: 1rem; }
`

/** The page has no script, and no style but this one. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", style, "base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ")

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? "")

/** Returns a text as HTML. What stands between backticks is code. */
const shown = (text: string): string => escaped(text).replace(/`([^`]*)`/g, "<code>$1</code>")

/** Answers a browser that comes back from an issuer without being signed in. */
export const failurePage = ({ message, remedy, status }: Failure) =>
  HttpServerResponse.html(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Not signed in · Inlet</title>
<style>${style}</style>
<main>
<h1>You are not signed in</h1>
<p>${shown(sentence(message))}</p>
<p>${shown(remedy)}</p>
<p><a href="/console/oidc">Try again</a><a href="/console/sign-in">Back to signing in</a></p>
</main>
</html>
`).pipe(
    HttpServerResponse.setStatus(status),
    HttpServerResponse.setHeaders({
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    }),
  )

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
