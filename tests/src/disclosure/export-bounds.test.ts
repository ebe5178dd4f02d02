import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import sharp from 'sharp';
import { request } from 'undici';
import { beforeAll, describe, expect, test } from 'vitest';
import { seedProperty } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import type { Person } from '../../support/http/person.ts';
import { ask, storedOriginal, told } from '../../support/pictures/stored-pictures.ts';
import {
  type ExportedListing,
  exportedListing,
  exportPath,
  readExport,
} from '../../support/worlds/export-world.ts';
import { setClock } from '../../support/worlds/tour-visits.ts';
import { readZip } from '../../support/zip-reader.ts';

/** Who gets an export, how many at once, and what happens when something is missing or someone leaves. */
/** Large enough that nothing between the host and a client that does not read holds it. */
let large: ExportedListing;
const host = useApiHost();
beforeAll(async () => {
  large = await exportedListing(host, { size: [2000, 1500] });
});

/** An export whose body is not read yet. */
const open = ({ agent, propertyId }: ExportedListing) =>
  request(host.url + exportPath(propertyId), { headers: { cookie: agent.cookie } });
const codeOf = (answer: { bytes: Buffer }): string => JSON.parse(answer.bytes.toString()).error.code;

describe('others', () => {
  const unknown = '00000000-0000-4000-8000-000000000000';
  test.each([
    ['another agent', () => host.signedIn()],
    ['a customer', () => host.signedIn({ role: 'customer' })],
    ['a caller who is not signed in', async () => host.anonymous()],
  ] as const)('%s gets the answer for an unknown id', async (_, make) => {
    const as: Person = await make();
    for (const method of ['GET', 'HEAD'] as const)
      expect(told(await ask(host, exportPath(large.propertyId), { as, method }))).toEqual(
        told(await ask(host, exportPath(unknown), { as, method })),
      );
  });

  test.each([
    ['a name without .zip', (id: string) => `/api/disclosure/${id}`],
    ['a name that is no id', () => '/api/disclosure/everything.zip'],
  ] as const)('%s is not found', async (_, pathOf) => {
    const answer = await ask(host, pathOf(large.propertyId), { as: large.agent });
    expect([answer.status, codeOf(answer)]).toEqual([404, 'NOT_FOUND']);
  });

  test.each(['?market=nowhere', '?market=EU&market=GB', '?market=', '?size=small'])(
    '%s is refused with the markets',
    async (query) => {
      const answer = await ask(host, exportPath(large.propertyId) + query, { as: large.agent });
      expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_INPUT']);
      expect(answer.bytes.toString()).toContain('US-CA-CRMLS');
    },
  );
});

