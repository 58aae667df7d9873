import { assert, describe, it } from "@effect/vitest"
import { foreignIdBytesMax, formFieldsMax } from "@inlethq/core/workspace/Limits"
import { Result } from "effect"
import { errorsBody, nobodyResponded } from "../src/track-v1/answers.ts"
import { decodeForm } from "../src/track-v1/forms.ts"
import { assertDecoded, receipt, workspace, envelopeFrom } from "./requests.ts"
import { many, table, withLimits } from "./tables.ts"

const longest = "é".repeat(foreignIdBytesMax / 2)

const submit = (over: typeof workspace, data: unknown) => decodeForm(receipt("track-v1", over), "f", { data })

const fields = (...pairs: ReadonlyArray<readonly [name: string, value: string]>) => ({
  fields: pairs.map(([name, value]) => ({ name, value })),
})

describe("Track v1 form", () => {
  it("the decoder reads every field of a form submission", () =>
    assert.deepStrictEqual(
      Result.getOrThrow(decodeForm(receipt("track-v1"), "f/1", { data: { email: "a@b.io" } })),
      {
        _tag: "SubmitForm",
        ...envelopeFrom("track-v1"),
        formId: "f/1",
        fields: [{ name: "email", value: "a@b.io" }],
      },
    ))

  it("a form submission takes the form id from the path, not from the body", () =>
    assertDecoded(decodeForm(receipt("track-v1"), "f", { form_id: "g", data: { id: "5" } }), { formId: "f" }))
  it("a form submission with a form id of 1000 bytes is accepted", () =>
    assertDecoded(decodeForm(receipt("track-v1"), longest, { data: {} }), { formId: longest }))
  it("a form submission with a form id of 1001 bytes is refused", () =>
    assertDecoded(decodeForm(receipt("track-v1"), `${longest}x`, { data: {} }), [
      "too_long form_id: form_id cannot be longer than 1000 bytes",
    ]))
  it("a form submission with an empty form id is refused", () =>
    assertDecoded(decodeForm(receipt("track-v1"), "", {}), [
      "required form_id: form_id must be present",
      "required data: data must be present",
    ]))
  it("contract §4: a form submission with a body that is not an object is refused", () =>
    assertDecoded(decodeForm(receipt("track-v1"), "f", []), ["invalid : the body must be a JSON object"]))
})

table("data of a Track v1 form", submit, [
  [
    "track-api §4.3 rule 3: reads any keys as fields",
    { email: "a@b.io", "Your name": "Bob", "a.b": "" },
    fields(["email", "a@b.io"], ["Your name", "Bob"], ["a.b", ""]),
  ],
  [
    "track-api §4.3 rule 3: ignores keys that describe the form, with any value",
    { id: "5", form_id: "x", form_name: "x", form_type: [], form_url: null, form_url_param: {} },
    fields(["id", "5"]),
  ],
  [
    "contract §12: stores numbers and booleans as strings",
    { id: 5, score: 1.5, yes: true, no: false },
    fields(["id", "5"], ["score", "1.5"], ["yes", "true"], ["no", "false"]),
  ],
  [
    "contract §12: refuses null in a field",
    { id: "5", a: null },
    ["invalid data.a: data.a must be a string"],
  ],
  [
    "contract §12: refuses an object in a field",
    { id: "5", a: {} },
    ["invalid data.a: data.a must be a string"],
  ],
  [
    "contract §12: refuses an array in a field",
    { id: "5", a: ["x"] },
    ["invalid data.a: data.a must be a string"],
  ],
  [
    "refuses a number out of range",
    JSON.parse('{"id":"5","a":1e999}'),
    ["invalid data.a: data.a must be a string"],
  ],
  [
    "accepts data without a respondent, because a missing respondent is found later, when the form is applied",
    { mail: "a@b.io" },
    fields(["mail", "a@b.io"]),
  ],
  ["accepts empty data", {}, fields()],
  [
    "contract §1: accepts keys with either brand prefix (svc or cio)",
    { id: "5", "cio_subscription_preferences.topics.a": "true" },
    fields(["id", "5"], ["svc_subscription_preferences.topics.a", "true"]),
  ],
  [
    "reads keys such as __proto__ as fields",
    JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}'),
    fields(["__proto__", "a"], ["constructor", "b"], ["toString", "c"]),
  ],
  [
    "refuses a field without a name",
    { id: "5", "": "x" },
    ["invalid data: a field of the form must have a name"],
  ],
  ["accepts a name of 150 bytes", { ["é".repeat(75)]: "x" }, fields(["é".repeat(75), "x"])],
  [
    "track-api §8 attribute name: refuses a field name of 151 bytes",
    { [`${"é".repeat(75)}x`]: "x" },
    ["too_long data: attribute name cannot be longer than 150 bytes"],
  ],
  ["accepts a value of 1000 bytes", { a: "é".repeat(500) }, fields(["a", "é".repeat(500)])],
  [
    "track-api §8 attribute value: refuses a field value of 1001 bytes",
    { a: `${"é".repeat(500)}x` },
    ["too_long data.a: value for attribute 'a' cannot be longer than 1000 bytes"],
  ],
  [
    "applies the workspace's limit on values",
    { a: 12_345 },
    ["too_long data.a: value for attribute 'a' cannot be longer than 4 bytes"],
    withLimits({ attributeValueBytesMax: 4 }),
  ],
  [
    "accepts 300 fields besides the ignored keys",
    { ...many(formFieldsMax), form_name: "x" },
    { formId: "f" },
  ],
  ["refuses 301 fields", many(formFieldsMax + 1), ["too_many data: a form cannot have more than 300 fields"]],
  ["track-api §2.7: refuses a submission without data", undefined, ["required data: data must be present"]],
  ["refuses null data", null, ["required data: data must be present"]],
  ["refuses data that are not an object", ["a"], ["invalid data: data must be an object"]],
])

describe("responses to Track v1 forms", () => {
  it("track-api §4.3 rule 3: if no field of a submission identifies the respondent, the error names the missing field", () => {
    assert.deepStrictEqual(errorsBody("svc", [nobodyResponded]), {
      meta: { errors: ["data must contain a field that identifies the respondent by id or email"] },
    })
  })
})
