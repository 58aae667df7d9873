import { svcIdText, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { describe, expect, it } from "vitest"
import { personQueries, prefixedSvcId } from "../src/operations/personQueries.ts"

const ids = [1, 36, 4_000_000].flatMap((workspace) =>
  [1, 36, 3_000_000].map((key) => svcIdText(WorkspaceId.make(workspace), SubjectKey.make(key))),
)

describe("personQueries", () => {
  it.each(ids)("the svc_id %s is tried after an id", (svcId) => {
    expect(personQueries(svcId)).toEqual([{ id: svcId }, { svc_id: svcId }, { anonymous_id: svcId }])
  })

  it.each(ids.flatMap((svcId) => [`svc_${svcId}`, `cio_${svcId}`]))("%s is a svc_id first", (name) => {
    const svcId = name.slice(4)
    expect(personQueries(name)).toEqual([{ svc_id: svcId }, { id: name }, { anonymous_id: name }])
    expect(prefixedSvcId(name)).toBe(svcId)
  })

  it("a text with an @ is an email too", () => {
    expect(personQueries("ada@example.com")).toEqual([
      { id: "ada@example.com" },
      { email: "ada@example.com" },
      { anonymous_id: "ada@example.com" },
    ])
  })

  it.each([
    "p",
    "p1",
    "paula",
    "p1000000001",
    "p000000000",
    "op11000000001",
    "svc_",
    "cio_paula",
    "SVC_p11000000001",
  ])("%s has the form of no svc_id", (name) => {
    expect(personQueries(name)).toEqual([{ id: name }, { anonymous_id: name }])
    expect(prefixedSvcId(name)).toBeUndefined()
  })
})
