import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testSigning } from '../../../../ops/dev/signing-certificates.ts';
import { type Signer, startSigner } from '../../../../src/images/marks/signer.ts';
import { createManualTime, type ManualTime } from '../../../support/manual-time.ts';
import { readElsewhere, readManifest, verifiesElsewhere } from '../../../support/pictures/manifests.ts';
import { noisy } from '../../../support/pictures/photo-fixtures.ts';
import { FACTS, signing, signingConfig } from '../../../support/pictures/signing-facts.ts';
import {
  startTimeStampAuthority,
  type TimeStampAuthority,
  timeStampAnswer,
} from '../../../support/pictures/time-stamp-authority.ts';

const root = signing.root.pem;

test('a key that does not fit what C2PA asks of certificates is found at the start', async () => {
  const authority = testSigning({ isAuthority: true });
  const starting = startSigner(signingConfig(authority.settings), {
    clock: createManualTime(),
    onUnstamped: () => {},
  });
  await expect(starting).rejects.toMatchObject({
    name: 'NotSigned',
    cause: { message: expect.stringContaining('signingCredential.invalid') },
  });
});

describe('the stamps of a time-stamp authority', () => {
  const STAMPED_AT = Math.floor(Date.now() / 1_000) * 1_000 - 60_000;
  let authority: TimeStampAuthority;
  let signer: Signer;
  let time: ManualTime;
  let reasons: string[];
  let thumbnail: Buffer;
  beforeAll(async () => {
    thumbnail = await noisy(480, 320).jpeg().toBuffer();
  });
  beforeEach(async () => {
    [authority, time, reasons] = [
      await startTimeStampAuthority(() => STAMPED_AT),
      createManualTime(Date.now()),
      [],
    ];
    const config = { ...signingConfig(), timeStampUrl: authority.url };
    signer = await startSigner(config, { clock: time, onUnstamped: (reason) => void reasons.push(reason) });
  });
  afterEach(async () => {
    await signer.close();
    await authority.close();
  });
  const signedAs = async (format: 'jpeg' | 'webp' | 'avif' | 'png') =>
    signer.sign({ ...FACTS, format, thumbnail }, await noisy(64, 48).toFormat(format).toBuffer());

  test.each(['jpeg', 'webp', 'avif', 'png'] as const)(
    'is in the signature of a %s, for two readers',
    async (format) => {
      const bytes = await signedAs(format);
      expect(await readManifest(bytes, format, root)).toMatchObject({
        state: 'Trusted',
        problems: [],
        isStamped: true,
      });
      expect(readElsewhere(bytes)?.stampedAt).toEqual(new Date(STAMPED_AT));
      if (format !== 'webp') expect(await verifiesElsewhere(bytes)).toBe(true);
      expect(reasons).toEqual([]);
    },
  );

  test.each([
    ['an error', { status: 503, body: Buffer.alloc(0) }, 'answered 503'],
    ['more than fits', { status: 200, body: Buffer.alloc(9_000) }, 'more than 8192 bytes'],
    ['something else', { status: 200, body: Buffer.from('<html>') }, 'no stamp of this signature'],
    ['nothing', 'nothing', 'timeout'],
  ] as const)('is missing after %s, and is asked for again after a minute', async (_, answer, reason) => {
    authority.instead(answer);
    const asked = authority.asked();
    expect(await readManifest(await signedAs('png'), 'png', root)).toMatchObject({
      state: 'Trusted',
      isStamped: false,
    });
    expect(reasons).toEqual([expect.stringContaining(reason)]);
    authority.instead(null);
    expect(await readManifest(await signedAs('png'), 'png', root)).toMatchObject({ isStamped: false });
    expect(authority.asked()).toBe(asked + 1);
    time.advance(60_000);
    expect(await readManifest(await signedAs('png'), 'png', root)).toMatchObject({ isStamped: true });
    expect(reasons).toHaveLength(1);
  });

  test('of another signature is not taken', async () => {
    const other = Buffer.alloc(67, 7);
    authority.instead({ status: 200, body: timeStampAnswer(other, authority.certificate, STAMPED_AT) });
    expect(await readManifest(await signedAs('png'), 'png', root)).toMatchObject({
      state: 'Trusted',
      isStamped: false,
    });
    expect(reasons).toEqual([expect.stringContaining('no stamp of this signature')]);
  });
});
