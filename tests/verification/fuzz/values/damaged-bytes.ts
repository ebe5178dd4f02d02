import fc from 'fast-check';

/** A change of some bytes: the result is almost a valid file or message. */
type Damage =
  | { kind: 'set'; at: number; bytes: Uint8Array }
  | { kind: 'cut'; at: number }
  | { kind: 'remove'; at: number; length: number }
  | { kind: 'repeat'; at: number; length: number; times: number };

/** Lengths and sizes at the ends of their ranges. */
const EDGES = ['ffffffff', '7fffffff', '80000000', '00000000', '0000ffff', 'ffff'].map((hex) =>
  Buffer.from(hex, 'hex'),
);

/** Places are fractions, so that shrinking a file does not move them all. Most damage is in the headers. */
const place = fc.oneof(
  fc.double({ min: 0, max: 0.05, noNaN: true }),
  fc.double({ min: 0, max: 1, noNaN: true }),
);
const damage: fc.Arbitrary<Damage> = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant('set' as const),
      at: place,
      bytes: fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 8 }), fc.constantFrom<Uint8Array>(...EDGES)),
    }),
    weight: 6,
  },
  { arbitrary: fc.record({ kind: fc.constant('cut' as const), at: place }), weight: 2 },
  {
    arbitrary: fc.record({
      kind: fc.constant('remove' as const),
      at: place,
      length: fc.integer({ min: 1, max: 64 }),
    }),
    weight: 1,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('repeat' as const),
      at: place,
      length: fc.integer({ min: 1, max: 64 }),
      times: fc.integer({ min: 2, max: 40 }),
    }),
    weight: 1,
  },
);

/**
 * `whole` with up to `changes` damaged places; sometimes none, since every target must also get valid input.
 */
export function damaged(whole: fc.Arbitrary<Uint8Array>, { changes = 4 } = {}): fc.Arbitrary<Buffer> {
  return fc
    .tuple(whole, fc.array(damage, { maxLength: changes }))
    .map(([bytes, damages]) => damages.reduce(applied, Buffer.from(bytes)));
}

function applied(bytes: Buffer, change: Damage): Buffer {
  const at = Math.floor(change.at * bytes.length);
  switch (change.kind) {
    case 'set': {
      const copy = Buffer.from(bytes);
      copy.set(change.bytes.subarray(0, copy.length - at), at);
      return copy;
    }
    case 'cut':
      return bytes.subarray(0, at);
    case 'remove':
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + change.length)]);
    case 'repeat': {
      const piece = bytes.subarray(at, at + change.length);
      return Buffer.concat([bytes.subarray(0, at), ...Array(change.times).fill(piece), bytes.subarray(at)]);
    }
  }
}
