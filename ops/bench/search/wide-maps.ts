import { interleave, quantile } from '../alternate.ts';
import type { BenchGround, Figure } from '../benchmark.ts';
import type { KeepAliveClient } from '../load/keep-alive-client.ts';
import { expectOk, latencies } from './latencies.ts';
import {
  bytesOf,
  CHOSEN_CITY,
  FILTERS,
  OTHER_FILTERS,
  PLACES,
  type Question,
  type SearchArea,
} from './questions.ts';

/** Maps and lists of wide areas: the question that others have just asked, and one that no one has asked before. */
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
  { question: 'map', area: CHOSEN_CITY, goal: 40 },
  { question: 'list', area: CHOSEN_CITY, goal: 25 },
];

/** Degrees, or a price: another question to the server, and the same work. */
const SHIFT = 1e-6;
/** No home costs more. */
const DEAREST = 1e9;

export async function measureWide(
  { client, wide, listings }: { client: KeepAliveClient; wide: WideQuestion; listings: string },
  { rounds, quick, print }: BenchGround,
): Promise<Figure[]> {
  const { question, area, goal } = wide;
  print(`search.${question} of a ${area.name} among ${listings}, with and without filters, as new questions`);
  let moved = 0;
  const next = (filters: Record<string, unknown> & { price?: { max: number } }): Buffer => {
    moved += SHIFT;
    const { west, south, east, north } = area.box;
    const place = { ...area, box: { west: west + moved, south, east: east + moved, north } };
    // The list of a city by its name has no box to move.
    const price = { max: (filters.price?.max ?? DEAREST) + moved };
    return bytesOf(question, place, area.placeId === undefined ? filters : { ...filters, price });
  };
  const turn = (request: () => Buffer) => () => latencies(quick, () => expectOk(client.ask(request())));
  const taken = await interleave(
    {
      'the same question, filtered': turn(() => bytesOf(question, area, FILTERS)),
      'a new question': turn(() => next({})),
      'a new question, filtered': turn(() => next(FILTERS)),
      'a new question, by size and year': turn(() => next(OTHER_FILTERS)),
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
