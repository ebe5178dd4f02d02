import { createHash, randomUUID } from 'node:crypto';
import jsqr from 'jsqr';
import { beforeAll, describe, expect, test } from 'vitest';
import { testSigning } from '../../../../ops/dev/signing-certificates.ts';
import { sharp } from '../../../../src/images/decoding/sharp-settings.ts';
import { createObjectStorage } from '../../../../src/storage/object-storage.ts';
import { seedOriginal, seedVariant } from '../../../support/database/seed.ts';
import { useApiHost } from '../../../support/http/api-host.ts';
import type { Person } from '../../../support/http/person.ts';
import { corners } from '../../../support/pictures/photo-fixtures.ts';
import { ask, storedOriginal, storedVariant, told } from '../../../support/pictures/stored-pictures.ts';

/** docs/contract.md#provenance: where a picture comes from, for everyone and forever. */
let agent: Person;
let photo: Buffer;
let made: Buffer;
const signing = testSigning();
const host = useApiHost({
  settings: {
    ...signing.settings,
    C2PA_RETIRED_CERTIFICATES: `${'ab'.repeat(32)}/superseded/2026-01-02T00:00:00Z,${'cd'.repeat(32)}/compromised/2026-01-03T00:00:00Z`,
  },
});
beforeAll(async () => {
  agent = await host.signedIn({ name: 'Secret Agnes', officeName: 'Agnes & Co' });
  photo = await corners().jpeg().toBuffer();
  made = await corners().png().toBuffer();
});

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A stored photo and a picture staged from it that its agent approves through the API. */
async function approved() {
  const { propertyId } = await host.listing(agent);
  const original = await storedOriginal(host, { propertyId, bytes: photo, format: 'jpeg' });
  const stagedImageId = await storedVariant(host, original, {
    reviewStatus: 'PENDING_REVIEW',
    bytes: made,
    format: 'png',
  });
  const answer = await agent.mutate('ai.approveStagedVariant', { imageId: stagedImageId });
  expect(answer.status, answer.text).toBe(200);
  return { propertyId, originalImageId: original.imageId, stagedImageId };
}
const get = (stagedImageId: string) => host.anonymous().query('provenance.get', { stagedImageId });
const setStatus = (propertyId: string, standardStatus: string) =>
  host.rows('update properties set "standardStatus" = $2 where id = $1', [propertyId, standardStatus]);
const kinds = (events: { kind: string }[]) => events.map(({ kind }) => kind);

