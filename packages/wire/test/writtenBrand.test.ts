import { assert, describe, it } from "@effect/vitest"
import { pathInBrand, textInBrand } from "../src/texts/WrittenBrand.ts"

describe("written brand", () => {
  it.each([
    ["svc_subscription_preferences", "cio_subscription_preferences"],
    ["svc_subscription_preferences.topics.svc_id", "cio_subscription_preferences.topics.svc_id"],
    ["attributes.svc_id", "attributes.cio_id"],
    ["attributes.my.svc_id", "attributes.my.svc_id"],
    ["attributes.svc_plan", "attributes.svc_plan"],
    ["relationships.1.acme.svc_object_id", "relationships.1.acme.cio_object_id"],
    ["people.p11000000001.relationships.1.acme", "people.p11000000001.relationships.1.acme"],
    ["email", "email"],
  ])("contract §1 written brand: with the cio prefix, the path %s becomes %s", (path, written) => {
    assert.strictEqual(pathInBrand("cio", path), written)
    assert.strictEqual(pathInBrand("svc", path), path)
  })

  it.each([
    [
      "svc_relationships.0.identifiers: unknown svc_id (no person has it)",
      "cio_relationships.0.identifiers: unknown cio_id (no person has it)",
    ],
    [
      "_svc_name is missing; my_svc_id and svc_ids are not names",
      "_cio_name is missing; my_svc_id and svc_ids are not names",
    ],
  ])('contract §1 written brand: with the cio prefix, the sentence "%s" becomes "%s"', (text, written) => {
    assert.strictEqual(textInBrand("cio", text), written)
    assert.strictEqual(textInBrand("svc", text), text)
  })
})
