-- One row per organisation and owner of unfinished jobs of `kind`: how many of them run, and the
-- next one that may run. First tries come before retries, which come in the order in which they are
-- due. If `inOrder` is 1, a job waits until the older ones of its channel have ended. The question
-- steps through the index from owner to owner, so an owner with many jobs costs no more than
-- others. It names the states of open jobs word for word as the indexes do.
WITH RECURSIVE
  found_organisation (id) AS (
    SELECT min(organisation_id)
    FROM job
    WHERE kind = {kind:String} AND state in ('waiting', 'running')
    UNION ALL
    SELECT (
      SELECT min(organisation_id)
      FROM job
      WHERE kind = {kind:String} AND state in ('waiting', 'running')
        AND organisation_id > found_organisation.id
    )
    FROM found_organisation
    WHERE id IS NOT NULL
  ),
  found_owner (organisation_id, id) AS (
    SELECT id, (
      SELECT min(owner)
      FROM job
      WHERE kind = {kind:String} AND state in ('waiting', 'running')
        AND organisation_id = found_organisation.id
    )
    FROM found_organisation
    WHERE id IS NOT NULL
    UNION ALL
    SELECT organisation_id, (
      SELECT min(owner)
      FROM job
      WHERE kind = {kind:String} AND state in ('waiting', 'running')
        AND organisation_id = found_owner.organisation_id AND owner > found_owner.id
    )
    FROM found_owner
    WHERE id IS NOT NULL
  )
SELECT
  organisation_id,
  id AS owner,
  (
    SELECT count(*)
    FROM job
    WHERE kind = {kind:String} AND state = 'running'
      AND organisation_id = found_owner.organisation_id AND owner = found_owner.id
      AND lease_until > {at:Int64}
  ) AS running,
  (
    SELECT sequence
    FROM job
    WHERE kind = {kind:String} AND state in ('waiting', 'running')
      AND organisation_id = found_owner.organisation_id AND owner = found_owner.id
      AND lease_until <= {at:Int64}
      AND ({inOrder:Int32} = 0 OR NOT EXISTS (
        SELECT 1
        FROM job AS older
        WHERE older.kind = job.kind AND older.channel_number = job.channel_number
          AND older.sequence < job.sequence AND older.state in ('waiting', 'running')
      ))
    ORDER BY lease_until, sequence
    LIMIT 1
  ) AS sequence
FROM found_owner
WHERE id IS NOT NULL
