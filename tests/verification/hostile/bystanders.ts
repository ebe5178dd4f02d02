import { request } from 'undici';
import type { Person } from '../../support/platform/agent.ts';
import { roomPhoto } from '../../support/platform/listing.ts';
import type { World } from './world.ts';

/** Sizes of pictures that were never requested before; each visitor has an address of its own. */
const FRESH = [384, 512, 768, 256, 640, 128].map((w, at) => ({
  query: `w=${w}&q=90`,
  client: `198.51.100.${at + 1}`,
}));

/** What a person waits at most for a picture that must be made, or that he sends, on a machine under attack; ms. */
const PATIENCE_MS = 10_000;

export interface Service {
  readonly what: string;
  readonly status: number;
  readonly tookMs: number;
}

/** New sizes of ordinary photos and a new photo, all at once. @param round makes every round ask for something else */
export function usePictures(
  { target, agent, propertyId, photoIds }: World,
  round: number,
): Promise<Service[]> {
  const photoId = photoIds[round % photoIds.length];
  const fresh = FRESH.map(({ query, client }) =>
    timed(query, async () => {
      const path = `/api/images/${photoId}?${query}`;
      const { statusCode, body } = await request(target.origin + path, {
        headers: { 'x-forwarded-for': client },
      });
      await body.dump();
      return statusCode;
    }),
  );
  const upload = timed('upload', async () => (await agent.upload(propertyId, await roomPhoto(round))).status);
  return Promise.all([...fresh, upload]);
}

/** Orders that an agent makes who has ordered nothing before. */
export async function orderPictures(agent: Person, originalImageIds: readonly string[]): Promise<Service[]> {
  const services: Service[] = [];
  for (const originalImageId of originalImageIds)
    services.push(
      await timed('order', async () => {
        const assignments = [{ originalImageId, roomType: 'LIVING_ROOM', style: 'MODERN' }];
        return (await agent.mutate('ai.submitRoomStaging', { assignments })).status;
      }),
    );
  return services;
}

async function timed(what: string, use: () => Promise<number>): Promise<Service> {
  const startedAt = performance.now();
  const status = await use();
  return { what, status, tookMs: Math.round(performance.now() - startedAt) };
}

/** Those that were refused or took longer than a person waits. */
export function disservices(services: readonly Service[]): Service[] {
  return services.filter(({ status, tookMs }) => ![200, 201].includes(status) || tookMs > PATIENCE_MS);
}
