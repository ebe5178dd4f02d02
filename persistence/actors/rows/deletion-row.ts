import { type DeletionItemContext, deletionItemMachine } from '../../../machines/deletion-item.ts';
import { DELETION_CLAIM_MS, MAX_DELETION_TRIES } from '../../../machines/limits.ts';
import type { StorageDeletionReason } from '../../../machines/vocabulary.ts';
import { awaitsFingerprint } from '../../database/awaited-fingerprint.ts';
import {
  type ActorKindDefinition,
  fixed,
  instant,
  plain,
  type Row,
  rowsOfTable,
  type StoredActor,
  type Wait,
  type WaitClock,
} from '../actor-kind.ts';

export interface DeletionItemActor extends StoredActor<'deletionItem', DeletionItemContext> {
  objectKey: string;
  reason: StorageDeletionReason;
}

/** One row of `storage_deletion_outbox`. */
export const deletionItemKind: ActorKindDefinition<DeletionItemActor, typeof deletionItemMachine> = {
  kind: 'deletionItem',
  machine: deletionItemMachine,
  file: 'deletion-item',
  effects: ['alert'],
  keptIn: '`storage_deletion_outbox.status`',
  rows: rowsOfTable<DeletionItemActor>('deletionItem', {
    table: 'storage_deletion_outbox',
    context: {
      attempts: plain,
      lastError: plain,
      errorClass: plain,
      note: plain,
      nextAttemptAt: instant,
      claimedAt: instant,
      claimedBy: plain,
      processedAt: instant,
    },
    beside: { objectKey: fixed(plain), reason: fixed(plain) },
    bornAt: ['createdAt'],
  }),
  endedAt: 'processedAt',
  list: {
    status: {
      column: 't.status',
      type: 'storage_deletion_status',
      values: ['PENDING', 'PROCESSING', 'FAILED', 'DELETED'],
    },
    createdAt: 't."createdAt"',
    columns: { errorCode: 't."errorClass"', worker: 't."claimedBy"' },
    narrow: { worker: (node) => `t.status = 'PROCESSING' AND t."claimedBy" = ${node}` },
    failed: ['FAILED'],
  },
  label: { one: 'Deletion', many: 'Deletions' },
  foundBy: { deletion: 'id', 'object key': 'objectKey' },
  page: {
    beside: { awaitsFingerprint: awaitsFingerprint('t') },
    createdAt: 't."createdAt"',
    facts: ({ context, objectKey, reason }) => ({
      Object: { code: objectKey },
      Why: { code: reason },
      Tries: String(context.attempts),
      'Next try': { due: context.nextAttemptAt },
      'Last error':
        context.lastError === null ? 'none' : { foreign: `${context.errorClass}: ${context.lastError}` },
      'Claimed by': context.claimedBy === null ? 'no worker' : { node: context.claimedBy },
    }),
    wait: waitOf,
  },
};

function waitOf(
  { state, context }: DeletionItemActor,
  { at, when, short }: WaitClock,
  { awaitsFingerprint }: Row,
): Wait | null {
  switch (state) {
    case 'PENDING': {
      const after = context.attempts === 0 ? '' : ` after ${context.attempts} of ${MAX_DELETION_TRIES} tries`;
      const due = when(context.nextAttemptAt);
      if (context.nextAttemptAt > at)
        return { word: 'back-off', sentence: `Backs off${after} until ${due}.`, person: false };
      const what = awaitsFingerprint
        ? 'until a fingerprint is made of the file, for a day at most'
        : 'for the next drain';
      return { word: 'queue', sentence: `Is due since ${due} and waits ${what}.`, person: false };
    }
    case 'PROCESSING': {
      const until = when((context.claimedAt ?? at) + DELETION_CLAIM_MS);
      const sentence = `Held by worker ${short(context.claimedBy ?? 'unknown')}, whose claim ends ${until}.`;
      return { word: 'queue', sentence, person: false };
    }
    case 'FAILED':
      return {
        word: 'operator',
        sentence: `Waits for a person: the object store answered ${context.lastError ?? 'nothing that was kept'}.`,
        person: true,
      };
    default:
      return null;
  }
}
