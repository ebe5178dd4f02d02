/** Invariants that neither rows nor stores can decide after the fact, and where they are proven instead. */
export const PROVEN_ELSEWHERE = [
  {
    id: 'I2',
    sentence: 'The provider accepted at most one create per attempt.',
    where: "the provider's own books: npm run simulate, tests/platform/purchases.test.ts",
  },
  {
    id: 'I3',
    sentence: 'Every accepted create belongs to one attempt that was claimed for sending before.',
    where: "the provider's own books: npm run simulate, tests/platform/purchases.test.ts",
  },
  {
    id: 'I7',
    sentence: 'Nothing is bought while the flag is not exactly `true`.',
    where: 'tests/platform/flag.test.ts, npm run simulate',
  },
  {
    id: 'I22',
    sentence: 'After a flush of the key-value store every due job is delivered again within one sweep.',
    where: 'tests/platform/redis-outage.test.ts, npm run simulate; what is left lying shows as I26',
  },
  {
    id: 'I25',
    sentence: 'No log line, journal row, error body or crash report holds a secret or a signed address.',
    where: 'tests/platform/secrets.test.ts',
  },
] as const;
