import { seedOriginal } from './memory/seeds.ts';
import type { Original } from './memory/tables.ts';
import type { Web } from './people.ts';
import { short, type World } from './world.ts';

/** What agents do with photos of one room (docs/contract.md#room-groups). Seeds without a group run as before there was one. */
const SHARE_OF_SEEDS = 0.4;
const STYLE = 'MODERN';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

interface Plans {
  plan(atMs: number, act: () => void): void;
  attempt(what: string, act: (web: Web) => Promise<void>): void;
}

/**
 * Two or three photos of one room are staged at different times, so that some jobs are submitted before the first
 * approval of the group and others after it. Photos are deleted, some right after a submission: then the picture that a
 * job was submitted with goes before the job is sent, or before the provider has read it.
 */
export function planGroup(world: World, { plan, attempt }: Plans): void {
  const random = world.random.stream('rooms');
  if (!random.chance(SHARE_OF_SEEDS)) return;
  const { universe } = world;
  const room = { propertyId: `property of group ${world.newId()}`, groupId: world.newId() };
  const photos = Array.from({ length: random.between(2, 3) }, (_, index) => {
    const photo = index === 1 ? { width: 1200, height: 1600 } : null;
    const original = seedOriginal(world.server, world.newId(), photo, room);
    world.objects.keys.add(original.objectKey).add(original.providerInputKey);
    return original;
  });
  const stage = (photo: Original) => {
    attempt(`stage ${short(photo.id)} ${STYLE} with its group`, (web) => web.submit(photo.id, STYLE));
    // In another style it is staged as if it had no group.
    if (random.chance(0.1))
      attempt(`stage ${short(photo.id)} LUXURY`, (web) => web.submit(photo.id, 'LUXURY'));
  };
  const pictures = () =>
    [...world.server.database.tables.imageReview.values()].filter(({ styledFromId }) =>
      photos.some((photo) => photo.id === styledFromId),
    );
  const approve = () => {
    const image = pictures().find(({ state }) => state === 'PENDING_REVIEW');
    if (image) attempt(`APPROVE ${short(image.id)}`, (web) => web.review(image.id, 'APPROVE'));
  };
  /** The photo whose picture the others follow, if there is one; else any. */
  const remove = () => {
    const shown = pictures().find(({ state }) => state === 'APPROVED');
    const id = shown?.styledFromId ?? random.pick(photos).id;
    attempt(`delete ${short(id)}`, (web) => web.deleteOriginal(id));
  };

  const removeOnceBought = (withinMs: number): void => {
    const isBought = world.purchases.ledger.some(
      ({ secondInput, status }) => secondInput !== null && status === 'processing',
    );
    if (isBought) remove();
    else if (withinMs > 0)
      universe.at(universe.now() + 5 * SECOND, () => removeOnceBought(withinMs - 5 * SECOND));
  };

  const [first, ...others] = photos;
  if (first) plan(random.between(0, MINUTE), () => stage(first));
  if (random.chance(0.5)) plan(random.between(0, 5 * MINUTE), () => stage(random.pick(others)));
  for (let minute = 1; minute <= 20; minute += 1) {
    const atMs = minute * MINUTE + random.between(0, MINUTE);
    if (random.chance(0.7)) plan(atMs, approve);
    // A photo staged for the second time is answered with its job or its picture.
    plan(atMs, () => {
      if (random.chance(0.5) || pictures().every(({ state }) => state !== 'APPROVED')) return;
      stage(random.pick(others));
      const fate = random.next();
      if (fate < 0.3) universe.at(universe.now() + random.between(0, 30 * SECOND), remove);
      else if (fate < 0.6) removeOnceBought(2 * MINUTE);
    });
  }
  if (random.chance(0.2)) plan(random.between(2 * MINUTE, 12 * MINUTE), remove);
}
