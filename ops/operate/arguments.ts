import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import type { OperationInfo, Selection } from '../../src/operations/operation.ts';
import { parseSelection } from '../../src/operations/selection.ts';
import { keptReason, operatorName, UnsignedError } from '../../src/operations/signature.ts';

/** The options of one operation, complete and checked. */
export interface OperationOptions {
  /** The named actors; null for all that the selection finds. */
  ids: readonly string[] | null;
  selection: Selection;
  by: string;
  reason: string;
  force: boolean;
  dryRun: boolean;
}
export type Parsed = { options: OperationOptions } | { problems: string[] } | 'help';

const OPTIONS = {
  id: { type: 'string', multiple: true },
  all: { type: 'boolean' },
  type: { type: 'string' },
  status: { type: 'string' },
  'error-class': { type: 'string' },
  'older-than': { type: 'string' },
  reason: { type: 'string' },
  by: { type: 'string' },
  force: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  help: { type: 'boolean' },
} as const;
type Values = ReturnType<typeof valuesOf>['values'];

/** Reports everything that is missing or wrong at once. */
export function parseAsked(operation: OperationInfo, args: readonly string[]): Parsed {
  let values: Values;
  try {
    values = valuesOf(args).values;
  } catch (error) {
    return { problems: [error instanceof Error ? error.message : String(error)] };
  }
  if (values.help) return 'help';
  const chosen = chosenOf(operation, values);
  const signed = signedBy(values);
  const problems = [
    ...('problems' in chosen ? chosen.problems : []),
    ...('problems' in signed ? signed.problems : []),
    ...(values.force && operation.forceMeans === null ? ['--force overrules nothing here'] : []),
  ];
  if (problems.length > 0 || 'problems' in chosen || 'problems' in signed) return { problems };
  return {
    options: { ...chosen, ...signed, force: values.force ?? false, dryRun: values['dry-run'] ?? false },
  };
}

const valuesOf = (args: readonly string[]) => parseArgs({ args: [...args], options: OPTIONS });

type Chosen = Pick<OperationOptions, 'ids' | 'selection'>;
function chosenOf({ bulk, onlyId }: OperationInfo, values: Values): Chosen | { problems: string[] } {
  const { id: ids = [], all = false } = values;
  if (onlyId !== null)
    return ids.length > 0 || all ? { problems: ['there is only one: no --id, no --all'] } : one([onlyId]);
  if (!all) return ids.length > 0 ? one(ids) : { problems: [`--id is needed${bulk ? ', or --all' : ''}`] };
  if (ids.length > 0) return { problems: ['--id and --all exclude each other'] };
  if (bulk === null) return { problems: ['--all is not possible here'] };
  const parsed = parseSelection(bulk, values as Record<string, string | undefined>);
  if ('problems' in parsed) return { problems: parsed.problems.map((problem) => `--${problem}`) };
  return { ids: null, ...parsed };
}
const one = (ids: readonly string[]): Chosen => ({ ids, selection: {} });

/** The reason may be absent when nothing is executed yet. */
export function signedBy(
  values: Pick<Values, 'by' | 'reason' | 'dry-run'>,
): Pick<OperationOptions, 'by' | 'reason'> | { problems: string[] } {
  const problems: string[] = [];
  const by = values.by ?? systemUser() ?? '';
  const { reason = '' } = values;
  try {
    operatorName(by);
  } catch (error) {
    problems.push(`--by is needed: ${messageOf(error)}`);
  }
  try {
    if (!values['dry-run']) keptReason(reason, (text) => text);
  } catch (error) {
    problems.push(`--reason is needed: ${messageOf(error)}`);
  }
  return problems.length > 0 ? { problems } : { by, reason };
}

function messageOf(error: unknown): string {
  if (error instanceof UnsignedError) return error.message;
  throw error;
}

/** Null when the system has no name for its user, as in many containers. */
function systemUser(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}
