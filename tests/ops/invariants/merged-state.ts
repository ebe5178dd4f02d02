import { emptyState, livePages } from '../../../ops/invariants/live-state.ts';
import type { PipelineState } from '../../../ops/invariants/pipeline-state.ts';
import type { Look } from '../../../persistence/console/invariant-queries.ts';

/** A small database as one state, read through pages so small that every kind of actor has several. */
export async function wholeState(look: Look, at: number, pageSize = 2): Promise<PipelineState> {
  let whole = emptyState(at);
  for await (const page of livePages(look, { at, pageSize }))
    whole = {
      ...whole,
      jobs: [...whole.jobs, ...page.jobs],
      attempts: [...whole.attempts, ...page.attempts],
      singles: [...whole.singles, ...page.singles],
      receipts: [...(whole.receipts ?? []), ...(page.receipts ?? [])],
      texts: new Map([...whole.texts, ...page.texts]),
      reviewEvents: [...whole.reviewEvents, ...page.reviewEvents],
      provenance: [...whole.provenance, ...page.provenance],
      journal: new Map([...whole.journal, ...page.journal]),
    };
  return whole;
}
