import type { Answer, RunningServer } from "../http.ts"
import { batch, entity, track } from "../ingestion.ts"
import { Schema } from "effect"
import { signIn } from "../consoleSession.ts"
import { Management, read } from "../Management.ts"

/** A new token, which its session is named after. */
const Created = Schema.Struct({ token: Schema.String })

/**
 * Texts that a page could mistake for code or markup: markup that runs a script, a script address, a template,
 * characters that change the direction of text or are invisible, names that every JavaScript object has, and the path
 * segment `..`.
 */
export const hostileTexts: ReadonlyArray<string> = [
  "__proto__",
  "constructor",
  "..",
  "\u202E\u2066detrever\u200B\u200D\uFEFF",
  "{{constructor.constructor('alert(1)')()}}${alert(1)}",
  `javascript:alert(2)`,
  `"'><svg onload=alert(3)><style>*{display:none}`,
  `<script>alert(4)</script>`,
  `<img src=x onerror="alert(5)"><b>`,
]

/** This text nearly fills an event's data, which may have 100,000 bytes by default. */
const longText = `<script>alert(6)</script>${"long".repeat(24_000)}`

/** Returns an object with one own property, even if the name is `__proto__`. */
const named = (name: string, value: unknown): object => Object.fromEntries([[name, value]])

const expectAccepted = (answer: Answer): void => {
  if (answer.status >= 300) throw new Error(`hostile data was refused: ${answer.status} ${answer.text}`)
}

/** Returns operations of the Track API v2 in which every field that a client chooses contains the text. */
const operationsWith = (text: string, index: number): ReadonlyArray<object> => {
  const person = { type: "person", identifiers: { id: text } }
  const attributes = { ...named(text, text), name: text, nested: { list: [named(text, text)] } }
  const object = { object_type_id: text.slice(0, 40), object_id: text }
  return [
    {
      ...person,
      action: "identify",
      attributes: { ...attributes, email: `${index}${text.replaceAll(/[\s"']/g, "")}@example.com` },
    },
    { ...person, action: "add_device", device: { token: `${text} ${index}`, platform: text } },
    { ...person, action: "event", name: text, attributes, id: text },
    { ...person, action: "page", name: text, attributes },
    { type: "person", action: "event", identifiers: { anonymous_id: text }, name: text },
    {
      type: "object",
      action: "identify",
      identifiers: object,
      attributes,
      svc_relationships: [{ identifiers: { id: text }, relationship_attributes: named(text, text) }],
    },
    // Inlet rejects or ignores the following operations, and some of the reasons in the log quote the hostile text.
    { ...person, action: text },
    { type: text, action: "identify", identifiers: { id: "ada" } },
    { ...person, action: "identify", attributes: { email: `0${hostileTexts[0]}@example.com`, [text]: "" } },
    { type: "person", action: "event", identifiers: { svc_id: text }, name: text },
  ]
}

/** Fills workspace 1 with resources in which every free text is hostile. Webhooks send to `receiver`. */
export const sendHostileData = async (inlet: RunningServer, receiver: string): Promise<void> => {
  const management = new Management(inlet)
  const make = async (path: string, body: object): Promise<void> =>
    expectAccepted(await management.call("POST", management.pathOf(path), body))
  for (const [index, text] of hostileTexts.entries()) {
    await batch(inlet, operationsWith(text, index))
    const form = encodeURIComponent(text)
    expectAccepted(
      await track(inlet, "POST", `/api/v1/forms/${form}/submit`, {
        data: { ...named(text, text), id: text },
      }),
    )
    await management.registerDelivery(text, {
      channel: "email",
      person: { id: text },
      recipient: text,
      subject: text,
    })
    await make("/segments", { name: text, description: text })
    await make("/keys", { kind: "track", name: text })
    await make("/webhooks", { name: text, kind: "activity", url: `${receiver}/${form}?${text}` })
    await management.createWorkspace({ name: text })
    const token = { name: text, scope: "read", workspaces: null }
    const created = await management.call("POST", "/tokens", token)
    expectAccepted(created)
    expectAccepted(await signIn(inlet.url, { token: read(Created, created.json).token }))
  }
  const long = { type: "person", action: "event", identifiers: { id: hostileTexts[0] }, name: "long" }
  await management.call("PATCH", management.pathOf(""), { limits: { request_bytes: 200_000 } })
  expectAccepted(await entity(inlet, { ...long, attributes: { text: longText } }))
}
