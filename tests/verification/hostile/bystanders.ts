import { request } from 'undici';
import type { Person } from '../../support/platform/agent.ts';
import { roomPhoto } from '../../support/platform/listing.ts';
import type { World } from './world.ts';

/** Picture sizes that were never requested before; each visitor has a different address. */
const FRESH = [384, 512, 768, 256, 640, 128].map((w, at) => ({
  query: `w=${w}&q=90`,
  client: `198.51.100.${at + 1}`,
}));

/** How long a person may wait for a new rendition or an upload during an attack; ms. */
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

/** A search that no one has opened, from an address that no one has used. */
export function openPage({ target }: World, number: number): Promise<Service> {
  return timed('page', async () => {
    const headers = { accept: 'text/html', 'x-forwarded-for': `203.0.113.${100 + number}` };
    const { statusCode, body } = await request(`${target.origin}/search?maxPrice=${number}`, { headers });
    await body.dump();
    return statusCode;
  });
}

/** Submissions of an agent without earlier ones. */
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

/** Calls that were rejected or took longer than a person waits. */
export function disservices(services: readonly Service[]): Service[] {
  return services.filter(({ status, tookMs }) => ![200, 201].includes(status) || tookMs > PATIENCE_MS);
}
