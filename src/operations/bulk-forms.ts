import { ACTIVE_JOB_STATUSES, AI_JOB_TYPES } from '../../machines/vocabulary.ts';
import type { BulkForm, OperationName, Selection } from './operation.ts';
import { durationMs } from './selection.ts';

const createdBefore = (selection: Selection, at: number): number =>
  at - (durationMs(selection['older-than'] ?? '') ?? 0);
/** Those that are chosen; quarantined or not, or both when it is null. */
const jobs =
  (quarantined: boolean | null): BulkForm['sourceOf'] =>
  (selection, at) => ({
    of: 'jobs',
    types: AI_JOB_TYPES.filter((one) => (selection.type ?? one) === one),
    statuses: ACTIVE_JOB_STATUSES.filter((one) => (selection.status ?? one) === one),
    quarantined,
    createdBefore: createdBefore(selection, at),
  });

/** What a bulk operation goes through. All documents are rebuilt by an epoch: `npm run search:schema -- --enqueue`. */
export const BULK_FORMS: Partial<Record<OperationName, BulkForm>> = {
  'cancel-job': {
    sentence: 'Every job in one status that is older than a given time.',
    selectors: { type: AI_JOB_TYPES, status: ['PENDING', 'PROCESSING', 'RETRYING'], 'older-than': null },
    required: ['status', 'older-than'],
    sourceOf: jobs(null),
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
    sourceOf: jobs(true),
  },
  're-enqueue-job': {
    sentence: 'Every job that waits in one status, those quarantined left out.',
    selectors: { type: AI_JOB_TYPES, status: ['PENDING', 'RETRYING'], 'older-than': null },
    required: ['status'],
    sourceOf: jobs(false),
  },
};
