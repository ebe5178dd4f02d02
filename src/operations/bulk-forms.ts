import {
  ACTIVE_JOB_STATUSES,
  AI_JOB_TYPES,
  type AiJobStatus,
  type AiJobType,
} from '../../machines/vocabulary.ts';
import type { BulkForm, OperationName, Selection } from './operation.ts';
import { durationMs } from './selection.ts';

const typesOf = ({ type }: Selection): readonly AiJobType[] =>
  AI_JOB_TYPES.filter((one) => (type ?? one) === one);
const statusesOf = ({ status }: Selection): AiJobStatus[] =>
  ACTIVE_JOB_STATUSES.filter((one) => one === status);
const createdBefore = (selection: Selection, at: number): number =>
  at - (durationMs(selection['older-than'] ?? '') ?? 0);

/** What a bulk operation goes through; null where there is none. */
export const BULK_FORMS: Record<OperationName, BulkForm | null> = {
  'cancel-job': {
    sentence: 'Every job in one status that is older than a given time.',
    selectors: { type: AI_JOB_TYPES, status: ['PENDING', 'PROCESSING', 'RETRYING'], 'older-than': null },
    required: ['status', 'older-than'],
    sourceOf: (selection, at) => ({
      of: 'jobs',
      types: typesOf(selection),
      statuses: statusesOf(selection),
      quarantined: null,
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
    sourceOf: (selection, at) => ({
      of: 'jobs',
      types: typesOf(selection),
      statuses: ACTIVE_JOB_STATUSES,
      quarantined: true,
      createdBefore: createdBefore(selection, at),
    }),
  },
  're-enqueue-job': {
    sentence: 'Every job that waits in one status, those quarantined left out.',
    selectors: { type: AI_JOB_TYPES, status: ['PENDING', 'RETRYING'], 'older-than': null },
    required: ['status'],
    sourceOf: (selection, at) => ({
      of: 'jobs',
      types: typesOf(selection),
      statuses: statusesOf(selection),
      quarantined: false,
      createdBefore: createdBefore(selection, at),
    }),
  },
  // All documents are rebuilt by an epoch: `npm run search:schema -- --enqueue`.
  'rebuild-document': null,
  'pause-starting': null,
  'resume-starting': null,
};
