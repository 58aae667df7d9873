import { describe, expect, it } from "vitest"
import { readHeader } from "../src/pages/imports/csvHeader.ts"

const workspace = { identifiers: ["id", "email"], limits: { attribute_name_bytes: 150 } } as const

const read = (content: BlobPart, kind: "people" | "events" = "people") =>
  readHeader(new File([content], "file.csv"), kind, workspace)

const namesOf = async (content: BlobPart) => (await read(content)).columns.map(({ name }) => name)

describe("the header of a CSV file", () => {
  it("ends at the end of the first line that is not blank", async () => {
    expect(await namesOf("id,email\r\nada,ada@example.com\r\n")).toEqual(["id", "email"])
    expect(await namesOf("id")).toEqual(["id"])
    expect(await namesOf("\n\r\nid\n")).toEqual(["id"])
  })

  it("may have quotes, commas and line breaks in the names of columns", async () => {
    expect(await namesOf('"full, name","a ""b""","two\nlines",id\n')).toEqual([
      "full, name",
      'a "b"',
      "two\nlines",
      "id",
    ])
  })

  it("is read with semicolons and tabs, and in UTF-16", async () => {
    expect(await namesOf("id;plan\n")).toEqual(["id", "plan"])
    expect(await namesOf("id\tplan\n")).toEqual(["id", "plan"])
    expect(await namesOf(Buffer.from("\uFEFFid;plan\n", "utf16le"))).toEqual(["id", "plan"])
  })

  it("has the columns that the import would read", async () => {
    expect(await namesOf(" Email ,,plan,\n")).toEqual(["email", "plan"])
    expect(await namesOf("id,Email,E-mail\n")).toEqual(["id", "Email", "E-mail"])
  })

  it("is refused before the upload if the import would refuse it", async () => {
    expect((await read("name,plan\n")).faults).toEqual([
      "missing column: id or email; the first line has `name`, `plan`",
    ])
    expect((await read("id,,id\n")).faults).toEqual(["column 3 has the same name as column 1"])
    expect((await read("Our customers,\nid,plan\n")).faults).toEqual([
      "the file must begin with its header; line 2 would be one, with `id`, `plan`",
    ])
    expect((await read("id\n", "events")).faults[0]).toContain("_svc_name and _svc_customer_id")
    expect((await read("")).faults).toEqual(["the file is empty"])
    expect((await read(Uint8Array.of(0x89, 0x50, 0x4e, 0x47))).faults).toEqual([
      "the file is not CSV in UTF-8, but a PNG image",
    ])
  })

  it("gives columns their meaning, also those named like a property of every JavaScript object", async () => {
    expect((await read("__proto__,constructor,cio_id\n")).columns).toEqual([
      { name: "__proto__", meaning: "attribute" },
      { name: "constructor", meaning: "attribute" },
      { name: "cio_id", meaning: "identifies the person" },
    ])
    expect((await read("\uFEFF_svc_name,_svc_customer_id,total\n", "events")).columns).toEqual([
      { name: "_svc_name", meaning: "name of the event" },
      { name: "_svc_customer_id", meaning: "identifies the person" },
      { name: "total", meaning: "data of the event" },
    ])
  })
})
