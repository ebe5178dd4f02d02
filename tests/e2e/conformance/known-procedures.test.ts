import { describe, expect, test } from 'vitest';
import { seedVariant } from '../../support/database/seed.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import { WAYS, wayOf } from './ways.ts';

/** docs/contract.md#calling, procedures: one test a row, called by every client. */
const host = useApiHost();

describe.each(WAYS)('by %s', (way) => {
  test('users.getMe | query | protected; needs a session cookie', async () => {
    const person = await host.signedIn({ name: 'Ada', role: 'customer' });
    expect(await wayOf(way, host, person.cookie).query('users.getMe')).toMatchObject({
      httpStatus: 200,
      output: { id: person.id, name: 'Ada', createdAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
    for (const cookie of ['', 'a=b', `${person.cookie}x`]) {
      expect(await wayOf(way, host, cookie).query('users.getMe')).toMatchObject({
        httpStatus: 401,
        errorCode: 'UNAUTHORIZED',
      });
    }
  });

  test('users.updateProfile | mutation | used to set the name of a new account', async () => {
    const person = await host.signedIn({ name: '', role: 'customer' });
    const client = wayOf(way, host, person.cookie);
    expect(await client.mutate('users.updateProfile', { name: 'Zoë 🐈' })).toMatchObject({
      output: { name: 'Zoë 🐈' },
    });
    expect((await client.query('users.getMe')).output.name).toBe('Zoë 🐈');
    expect(await client.mutate('users.updateProfile', { name: '' })).toMatchObject({
      httpStatus: 400,
      errorCode: 'INVALID_INPUT',
    });
    expect((await client.query('users.getMe')).output.name).toBe('Zoë 🐈');
  });

  test('ai.rejectStagedVariant | mutation | rejects a pending staged variant; writes review audit before the deletion trigger schedules cleanup', async () => {
    const agent = await host.signedIn();
    const listing = await host.listing(agent);
    const imageId = await seedVariant(host.pool, listing);
    const client = wayOf(way, host, agent.cookie);
    const answer = await client.mutate('ai.rejectStagedVariant', { imageId, reason: 'The sofa floats.' });
    expect(answer).toMatchObject({ httpStatus: 200, output: { imageId, rejected: true } });
    expect(await host.rows('select id from property_images where id = $1', [imageId])).toEqual([]);
    const audit = await host.rows(
      'select kind, "actorUserId", reason from property_image_review_events where "imageId" = $1',
      [imageId],
    );
    expect(audit).toEqual([{ kind: 'REJECTED', actorUserId: agent.id, reason: 'The sofa floats.' }]);
    const cleanup = await host.rows(
      'select reason, status from storage_deletion_outbox where "objectKey" = $1',
      [`staged/${imageId}.jpg`],
    );
    expect(cleanup).toEqual([{ reason: 'STAGED_IMAGE_DELETED', status: 'PENDING' }]);
    expect(await client.mutate('ai.rejectStagedVariant', { imageId })).toMatchObject({
      httpStatus: 404,
      errorCode: 'NOT_FOUND',
    });
  });
});
