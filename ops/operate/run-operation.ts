import {
  type BulkReport,
  candidatePages,
  formatReport,
  lookAtCandidates,
  runInBulk,
} from '../../src/operations/bulk.ts';
import type { Operation } from '../../src/operations/operation.ts';
import type { OperationOptions } from './arguments.ts';
import type { OperateParts } from './parts.ts';
import { formatOutcome, formatPreview } from './texts.ts';

/** One operation as it was asked for: shows what it will do, does it, and tells what became of it. */
export interface Screen {
  out(text: string): void;
  err(text: string): void;
}
/** A command as it was typed, and where it answers. */
export interface Command {
  args: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  screen: Screen;
}
export interface Running {
  parts: OperateParts;
  screen: Screen;
  signal: AbortSignal;
}
export const DONE = 0;
export const NOT_DONE = 1;
export const NOT_UNDERSTOOD = 2;

const SHOWN = 5;

export async function runOperation(
  running: Running,
  operation: Operation,
  options: OperationOptions,
): Promise<number> {
  return options.ids === null
    ? runForAll(running, operation, options)
    : runForEach(running, operation, { ...options, ids: options.ids });
}

async function runForEach(
  { parts, screen, signal }: Running,
  operation: Operation,
  options: OperationOptions & { ids: readonly string[] },
): Promise<number> {
  let notDone = 0;
  for (const id of options.ids) {
    if (signal.aborted) return NOT_DONE;
    const preview = await operation.preview(id, options);
    screen.out(formatPreview(preview));
    if (options.dryRun) {
      if (preview.outcome !== 'applies') notDone += 1;
      continue;
    }
    // Exactly the shown change is made, or none.
    const seen = preview.version === null ? {} : { seenVersion: preview.version };
    const { by, reason, force } = options;
    try {
      const outcome = await operation.run(id, { by, reason, force, ...seen });
      screen.out(formatOutcome(outcome));
      if (outcome.outcome !== 'applied' || !outcome.isDurable) notDone += 1;
    } catch (error) {
      notDone += 1;
      screen.out(`failed: ${id}. ${parts.scrub(error instanceof Error ? error.message : String(error))}`);
    }
  }
  if (options.dryRun) screen.out('Nothing was done: this was a dry run.');
  return notDone === 0 ? DONE : NOT_DONE;
}

async function runForAll(
  { parts, screen, signal }: Running,
  operation: Operation,
  options: OperationOptions,
): Promise<number> {
  if (operation.bulk === null) throw new Error(`${operation.name} has no bulk form`);
  const { pool, clock, scrub } = parts;
  const source = operation.bulk.sourceOf(options.selection, clock.now());
  const { count, firstIds } = await lookAtCandidates(pool, source, { first: SHOWN });
  screen.out(`${count} candidates${count > firstIds.length ? `; the first ${firstIds.length}` : ''}:`);
  for (const id of firstIds) screen.out(formatPreview(await operation.preview(id, options)));
  if (options.dryRun) {
    screen.out('Nothing was done: this was a dry run.');
    return DONE;
  }
  const { by, reason, force } = options;
  const report = await runInBulk(operation, {
    ids: candidatePages(pool, source),
    asking: { by, reason, force },
    signal,
    scrub,
    onProgress: (so) => screen.err(`${handled(so)} of ${count}`),
  });
  for (const { id, outcome, why } of report.told) screen.out(`${id}  ${outcome}: ${why}`);
  screen.out(formatReport(report));
  return report.ended === 'done' && report.failed === 0 && report.ignored === 0 ? DONE : NOT_DONE;
}

const handled = ({ applied, ignored, missing, failed }: BulkReport): number =>
  applied + ignored + missing + failed;
