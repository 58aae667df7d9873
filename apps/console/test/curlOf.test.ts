import { describe, expect, it } from "vitest"
import { curlOf } from "../src/pages/operation/curlOf.ts"

const origin = "http://127.0.0.1:8080"
const json = '-H "Content-Type: application/json" -d'

describe("copy as curl", () => {
  it.each([
    [
      {
        protocol: "track-v1",
        method: "PUT",
        path: "/api/v1/customers/bob%20o%27neill",
        body: { plan: "it's" },
      },
      `curl -u "$SITE_ID:$API_KEY" -X PUT ${origin}/api/v1/customers/bob%20o%27neill ${json} '{"plan":"it'\\''s"}'`,
    ],
    [
      { protocol: "track-v2", method: "POST", path: "/api/v2/entity", body: { type: "person" } },
      `curl -u "$SITE_ID:$API_KEY" ${origin}/api/v2/entity ${json} '{"type":"person"}'`,
    ],
    [
      { protocol: "pipelines", method: "POST", path: "/v1/track", body: { userId: "bob", event: "bought" } },
      `curl -u "$WRITE_KEY:" ${origin}/v1/track ${json} '{"userId":"bob","event":"bought"}'`,
    ],
    [
      { protocol: "track-v1", method: "DELETE", path: "/api/v1/customers/bob/devices/t%201", body: null },
      `curl -u "$SITE_ID:$API_KEY" -X DELETE ${origin}/api/v1/customers/bob/devices/t%201`,
    ],
    [
      { protocol: "track-v1", method: "POST", path: "/unsubscribe/d1", body: null },
      `curl -u "$SITE_ID:$API_KEY" -X POST ${origin}/unsubscribe/d1`,
    ],
    [
      {
        protocol: "track-v1",
        method: "POST",
        path: "/api/v1/segments/3/add_customers?id_type=email",
        body: { ids: ["a@example.com"] },
      },
      `curl -u "$SITE_ID:$API_KEY" '${origin}/api/v1/segments/3/add_customers?id_type=email' ${json} '{"ids":["a@example.com"]}'`,
    ],
    [
      { protocol: "management", method: "POST", path: "/management/v1/workspaces/1/operations", body: {} },
      `curl -H "Authorization: Bearer $INLET_MANAGEMENT_TOKEN" ${origin}/management/v1/workspaces/1/operations ${json} '{}'`,
    ],
  ] as const)("sends the call %j", (call, command) => expect(curlOf(call, origin)).toBe(command))
})
