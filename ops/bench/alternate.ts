import type { Candidate, Ratio } from './benchmark.ts';

/** One side of a comparison: `turn` runs a whole measurement and returns its value. */
export interface Side {
  readonly name: string;
  turn(round: number): Promise<number>;
}

export type Comparison = Pick<Ratio, 'title' | 'unit' | 'goal' | 'note'> & { ours: Side; peer: Side };

/**
 * Measures any number of candidates interleaved. One turn of each warms up and is not counted. Then each has one turn
 * per round, and each round begins with another one, so that a change of the machine's speed affects all alike.
 * @returns the turns of each, in the order of the rounds
 */
export async function interleave<Name extends string, T>(
  turns: Readonly<Record<Name, (round: number) => Promise<T>>>,
  rounds: number,
): Promise<Record<Name, T[]>> {
  const names = Object.keys(turns) as Name[];
  const taken = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<Name, T[]>;
  for (const name of names) await turns[name](-1);
  for (let round = 0; round < rounds; round++) {
    const shift = round % names.length;
    for (const name of [...names.slice(shift), ...names.slice(0, shift)])
      taken[name].push(await turns[name](round));
  }
  return taken;
}

/** Two sides, interleaved, and their ratio. */
export async function alternate(comparison: Comparison, rounds: number): Promise<Ratio> {
  const { ours, peer, ...rest } = comparison;
  const taken = await interleave({ ours: ours.turn, peer: peer.turn }, rounds);
  return ratioOf(rest, candidate(ours.name, taken.ours), candidate(peer.name, taken.peer));
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
