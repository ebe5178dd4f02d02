import type { DriftFlag } from '../../../machines/vocabulary.ts';
import { compareDrift } from '../../../src/images/decoding/drift-comparison.ts';
import { quantile } from '../alternate.ts';
import type { Bench, Finding } from '../benchmark.ts';
import { ALTERATIONS, type Alteration, type Kind } from './alterations.ts';
import { asJpeg, openCanvas } from './canvas.ts';
import { HALVES, type Half, type Room, roomsOf } from './rooms.ts';

/**
 * What the comparison of photos with staged pictures finds (docs/testing.md#drift). Each photo is changed in honest and
 * in dishonest ways; a dishonest change counts as found when the flag of its kind is raised, an honest one as a false
 * alarm when any flag is raised.
 */
export const driftBench: Bench = {
  name: 'drift',
  about: 'the comparison of a photo with its staged picture: what it finds, false alarms, time a pair',
  run: async ({ quick, photos, print }) => {
    const rooms = await roomsOf(photos);
    const pairs: Pair[] = [];
    for (const room of quick ? rooms.slice(0, 2) : rooms) {
      print(room.name);
      pairs.push(...(await pairsOf(room, print)));
    }
    return findingsOf(pairs);
  },
};

interface Pair {
  readonly half: Half;
  readonly alteration: Alteration;
  readonly flags: readonly DriftFlag[];
  readonly boxes: number;
  readonly ms: number;
}

/** The flag that must be raised; null where only a box can show the change. */
const EXPECTED: Readonly<Record<Exclude<Kind, 'staged' | 're-rendered'>, DriftFlag | null>> = {
  'widened, stretched, zoomed': 'GEOMETRY_MOVED',
  'wall recolored': 'SURFACE_REPAINTED',
  'window or appliance removed': 'STRUCTURE_LOST',
  'wall papered': 'SURFACE_REPAINTED',
  'window or pendant added': null,
};

async function pairsOf(room: Room, print: (line: string) => void): Promise<Pair[]> {
  const canvas = await openCanvas(await room.read());
  const photo = await asJpeg(canvas);
  const pairs: Pair[] = [];
  for (const alteration of ALTERATIONS) {
    const changed = await alteration.make(canvas);
    if (changed === null) continue;
    const begin = performance.now();
    const { flags, boxes, measures } = await compareDrift(changed, { photo, pad: null });
    pairs.push({ half: room.half, alteration, flags, boxes: boxes.length, ms: performance.now() - begin });
    const numbers = Object.entries(measures).map(([name, value]) => `${name} ${Number(value.toFixed(3))}`);
    print(
      `  ${alteration.kind}: ${flags.join(', ') || 'nothing'}; ${boxes.length} boxes; ${numbers.join(', ')}`,
    );
  }
  return pairs;
}

function findingsOf(pairs: readonly Pair[]): Finding[] {
  const of = (kind: Kind) => pairs.filter(({ alteration }) => alteration.kind === kind);
  const count = (title: string, all: readonly Pair[], hit: (pair: Pair) => boolean): Finding[] =>
    HALVES.map((half) => {
      const ofHalf = all.filter((pair) => pair.half === half);
      const value = ofHalf.filter(hit).length;
      return { kind: 'figure', title: `${title}, of ${ofHalf.length} (${half})`, unit: 'count', value };
    });
  const isRaised = ({ flags }: Pair) => flags.length > 0;
  const times = pairs.map(({ ms }) => ms);
  return [
    ...Object.entries(EXPECTED).flatMap(([kind, flag]) =>
      flag === null
        ? count(`listed as boxes: ${kind}`, of(kind as Kind), ({ boxes }) => boxes > 0)
        : count(`found: ${kind}`, of(kind as Kind), ({ flags }) => flags.includes(flag)),
    ),
    ...count('false alarms: staged', of('staged'), isRaised),
    ...count('false alarms: re-rendered', of('re-rendered'), isRaised),
    { kind: 'figure', title: 'a pair, p50', unit: 'ms', value: quantile(times, 0.5) },
    { kind: 'figure', title: 'a pair, p95', unit: 'ms', value: quantile(times, 0.95), goal: { atMost: 500 } },
  ];
}
