import { CREATE_TIMEOUT_MS, PREDICTION_OVERDUE_MS } from '../../../machines/limits.ts';
import type { JobActor } from '../../../persistence/actors/rows/job-row.ts';
import type {
  CreateAnswer,
  GetAnswer,
  PredictionLister,
  PredictionPages,
  PredictionView,
  Provider,
  PurchaseLister,
} from '../../../supervisors/ports.ts';
import type { Random } from '../../support/random.ts';
import type { SimulatedProcess, Universe } from './universe.ts';

/**
 * The image provider with its own ledger. Every accepted create is a purchase, even if its answer is lost. It
 * has no idempotency key, may answer late or never, and calls back once, twice or not at all.
 */
export interface Purchase {
  attemptId: string;
  jobId: string;
  /** The job whose id the prompt of a text names; null for a picture. */
  textJobId: string | null;
  /** Of a picture: the photo that its input shows. */
  originalImageId: string | null;
  prompt: string;
  predictionId: string;
  /** The key of the second picture that it was sent with. */
  secondInput: string | null;
  acceptedAt: number;
  /** Number of journal rows committed when the create was accepted. */
  journalLength: number;
  status: 'processing' | 'succeeded' | 'failed' | 'canceled';
  endsAt: number;
  outcome: 'succeeded' | 'failed' | 'moderated';
}

export interface ProviderWorld {
  readonly ledger: Purchase[];
  /** The provider as one process reaches it. */
  reachedFrom(process: SimulatedProcess): Provider & PredictionLister & PredictionPages;
  /** Its list with what each purchase names. */
  purchasesFrom(process: SimulatedProcess): PurchaseLister;
}

export interface ProviderOptions {
  universe: Universe;
  random: Random;
  newId(): string;
  journalLength(): number;
  /** False once faults have stopped. */
  faulty(kind: string): boolean;
  callback(purchase: Purchase): void;
  hasObject(key: string): boolean;
  /** A second picture was gone before the provider had read it. */
  unreadable(): void;
  /** SIGTERM. */
  terminate(process: SimulatedProcess): void;
}

/** The list shows a new prediction this much later, when it lags. */
const LAG_MS = 2 * 60_000;
const HIDDEN_MS = 10_000;
/** Predictions of a page; several pages to a list, so that faults fall between them. */
const PAGE = 2;
const NAMES = { processing: 'processing', succeeded: 'succeeded', failed: 'failed', canceled: 'canceled' };

