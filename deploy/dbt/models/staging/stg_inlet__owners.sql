-- The row of each subject at its largest position says to whom it belongs now.
select subject, owner, since, state
from (
  select subject, owner, since, state,
    row_number() over (partition by subject order by position desc) as place
  from {{ source('lake', 'subjects') }}
) as ranked
where place = 1
