import { createWriteStream, openAsBlob } from "node:fs"
import { rm } from "node:fs/promises"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { AwsClient } from "aws4fetch"
import { Effect, Schedule } from "effect"
import { lakeTexts } from "../lakeTexts.ts"
import { LakeFailed } from "../thread/LakeThread.ts"
import type { LakeTarget, StoredObject } from "./LakeTarget.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

/** How to reach a bucket. */
export interface BucketAccess {
  /** The bucket and the prefix of its keys, such as `s3://events/inlet`. */
  readonly url: string
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** The longest time that a request may take, with the upload of a file of 64 MB over a slow line. */
const requestMsMax = 10 * 60 * 1000

/** The number of times that a failed request is repeated. The follower begins anew after that. */
const retriesMax = 3
const firstRetry = "200 millis"

/** The longest part of an error answer that is shown, in characters. */
const shownMax = 200

/** An answer that says that an object does not exist. */
const notFound = 404

/** Answers to a write under the condition that the object does not exist: it does, or another writer is writing it. */
const taken = [409, 412]

/** An answer of a server that does not know conditions. */
const notImplemented = 501

/** A bucket that does not exist is an error of a write. */
const mayBeMissing = (action: string): boolean => action !== "write"

/** Requests to one bucket, addressed by path, which every server understands. */
class Bucket {
  private readonly client: AwsClient
  private readonly base: string
  private readonly prefix: string

  constructor(access: BucketAccess) {
    // Not decoded, because whoever reads the files by the same URL does not decode it either.
    const [bucket = "", ...prefix] = access.url.replace("s3://", "").split("/")
    this.prefix = prefix.join("/").replace(/^\/+|\/+$/g, "")
    this.base = `${access.endpoint.replace(/\/+$/, "")}/${bucket}`
    const { accessKeyId, region, secretAccessKey } = access
    this.client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries: 0 })
  }

  keyOf(path: string): string {
    return this.prefix === "" ? path : `${this.prefix}/${path}`
  }

  urlOf(path: string): string {
    return `${this.base}/${this.keyOf(path).split("/").map(encodeURIComponent).join("/")}`
  }

  listUrl(query: URLSearchParams): string {
    return `${this.base}?${query}`
  }

  request(
    action: string,
    url: string,
    init: () => Promise<RequestInit> = async () => ({}),
    accepted: ReadonlyArray<number> = mayBeMissing(action) ? [notFound] : [],
  ) {
    return Effect.tryPromise({
      try: async (signal) => {
        const timeout = AbortSignal.any([signal, AbortSignal.timeout(requestMsMax)])
        const response = await this.client.fetch(url, {
          ...(await init()),
          signal: timeout,
          // A key is for this server, and not for whoever it names.
          redirect: "manual",
        })
        if (!response.ok && !accepted.includes(response.status)) {
          throw new Error(`${statusOf(response)} ${(await response.text()).slice(0, shownMax)}`)
        }
        return response
      },
      catch: (cause) => failed(action, url, reasonOf(cause)),
    }).pipe(Effect.retry({ schedule: Schedule.exponential(firstRetry), times: retriesMax }))
  }

  found(url: string) {
    return Effect.flatMap(this.request("read", url), (response) =>
      response.status === notFound
        ? Effect.fail(failed("read", url, "it does not exist"))
        : Effect.succeed(response),
    )
  }
}

/** A lake in an S3-compatible bucket. */
export const bucketTarget = (access: BucketAccess): LakeTarget => {
  const bucket = new Bucket(access)
  return {
    root: access.url.replace(/\/+$/, ""),
    workFolder: temporaryFolder(),
    prepare: () => Effect.void,
    put: (path, file, sha256) =>
      Effect.andThen(
        bucket.request("write", bucket.urlOf(path), async () => ({
          method: "PUT",
          body: await openAsBlob(file),
          headers: { "x-amz-content-sha256": sha256 },
        })),
        removed(file),
      ),
    putText: (path, text) => putText(bucket, path, text),
    putNew: (path, text) => putNew(bucket, path, text),
    readText: (path) => readText(bucket, path),
    local: (path) =>
      Effect.acquireRelease(again(Effect.flatMap(bucket.found(bucket.urlOf(path)), download)), removed),
    remove: (path) =>
      Effect.asVoid(bucket.request("remove", bucket.urlOf(path), async () => ({ method: "DELETE" }))),
    list: (folder) => listed(bucket, folder),
  }
}

