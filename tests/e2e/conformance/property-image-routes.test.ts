import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../clients/typescript/errors.ts';
import { seedOriginal, seedVariant } from '../../support/database/seed.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import { browserHeaders, ownClient } from './ways.ts';

/** docs/contract.md#photos, over HTTP: one test a row, by plain `fetch` and by our client. */
const host = useApiHost();

interface Pictures {
  setMain(imageId: string, isMain: boolean): Promise<{ status: number; code: string | null }>;
  remove(imageId: string): Promise<{ status: number; code: string | null }>;
}

const BY: Record<string, (cookie: string) => Pictures> = {
  fetch(cookie) {
    const send = async (method: string, imageId: string, body?: string) => {
      const headers = {
        ...browserHeaders(host, cookie),
        ...(body ? { 'content-type': 'application/json' } : {}),
      };
      const path = `${host.url}/api/property-images/${imageId}`;
      const answer = await fetch(path, { method, headers, ...(body ? { body } : {}) });
      const json = (await answer.json()) as { error?: { code: string } };
      return { status: answer.status, code: json.error?.code ?? null };
    };
    return {
      setMain: (imageId, isMain) => send('PATCH', imageId, JSON.stringify({ isMain })),
      remove: (imageId) => send('DELETE', imageId),
    };
  },
  'our client'(cookie) {
    const { images } = ownClient(host, cookie);
    const told = (call: Promise<unknown>) =>
      call.then(
        () => ({ status: 200, code: null }),
        (error: unknown) => {
          if (!(error instanceof ApiError)) throw error;
          return { status: error.httpStatus, code: error.errorCode };
        },
      );
    return {
      setMain: (imageId, isMain) => told(images.change({ imageId, isMain })),
      remove: (imageId) => told(images.remove(imageId)),
    };
  },
};

describe.each(Object.keys(BY))('by %s', (way) => {
  async function world() {
    const agent = await host.signedIn();
    const original = await host.listing(agent);
    const staged = await seedVariant(host.pool, original);
    return { pictures: BY[way]!(agent.cookie), original, staged };
  }
  const covers = async (propertyId: string) =>
    (
      await host.rows<{ id: string }>('select id from property_images where "propertyId" = $1 and "isMain"', [
        propertyId,
      ])
    ).map(({ id }) => id);

  test('PATCH /api/property-images/<image_id> | {isMain: boolean} | HTTP 400 when the image is staged and isMain is true; otherwise success', async () => {
    const { pictures, original, staged } = await world();
    expect(await pictures.setMain(original.imageId, true)).toEqual({ status: 200, code: null });
    expect(await pictures.setMain(staged, true)).toEqual({ status: 400, code: 'STAGED_CANNOT_BE_MAIN' });
    expect(await pictures.setMain(staged, false)).toEqual({ status: 200, code: null });
    expect(await covers(original.propertyId)).toEqual([original.imageId]);
  });

  test('DELETE /api/property-images/<image_id> | none | HTTP 400 when the image is staged (use ai.rejectStagedVariant)', async () => {
    const { pictures, original, staged } = await world();
    expect(await pictures.remove(staged)).toEqual({ status: 400, code: 'STAGED_DELETE_REFUSED' });
    const { imageId } = await seedOriginal(host.pool, { propertyId: original.propertyId });
    expect(await pictures.remove(imageId)).toEqual({ status: 200, code: null });
    const left = await host.rows<{ id: string }>('select id from property_images where "propertyId" = $1', [
      original.propertyId,
    ]);
    expect(left.map(({ id }) => id).toSorted()).toEqual([original.imageId, staged].toSorted());
  });
});
