import { OUTPUT_LIFE_MS } from '../../machines/limits.ts';
import { ACTIVE_JOB_STATUSES, AI_JOB_TYPES, type AiJobStatus } from '../../machines/vocabulary.ts';
import { type BulkForm, type OperationName, SELECTORS, type Selection } from './operation.ts';

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /^(\d{1,6})([smhd])$/;
const DURATION_EXPECTED = 'a number with s, m, h or d, such as 90s, 30m, 2h or 7d';

/** `90s`, `30m`, `2h`, `7d` in milliseconds; null for any other text. */
export function durationMs(text: string): number | null {
  const [, number, unit] = DURATION.exec(text) ?? [];
  return number === undefined || unit === undefined ? null : Number(number) * (UNIT_MS[unit] ?? 0);
}

/** The filters for the candidates, or all errors in them. Empty values count as absent. */
export function parseSelection(
  { selectors, required }: BulkForm,
  said: Readonly<Record<string, string | undefined>>,
): { selection: Selection } | { problems: string[] } {
  const problems: string[] = [];
  const selection: Selection = {};
  for (const name of SELECTORS) {
    const value = said[name]?.trim();
    const values = selectors[name];
    if (!value) {
      if (required.includes(name)) problems.push(`${name} is needed: ${expected(values)}`);
    } else if (values === undefined) problems.push(`${name} does not choose anything here`);
    else if (values === null ? durationMs(value) === null : !values.includes(value))
      problems.push(`${name} must be ${expected(values)}, not ${JSON.stringify(value.slice(0, 40))}`);
    else selection[name] = value;
  }
  return problems.length > 0 ? { problems } : { selection };
}

const expected = (values: readonly string[] | null | undefined): string =>
  values ? values.join(', ').replace(/, ([^,]+)$/, ' or $1') : DURATION_EXPECTED;

const createdBefore = (selection: Selection, at: number): number =>
  at - (durationMs(selection['older-than'] ?? '') ?? 0);
/** The selected jobs: quarantined, not quarantined, or both when it is null. Without a status, those `unlessNamed`. */
const jobs =
  (quarantined: boolean | null, unlessNamed: readonly AiJobStatus[] = []): BulkForm['sourceOf'] =>
  (selection, at) => ({
    of: 'jobs',
    types: AI_JOB_TYPES.filter((one) => (selection.type ?? one) === one),
    statuses:
      selection.status === undefined
        ? unlessNamed
        : ACTIVE_JOB_STATUSES.filter((one) => selection.status === one),
    quarantined,
    createdBefore: createdBefore(selection, at),
  });

/**
 * The candidates of each bulk operation. All documents are rebuilt with an epoch: `npm run search:schema --
 * --enqueue`.
 */
export const BULK_FORMS: Partial<Record<OperationName, BulkForm>> = {
  'cancel-job': {
    sentence: 'Every job in one status that is older than a given time.',
    selectors: { type: AI_JOB_TYPES, status: ['PENDING', 'PROCESSING', 'RETRYING'], 'older-than': null },
    required: ['status', 'older-than'],
    sourceOf: jobs(null),
  },
  'collect-output': {
    sentence: 'Every job whose picture was refused for its host within the last hour.',
    selectors: { 'older-than': null },
    required: [],
    sourceOf: (selection, at) => ({
      of: 'refused-outputs',
      endedSince: at - OUTPUT_LIFE_MS,
      createdBefore: createdBefore(selection, at),
    }),
  },
  'retry-deletion': {
    sentence: 'Every failed deletion, or those with one class of error.',
    selectors: { 'error-class': ['transient', 'needs-person'], 'older-than': null },
    required: [],
    sourceOf: (selection, at) => ({
      of: 'deletions',
      errorClass: (selection['error-class'] as 'transient' | 'needs-person' | undefined) ?? null,
      createdBefore: createdBefore(selection, at),
    }),
  },
  'release-job': {
    sentence: 'Every job that was quarantined.',
    selectors: { type: AI_JOB_TYPES, 'older-than': null },
    required: [],
    sourceOf: jobs(true, ACTIVE_JOB_STATUSES),
  },
  're-enqueue-job': {
    sentence: 'Every job that waits in one status, those quarantined left out.',
    selectors: { type: AI_JOB_TYPES, status: ['PENDING', 'RETRYING'], 'older-than': null },
    required: ['status'],
    sourceOf: jobs(false),
  },
};
