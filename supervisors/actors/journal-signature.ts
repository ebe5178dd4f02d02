import type { JournalEntry } from '../../persistence/actors/actor-store.ts';
import type { Origin } from './messages.ts';

/** The actor and note of an event, for the journal rows of every transition that follows from it. */
export function signatureOf({ by, note }: Origin): Pick<JournalEntry, 'by' | 'note'> {
  return note === undefined ? { by } : { by, note };
}
