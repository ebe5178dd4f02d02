import { quantile } from '../alternate.ts';
import type { BenchGround, Figure } from '../benchmark.ts';
import { interleave } from '../interleave.ts';
import type { KeepAliveClient } from '../load/keep-alive-client.ts';
import { expectOk, latencies } from './latencies.ts';
import { bytesOf, FILTERS, PLACES, type Question, type SearchArea } from './questions.ts';

/** Maps and lists of wide areas: the question that others have just asked, and one that nobody has asked before. */
interface WideQuestion {
  readonly question: Question;
  readonly area: SearchArea;
  /** Milliseconds. */
  readonly goal: number;
}

const placeNamed = (name: string) => PLACES.find((place) => place.name === name) as SearchArea;
export const WIDE: readonly WideQuestion[] = [
  { question: 'map', area: placeNamed('city'), goal: 40 },
  { question: 'map', area: placeNamed('county'), goal: 60 },
  { question: 'list', area: placeNamed('city'), goal: 25 },
];

/** Degrees: another box to the server, and the same work. */
const SHIFT = 1e-6;

export async function measureWide(
  { client, wide, listings }: { client: KeepAliveClient; wide: WideQuestion; listings: string },
  { rounds, quick, print }: BenchGround,
): Promise<Figure[]> {
  const { question, area, goal } = wide;
  print(`search.${question} of a ${area.name} among ${listings}, with and without filters, as new questions`);
  let moved = 0;
  const nextArea = (): SearchArea => {
    moved += SHIFT;
    const { west, south, east, north } = area.box;
    return { ...area, box: { west: west + moved, south, east: east + moved, north } };
  };
  const turn = (filters: object, place: () => SearchArea) => () =>
    latencies(quick, () => expectOk(client.ask(bytesOf(question, place(), filters))));
  const taken = await interleave(
    {
      'the same question, filtered': turn(FILTERS, () => area),
      'a new question': turn({}, nextArea),
      'a new question, filtered': turn(FILTERS, nextArea),
    },
    rounds,
  );
  return Object.entries(taken).map(([kind, turns]) => ({
    kind: 'figure',
    title: `search.${question} of a ${area.name} among ${listings}: ${kind}, p50`,
    unit: 'ms',
    value: quantile(
      turns.map((each) => quantile(each, 0.5)),
      0.5,
    ),
    goal: { atMost: goal },
    note: `p95 ${quantile(turns.flat(), 0.95).toPrecision(3)} ms`,
  }));
}
