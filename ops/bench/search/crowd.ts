import { quantile } from '../alternate.ts';
import type { BenchGround, Figure } from '../benchmark.ts';
import { type KeepAliveClient, openClient } from '../load/keep-alive-client.ts';
import { expectOk } from './latencies.ts';
import { bytesOf, OPENING } from './questions.ts';

/** Visitors who open the search and see the whole country: so many a second come, however long the others wait. */
const A_SECOND = 100;
const SECONDS = { full: 20, quick: 2 };
const GOAL_MS = 100;

export async function measureCrowd(
  { host, port, listings }: { host: string; port: number; listings: string },
  { quick, print }: BenchGround,
): Promise<Figure[]> {
  print(`the first map of ${A_SECOND} visitors a second among ${listings}`);
  const request = bytesOf('map', OPENING);
  const free: KeepAliveClient[] = [];
  const opened: KeepAliveClient[] = [];
  const visit = async (dueAt: number): Promise<number> => {
    // The one that has waited longest: the host closes connections that no one uses.
    const client = free.shift() ?? (await openClient({ host, port }));
    if (!opened.includes(client)) opened.push(client);
    await expectOk(client.ask(request));
    free.push(client);
    return performance.now() - dueAt;
  };
  const count = A_SECOND * (quick ? SECONDS.quick : SECONDS.full);
  const visits: Promise<number>[] = [];
  const began = performance.now();
  try {
    while (visits.length < count) {
      const dueAt = began + (visits.length * 1_000) / A_SECOND;
      const early = dueAt - performance.now();
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      visits.push(visit(dueAt));
    }
    const taken = await Promise.all(visits);
    const title = `first map of the country among ${listings}, ${A_SECOND} visitors a second`;
    return [0.5, 0.95].map((share) => ({
      kind: 'figure',
      title: `${title}, p${share * 100}`,
      unit: 'ms',
      value: quantile(taken, share),
      goal: { atMost: GOAL_MS },
      note: `${count.toLocaleString('en-US')} visits on ${opened.length} connections`,
    }));
  } finally {
    for (const client of opened) client.close();
  }
}
