import { parseArgs } from 'node:util';
import { failedDeletions } from '../../persistence/actors/deletion-queries.ts';
import { signedBy } from './arguments.ts';
import { DONE, NOT_UNDERSTOOD, type Running, runOperation } from './run-operation.ts';

/**
 * Deletions that need a person (docs/contract.md#deleting-objects): lists them, and requests a retry of the named
 * ones or of all. The machine decides whether a retry is allowed.
 */
export const OUTBOX_HELP = `Usage: npm run ops -- outbox list
       npm run ops -- outbox retry --reason "…" [--by NAME] [--force] [--dry-run] [ID …]

list    shows the deletions that have failed for good, with their errors
retry   offers them, or the ones named, to the next drain again; only errors that time can heal,
        such as an object store that was away, unless --force says that the cause is fixed
`;
const MAX_ITEMS = 1_000;

export type OutboxOptions =
  | { do: 'list' }
  | { do: 'retry'; ids: readonly string[]; by: string; reason: string; force: boolean; dryRun: boolean };

export function parseOutbox(args: readonly string[]): OutboxOptions | { problems: string[] } | 'help' {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        reason: { type: 'string' },
        by: { type: 'string' },
        force: { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return 'help';
    const [command, ...ids] = positionals;
    if (command === 'list') return { do: 'list' };
    if (command !== 'retry') return { problems: ['outbox has two commands: list and retry'] };
    const signed = signedBy(values);
    if ('problems' in signed) return signed;
    return { do: 'retry', ids, ...signed, force: values.force, dryRun: values['dry-run'] };
  } catch (error) {
    return { problems: [error instanceof Error ? error.message : String(error)] };
  }
}

export async function runOutbox(running: Running, options: OutboxOptions): Promise<number> {
  const { parts, screen } = running;
  if (options.do === 'retry') {
    const operation = parts.operations.find('retry-deletion');
    if (operation === null) return NOT_UNDERSTOOD;
    const { ids, ...rest } = options;
    return runOperation(running, operation, { ...rest, ids: ids.length > 0 ? ids : null, selection: {} });
  }
  const failed = await failedDeletions(parts.pool, MAX_ITEMS);
  if (failed.length === 0) screen.out('No deletion has failed.');
  for (const { id, objectKey, errorClass, lastError } of failed)
    screen.out([id, errorClass ?? 'unknown', objectKey, lastError ?? ''].join('  '));
  if (failed.length === MAX_ITEMS) screen.out(`The oldest ${MAX_ITEMS} are shown.`);
  return DONE;
}