const putText = (bucket: Bucket, path: string, text: string) =>
  Effect.asVoid(bucket.request("write", bucket.urlOf(path), async () => ({ method: "PUT", body: text })))

const readText = (bucket: Bucket, path: string) =>
  again(
    Effect.flatMap(bucket.request("read", bucket.urlOf(path)), (response) =>
      response.status === notFound ? Effect.succeed(null) : textOf(response),
    ),
  )

const putNew = Effect.fnUntraced(function* (bucket: Bucket, path: string, text: string) {
  const conditional = { method: "PUT", body: text, headers: { "if-none-match": "*" } }
  const { status } = yield* bucket.request("write", bucket.urlOf(path), async () => conditional, [
    ...taken,
    notImplemented,
  ])
  if (status === notImplemented) yield* putText(bucket, path, text)
  // A request that was repeated finds what it wrote itself, and a server that ignores the condition may have kept the text of another
  // writer.
  return (yield* readText(bucket, path)) === text
})

/** Repeats a read whose answer broke off. */
const again = <A>(read: Effect.Effect<A, LakeFailed>): Effect.Effect<A, LakeFailed> =>
  Effect.retry(read, { schedule: Schedule.exponential(firstRetry), times: 1 })

const removed = (file: string) => Effect.ignore(Effect.tryPromise(() => rm(file, { force: true })))

const listed = Effect.fnUntraced(function* (bucket: Bucket, folder: string) {
  const objects: Array<StoredObject> = []
  const query = { "list-type": "2", prefix: `${bucket.keyOf(folder)}/` }
  let after: string | undefined
  do {
    const page = new URLSearchParams({
      ...query,
      ...(after !== undefined && { "continuation-token": after }),
    })
    const answer: string = yield* Effect.flatMap(bucket.found(bucket.listUrl(page)), textOf)
    objects.push(...objectsIn(answer, bucket.keyOf("")))
    const next = textOfTag(answer, "NextContinuationToken")
    if (next !== undefined && next === after)
      return yield* failed("list", bucket.urlOf(folder), "the server returns the same page again")
    after = next
  } while (after !== undefined)
  return objects
})

const failed = (action: string, url: string, reason: string): LakeFailed =>
  new LakeFailed({ message: lakeTexts.bucket({ action, url, reason }) })

const textOf = (response: Response) =>
  Effect.tryPromise({
    try: () => response.text(),
    catch: (cause) => failed("read", response.url, reasonOf(cause)),
  })

/** Writes an answer into a temporary file, because objects may be larger than the memory. */
const download = (response: Response) => {
  const file = join(temporaryFolder(), `${randomUUID()}.parquet`)
  return Effect.as(
    Effect.tryPromise({
      try: () => pipeline(Readable.from(response.body ?? []), createWriteStream(file, { mode: 0o600 })),
      catch: (cause) => failed("read", response.url, reasonOf(cause)),
    }),
    file,
  )
}

/** Returns the objects in the answer of a list. Keys begin with the prefix of the lake's paths. */
const objectsIn = (listed: string, prefix: string): ReadonlyArray<StoredObject> =>
  [...listed.matchAll(/<Contents>(.*?)<\/Contents>/gs)].flatMap(([, contents]) => {
    const key = textOfTag(contents ?? "", "Key")
    const at = Date.parse(textOfTag(contents ?? "", "LastModified") ?? "")
    return key === undefined || !key.startsWith(prefix)
      ? []
      : [{ path: key.slice(prefix.length), writtenAt: at }]
  })

const textOfTag = (xml: string, tag: string): string | undefined => {
  const [, text] = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml) ?? []
  return text?.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) =>
    name === undefined
      ? String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
      : (entities.get(name) ?? whole),
  )
}

const entities = new Map([
  ["quot", '"'],
  ["apos", "'"],
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
])

const statusOf = ({ headers, status }: Response): string =>
  headers.has("location") ? `${status}, a redirect to another address, which is not followed:` : `${status}`

const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause instanceof Error ? `${cause.message}: ${cause.cause.message}` : cause.message
}
