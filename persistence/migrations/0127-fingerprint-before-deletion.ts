import { OnlineMigration } from './online-migration.ts';

const ON = 'staged_fingerprints';

/** A file is not deleted while a fingerprint is to be made of it (docs/contract.md#deleting-objects): the drain finds those. */
export class FingerprintBeforeDeletion extends OnlineMigration {
  static override readonly online = [
    { index: 'staged_fingerprints_staged_key_idx', on: `${ON} ("stagedKey") where "nextTryAt" is not null` },
    {
      index: 'staged_fingerprints_original_key_idx',
      on: `${ON} ("originalKey") where "nextTryAt" is not null`,
    },
  ];
}
