import { assert, describe, it } from "@effect/vitest"
import { itemSchemas } from "../src/openapi/itemSchemas.ts"
import { entities } from "../src/track-v2/entity.ts"

describe("the OpenAPI document of the Track API", () => {
  it("has a schema for each type and action of an item, and no other", () => {
    const decoded = [...entities].flatMap(([type, actions]) =>
      [...actions.keys()].map((action) => `${type} ${action}`),
    )
    assert.sameMembers(
      itemSchemas.map(({ action, type }) => `${type} ${action}`),
      decoded,
    )
  })
})
