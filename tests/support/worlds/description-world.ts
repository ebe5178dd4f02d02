import type { PurchaseKind } from '../../../machines/purchase-kinds.ts';
import type { ActorStore } from '../../../persistence/actors/actor-store.ts';
import { createPostgresLeases } from '../../../persistence/actors/postgres-leases.ts';
import type { JobAggregate } from '../../../persistence/actors/rows/job-row.ts';
import type {
  Checkpoint,
  CreateAnswer,
  ListedPrediction,
  PredictionView,
  TextCheck,
} from '../../../supervisors/ports.ts';
import type { StoreDatabase } from '../database/store-database.ts';
import { eventually } from '../eventually.ts';
import type { ManualTime } from '../manual-time.ts';
import { createFakeProvider, type FakeProvider } from './fake-provider.ts';
import { openWorld, type RunnerWorld } from './runner-world.ts';

/** A provider of texts in this process: answers are replaced by the test, calls are kept. */
export interface FakeTexts extends FakeProvider {
  /** Ids of jobs, which is what a prompt names. */
  creates: string[];
  answerCreate(jobId: string): CreateAnswer | Promise<CreateAnswer>;
}

export const unfinishedText = (predictionId: string): PredictionView => ({
  kind: 'unfinished',
  predictionId,
  providerStatus: 'processing',
});
export const writtenText = (predictionId: string, text: string | null = 'A home.'): PredictionView => ({
  kind: 'succeeded',
  predictionId,
  providerStatus: 'succeeded',
  outputUrl: null,
  text,
});
export const textIdOf = (jobId: string): string => `t-${jobId}`;
export const listedText = (jobId: string): ListedPrediction => ({
  predictionId: textIdOf(jobId),
  providerStatus: 'processing',
  attemptIds: [],
  textJobId: jobId,
});

/** Accepts every create, and has the text ready at the first poll. */
export function createFakeTexts(): FakeTexts {
  const texts: FakeTexts = {
    ...createFakeProvider(),
    answerCreate: (jobId) => ({ kind: 'created', prediction: unfinishedText(textIdOf(jobId)) }),
    answerGet: (predictionId) => ({ kind: 'found', prediction: writtenText(predictionId) }),
    async create({ aggregate, mayBuy }) {
      if (!mayBuy()) return { kind: 'withheld' };
      texts.creates.push(aggregate.job.id);
      return texts.answerCreate(aggregate.job.id);
    },
    async get(predictionId, signal) {
      texts.gets.push(predictionId);
      return texts.answerGet(predictionId, signal);
    },
    async cancel(predictionId) {
      texts.cancels.push(predictionId);
    },
  };
  return texts;
}

/** One worker process in miniature, for description jobs. */
export interface DescriptionWorld extends Omit<RunnerWorld, 'read' | 'reaches' | 'provider'> {
  texts: FakeTexts;
  read(jobId: string): Promise<SeenText>;
  reaches(jobId: string, state: string): Promise<void>;
  events(jobId: string): Promise<string[]>;
}

/** A description job with its attempt as one: the attempt's state stands behind PROCESSING. */
interface SeenText {
  state: string;
  context: JobAggregate['attempts'][number]['context'] &
    Pick<JobAggregate['job']['context'], 'crashCount'> & { text: string | null };
  lease: JobAggregate['job']['lease'];
  localPass: JobAggregate['job']['localPass'];
}

const KIND: PurchaseKind = 'descriptionJob';

export function openDescriptionWorld(
  database: StoreDatabase,
  options: {
    enabled?: boolean;
    owner?: string;
    time?: ManualTime;
    texts?: FakeTexts;
    checkpoint?: Checkpoint;
    checkText?: TextCheck;
    wrap?: (store: ActorStore) => ActorStore;
  } = {},
): DescriptionWorld {
  const { texts = createFakeTexts(), wrap = (store) => store, ...given } = options;
  const store = wrap({ ...database.store, ...createPostgresLeases(database.pool, 'DESCRIPTION') });
  const world = openWorld(database, { ...given, kind: KIND, store, provider: texts, leaseTtlMs: 15_000 });
  const read = async (jobId: string): Promise<SeenText> => {
    const { job, attempts } = await world.read(jobId);
    const { rows } = await database.pool.query<{ text: string | null }>(
      'select text from ai_description_jobs where "aiJobId" = $1',
      [jobId],
    );
    const [attempt] = attempts;
    const state = job.state === 'PROCESSING.ATTEMPT' ? `PROCESSING.${attempt?.state}` : job.state;
    const errorCode = job.context.errorCode ?? attempt?.context.errorCode ?? null;
    const { crashCount } = job.context;
    const context = { ...attempt?.context, errorCode, crashCount, text: rows[0]?.text ?? null };
    return { state, context: context as SeenText['context'], lease: job.lease, localPass: job.localPass };
  };
  return Object.assign(
    { ...world },
    {
      texts,
      read,
      async reaches(jobId: string, state: string) {
        await eventually(async () => (await read(jobId)).state === state, {
          what: `job in ${state}, not ${(await read(jobId)).state}`,
        });
      },
      async events(jobId: string) {
        const { rows } = await database.pool.query<{ eventType: string }>(
          `select "eventType" from actor_transitions where "actorId" = $1
           or "actorId" in (select id from ai_provider_attempts where "aiJobId" = $1) order by id`,
          [jobId],
        );
        return rows.map(({ eventType }) => eventType);
      },
    },
  );
}
