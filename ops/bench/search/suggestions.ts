import { interleave, quantile } from '../alternate.ts';
import type { BenchGround, Figure } from '../benchmark.ts';
import type { KeepAliveClient } from '../load/keep-alive-client.ts';
import { requestBytes } from '../load/request-bytes.ts';
import { expectOk, latencies } from './latencies.ts';
import { suggestionsOf, TYPED_TEXTS } from './questions.ts';

/** Milliseconds. A visitor asks once for each key that is pressed. */
const GOAL = { atMost: 50 };

/** `search.suggestLocations`, one text at a time. */
export async function measureSuggestions(
  { client, listings }: { client: KeepAliveClient; listings: string },
  { rounds, quick, print }: BenchGround,
): Promise<Figure[]> {
  print(`search.suggestLocations among ${listings}`);
  const turns = Object.entries(TYPED_TEXTS).map(([what, text]) => {
    const request = Buffer.from(requestBytes(suggestionsOf(text)), 'latin1');
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
