import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"

const stops: Array<() => void> = []
afterEach(() => stops.splice(0).forEach((stop) => stop()))

/** Starts a page of releases on loopback, and returns its address. */
const releasesPage = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  stops.push(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo // a server on a port always has an address of this kind
  return `http://127.0.0.1:${port}/releases`
}

/** Answers as a page of releases whose newest one has this tag. */
const leadingTo =
  (tag: string): RequestListener =>
  ({ method, url }, response) => {
    const isAsked = method === "HEAD" && url === "/releases/latest"
    response.writeHead(isAsked ? 302 : 400, { location: `/releases/tag/${tag}` }).end()
  }

const inlet = new CommandLine({})

it("inlet update names the newest release and how to install it", async () => {
  const page = await releasesPage(leadingTo("v1.20.3"))
  const [first, step] = await inlet.lines("update", "--releases", page)
  expect(first).toMatch(/^inlet 1\.20\.3 is the newest version, and this is [\d.]+\. To upgrade:$/)
  expect(step).toBe("  git fetch --tags && git checkout v1.20.3")
  expect(await inlet.json("update", "--releases", `${page}/`)).toMatchObject({
    newest: "1.20.3",
    is_newest: false,
    installed: "clone",
  })
})

it("inlet update says so if this version is the newest", async () => {
  const page = await releasesPage(leadingTo("v0.0.0"))
  expect(await inlet.json("update", "--releases", page)).toMatchObject({ is_newest: true, steps: [] })
})

it("inlet update asks through the proxy that the environment names", async () => {
  const asked: Array<string | undefined> = []
  const proxy = await releasesPage(({ url }, response) => {
    asked.push(url)
    response.writeHead(302, { location: "http://git.example/releases/tag/v2.0.0" }).end()
  })
  const behind = new CommandLine({ HTTP_PROXY: proxy, NO_PROXY: "", http_proxy: "", no_proxy: "" })
  const found = await behind.json("update", "--releases", "http://git.example/releases")
  expect(found).toMatchObject({ newest: "2.0.0" })
  expect(asked).toEqual(["http://git.example/releases/latest"])
})

it.each<[what: string, answer: RequestListener, problem: string]>([
  ["there is no release", (_, response) => response.writeHead(404).end(), "there is no release yet"],
  ["the page names no version", leadingTo("nightly"), "it answered 302 and names no release"],
  ["the connection closes", ({ socket }) => socket.destroy(), "socket hang up"],
  [
    "the header is too large",
    (_, response) => response.writeHead(302, { location: "x".repeat(100_000) }).end(),
    "Header overflow",
  ],
])("inlet update fails if %s", async (_, answer, problem) => {
  const page = await releasesPage(answer)
  const { code, stderr } = await inlet.run(["update", "--releases", page])
  expect(code).toBe(1)
  expect(stderr).toContain(`${page} does not say which version is the newest: `)
  expect(stderr).toContain(problem)
})

it("inlet update refuses an address that is not one of the web", async () => {
  expect(await inlet.run(["update", "--releases", "ftp://example.com"])).toMatchObject({ code: 2 })
})
