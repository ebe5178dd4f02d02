import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { migrate } from '../../../persistence/migrations/migrator.ts';
import { closeTestDatabases, openTestDatabase } from '../../support/database/legacy-database.ts';

afterEach(closeTestDatabases);

test('throttled sends of existing attempts are counted from their journals; other sends are not counted', async () => {
  const { url, pool } = await openTestDatabase({ until: '0024_cost_index' });
  const attempt = async (sendTries: number, rejections: readonly string[]) => {
    const [jobId, id] = [randomUUID(), randomUUID()];
    await pool.query(
      `insert into ai_jobs (id, type, status, phase, "dedupeKey", "createdAt", "updatedAt")
       values ($1, 'ROOM_STAGING', 'PROCESSING', 'ATTEMPT', gen_random_uuid()::text, now(), now())`,
      [jobId],
    );
    await pool.query(
      `insert into ai_provider_attempts (id, "aiJobId", "attemptNumber", status, "sendTries")
       values ($1, $2, 1, 'RESERVED', $3)`,
      [id, jobId, sendTries],
    );
    for (const [index, errorCode] of rejections.entries())
      await pool.query(
        `insert into actor_transitions ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy")
         values ('providerAttempt', $1, $2, 'SEND_REFUSED', jsonb_build_object('errorCode', $3::text), 'SENT', 'RESERVED', now(), 'test')`,
        [id, index + 1, errorCode],
      );
    return id;
  };
  const [throttled, unreachable] = ['PROVIDER_THROTTLED', 'PROVIDER_UNREACHABLE'];
  const expected = new Map([
    [await attempt(3, [throttled, unreachable, throttled]), 2],
    [await attempt(1, [unreachable]), 0],
    [await attempt(1, []), 0],
  ]);
  await migrate(url);
  const { rows } = await pool.query<{ id: string; throttledSends: number }>(
    'select id, "throttledSends" from ai_provider_attempts',
  );
  expect(new Map(rows.map(({ id, throttledSends }) => [id, throttledSends]))).toEqual(expected);
});
