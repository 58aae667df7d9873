import { execFileSync } from "node:child_process"
import { hash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { eventually } from "../../src/eventually.ts"
import { fresh } from "../../src/fresh.ts"
import { importEnded, startImportJob } from "../../src/importJobs.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { queryDuckDb } from "../../src/lake/duckDb.ts"
import { Tenant } from "../../src/Tenant.ts"

const server = await Inlet.start()
afterAll(() => server.stop())
const tenant = await Tenant.create({}, server)

const commandLineOf = ({ url }: Inlet) =>
  new CommandLine({
    INLET_URL: url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
  })

const inlet = commandLineOf(server)

const documentOf = async (...args: ReadonlyArray<string>) =>
  Object(JSON.parse((await inlet.run([...args, "--json"])).stdout))

/** Deletes a person, and waits until the receipt of the erasure is sealed. */
const erase = async () => {
  const id = fresh("ada")
  const email = `${id}@example.com`
  await tenant.identify(id, { email })
  await tenant.recordEvent(id, { name: "bought" })
  await tenant.entity({ type: "person", identifiers: { id }, action: "delete" })
  const { items } = await documentOf("erasure", "list", "--limit", "1")
  const [{ erasure_id }] = items
  const sealed = await eventually("the receipt is sealed", async () => {
    const erasure = await documentOf("erasure", "get", erasure_id)
    return erasure.state === "sealed" ? erasure : undefined
  })
  return { id, email, sealed }
}

const { email, id, sealed } = await erase()
const receipt = join(freshDirectory(), "receipt")
await inlet.lines("erasure", "get", sealed.erasure_id, "--out", receipt)

/** Verifies the receipt against the data directory and further files. */
const verify = async (...others: ReadonlyArray<string>) => {
  const { code, stdout } = await inlet.run([
    "erasure",
    "verify",
    join(receipt, "receipt.json"),
    "--data-dir",
    server.dataDir,
    "--json",
    "--identifier",
    email,
    "--identifier",
    id,
    ...others.flatMap((path) => ["--in", path]),
  ])
  return { code, ...Object(JSON.parse(stdout)) }
}

/** Imports a file, and returns a function that reads which lines have errors. */
const importOf = async (file: string) => {
  const job = await startImportJob(tenant, file)
  await importEnded(tenant, job.import_id)
  return async () => {
    const { items } = Object(await tenant.get(`/imports/${job.import_id}/errors`))
    return items as ReadonlyArray<{ readonly line: number; readonly message: string }>
  }
}

describe("the errors of an import about somebody who is erased later", () => {
  it("are gone from the answer at once, and from every file once the receipt is sealed", async () => {
    const [one, two, three] = [fresh("kept"), fresh("other"), fresh("third")]
    const lines = await importOf(
      [
        "id,email,created_at",
        `${one},${one} at example.com,1500000000`,
        `${two},${two} at example.com,1500000000`,
        `${three},${three}@example.com,1500000000,one cell too many`,
        "",
      ].join("\n"),
    )
    const numbers = async () => (await lines()).map(({ line }) => line)
    expect(await numbers()).toEqual([2, 3, 4])
    // The error of a file without a header quotes its first row.
    await tenant.identify(three, { email: `${three}@example.com` })
    const withoutHeader = await importOf(`${three}@example.com,Ada ${three}\n`)
    expect(JSON.stringify(await withoutHeader())).toContain(`Ada ${three}`)
    for (const id of [one, three]) {
      await tenant.entity({ type: "person", identifiers: { id }, action: "delete" })
    }
    expect(await numbers()).toEqual([3])
    expect(await withoutHeader()).toEqual([])
    await eventually("the receipts are sealed", async () => {
      const { items } = await documentOf("erasure", "list", "--limit", "2")
      return items.every(({ state }: { state: string }) => state === "sealed") ? true : undefined
    })
    const files = readdirSync(server.dataDir).filter((name) => name.startsWith("inlet.db"))
    for (const name of files) {
      expect(readFileSync(join(server.dataDir, name), "latin1").includes(three), name).toBe(false)
    }
  })
})

describe("the receipt of an erasure", () => {
  it("contract §16 erasure receipts: is sealed once no row and no byte is left, and names nobody", async () => {
    expect(sealed).toMatchObject({
      action: "delete",
      identifiers: 2,
      subjects: 1,
      counts: { identifiers: 2, attributes: 0, devices: 0, merged: 0 },
      rows: { events: 1, entries: 1, mentions: 0, deliveries: 0, answers: 0, from: 1, to: 2 },
      receipt: {
        overwritten: true,
        environment_id: tenant.workspace,
        counts: sealed.counts,
        rows: sealed.rows,
        pages: { searched: expect.any(Number), overwritten: expect.any(Number) },
      },
    })
    expect(sealed.receipt.pages.searched).toBeGreaterThan(sealed.receipt.pages.overwritten)
    expect((await inlet.lines("erasure", "get", sealed.erasure_id)).join("\n")).toMatch(
      /erased +events 1, entries 1, mentions 0, deliveries 0, answers 0, positions 1 to 2/,
    )
    expect(JSON.stringify(sealed)).not.toContain(id)
  })

  it("contract §16 erasure receipts: openssl verifies the signature with the key that the server publishes", async () => {
    const published = await fetch(`${server.url}/management/v1/erasure-key.pem`)
    expect(await published.text()).toBe(readFileSync(join(receipt, "key.pem"), "utf8"))
    const openssl = () =>
      execFileSync(
        "openssl",
        [
          "pkeyutl",
          "-verify",
          "-pubin",
          "-rawin",
          "-inkey",
          "key.pem",
          "-in",
          "receipt.json",
          "-sigfile",
          "receipt.sig",
        ],
        { cwd: receipt, encoding: "utf8", stdio: "pipe" },
      )
    expect(openssl()).toContain("Signature Verified Successfully")
    const text = readFileSync(join(receipt, "receipt.json"), "utf8")
    writeFileSync(join(receipt, "receipt.json"), text.replace('"delete"', '"suppress"'))
    expect(openssl).toThrow("Command failed")
    expect(
      (await inlet.run(["erasure", "verify", join(receipt, "receipt.json"), "--data-dir", server.dataDir]))
        .stderr,
    ).toContain("its signature is wrong")
    writeFileSync(join(receipt, "receipt.json"), text)
  })

  it("contract §16 erasure receipts: waits for the files of a lake, and names them with their hashes before and after", async () => {
    const own = await Tenant.create({}, server)
    const cli = new CommandLine({
      INLET_URL: server.url,
      INLET_MANAGEMENT_TOKEN: credentials.token,
      INLET_WORKSPACE: String(own.workspace),
    })
    const person = fresh("eve")
    await own.recordEvent("bob", { name: "kept" })
    await own.identify(person, {})
    const folder = join(freshDirectory(), "lake")
    await cli.lines("lake", "start", "--dir", folder)
    const { items: files } = Object(await own.get("/lake/files"))
    const [{ path, sha256 }] = files.filter(({ table }: { table: string }) => table === "activity")
    await own.entity({ type: "person", identifiers: { id: person }, action: "delete" })
    const erasure = async () => {
      const [found] = Object(await own.get("/erasures")).items
      return found
    }
    await eventually("only the lake is left", async () => {
      const { state, waits_for_lake } = await erasure()
      expect(state).not.toBe("sealed")
      return state === "overwritten" && waits_for_lake === true ? true : undefined
    })
    const { erasure_id } = await erasure()
    expect((await cli.lines("erasure", "get", erasure_id)).join("\n")).toMatch(
      /waits for +the files of the lake/,
    )
    // Other settings than before end the open file, in which the lake reads of the deletion.
    const due = { target: "folder", url: folder, erasure_days: 0 }
    await own.updateSettings({ lake: due })
    await cli.lines("lake", "rewrite")
    const { receipt, waits_for_lake } = await eventually("the receipt is sealed", async () => {
      const found = await erasure()
      if (found.state === "sealed") return found
      await own.call("POST", own.pathOf("/lake/rewrite"))
      return undefined
    })
    expect(waits_for_lake).toBe(false)
    const rewritten = receipt.lake_files.find((file: { path: string }) => file.path === path)
    expect(rewritten).toMatchObject({ table: "activity", sha256 })
    const bytes = readFileSync(join(folder, rewritten.new_path))
    expect(rewritten.new_sha256).toBe(hash("sha256", bytes, "hex"))
    expect(existsSync(join(folder, path))).toBe(false)
    expect((await cli.lines("erasure", "get", erasure_id)).join("\n")).toContain(rewritten.new_sha256)
  })

  it("a server that is killed after each change of state seals the receipt after its next start", async () => {
    const second = await Inlet.start()
    const person = fresh("bob")
    const own = await Tenant.create({}, second)
    await own.identify(person, { email: `${person}@example.com` })
    await own.entity({ type: "person", identifiers: { id: person }, action: "delete" })
    let running = second
    const states: Array<string> = []
    await eventually("the receipt is sealed", async () => {
      await running.process.signal("SIGKILL")
      running = await Inlet.start({ dataDir: second.dataDir })
      const { stdout } = await commandLineOf(running).run([
        "erasure",
        "list",
        "--json",
        "--workspace",
        String(own.workspace),
      ])
      const state = String(Object(JSON.parse(stdout)).items[0].state)
      states.push(state)
      return state === "sealed" ? true : undefined
    })
    await running.stop()
    const order = ["hidden", "removed", "overwritten", "sealed"]
    expect(states.toSorted((a, b) => order.indexOf(a) - order.indexOf(b))).toEqual(states)
  })
})

describe("inlet erasure verify", () => {
  it("finds nothing after the erasure, and a planted copy in each form and place that it searches", async () => {
    const clean = await verify()
    expect(clean).toMatchObject({ code: 0, signature: "valid", places: [] })
    expect(clean.about).toEqual([
      { text: email, isAbout: true },
      { text: id, isAbout: true },
    ])
    const folder = freshDirectory()
    const plant = (name: string, bytes: Buffer) => {
      writeFileSync(join(folder, name), bytes)
      return join(folder, name)
    }
    const padding = Buffer.alloc(4 * 1024 * 1024 - 5)
    const planted = [
      plant("plain", Buffer.from(`x ${id} y`)),
      plant("across two chunks", Buffer.concat([padding, Buffer.from(id)])),
      plant("utf16", Buffer.from(id, "utf16le")),
      plant("big endian", Buffer.from(id, "utf16le").swap16()),
      plant("url", Buffer.from(encodeURIComponent(email))),
      plant("packed.gz", gzipSync(id)),
    ]
    for (const file of planted) {
      const found = await verify(file)
      expect([file, found.code, found.places.length > 0]).toEqual([file, 1, true])
    }
    const { places } = await verify(folder)
    expect(new Set(places.map(({ file }: { file: string }) => file))).toEqual(new Set(planted))
  })

  it("with PostgreSQL checks the signature with the key beside the receipt, and says what it cannot see", async () => {
    const dump = join(freshDirectory(), "inlet.dump")
    writeFileSync(dump, `COPY\t${id}\n`)
    const args = ["erasure", "verify", join(receipt, "receipt.json"), "--postgres", "--identifier", id]
    const found = await inlet.run([...args, "--in", dump])
    expect(found.code).toBe(1)
    expect(found.stdout).toContain(`${dump}: byte 5, plain`)
    expect(found.stdout).toContain("The database was not searched")
    expect(found.stdout).not.toContain("The receipt is")
    const alone = await inlet.run([...args, "--json"])
    expect([alone.code, JSON.parse(alone.stdout)]).toMatchObject([
      0,
      { key: "key.pem", about: [{ text: id, isAbout: null }], files: 0, places: [] },
    ])
    expect((await inlet.run([...args, "--data-dir", server.dataDir])).code).toBe(2)
    const text = readFileSync(join(receipt, "receipt.json"), "utf8")
    writeFileSync(join(receipt, "receipt.json"), text.replace('"delete"', '"suppress"'))
    const forged = await inlet.run(args)
    writeFileSync(join(receipt, "receipt.json"), text)
    expect([forged.code, forged.stderr]).toEqual([1, expect.stringContaining("its signature is wrong")])
  })

  it("finds a value in the compressed pages of a Parquet file, whose bytes do not show it", async () => {
    const file = join(freshDirectory(), "part.parquet")
    // The parts of the id come first, so that the whole id is stored as references to them.
    const half = Math.floor(id.length / 2)
    const parts = [`${id.slice(0, half)} and so on`, `so it ends with ${id.slice(half)}`, id]
    const values = parts.map((text, n) => `(${n}, '${text}')`).join(", ")
    await queryDuckDb(
      `COPY (SELECT * FROM (VALUES ${values}) AS t (n, value)) TO '${file}' (FORMAT parquet, COMPRESSION snappy)`,
    )
    expect(readFileSync(file).includes(id)).toBe(false)
    const { code, places } = await verify(file)
    expect(code).toBe(1)
    expect(places).toEqual([
      { file, offset: expect.any(Number), form: "plain, in the values of a Parquet file" },
    ])
  })

  it("finds the person in a backup that was made before the erasure, and in the files of the server", async () => {
    const person = fresh("cyd")
    await tenant.identify(person, {})
    const backup = join(freshDirectory(), "inlet.backup")
    await inlet.lines("backup", backup, "--data-dir", server.dataDir)
    const { stdout } = await inlet.run([
      "erasure",
      "verify",
      join(receipt, "receipt.json"),
      "--data-dir",
      server.dataDir,
      "--json",
      "--identifier",
      person,
      "--in",
      backup,
    ])
    const { about, places } = Object(JSON.parse(stdout))
    expect(about).toEqual([{ text: person, isAbout: false }])
    const files = places.map(({ file }: { file: string }) => file)
    expect(files).toContain(backup)
    expect(files.some((file: string) => file.startsWith(server.dataDir))).toBe(true)
  })
})
