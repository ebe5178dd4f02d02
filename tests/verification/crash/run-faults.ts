import type { TestPlatform } from '../../support/platform/platform.ts';

/**
 * Faults of the database in a run: some writes fail with a serialization failure or deadlock, and journal
 * rows of a poisoned job are rejected. Sequences do not roll back, so a repeated write succeeds.
 */
const CONFLICT_EVERY = 17;

const SETUP = `
  create sequence crash_conflicts;
  create table crash_poison (id uuid primary key);
  create function crash_interfere() returns trigger language plpgsql as $$
  declare turn bigint := nextval('crash_conflicts');
  begin
    if exists (select from crash_poison where id = new."actorId") then
      raise exception 'poisoned' using errcode = 'XX001';
    end if;
    if turn % ${CONFLICT_EVERY} = 0 then
      raise exception 'conflict' using errcode = case when turn % 2 = 0 then '40001' else '40P01' end;
    end if;
    return new;
  end $$;
  create trigger crash_interfere before insert on actor_transitions
    for each row execute function crash_interfere()`;

export async function installDatabaseFaults(platform: TestPlatform): Promise<void> {
  await platform.pool.query(SETUP);
}

export async function removeDatabaseFaults(platform: TestPlatform): Promise<void> {
  await platform.pool.query('drop trigger crash_interfere on actor_transitions; delete from crash_poison');
}

/** From now on every journal write for the job or its attempts fails. */
export async function poison(platform: TestPlatform, jobId: string): Promise<void> {
  await platform.rows(
    `insert into crash_poison select $1::uuid union select id from ai_provider_attempts where "aiJobId" = $1
     on conflict do nothing`,
    [jobId],
  );
}

export async function heal(platform: TestPlatform, jobId: string): Promise<void> {
  await platform.rows(
    `delete from crash_poison where id = $1 or id in (select id from ai_provider_attempts where "aiJobId" = $1)`,
    [jobId],
  );
}
