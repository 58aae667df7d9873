/** The address of Inlet, and the credentials that Inlet printed at its first start. */
export const inlet = {
  url: process.env["INLET_URL"] ?? "http://127.0.0.1:8080",
  siteId: required("INLET_SITE_ID"),
  apiKey: required("INLET_API_KEY"),
  writeKey: required("INLET_WRITE_KEY"),
  token: required("INLET_MANAGEMENT_TOKEN"),
}

function required(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === "") throw new Error(`${name} is not set: see examples/README.md`)
  return value
}

/** Reads from the management API of workspace 1. */
export async function read(path: string): Promise<unknown> {
  const response = await fetch(`${inlet.url}/management/v1/workspaces/1${path}`, {
    headers: { authorization: `Bearer ${inlet.token}` },
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** Sends a change to the management API of workspace 1. Returns the answer, which is empty after a DELETE. */
export async function manage(
  method: string,
  path: string,
  body: object = {},
): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${inlet.url}/management/v1/workspaces/1${path}`, {
    method,
    headers: { authorization: `Bearer ${inlet.token}`, "content-type": "application/json" },
    ...(method === "DELETE" ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return text === "" ? {} : JSON.parse(text)
}

/** Prints JSON with an indentation of two spaces. */
export function show(title: string, value: unknown): void {
  console.log(`${title}:\n${JSON.stringify(value, null, 2)}`)
}
