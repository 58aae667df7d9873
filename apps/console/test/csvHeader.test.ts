import { describe, expect, it } from "vitest"
import { headerCells, readColumns } from "../src/pages/imports/csvHeader.ts"

describe("the header of a CSV file", () => {
  it("is read up to the end of the first line", () => {
    expect(headerCells("id,email\r\nada,ada@example.com\r\n")).toEqual(["id", "email"])
    expect(headerCells("id")).toEqual(["id"])
  })

  it("may have quotes, commas and line breaks in names", () => {
    expect(headerCells('"full, name","a ""b""","two\nlines",id\n')).toEqual([
      "full, name",
      'a "b"',
      "two\nlines",
      "id",
    ])
  })

  it("keeps columns without a name, and has no columns in an empty file", () => {
    expect(headerCells("id,,plan\n")).toEqual(["id", "", "plan"])
    expect(headerCells("")).toEqual([])
  })

  it("may have columns that are named like properties of every JavaScript object", async () => {
    const file = new File(["__proto__,constructor\n"], "people.csv")
    expect(await readColumns(file, "people")).toEqual([
      { name: "__proto__", meaning: "attribute" },
      { name: "constructor", meaning: "attribute" },
    ])
  })

  it("says what each column means for the kind of file", async () => {
    const file = new File(["\uFEFF_svc_name,_svc_customer_id,total\n"], "events.csv")
    expect(await readColumns(file, "events")).toEqual([
      { name: "_svc_name", meaning: "name of the event" },
      { name: "_svc_customer_id", meaning: "identifies the person" },
      { name: "total", meaning: "data of the event" },
    ])
  })
})
