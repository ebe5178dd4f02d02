import type { JournalEntry } from '../../persistence/actors/actor-store.ts';
import type { Origin } from './messages.ts';

/** Who and why, as the journal keeps it with every transition that an event brings about. */
export function signatureOf({ by, note }: Origin): Pick<JournalEntry, 'by' | 'note'> {
  return note === undefined ? { by } : { by, note };
}
