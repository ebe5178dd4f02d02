import { initialSearchDocument, searchDocumentMachine } from '../../machines/search-document.ts';
import { SEARCH_DOCUMENT_EVENTS } from '../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT } from '../support/manual-time.ts';
import { testRules } from './rules.ts';

const event = { type: 'REBUILD_ASKED', at: AT } as const;

testRules(searchDocumentMachine, {
  events: SEARCH_DOCUMENT_EVENTS,
  usual: { KEPT: initialSearchDocument },
  rules: {
    KEPT: [
      { event, when: 'nothing is owed', to: 'KEPT', context: { dirtySince: AT } },
      { event, when: 'one is owed already', given: { dirtySince: AT - 9 }, to: 'KEPT' },
    ],
  },
});
