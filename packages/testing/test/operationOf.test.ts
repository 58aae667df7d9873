import { describe, expect, it } from "vitest"
import { operationOf } from "../src/emulator/operationOf.ts"

describe("the operation of a request", () => {
  it.each([
    ["POST", "/v1/identify", "identify"],
    ["POST", "/v1/t", "track"],
    ["POST", "/v1/import/", "batch"],
    ["POST", "/v1/batch?outcomes=true", "batch"],
    ["PUT", "/api/v1/customers/ada%2Fb", "identify"],
    ["DELETE", "/api/v1/customers/ada", "delete"],
    ["PUT", "/api/v1/customers/ada/devices", "add_device"],
    ["DELETE", "/api/v1/customers/ada/devices/token", "delete_device"],
    ["POST", "/api/v1/customers/ada/events", "track"],
    ["POST", "/api/v1/events", "track"],
    ["POST", "/api/v1/merge_customers", "merge"],
    ["POST", "/api/v1/customers/ada/suppress", "suppress"],
    ["POST", "/api/v1/customers/ada/unsuppress", "unsuppress"],
    ["POST", "/push/events", "metric"],
    ["POST", "/api/v1/forms/contact/submit", "form"],
    ["POST", "/api/v1/segments/3/add_customers", "segment"],
    ["POST", "/unsubscribe/d1", "unsubscribe"],
    ["POST", "/api/v2/batch", "batch"],
    ["POST", "/v2/entity", "entity"],
    ["GET", "/v1/projects/key/settings", undefined],
    ["GET", "/api/v1/accounts/region", undefined],
    ["POST", "/management/v1/workspaces", undefined],
  ])("the request %s %s has the operation %s", (method, url, operation) => {
    expect(operationOf(method, url)).toBe(operation)
  })
})
