import type {
  DeletionItemActor,
  JobAggregate,
  SearchDocumentActor,
  StagingJobActor,
  StartGateActor,
} from '../../persistence/actors/actor-store.ts';
import type { DescriptionJobActor } from '../../persistence/actors/description-store.ts';
import { START_GATE_ID } from '../../persistence/actors/start-gate-row.ts';
import { readDeletion, readSearchDocument } from '../../persistence/console/operation-subjects.ts';
import { uuid } from '../wire/text.ts';
import type { OperatedKind, OperationPorts } from './operation.ts';

/** The actor that an operation is about, as last committed, with what its preview tells beside. */
export type Subject =
  | { kind: 'stagingJob'; actor: StagingJobActor; attempts: JobAggregate['attempts'] }
  | { kind: 'descriptionJob'; actor: DescriptionJobActor }
  | { kind: 'deletionItem'; actor: DeletionItemActor }
  | { kind: 'startGate'; actor: StartGateActor }
  | { kind: 'searchDocument'; actor: SearchDocumentActor; onMarket: boolean };

/** A job whose crashes could not be recorded; no worker takes it before an operator releases it. */
export const isSetAside = ({ actor }: Subject): boolean => 'quarantined' in actor && actor.quarantined;

type SubjectPorts = Pick<OperationPorts, 'pool' | 'store' | 'descriptions'>;

/** Null when none of these kinds has an actor of that id, or it is no id at all. */
export async function readSubject(
  ports: SubjectPorts,
  kinds: readonly OperatedKind[],
  id: string,
): Promise<Subject | null> {
  const parsed = uuid.safeParse(id);
  if (!parsed.success) return null;
  for (const kind of kinds) {
    const found = await READ[kind](ports, parsed.data);
    if (found !== null) return found;
  }
  return null;
}

const READ: Record<OperatedKind, (ports: SubjectPorts, id: string) => Promise<Subject | null>> = {
  async stagingJob({ store }, id) {
    const found = await store.readJob(id);
    return found && { kind: 'stagingJob', actor: found.job, attempts: found.attempts };
  },
  async descriptionJob({ descriptions }, id) {
    const actor = await descriptions.read(id);
    return actor && { kind: 'descriptionJob', actor };
  },
  async deletionItem({ pool }, id) {
    const actor = await readDeletion(pool, id);
    return actor && { kind: 'deletionItem', actor };
  },
  async startGate({ store }, id) {
    const actor = id === START_GATE_ID ? await store.readStartGate() : null;
    return actor && { kind: 'startGate', actor };
  },
  async searchDocument({ pool }, id) {
    const found = await readSearchDocument(pool, id);
    if (found === null) return null;
    const { onMarket, ...actor } = found;
    return { kind: 'searchDocument', actor, onMarket };
  },
};
