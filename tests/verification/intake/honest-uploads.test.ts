import { describe, expect, test } from 'vitest';
import { CANONICAL_ROOM_TYPES } from '../../../machines/vocabulary.ts';
import { judgePhoto, makeFingerprint, readProbes } from '../../../src/images/decoding/staged-fingerprints.ts';
import { HONEST } from '../../support/pictures/passed-off.ts';
import { drawnRoom, stagedRoom } from '../../support/pictures/room-changes.ts';

/** What honest agents do to photos of which there is a staged picture, 210 times: none is taken for it (docs/contract.md#intake). */
const SEEDS = [11, 12, 13] as const;
const CASES = CANONICAL_ROOM_TYPES.flatMap((kind) => SEEDS.map((seed) => ({ kind, seed })));

describe.each(CASES)('honest photos of the $kind $seed', ({ kind, seed }) => {
  test('are photos', { timeout: 120_000 }, async () => {
    const photo = await drawnRoom(kind, seed);
    const staged = await stagedRoom(photo, `a modern ${kind.toLowerCase().replace('_', ' ')}`);
    const fingerprint = { ...(await makeFingerprint(staged, { photo, pad: null })), isOfListing: true };
    const isStaged = async (upload: Buffer): Promise<boolean | undefined> => {
      const { small } = await readProbes(upload);
      const { width, height } = small;
      const size = { width, height };
      const [judgement] = await judgePhoto(Buffer.from(small.rgb), { size, candidates: [fingerprint] });
      return judgement?.isStaged;
    };
    // So that "no" means something.
    expect(await isStaged(staged)).toBe(true);
    const refused: string[] = [];
    for (const [name, change] of Object.entries(HONEST))
      if ((await isStaged(await change(photo))) !== false) refused.push(name);
    expect(refused).toEqual([]);
  });
});
