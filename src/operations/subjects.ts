import type { Pool } from 'pg';
import type { PurchaseKind } from '../../machines/purchase-kinds.ts';
import type { Row } from '../../persistence/actors/actor-kind.ts';
import {
  type ActorKind,
  isSingle,
  type SingleActor,
  type SingleKind,
} from '../../persistence/actors/actor-kinds.ts';
import type { ActorStore, JobActor, JobAggregate } from '../../persistence/actors/actor-store.ts';
import { readSingle } from '../../persistence/console/actors.ts';
import { uuid } from '../wire/text.ts';

/** The actor that an operation is about, as last committed, with what its preview tells beside. */
export type Subject =
  | { kind: PurchaseKind; actor: JobActor; attempts: JobAggregate['attempts'] }
  | { kind: SingleKind; actor: SingleActor; beside: Row };

/** A job whose crashes could not be recorded; no worker takes it before an operator releases it. */
export const isQuarantined = ({ actor }: Subject): boolean => 'quarantined' in actor && actor.quarantined;

export interface SubjectPorts {
  pool: Pool;
  store: Pick<ActorStore, 'readJob'>;
}

/** Null when none of these kinds has an actor of that id, or it is no id at all. */
export async function readSubject(
  ports: SubjectPorts,
  kinds: readonly ActorKind[],
  id: string,
): Promise<Subject | null> {
  const parsed = uuid.safeParse(id);
  if (!parsed.success) return null;
  for (const kind of kinds) {
    const found = await read(ports, kind, parsed.data);
    if (found !== null) return found;
  }
  return null;
}

async function read({ pool, store }: SubjectPorts, kind: ActorKind, id: string): Promise<Subject | null> {
  if (isSingle(kind)) return readSingle(pool, kind, id);
  const found = await store.readJob(id);
  return found?.job.kind === kind ? { kind, actor: found.job, attempts: found.attempts } : null;
}
