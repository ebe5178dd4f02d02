import type { Pool } from 'pg';
import type { ObjectStorage } from '../../src/storage/object-storage.ts';
import type { ActorSystem } from '../../supervisors/actors/deliver.ts';
import type { Message } from '../../supervisors/actors/messages.ts';
import type { Drawings } from './pictures.ts';

export const DAY = 86_400_000;
export const HOUR = 3_600_000;
export const MINUTE = 60_000;

/** What a load is given. */
export interface SampleParts {
  /** With the rights of the tables' owner. */
  readonly pool: Pool;
  readonly storage: Pick<ObjectStorage, 'put'>;
  now(): number;
}

/** What one load works with. */
export interface Town extends SampleParts {
  readonly startedAt: number;
  readonly agentIds: readonly string[];
  readonly customerIds: readonly string[];
  readonly drawings: Drawings;
  readonly actors: ActorSystem;
}

/** Sends an event in a person's name. */
export const deliver = (actors: ActorSystem, message: Message, by: string): Promise<void> =>
  applied(actors.deliver(message, { by }));

/** A sample whose events do not apply is no sample. */
export async function applied(delivery: ReturnType<ActorSystem['deliver']>): Promise<void> {
  const { outcome } = await delivery;
  if (outcome !== 'applied') throw new Error(`an event of the sample was not applied: ${outcome}`);
}
