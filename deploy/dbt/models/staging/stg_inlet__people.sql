-- Without people who were deleted since the files were written.
select people.*
from {{ source('lake', 'people') }} as people
left join {{ ref('stg_inlet__erased') }} as erased on erased.subject = people.subject
where erased.subject is null
