select subject, max(position) as position
from {{ source('lake', 'erased') }}
group by subject
