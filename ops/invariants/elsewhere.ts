/** Invariants that neither rows nor stores can decide afterwards, and where they are proven instead. */
export const PROVEN_ELSEWHERE = [
  {
    id: 'I2',
    sentence: 'The provider accepted at most one create per attempt.',
    where: "the provider's own ledger: npm run simulate, tests/e2e/platform/purchases.test.ts",
  },
  {
    id: 'I3',
    sentence: 'Every accepted create belongs to one attempt that was claimed for sending before.',
    where: "the provider's own ledger: npm run simulate, tests/e2e/platform/purchases.test.ts",
  },
  {
    id: 'I7',
    sentence: 'Nothing is bought while the flag is not exactly `true`.',
    where: 'tests/e2e/platform/flag.test.ts, npm run simulate',
  },
  {
    id: 'I22',
    sentence: 'After a flush of the key-value store every due job is delivered again within one sweep.',
    where: 'tests/e2e/platform/redis-outage.test.ts, npm run simulate; what is left lying shows as I26',
  },
  {
    id: 'I25',
    sentence: 'No log line, journal row, error body or crash report holds a secret or a signed address.',
    where: 'tests/e2e/platform/secrets.test.ts',
  },
  {
    id: 'I28',
    sentence: 'No create begins after SIGTERM, and the process is gone within its grace and two seconds.',
    where: 'tests/verification/crash/stops-with-hangs.test.ts, npm run simulate',
  },
  {
    id: 'I31',
    sentence:
      'A holder whose lease has run out has been told, by its own clock, before another may take over.',
    where: 'npm run simulate, tests/supervisors/runner/lease-keeper.test.ts',
  },
  {
    id: 'I33',
    sentence: "A scan of the provider's list begins at most once in 5 s in the whole installation.",
    where:
      'npm run simulate, tests/supervisors/sweepers/prediction-scanner.test.ts, tests/persistence/actors/sweep-turns.test.ts',
  },
  {
    id: 'I34',
    sentence: 'No sweep reads rows in proportion to finished work.',
    where: 'tests/persistence/actors/sweep-costs.test.ts',
  },
] as const;
