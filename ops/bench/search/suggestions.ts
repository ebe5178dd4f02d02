import { quantile } from '../alternate.ts';
import type { BenchGround, Figure } from '../benchmark.ts';
import { interleave } from '../interleave.ts';
import type { KeepAliveClient } from '../load/keep-alive-client.ts';
import { requestBytes } from '../load/request-bytes.ts';
import { expectOk, latencies } from './latencies.ts';

/** What people type, from few matches to all. */
const TEXTS = {
  'one address': '12345 bench street',
  'a postal code': '98043',
  'a city': 'seattle',
  'the state of all': 'wa',
  'a word of all addresses': 'st',
  'the same with a typing error': 'bench stret',
};
/** Milliseconds: less than the time between two letters. */
const GOAL = { atMost: 50 };

/** `search.suggestLocations`, one text at a time. */
export async function measureSuggestions(
  { client, listings }: { client: KeepAliveClient; listings: string },
  { rounds, quick, print }: BenchGround,
): Promise<Figure[]> {
  print(`search.suggestLocations among ${listings}`);
  const turns = Object.entries(TEXTS).map(([what, text]) => {
    const input = encodeURIComponent(JSON.stringify({ json: { text } }));
    const path = `/api/trpc/search.suggestLocations?input=${input}`;
    const request = Buffer.from(requestBytes({ method: 'GET', path }), 'latin1');
    return [what, () => latencies(quick, () => expectOk(client.ask(request)))] as const;
  });
  const taken = await interleave(Object.fromEntries(turns), rounds);
  return Object.entries(taken).map(([what, measured]) => ({
    kind: 'figure',
    title: `search.suggestLocations for ${what} among ${listings}, p50`,
    unit: 'ms',
    value: quantile(
      measured.map((each) => quantile(each, 0.5)),
      0.5,
    ),
    goal: GOAL,
    note: `p95 ${quantile(measured.flat(), 0.95).toPrecision(3)} ms`,
  }));
}
