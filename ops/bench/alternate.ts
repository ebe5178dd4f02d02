import type { Candidate, Ratio } from './benchmark.ts';

/** One side of a comparison: `turn` runs a whole measurement and returns its value. */
export interface Side {
  readonly name: string;
  turn(round: number): Promise<number>;
}

export type Comparison = Pick<Ratio, 'title' | 'unit' | 'goal' | 'note'> & { ours: Side; peer: Side };

/**
 * Measures two sides in alternation, so that a change of the machine's speed affects both alike. The side that goes
 * first changes each round. One turn of each warms up and is not counted.
 */
export async function alternate(comparison: Comparison, rounds: number): Promise<Ratio> {
  const { ours, peer, ...rest } = comparison;
  await ours.turn(-1);
  await peer.turn(-1);
  const oursSamples: number[] = [];
  const peerSamples: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const first = round % 2 === 0;
    if (first) oursSamples.push(await ours.turn(round));
    peerSamples.push(await peer.turn(round));
    if (!first) oursSamples.push(await ours.turn(round));
  }
  return ratioOf(rest, candidate(ours.name, oursSamples), candidate(peer.name, peerSamples));
}

/** A finding from samples that were also taken interleaved. */
export function ratioOf(
  about: Pick<Ratio, 'title' | 'unit' | 'goal' | 'note'>,
  ours: Candidate,
  peer: Candidate,
): Ratio {
  return { kind: 'ratio', ...about, ours, peer, ratio: ours.median / peer.median };
}

export function candidate(name: string, samples: readonly number[]): Candidate {
  return { name, samples, median: quantile(samples, 0.5) };
}

/**
 * The value below which `share` (0 to 1) of the samples lie, interpolated between neighbors.
 * @throws RangeError without samples
 */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = Float64Array.from(samples).sort();
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  if (below === undefined || above === undefined) throw new RangeError('No samples to take a quantile of.');
  return below + (above - below) * (place - Math.floor(place));
}