describe('provenance.get', () => {
  test('tells of a shown picture all that the record says, with the checksums of what is stored', async () => {
    const { propertyId, originalImageId, stagedImageId } = await approved();
    const { data } = await get(stagedImageId);
    expect(data).toMatchObject({
      stagedImageId,
      provenanceUrl: `https://api.example.com/provenance/${stagedImageId}`,
      status: 'PUBLIC',
      propertyId,
      originalImageId,
      originalUrl: `https://api.example.com/api/images/${originalImageId}`,
      stagedUrl: `https://api.example.com/api/images/${stagedImageId}`,
      disclosureLabel: 'AI · Virtually staged',
      style: 'Modern',
      room: 'Living room',
      approver: { role: 'agent', office: 'Agnes & Co' },
      originalChecksum: sha256(photo),
      outputChecksum: sha256(made),
      since: data.approvedAt,
      events: [{ kind: 'APPROVED', at: data.approvedAt }],
    });
    // The checksums are those of the objects, not of what the test thinks was stored.
    const rows = await host.rows<{ objectKey: string }>(
      'select "objectKey" from property_images where id = any($1) order by "isStyled"',
      [[originalImageId, stagedImageId]],
    );
    const storage = createObjectStorage(host.config.s3);
    const stored = await Promise.all(rows.map(async ({ objectKey }) => (await storage.get(objectKey)).bytes));
    await storage.close();
    expect(stored.map((bytes) => sha256(Buffer.from(bytes)))).toEqual([
      data.originalChecksum,
      data.outputChecksum,
    ]);
  });

  test('names the certificates that sign for the site: the current one, and others with their ends', async () => {
    const { stagedImageId } = await approved();
    expect((await get(stagedImageId)).data.signers).toEqual([
      {
        fingerprint: host.config.signing?.fingerprint,
        status: 'CURRENT',
        validFrom: new Date(host.config.signing?.validFrom ?? 0).toISOString(),
        validUntil: new Date(host.config.signing?.validUntil ?? 0).toISOString(),
      },
      {
        fingerprint: 'ab'.repeat(32),
        status: 'SUPERSEDED',
        validFrom: null,
        validUntil: '2026-01-02T00:00:00.000Z',
      },
      {
        fingerprint: 'cd'.repeat(32),
        status: 'COMPROMISED',
        validFrom: null,
        validUntil: '2026-01-03T00:00:00.000Z',
      },
    ]);
  });

  test('names no person, no job and no prompt, and speaks the language of the caller', async () => {
    const { stagedImageId } = await approved();
    const answer = await get(stagedImageId);
    const record = await host.rows<Record<string, unknown>>(
      'select * from provenance_records where "stagedImageId" = $1',
      [stagedImageId],
    );
    for (const secret of [agent.id, 'Secret Agnes', String(record[0]?.approvedByUserId)])
      expect(answer.text).not.toContain(secret);
    expect(
      Object.keys(answer.data).filter((name) => /user|job|prompt$|brief|email|name/i.test(name)),
    ).toEqual([]);
    const input = encodeURIComponent(JSON.stringify({ json: { stagedImageId } }));
    const spanish = await host.anonymous().send('GET', `/api/trpc/provenance.get?input=${input}`, {
      headers: { 'accept-language': 'es' },
    });
    expect(spanish.text).toContain('Sala');
  });

  test('keeps hashes and times of a withdrawn picture, and shows only the photo until it is shown again', async () => {
    const { stagedImageId, originalImageId, propertyId } = await approved();
    const before = (await get(stagedImageId)).data;
    await agent.mutate('ai.withdrawStagedVariant', { imageId: stagedImageId });
    const withdrawn = (await get(stagedImageId)).data;
    const [event] = await host.rows<{ at: Date }>(
      'select at from provenance_events where "stagedImageId" = $1',
      [stagedImageId],
    );
    expect(withdrawn).toMatchObject({
      status: 'WITHDRAWN',
      since: event?.at.toISOString(),
      propertyId,
      originalImageId,
      originalUrl: before.originalUrl,
      stagedUrl: null,
      width: null,
      originalChecksum: before.originalChecksum,
      outputChecksum: before.outputChecksum,
      approvedAt: before.approvedAt,
    });
    await agent.mutate('ai.liftWithdrawal', { imageId: stagedImageId });
    const lifted = (await get(stagedImageId)).data;
    expect([lifted.status, lifted.stagedUrl]).toEqual(['PUBLIC', before.stagedUrl]);
    expect(kinds(lifted.events)).toEqual(['APPROVED', 'WITHDRAWN', 'LIFTED']);
    expect(lifted.since).toBe(lifted.events[2].at);
  });

  test('outlives the original, which takes its pictures along', async () => {
    const { stagedImageId, originalImageId, propertyId } = await approved();
    const before = (await get(stagedImageId)).data;
    const gone = await agent.send('DELETE', `/api/property-images/${originalImageId}`);
    expect(gone.status, gone.text).toBe(200);
    const { data } = await get(stagedImageId);
    expect(data).toMatchObject({
      status: 'DELETED',
      propertyId,
      stagedUrl: null,
      originalUrl: null,
      outputChecksum: before.outputChecksum,
    });
    expect(kinds(data.events)).toEqual(['APPROVED', 'DELETED']);
    expect(data.since).toBe(data.events[1].at);
  });

  test.each(['Incomplete', 'Delete'])(
    'hides picture and listing while the listing is %s, and shows them when it comes back',
    async (status) => {
      const { stagedImageId, propertyId } = await approved();
      const before = (await get(stagedImageId)).data;
      await setStatus(propertyId, status);
      const hidden = await get(stagedImageId);
      const [row] = await host.rows<{ statusChangedAt: Date }>(
        'select "statusChangedAt" from properties where id = $1',
        [propertyId],
      );
      expect(hidden.data).toMatchObject({
        status: 'LISTING_HIDDEN',
        since: row?.statusChangedAt.toISOString(),
        propertyId: null,
        stagedUrl: null,
        originalUrl: null,
      });
      expect(hidden.text).not.toContain(propertyId);
      await setStatus(propertyId, 'Active');
      expect((await get(stagedImageId)).data).toEqual(before);
    },
  );

  test('outlives the listing', async () => {
    const { stagedImageId, propertyId } = await approved();
    await host.rows('delete from properties where id = $1', [propertyId]);
    const { data } = await get(stagedImageId);
    expect(data).toMatchObject({ status: 'DELETED', propertyId: null, outputChecksum: sha256(made) });
  });

  test('answers a picture without an approval like an id that does not exist, byte for byte', async () => {
    const { propertyId } = await host.listing(agent);
    const original = await seedOriginal(host.pool, { propertyId });
    const pending = await seedVariant(host.pool, original);
    const rejected = await seedVariant(host.pool, original, { canonicalStyle: 'LUXURY', style: 'LUXURY' });
    await agent.mutate('ai.rejectStagedVariant', { imageId: rejected });
    const asked = async (id: string, path: (id: string) => string) => {
      const { text, ...answer } = told(await ask(host, path(id)));
      return { ...answer, text: text.replaceAll(id, '<id>') };
    };
    const input = (id: string) => encodeURIComponent(JSON.stringify({ json: { stagedImageId: id } }));
    for (const path of [
      (id: string) => `/api/trpc/provenance.get?input=${input(id)}`,
      (id: string) => `/api/provenance/${id}/qr.svg`,
    ]) {
      const unknown = await asked(randomUUID(), path);
      expect(unknown.status).toBe(404);
      for (const id of [pending, rejected, original.imageId]) expect(await asked(id, path)).toEqual(unknown);
    }
  });
});

describe('the code of a page', () => {
  test('is an SVG that reads as the address, also when the picture is gone', async () => {
    const { stagedImageId, originalImageId } = await approved();
    const path = `/api/provenance/${stagedImageId}/qr.svg`;
    const first = await ask(host, path);
    expect(first.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=86400',
    });
    const { data, info } = await sharp(first.bytes, { density: 600 })
      .resize(600, 600)
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const read = jsqr.default(new Uint8ClampedArray(data), info.width, info.height);
    expect(read?.data).toBe(`https://api.example.com/provenance/${stagedImageId}`);
    await agent.send('DELETE', `/api/property-images/${originalImageId}`);
    expect((await ask(host, path)).bytes).toEqual(first.bytes);
  });
});
