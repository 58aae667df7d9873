-- Events that took effect, with the person to whom each belongs now, without those of people who were deleted after them.
select
  entries.position, entries.received_at, entries.happened_at, entries.kind, entries.name, entries.subject,
  case when owners.state = 'person' or entries.received_at >= owners.since then owners.owner end as person,
  entries.data, entries.page_url, entries.utm_source, entries.utm_medium, entries.utm_campaign, entries.country
from {{ source('lake', 'activity') }} as entries
left join {{ ref('stg_inlet__owners') }} as owners on owners.subject = entries.subject
left join {{ ref('stg_inlet__erased') }} as gone on gone.subject = entries.subject
left join {{ ref('stg_inlet__erased') }} as gone_owner on gone_owner.subject = owners.owner
where entries.kind in ('event', 'page', 'screen', 'anonymous_event')
  and entries.outcome in ('applied', 'created', 'partial', 'pending')
  and coalesce(gone.position, 0) <= entries.position
  and (
    coalesce(gone_owner.position, 0) <= entries.position
    or not (owners.state = 'person' or entries.received_at >= owners.since)
  )
