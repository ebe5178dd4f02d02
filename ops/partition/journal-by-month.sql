-- Cuts the journal (actor_transitions) into one partition a month, so that old months can be dropped in an instant
-- instead of being deleted row by row. For installations whose journal has outgrown one table: SIZING.md says when.
-- Run it once, with workers and API hosts stopped:  psql $DATABASE_URL -v ON_ERROR_STOP=1 -f ops/partition/journal-by-month.sql
--
-- What stays true: an actor's history has no gaps and no line twice, because every line is written in the transaction
-- that raises the actor's version by one. The unique index, which can only reach as far as a month now, guards that
-- within each month. What tours show to both sides is read from the journal for ever, so it is not cut by month.

BEGIN;

ALTER TABLE actor_transitions RENAME TO actor_transitions_before;
ALTER TABLE actor_transitions_before RENAME CONSTRAINT actor_transitions_pkey TO actor_transitions_before_pkey;
ALTER TABLE actor_transitions_before
  RENAME CONSTRAINT "actor_transitions_actorKind_actorId_seq_key" TO "actor_transitions_before_seq_key";

CREATE TABLE actor_transitions (
  LIKE actor_transitions_before INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING IDENTITY
) PARTITION BY LIST ("actorKind");

CREATE TABLE actor_transitions_tours PARTITION OF actor_transitions FOR VALUES IN ('tour');
CREATE UNIQUE INDEX ON actor_transitions_tours ("actorKind", "actorId", seq);

-- Every kind but tours. A kind that a later migration adds lands here as well.
CREATE TABLE actor_transitions_pipeline PARTITION OF actor_transitions DEFAULT PARTITION BY RANGE (at);
-- Looked up by actor, whatever the month.
CREATE INDEX ON actor_transitions_pipeline ("actorId", "actorKind", seq);

CREATE FUNCTION journal_month(month date) RETURNS text LANGUAGE plpgsql AS $$
DECLARE name text := format('actor_transitions_%s', to_char(month, 'YYYY_MM'));
BEGIN
  IF to_regclass(name) IS NULL THEN
    EXECUTE format('CREATE TABLE %I PARTITION OF actor_transitions_pipeline FOR VALUES FROM (%L) TO (%L)',
      name, date_trunc('month', month) AT TIME ZONE 'UTC', (date_trunc('month', month) + interval '1 month') AT TIME ZONE 'UTC');
    EXECUTE format('CREATE UNIQUE INDEX ON %I ("actorKind", "actorId", seq)', name);
  END IF;
  RETURN name;
END $$;
COMMENT ON FUNCTION journal_month(date) IS 'Makes the partition of a month; run it every month for the next three.';

-- Lines that no month holds, should nobody have made the next one in time. It is empty as long as somebody does.
CREATE TABLE actor_transitions_rest PARTITION OF actor_transitions_pipeline DEFAULT;
CREATE UNIQUE INDEX ON actor_transitions_rest ("actorKind", "actorId", seq);

SELECT journal_month(month::date) FROM generate_series(
  date_trunc('month', coalesce((SELECT min(at) FROM actor_transitions_before WHERE "actorKind" <> 'tour'), now())),
  date_trunc('month', now()) + interval '3 months', interval '1 month') AS month;

INSERT INTO actor_transitions OVERRIDING SYSTEM VALUE SELECT * FROM actor_transitions_before;
SELECT setval(pg_get_serial_sequence('actor_transitions', 'id'), greatest(max(id), 1)) FROM actor_transitions_before;
DROP TABLE actor_transitions_before;

COMMIT;