describe('at the same time', () => {
  test('a person has one export; another person has their own meanwhile', async () => {
    const first = await open(large);
    expect(first.statusCode).toBe(200);
    const second = await ask(host, exportPath(large.propertyId), { as: large.agent });
    expect([second.status, codeOf(second)]).toEqual([409, 'EXPORT_RUNNING']);
    const other = await exportedListing(host);
    expect((await readExport(host, other)).captions).toHaveLength(5);
    expect(readZip(Buffer.from(await first.body.arrayBuffer())).length).toBe(8);
    expect((await readExport(host, large)).captions).toHaveLength(5);
  });

  test('four people export, the fifth is asked to come back', async () => {
    const listings = await Promise.all(
      Array.from({ length: 4 }, () => exportedListing(host, { size: [2000, 1500] })),
    );
    const running = await Promise.all(listings.map(open));
    expect(running.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    const refused = await ask(host, exportPath(large.propertyId), { as: large.agent });
    expect(refused.status).toBe(503);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const zips = await Promise.all(running.map(({ body }) => body.arrayBuffer()));
    for (const zip of zips) expect(readZip(Buffer.from(zip)).length).toBe(8);
  });
});

describe('slow clients', () => {
  const clock = setClock();
  const slowHost = useApiHost({ overrides: clock.overrides });

  test('lose their places one by one to people who want them, and no one else does', async () => {
    const wanted = await exportedListing(slowHost);
    // More than the sockets between the host and a client hold.
    const huge = await exportedListing(slowHost);
    const raw = { width: 2400, height: 1800, channels: 3 } as const;
    const noise = randomBytes(raw.width * raw.height * raw.channels);
    const bytesOfPhoto = await sharp(noise, { raw }).jpeg({ quality: 95 }).toBuffer();
    for (let count = 0; count < 4; count += 1)
      await storedOriginal(slowHost, {
        bytes: bytesOfPhoto,
        format: 'jpeg',
        propertyId: huge.propertyId,
      });
    const agents = [huge.agent];
    for (let count = 0; count < 3; count += 1) {
      const agent = await slowHost.signedIn();
      await slowHost.rows('insert into property_agents ("propertyId", "agentId") values ($1, $2)', [
        huge.propertyId,
        agent.id,
      ]);
      agents.push(agent);
    }
    const exportOf = ({ agent, propertyId }: Pick<ExportedListing, 'agent' | 'propertyId'>) =>
      request(slowHost.url + exportPath(propertyId), { headers: { cookie: agent.cookie } });
    const slow = [];
    for (const agent of agents) slow.push(await exportOf({ agent, propertyId: huge.propertyId }));
    // Nothing is late yet.
    const refused = await exportOf(wanted);
    expect(refused.statusCode).toBe(503);
    await refused.body.dump();
    // Their pictures may still be made: only what waits for its client can be late.
    const bytes = await eventually(
      async () => {
        clock.at += 600_000;
        const answer = await exportOf(wanted);
        const body = Buffer.from(await answer.body.arrayBuffer());
        return answer.statusCode === 200 && body;
      },
      { what: 'the place of a slow client' },
    );
    expect(readZip(bytes).length).toBe(8);
    const ends = await Promise.allSettled(slow.map(({ body }) => body.arrayBuffer()));
    expect(ends.map(({ status }) => status).toSorted()).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
    expect(slowHost.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('a client that leaves', () => {
  test('gives its place back, and its work stops without an error of ours', async () => {
    const leaving = await open(large);
    await once(leaving.body, 'readable');
    leaving.body.destroy();
    leaving.body.on('error', () => {});
    await eventually(
      async () =>
        (await ask(host, exportPath(large.propertyId), { as: large.agent, method: 'HEAD' })).status === 200,
      { what: 'the place of the client that left' },
    );
    expect(host.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('after the head alone keeps no place', async () => {
    for (let round = 0; round < 3; round += 1)
      expect(
        (await ask(host, exportPath(large.propertyId), { as: large.agent, method: 'HEAD' })).status,
      ).toBe(200);
    expect((await readExport(host, large)).captions).toHaveLength(5);
  });
});

describe('before anything is sent', () => {
  test('a picture that is missing in the store is an error, and no ZIP begins', async () => {
    const broken = await exportedListing(host);
    const [row] = await host.rows<{ objectKey: string }>(
      'select "objectKey" from property_images where id = $1',
      [broken.yard.imageId],
    );
    await host.deleteObject(String(row?.objectKey));
    const answer = await ask(host, exportPath(broken.propertyId), { as: broken.agent });
    expect([answer.status, codeOf(answer)]).toEqual([409, 'PICTURE_LOST']);
    expect(answer.headers['content-type']).toContain('json');
    const line = host.lines.find(({ msg }) => msg === 'an image has lost its object');
    expect(line).toMatchObject({ imageId: broken.yard.imageId });
    // The place is free again.
    expect((await ask(host, exportPath(broken.propertyId), { as: broken.agent })).status).toBe(409);
  });

  test('more pixels than a ZIP holds are refused', async () => {
    const heavy = await exportedListing(host);
    await host.rows(
      'update property_images set "outputWidth" = 60000, "outputHeight" = 60000 where "propertyId" = $1',
      [heavy.propertyId],
    );
    const answer = await ask(host, exportPath(heavy.propertyId), { as: heavy.agent });
    expect([answer.status, codeOf(answer)]).toEqual([422, 'EXPORT_TOO_LARGE']);
  });

  test('a person has thirty exports an hour', async () => {
    const agent = await host.signedIn();
    const propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id });
    const statuses: number[] = [];
    for (let round = 0; round < 31; round += 1)
      statuses.push((await ask(host, exportPath(propertyId), { as: agent, headers: OWN_NETWORK })).status);
    expect(statuses).toEqual([...Array<number>(30).fill(200), 429]);
  });
});

/** So that these calls do not count for the network of the others. */
const OWN_NETWORK = { 'x-forwarded-for': '198.51.100.7' };
