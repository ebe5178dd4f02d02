/**
 * SQL condition: a fingerprint is to be made of the file that the row `t` of the deletion outbox names
 * (docs/contract.md#deleting-objects). After a day, by the clock of the database, the file goes without one.
 */
export function awaitsFingerprint(t: string): string {
  const isFor = (key: 'stagedKey' | 'originalKey') => `EXISTS (SELECT FROM staged_fingerprints f
    WHERE f."${key}" = ${t}."objectKey" AND f."nextTryAt" IS NOT NULL
      AND f."createdAt" > clock_timestamp() - interval '1 day')`;
  return `(${isFor('stagedKey')} OR ${isFor('originalKey')})`;
}
