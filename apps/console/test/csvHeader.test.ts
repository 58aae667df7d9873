import { describe, expect, it } from "vitest"
import { headerCells, readColumns } from "../src/pages/imports/csvHeader.ts"

describe("the header of a CSV file", () => {
  it("the reader of a CSV header stops at the end of the first line", () => {
    expect(headerCells("id,email\r\nada,ada@example.com\r\n")).toEqual(["id", "email"])
    expect(headerCells("id")).toEqual(["id"])
  })

  it("column names in a CSV header may have quotes, commas and line breaks", () => {
    expect(headerCells('"full, name","a ""b""","two\nlines",id\n')).toEqual([
      "full, name",
      'a "b"',
      "two\nlines",
      "id",
    ])
  })

  it("columns without a name are listed, and an empty file has no columns", () => {
    expect(headerCells("id,,plan\n")).toEqual(["id", "", "plan"])
    expect(headerCells("")).toEqual([])
  })

  it("columns of a CSV file may have names such as constructor, which every JavaScript object has as a property", async () => {
    const file = new File(["__proto__,constructor\n"], "people.csv")
    expect(await readColumns(file, "people")).toEqual([
      { name: "__proto__", meaning: "attribute" },
      { name: "constructor", meaning: "attribute" },
    ])
  })

  it("the meaning of a CSV column depends on whether the file contains people or events", async () => {
    const file = new File(["\uFEFF_svc_name,_svc_customer_id,total\n"], "events.csv")
    expect(await readColumns(file, "events")).toEqual([
      { name: "_svc_name", meaning: "name of the event" },
      { name: "_svc_customer_id", meaning: "identifies the person" },
      { name: "total", meaning: "data of the event" },
    ])
  })
})
