import type { Pool } from 'pg';
import type { ActorKind } from '../../persistence/actors/actor-kinds.ts';
import { readActor, type SeenActor } from '../../persistence/console/actors.ts';
import { uuid } from '../wire/text.ts';

/** A job whose crashes could not be recorded; no worker takes it before an operator releases it. */
export const isQuarantined = ({ actor }: SeenActor): boolean => 'quarantined' in actor && actor.quarantined;

/** The actor of an operation; null when none of these kinds has an actor with that id, or it is not a valid id. */
export async function readSubject(
  pool: Pool,
  kinds: readonly ActorKind[],
  id: string,
): Promise<SeenActor | null> {
  const parsed = uuid.safeParse(id);
  if (!parsed.success) return null;
  for (const kind of kinds) {
    const found = await readActor(pool, kind, parsed.data);
    if (found !== null) return found;
  }
  return null;
}
