import { forgetRecords, type Keeper, keptRecords, readJson } from '../site/keeper.ts';

/**
 * What the browser keeps of a person: lists whose entries bear the id. No one else at this browser may find it or send it,
 * so it is removed as soon as another person, or no one, is signed in.
 */

/** The files that are on their way (`pages/studio/photos/upload-store.ts`). */
const UPLOADS = { database: 'studio', table: 'uploads' } as const;
/** The order of pictures that is being sent (`pages/studio/staging/unsent-order.ts`). */
export const UNSENT_ORDER = 'studio-order';
/** Decisions that were not answered (`pages/studio/review/unsent-decisions.ts`). */
export const UNSENT_DECISIONS = 'studio-decisions';
/** Where a person publishes (`pages/studio/publish/chosen-market.ts`). */
export const CHOSEN_MARKETS = 'studio-markets';
/** Messages that were not answered (`pages/inbox/messages/unsent-messages.ts`). */
export const UNSENT_MESSAGES = 'unsent-messages';
export const RECENT_SEARCHES = 'recent-searches';
/** Where travel times are shown to (`commute-place.ts`). */
export const COMMUTE_PLACE = 'commute-place';

/** Homes that were seen, hidden or marked for comparing (`session/home-marks.ts`). */
export const HOME_MARKS = 'home-marks';

const LISTS = [
  UNSENT_ORDER,
  UNSENT_DECISIONS,
  UNSENT_MESSAGES,
  CHOSEN_MARKETS,
  RECENT_SEARCHES,
  COMMUTE_PLACE,
  HOME_MARKS,
];

/** As it was read: what else it holds is to be checked. */
export type KeptEntry = Readonly<Record<string, unknown>>;

/** The entries that a list holds, of whomever they are. */
export function keptList(keeper: Pick<Keeper, 'getItem'>, key: string): readonly KeptEntry[] {
  const list = readJson(keeper, key);
  return Array.isArray(list) ? list.filter((one) => typeof one === 'object' && one !== null) : [];
}

export function keepList(keeper: Keeper, key: string, list: readonly object[]): void {
  if (list.length === 0) keeper.removeItem(key);
  else keeper.setItem(key, JSON.stringify(list));
}

interface UploadRecord {
  readonly key: string;
  readonly personId: string;
}

/** Files that are on their way, as the browser keeps them. */
export const uploadRecords = <T extends UploadRecord>() => keptRecords<T>(UPLOADS.database, UPLOADS.table);

/** @param person null when no one is signed in */
export function forgetOthers(keeper: Keeper, person: string | null): void {
  if (person !== null) adoptMarks(keeper, person);
  for (const key of LISTS) {
    const own = keptList(keeper, key).filter(({ personId }) => personId === person);
    keepList(keeper, key, own);
  }
  if (person === null) forgetRecords(UPLOADS.database);
  else void forgetFilesOfOthers(person);
}

/** The homes that a visitor has marked go over to the person who signs in, all of them unknown to the server. */
function adoptMarks(keeper: Keeper, person: string): void {
  const own = keptList(keeper, HOME_MARKS).map((one) =>
    one.personId === null ? { ...one, personId: person, unsent: one } : one,
  );
  keepList(keeper, HOME_MARKS, own);
}

async function forgetFilesOfOthers(person: string): Promise<void> {
  const records = uploadRecords<UploadRecord>();
  for (const { key, personId } of await records.all()) if (personId !== person) await records.remove(key);
}
