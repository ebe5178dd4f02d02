import { type SearchDocumentContext, searchDocumentMachine } from '../../../machines/search-document.ts';
import { toMillis } from '../../database/instants.ts';
import { isOffered } from '../../database/listing-visibility.ts';
import {
  type ActorKindDefinition,
  always,
  instant,
  rowsOfTable,
  type StoredActor,
  under,
} from '../actor-kind.ts';

/** Its id is the listing's. */
export type SearchDocumentActor = StoredActor<'searchDocument', SearchDocumentContext>;

/**
 * The columns of `properties` about its search document. They have no state column, because there is one state.
 * Triggers raise the version with every change of the listing, so a journal row's `seq` is the version of the document
 * to be rebuilt. The trigger of 0010 ignores writes to these columns alone.
 */
export const searchDocumentKind: ActorKindDefinition<SearchDocumentActor, typeof searchDocumentMachine> = {
  kind: 'searchDocument',
  machine: searchDocumentMachine,
  file: 'search-document',
  effects: [],
  keptIn: '`properties."searchDirtyAt"` and `."searchVersion"`',
  rows: rowsOfTable<SearchDocumentActor>('searchDocument', {
    table: 'properties',
    lock: 'FOR NO KEY UPDATE',
    version: 'searchVersion',
    state: always('KEPT'),
    stateName: `'KEPT'`,
    context: { dirtySince: under('searchDirtyAt', instant) },
    beside: {},
  }),
  sharesVersion: true,
  list: {
    // Only listings that need a rebuild: all others are alike and too many to list.
    base: 't."searchDirtyAt" IS NOT NULL',
    status: { column: `'KEPT'`, type: 'text', values: ['KEPT'] },
    createdAt: 't."searchDirtyAt"',
    columns: { propertyId: 't.id' },
    narrow: { property: (id) => `t.id = ${id}` },
    failed: [],
  },
  label: { one: 'Search document', many: 'Search documents to rebuild' },
  foundBy: {},
  page: {
    beside: { indexedAt: 't."searchIndexedAt"', onMarket: isOffered('t') },
    createdAt: 't."createdAt"',
    facts: ({ id, context }, { indexedAt }) => ({
      Listing: { listing: id },
      'Owes a rebuild since': { instant: context.dirtySince },
      'Written last': { instant: toMillis(indexedAt as Date | null) },
    }),
    wait: ({ context: { dirtySince } }, { when }) =>
      dirtySince === null
        ? null
        : { word: 'rebuild', sentence: `Owes a rebuild since ${when(dirtySince)}.`, person: false },
  },
};
