import type { Pool } from 'pg';
import { birthOf } from '../../persistence/actors/birth.ts';
import type { FeedDetails } from '../../persistence/actors/rows/feed-row.ts';
import { addFeedUser } from '../../persistence/feeds/feed-users.ts';
import type { ActorSystem } from '../../supervisors/actors/deliver.ts';
import { uuidv5 } from './writing/listing-ids.ts';

/** The name space of feeds' ids: a feed that is added twice by one name is one feed. */
const FEEDS = '8a3c1c9e-52d5-4c0e-9d0b-6f5b0a1d7e43';

/** Adds a feed that waits to be started, with the user who owns its listings. @throws when the name is taken */
export async function addFeed(
  ports: { pool: Pool; actorSystem: Pick<ActorSystem, 'transaction'> },
  given: Omit<FeedDetails, 'userId' | 'createdAt'>,
  { at, by }: { at: number; by: string },
): Promise<string> {
  const id = uuidv5(FEEDS, given.name);
  const userId = uuidv5(id, 'user');
  // By itself: a crash in between leaves a user whom the next try finds.
  await addFeedUser(ports.pool, { id: userId, name: given.name, at });
  await ports.actorSystem.transaction(async ({ tx }) => {
    const { actor, entry } = birthOf({ kind: 'feed', id, event: { type: 'CREATED', at } }, { by });
    await tx.create({ actor: { ...actor, details: { ...given, userId, createdAt: at } }, entry });
  });
  return id;
}
