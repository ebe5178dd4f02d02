import { expect } from 'vitest';
import type { RoleProcess } from '../../../ops/dev/stack/role-process.ts';
import { eventually } from '../eventually.ts';
import { jobReaches } from './listing.ts';
import type { TestPlatform } from './platform.ts';

/** The checks at the end of the tests of outages and restarts. */

export interface AttemptOutcome {
  id: string;
  attemptNumber: number;
  status: string;
  providerPredictionId: string | null;
}

export const attemptsOfJob = (platform: TestPlatform, jobId: string) =>
  platform.rows<AttemptOutcome>(
    'select * from ai_provider_attempts where "aiJobId" = $1 order by "attemptNumber"',
    [jobId],
  );

/** Every job ends in SUCCESS, and every attempt it took was bought exactly once. */
export async function finishBoughtOnce(
  platform: TestPlatform,
  jobIds: readonly string[],
  { attempts = 1 }: { attempts?: number } = {},
): Promise<void> {
  for (const jobId of jobIds) await jobReaches(platform, jobId, 'SUCCESS');
  const bought = await platform.purchases();
  for (const jobId of jobIds) {
    const rows = await attemptsOfJob(platform, jobId);
    expect(rows).toHaveLength(attempts);
    for (const { id } of rows) expect(bought.get(id), `attempt ${id}`).toHaveLength(1);
  }
}

/** The journal of every actor has no gap, and its last entry is the row's version (I8). */
export async function expectWholeJournals(platform: TestPlatform, jobIds: readonly string[]): Promise<void> {
  const gaps = await platform.rows(
    `select actor.id, actor.version, count(entry.id)::int as entries
       from (select id, version from ai_jobs where id = any($1)
             union all select id, version from ai_provider_attempts where "aiJobId" = any($1)) actor
       left join actor_transitions entry on entry."actorId" = actor.id
      group by actor.id, actor.version
     having count(entry.id) <> actor.version or coalesce(max(entry.seq), 0) <> actor.version`,
    [jobIds],
  );
  expect(gaps).toEqual([]);
}

/** How often the runners of these jobs were counted as crashed. */
export async function countedCrashes(platform: TestPlatform, jobIds: readonly string[]): Promise<number> {
  const [row] = await platform.rows<{ crashes: number }>(
    `select count(*)::int as crashes from actor_transitions
      where "actorId" = any($1) and "eventType" = 'RUNNER_CRASHED'`,
    [jobIds],
  );
  return row?.crashes ?? 0;
}

/** The JSON lines that one process, or any, has logged. */
export function logged(platform: TestPlatform, process?: RoleProcess): Record<string, unknown>[] {
  return platform.lines
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ pid }) => process === undefined || pid === process.pid);
}

/** Where a process answers `/readyz` and `/metrics`. */
export async function opsUrlOf(platform: TestPlatform, process: RoleProcess): Promise<string> {
  const url = await process.ready;
  const line = logged(platform, process).find(({ msg }) => msg === 'listening');
  // The log shows no more than the origin of an address.
  return new URL(typeof line?.opsUrl === 'string' ? line.opsUrl : url).origin;
}

export interface Readiness {
  status: number;
  ready: boolean;
  checks: Record<string, { ok: boolean; code?: string; detail?: Record<string, unknown> }>;
}

export async function readyz(url: string): Promise<Readiness> {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, ...((await response.json()) as Omit<Readiness, 'status'>) };
}

/** The value of one series, by its name and a part of its labels; undefined when it is not there. */
export async function metricOf(url: string, series: string, labels = ''): Promise<number | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${series}{`) && one.includes(labels));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ') + 1));
}

/** Waits for a log line that fits. */
export function lineLogged(
  platform: TestPlatform,
  what: string,
  fits: (line: Record<string, unknown>) => boolean,
): Promise<Record<string, unknown>> {
  return eventually(() => logged(platform).find(fits), { what: `the log line ${what}`, timeoutMs: 20_000 });
}