export function createProviderWorld(options: ProviderOptions): ProviderWorld {
  const { universe, random, newId, faulty } = options;
  const ledger: Purchase[] = [];
  const reading = random.stream('reading');
  /** Until when the provider answers 404 for a new prediction. */
  const hiddenUntil = new Map<string, number>();

  const end = (purchase: Purchase, status: Purchase['status']) => {
    if (purchase.status !== 'processing') return;
    purchase.status = status;
    // There are no callbacks for texts.
    if (purchase.textJobId === null && !faulty('callback-never')) {
      const times = faulty('callback-twice') ? 2 : 1;
      for (let n = 0; n < times; n += 1) {
        const delay = faulty('callback-late') ? random.between(30_000, 600_000) : random.between(0, 2_000);
        universe.at(universe.now() + delay, () => options.callback(purchase));
      }
    }
  };

  /** The provider reads its inputs at any time before it ends; one that it cannot read ends the prediction. */
  const readLater = (purchase: Purchase, key: string) =>
    universe.at(reading.between(purchase.acceptedAt, purchase.endsAt), () => {
      if (purchase.status !== 'processing' || options.hasObject(key)) return;
      options.unreadable();
      purchase.outcome = 'failed';
      end(purchase, 'failed');
    });

  const accept = (attemptId: string, job: JobActor): Purchase => {
    const acceptedAt = universe.now();
    const stuck = faulty('never-finishes');
    const secondInput = job.kind === 'stagingJob' ? job.details.referenceImageKey : null;
    const slower = secondInput === null ? 0 : reading.between(0, 180_000);
    const endsAt = acceptedAt + slower + (stuck ? PREDICTION_OVERDUE_MS * 2 : random.between(1_000, 60_000));
    const roll = random.next();
    const purchase: Purchase = {
      jobId: job.id,
      textJobId: job.kind === 'descriptionJob' ? job.id : null,
      originalImageId: job.kind === 'stagingJob' ? job.details.originalImageId : null,
      prompt: job.details.prompt,
      secondInput,
      attemptId,
      predictionId: newId(),
      acceptedAt,
      journalLength: options.journalLength(),
      status: 'processing',
      endsAt,
      outcome: roll < 0.65 ? 'succeeded' : roll < 0.95 ? 'failed' : 'moderated',
    };
    ledger.push(purchase);
    if (faulty('get-404')) hiddenUntil.set(purchase.predictionId, acceptedAt + HIDDEN_MS);
    if (secondInput !== null) readLater(purchase, secondInput);
    universe.at(endsAt, () => end(purchase, purchase.outcome === 'succeeded' ? 'succeeded' : 'failed'));
    return purchase;
  };

  const viewOf = (purchase: Purchase): PredictionView => {
    const { predictionId, textJobId, status } = purchase;
    const base = { predictionId, providerStatus: NAMES[status] };
    if (status === 'processing') return { kind: 'unfinished', ...base };
    if (status === 'canceled') return { kind: 'canceled', ...base };
    if (status === 'succeeded')
      return textJobId === null
        ? { kind: 'succeeded', ...base, outputUrl: `https://replicate.delivery/${predictionId}`, text: null }
        : { kind: 'succeeded', ...base, outputUrl: null, text: faulty('output-bad') ? null : 'A home.' };
    const errorCode = purchase.outcome === 'moderated' ? 'PROVIDER_MODERATION' : 'PROVIDER_FAILED';
    return { kind: 'failed', ...base, errorCode };
  };
  const listed = ({ attemptId, textJobId, predictionId, status }: Purchase) => ({
    predictionId,
    providerStatus: NAMES[status],
    textJobId,
    attemptIds: textJobId === null ? [attemptId] : [],
  });
  /** Newest first. */
  const madeIn = ({ createdAfter, createdBefore }: { createdAfter: number; createdBefore: number }) => {
    const lags = faulty('list-lags');
    return ledger
      .filter(({ acceptedAt }) => acceptedAt >= createdAfter && acceptedAt <= createdBefore)
      .filter(({ acceptedAt }) => !lags || acceptedAt < universe.now() - LAG_MS)
      .toReversed();
  };
  const byId = (predictionId: string) => ledger.find((one) => one.predictionId === predictionId);

  return {
    ledger,
    purchasesFrom: (process) => ({
      // After a failover it shows everything: a list that lags for longer than the creates last is not covered.
      async list({ createdAfter, createdBefore }) {
        await process.hop('list purchases');
        if (faulty('list-fails') || faulty('list-truncated')) return 'unavailable';
        return ledger
          .filter(({ acceptedAt }) => acceptedAt >= createdAfter && acceptedAt <= createdBefore)
          .toReversed()
          .map((purchase) => ({
            ...listed(purchase),
            attemptId: purchase.textJobId === null ? purchase.attemptId : null,
            originalImageId: purchase.originalImageId,
            prompt: purchase.prompt,
            isOver: purchase.status !== 'processing',
            isOurs: purchase.textJobId === null,
          }));
      },
    }),
    reachedFrom: (process) => ({
      async create({ attemptId, aggregate: { job } }): Promise<CreateAnswer> {
        const begunAt = process.now();
        await process.hop('POST');
        // The process stood still, and its time-out ends the call first.
        if (process.now() - begunAt > CREATE_TIMEOUT_MS) return { kind: 'unknown', cause: 'restart' };
        if (faulty('unreachable'))
          return { kind: 'refused', errorCode: 'PROVIDER_UNREACHABLE', retryAfterMs: null };
        if (faulty('throttled'))
          return {
            kind: 'refused',
            errorCode: 'PROVIDER_THROTTLED',
            retryAfterMs: random.between(1, 20_000),
          };
        if (faulty('invalid-input'))
          return { kind: 'refused', errorCode: 'PROVIDER_INVALID_INPUT', retryAfterMs: null };
        if (faulty('request-lost')) {
          await process.hop('POST answer');
          return { kind: 'unknown', cause: 'transport' };
        }
        if (faulty('create-hangs')) {
          if (random.chance(0.5)) accept(attemptId, job);
          if (faulty('terminate-while-buying')) options.terminate(process);
          await process.sleep(CREATE_TIMEOUT_MS);
          return { kind: 'unknown', cause: 'transport' };
        }
        const purchase = accept(attemptId, job);
        if (faulty('slow-answer')) await process.sleep(random.between(1_000, 90_000));
        await process.hop('POST answer');
        if (faulty('answer-lost')) return { kind: 'unknown', cause: 'transport' };
        return { kind: 'created', prediction: viewOf(purchase) };
      },
      async get(predictionId): Promise<GetAnswer> {
        await process.hop('GET prediction');
        if (faulty('get-fails')) return { kind: 'unavailable', throttledMs: null };
        const purchase = byId(predictionId);
        if (universe.now() < (hiddenUntil.get(predictionId) ?? 0)) return { kind: 'gone' };
        return purchase ? { kind: 'found', prediction: viewOf(purchase) } : { kind: 'gone' };
      },
      async cancel(predictionId) {
        await process.hop('cancel prediction');
        const purchase = byId(predictionId);
        if (!purchase || faulty('cancel-ignored')) return;
        end(purchase, 'canceled');
      },
      async *pages(range) {
        await process.hop('list page');
        const shown = madeIn(range);
        for (let at = 0; at < shown.length; at += PAGE) {
          if (faulty('list-fails')) return;
          yield shown.slice(at, at + PAGE).map(viewOf);
          await process.hop('list page');
        }
      },
      async list(range) {
        await process.hop('list predictions');
        if (faulty('list-fails')) return { predictions: [], complete: false };
        const newestFirst = madeIn(range);
        const complete = !faulty('list-truncated');
        const shown = complete ? newestFirst : newestFirst.slice(0, random.between(0, newestFirst.length));
        return { predictions: shown.map(listed), complete };
      },
    }),
  };
}
