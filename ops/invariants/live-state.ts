import type { PurchaseKind } from '../../machines/purchase-kinds.ts';
import {
  type ActorKind,
  definitionOf,
  SINGLE_KIND_NAMES,
  SINGLE_KINDS,
  type SingleKind,
} from '../../persistence/actors/actor-kinds.ts';
import type { Page } from '../../persistence/actors/actor-store.ts';
import type { Look } from '../../persistence/console/invariant-queries.ts';
import type { PipelineState, PositionedEntry } from './pipeline-state.ts';

/**
 * The rows of a live database as states of the pipeline, one page of actors at a time, each with its whole journal:
 * for invariants about a single actor. Memory is bounded by the page, whatever the age of the installation.
 */
const PAGE = 500;

/** The content of a page apart from its instant; `world` is unknown, and keys of originals are not read. */
type Content = Partial<PipelineState> & { readonly lastId: string | undefined };

export async function* livePages(
  look: Look,
  { at, pageSize = PAGE }: { at: number; pageSize?: number },
): AsyncGenerator<PipelineState> {
  const journalKeptSince = await look.journalKeptSince();
  const reads = [jobs, ...COUNTED.map((kind) => singles(kind))];
  for (const read of reads) {
    for (let afterId: string | null = null; ; ) {
      const { lastId, ...content }: Content = await read(look, { afterId, limit: pageSize });
      if (lastId === undefined) break;
      yield { ...emptyState(at), ...content, journalKeptSince };
      afterId = lastId;
    }
  }
}

/** A kind whose version is shared with other writers has no complete journal. */
const COUNTED = SINGLE_KIND_NAMES.filter((kind) => !('sharesVersion' in SINGLE_KINDS[kind]));

export const emptyState = (at: number): PipelineState => ({
  at,
  jobs: [],
  attempts: [],
  singles: [],
  receipts: [],
  texts: new Map(),
  originalKeys: new Set<string>(),
  reviewEvents: [],
  provenance: [],
  journal: new Map(),
  world: null,
});

async function jobs(look: Look, page: Page): Promise<Content> {
  const aggregates = await look.jobs(page);
  const attempts = aggregates.flatMap((aggregate) => aggregate.attempts);
  const ids = aggregates.map(({ job }) => job.id);
  const idsOf = (kind: PurchaseKind) => aggregates.flatMap(({ job }) => (job.kind === kind ? job.id : []));
  const attemptIds = attempts.map(({ id }) => id);
  const journal = [
    ...(await journalOf(look, 'stagingJob', idsOf('stagingJob'))),
    ...(await journalOf(look, 'descriptionJob', idsOf('descriptionJob'))),
    ...(await journalOf(look, 'providerAttempt', attemptIds)),
  ];
  return {
    jobs: aggregates.map(({ job }) => job),
    attempts,
    receipts: await look.receipts(attemptIds),
    texts: await look.texts(ids),
    journal: new Map(journal),
    lastId: ids.at(-1),
  };
}

const singles = (kind: SingleKind) =>
  async function read(look: Look, page: Page): Promise<Content> {
    const found = await look.single(kind, page);
    const ids = found.map(({ id }) => id);
    return {
      singles: found,
      reviewEvents: definitionOf(kind).effects.includes('recordReview') ? await look.reviewEvents(ids) : [],
      provenance: definitionOf(kind).effects.includes('recordProvenance') ? await look.provenance(ids) : [],
      journal: await journalOf(look, kind, ids),
      lastId: ids.at(-1),
    };
  };

async function journalOf(
  look: Look,
  kind: ActorKind,
  ids: readonly string[],
): Promise<Map<string, PositionedEntry[]>> {
  return Map.groupBy(await look.journal(kind, ids), ({ id }) => id);
}
