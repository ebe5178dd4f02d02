import { assign, setup } from 'xstate';

/**
 * The search document of one listing, as far as a person may move it (`properties."searchDirtyAt"` and
 * `."searchVersion"`). Triggers owe a rebuild whenever the listing changes, and the indexer settles it; both write no
 * journal, so there is one state. Asking for a rebuild makes the present document one of an older version: readers
 * pass it by until the new one is confirmed.
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
