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

  request(action: string, url: string, init: () => Promise<RequestInit> = async () => ({})) {
    return Effect.tryPromise({
      try: async (signal) => {
        const timeout = AbortSignal.any([signal, AbortSignal.timeout(requestMsMax)])
        const response = await this.client.fetch(url, {
          ...(await init()),
          signal: timeout,
          // A key is for this server, and not for whoever it names.
          redirect: "manual",
        })
        if (!response.ok && !(response.status === notFound && mayBeMissing(action))) {
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
    putText: (path, text) =>
      Effect.asVoid(bucket.request("write", bucket.urlOf(path), async () => ({ method: "PUT", body: text }))),
    readText: (path) =>
      again(
        Effect.flatMap(bucket.request("read", bucket.urlOf(path)), (response) =>
          response.status === notFound ? Effect.succeed(null) : textOf(response),
        ),
      ),
    local: (path) =>
      Effect.acquireRelease(again(Effect.flatMap(bucket.found(bucket.urlOf(path)), download)), removed),
    remove: (path) =>
      Effect.asVoid(bucket.request("remove", bucket.urlOf(path), async () => ({ method: "DELETE" }))),
    list: (folder) => listed(bucket, folder),
  }
}

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
