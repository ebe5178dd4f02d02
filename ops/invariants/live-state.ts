import type { Page } from '../../persistence/actors/actor-store.ts';
import type { JournalKind, Look } from '../../persistence/console/invariant-queries.ts';
import type { PipelineState, PositionedEntry } from './pipeline-state.ts';

/**
 * The rows of a live database as states of the pipeline, a page of actors at a time, each with its whole journal: for
 * invariants that look at one actor alone. Memory is bounded by the page, whatever the age of the installation.
 */
export const PAGE = 500;

/** What each page holds beside the moment; `world` is unknown and keys of originals are not read. */
type Content = Partial<PipelineState> & { readonly lastId: string | undefined };

export async function* livePages(
  look: Look,
  { at, pageSize = PAGE }: { at: number; pageSize?: number },
): AsyncGenerator<PipelineState> {
  const journalKeptSince = await look.journalKeptSince();
  for (const read of [jobs, images, deletions, tours, descriptions, gates]) {
    for (let afterId: string | null = null; ; ) {
      const { lastId, ...content }: Content = await read(look, { afterId, limit: pageSize });
      if (lastId === undefined) break;
      yield { ...emptyState(at), ...content, journalKeptSince };
      afterId = lastId;
    }
  }
}

export const emptyState = (at: number): PipelineState => ({
  at,
  jobs: [],
  attempts: [],
  images: [],
  deletions: [],
  tours: [],
  descriptions: [],
  gates: [],
  receipts: [],
  originalKeys: new Set<string>(),
  reviewEvents: [],
  journal: new Map(),
  world: null,
});

async function jobs(look: Look, page: Page): Promise<Content> {
  const aggregates = await look.jobs(page);
  const attempts = aggregates.flatMap((aggregate) => aggregate.attempts);
  const ids = aggregates.map(({ job }) => job.id);
  const attemptIds = attempts.map(({ id }) => id);
  const journal = [
    ...(await journalOf(look, 'stagingJob', ids)),
    ...(await journalOf(look, 'providerAttempt', attemptIds)),
  ];
  return {
    jobs: aggregates.map(({ job }) => job),
    attempts,
    receipts: await look.receipts(attemptIds),
    journal: new Map(journal),
    lastId: ids.at(-1),
  };
}

async function images(look: Look, page: Page): Promise<Content> {
  const found = await look.images(page);
  const ids = found.map(({ id }) => id);
  return {
    images: found,
    reviewEvents: await look.reviewEvents(ids),
    journal: await journalOf(look, 'imageReview', ids),
    lastId: ids.at(-1),
  };
}

async function deletions(look: Look, page: Page): Promise<Content> {
  const found = await look.deletions(page);
  const ids = found.map(({ id }) => id);
  return { deletions: found, journal: await journalOf(look, 'deletionItem', ids), lastId: ids.at(-1) };
}

async function tours(look: Look, page: Page): Promise<Content> {
  const found = await look.tours(page);
  const ids = found.map(({ id }) => id);
  return { tours: found, journal: await journalOf(look, 'tour', ids), lastId: ids.at(-1) };
}

async function descriptions(look: Look, page: Page): Promise<Content> {
  const found = await look.descriptions(page);
  const ids = found.map(({ id }) => id);
  return { descriptions: found, journal: await journalOf(look, 'descriptionJob', ids), lastId: ids.at(-1) };
}

async function gates(look: Look, page: Page): Promise<Content> {
  const found = await look.gates(page);
  const ids = found.map(({ id }) => id);
  return { gates: found, journal: await journalOf(look, 'startGate', ids), lastId: ids.at(-1) };
}

async function journalOf(
  look: Look,
  kind: JournalKind,
  ids: readonly string[],
): Promise<Map<string, PositionedEntry[]>> {
  return Map.groupBy(await look.journal(kind, ids), ({ id }) => id);
}
