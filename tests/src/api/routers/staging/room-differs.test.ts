import { beforeAll, expect, test } from 'vitest';
import { countRoomDifferences } from '../../../../../persistence/console/overview.ts';
import { RoomDifferences } from '../../../../../persistence/migrations/0110-room-differences.ts';
import { seedComparison, seedStagingJob, seedVariant } from '../../../../support/database/seed.ts';
import { useApiHost } from '../../../../support/http/api-host.ts';
import type { Person } from '../../../../support/http/person.ts';

/** One photo is not shown as two kinds of room (docs/contract.md#review). */
let agent: Person;
const host = useApiHost();
beforeAll(async () => {
  agent = await host.signedIn();
});

/** A photo with a picture for each kind of room; null for a picture of the first release. */
async function staged(...rooms: (string | null)[]) {
  const { propertyId, imageId: originalId } = await host.listing(agent);
  const styles = ['MODERN', 'LUXURY', 'FARMHOUSE'];
  const pictures: string[] = [];
  for (const [index, roomType] of rooms.entries()) {
    const style = styles[index];
    pictures.push(
      await seedVariant(
        host.pool,
        { propertyId, imageId: originalId },
        { roomType, style, canonicalStyle: style },
      ),
    );
  }
  return { propertyId, originalId, pictures };
}
const approve = (imageId?: string) => agent.mutate('ai.approveStagedVariant', { imageId });
const reviewOf = async (imageId?: string) =>
  (await host.rows('select "reviewStatus", "withdrawnAt" from property_images where id = $1', [imageId]))[0];

test('a picture of another kind of room is refused while the first is shown, alone and among several', async () => {
  const [living, dining, same] = (await staged('LIVING_ROOM', 'DINING_ROOM', 'LIVING_ROOM')).pictures;
  expect((await approve(living)).status).toBe(200);
  expect(await approve(dining)).toMatchObject({
    status: 409,
    errorCode: 'ROOM_DIFFERS',
  });
  for (const picture of [dining, same]) await seedComparison(host.pool, picture);
  const { data } = await agent.mutate('ai.approveStagedVariants', { imageIds: [dining, same] });
  expect(data.results).toMatchObject([
    { errorCode: 'ROOM_DIFFERS' },
    { errorCode: null, reviewStatus: 'APPROVED' },
  ]);
  expect(await reviewOf(dining)).toEqual({ reviewStatus: 'PENDING_REVIEW', withdrawnAt: null });
});

test('pictures without a kind of room differ from none', async () => {
  const [living, old] = (await staged('LIVING_ROOM', null)).pictures;
  expect([(await approve(living)).status, (await approve(old)).status]).toEqual([200, 200]);
});

test('two kinds of room approved at once: one of them is shown', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { pictures } = await staged('LIVING_ROOM', 'DINING_ROOM');
    const answers = await Promise.all(pictures.map((imageId) => approve(imageId)));
    expect(answers.map(({ errorCode }) => errorCode ?? 'shown').toSorted()).toEqual([
      'ROOM_DIFFERS',
      'shown',
    ]);
  }
});

test('a withdrawn picture is not shown again next to another kind of room', async () => {
  const [living, dining] = (await staged('LIVING_ROOM', 'DINING_ROOM')).pictures;
  await approve(living);
  await agent.mutate('ai.withdrawStagedVariant', { imageId: living });
  expect((await approve(dining)).status).toBe(200);
  expect((await agent.mutate('ai.liftWithdrawal', { imageId: living })).errorCode).toBe('ROOM_DIFFERS');
  await agent.mutate('ai.withdrawStagedVariant', { imageId: dining });
  expect((await agent.mutate('ai.liftWithdrawal', { imageId: living })).status).toBe(200);
});

test('pairs from before the rule are listed for operators until one of them is hidden', async () => {
  const { pictures } = await staged('LIVING_ROOM', 'DINING_ROOM', 'LIVING_ROOM');
  for (const imageId of pictures)
    await host.pool.query(
      `with reviewed as (update property_images set "reviewStatus" = 'APPROVED', "reviewedByUserId" = $2,
         "reviewedAt" = now() where id = $1 returning *),
       event as (insert into property_image_review_events (kind, "imageId", "propertyId", "styledFromId",
           "actorUserId", "objectKey", at)
         select 'APPROVED', id, "propertyId", "styledFromId", $2, "objectKey", now() from reviewed)
       insert into provenance_records ("stagedImageId", "propertyId", "originalImageId", "originalChecksum",
         "outputChecksum", "canonicalStyle", "roomType", "approvedByUserId", "approverRole", "disclosureLabel",
         "stagedAt", "approvedAt", "recordedAt")
       select v.id, v."propertyId", o.id, o."outputChecksum", v."outputChecksum", v."canonicalStyle", v."roomType",
         $2, 'agent', 'AI · Virtually staged', now(), now(), now()
       from reviewed v join property_images o on o.id = v."styledFromId"`,
      [imageId, agent.id],
    );
  expect(await countRoomDifferences(host.pool)).toBe(0);
  const [, fill] = statementsOf();
  await host.pool.query(fill ?? '');
  expect(await countRoomDifferences(host.pool)).toBe(3);
  await agent.mutate('ai.withdrawStagedVariant', { imageId: pictures[1] });
  expect(await countRoomDifferences(host.pool)).toBe(0);
});

/** What the migration runs. */
function statementsOf(): string[] {
  const statements: string[] = [];
  const migration = Object.create(RoomDifferences.prototype);
  migration.addSql = (sql: string) => statements.push(sql);
  migration.up();
  return statements;
}

test('a picture of the first release shows its own style, whatever its job names', async () => {
  const { propertyId, imageId } = await host.listing(agent);
  const { jobId } = await seedStagingJob(host.pool, {
    original: { propertyId, imageId, objectKey: '', providerInputKey: '' },
    canonicalStyle: 'SCANDINAVIAN',
    job: { status: 'SUCCESS', phase: null },
    details: { submittedStyle: 'Japandi', legacyStyle: 'Japandi', promptVersion: 'legacy' },
  });
  await seedVariant(
    host.pool,
    { propertyId, imageId },
    { style: 'Boho', canonicalStyle: 'FARMHOUSE', aiJobId: jobId },
  );
  const { data } = await agent.query('ai.listStagedVariants', { propertyId });
  expect(data.items).toMatchObject([
    { canonicalStyle: 'FARMHOUSE', style: 'Boho', submittedStyle: 'Boho', legacyStyle: 'Boho' },
  ]);
});
