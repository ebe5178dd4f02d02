import { assign, setup } from 'xstate';

/**
 * The part of a listing's search document that a person may change (`properties."searchDirtyAt"` and
 * `."searchVersion"`). Triggers set it dirty whenever the listing changes, and the indexer clears it; both write no
 * journal, so there is one state. A requested rebuild makes the present document an older version: readers ignore it
 * until the new one is confirmed.
 */
export interface SearchDocumentContext {
  /** Since when a rebuild is due; null when none is. */
  dirtySince: number | null;
}

export type SearchDocumentEvent = { type: 'REBUILD_ASKED'; at: number };

export const initialSearchDocument: SearchDocumentContext = { dirtySince: null };

const machineSetup = setup({
  types: { context: {} as SearchDocumentContext, events: {} as SearchDocumentEvent },
  actions: { oweRebuild: assign({ dirtySince: ({ context, event }) => context.dirtySince ?? event.at }) },
});

export const searchDocumentMachine = machineSetup.createMachine({
  id: 'searchDocument',
  context: initialSearchDocument,
  initial: 'KEPT',
  states: {
    KEPT: {
      description:
        'Kept in step with its listing: every change has it rebuilt, and so has a person who asks.',
      on: { REBUILD_ASKED: { actions: 'oweRebuild' } },
    },
  },
});
