import type { Management } from "../Management.ts"

/** Returns the text of a value without the fractions of seconds in its times. */
const inSeconds = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replace(/(T\d\d:\d\d:\d\d)\.\d{3}Z"/g, '$1.000Z"'))

const hadEffect: ReadonlySet<string> = new Set(["applied", "created", "partial", "pending"])

/**
 * Returns the people, objects and events of a workspace, without keys and without what no forward can say: manual segments, and
 * fractions of seconds, which the Track API v2 does not have. The Pipelines API has no event of a visitor, and no device without
 * a time of use.
 */
export const shownWithout = async (management: Management, to: "segment" | "track-v2") => {
  const isSegment = to === "segment"
  const people = await management.people({ limit: "1000" })
  const objects = await management.objects({ limit: "1000" })
  const events = (await management.activity({ filter: "kind:event,page,screen,anonymous_event" })).filter(
    ({ outcome }) => hadEffect.has(outcome),
  )
  return inSeconds({
    people: people
      .map(({ created_at: _3, segments: _0, svc_id: _1, updated_at: _2, devices, ...person }) => ({
        ...person,
        devices: devices.map(({ last_used, ...device }) => (isSegment ? device : { ...device, last_used })),
      }))
      .toSorted((a, b) => (`${a.id} ${a.email}` < `${b.id} ${b.email}` ? -1 : 1)),
    objects: objects
      .map(({ attributes, object_id, object_type_id, people_total }) => ({
        attributes,
        object_id,
        object_type_id,
        people_total,
      }))
      .toSorted((a, b) => (a.object_id < b.object_id ? -1 : 1)),
    events: events
      .map(({ at, data, kind, name, subject }) => ({
        at,
        data,
        kind: isSegment && kind === "anonymous_event" ? "event" : kind,
        name,
        id: subject.id,
        email: subject.email,
      }))
      .map(inSeconds)
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  })
}
