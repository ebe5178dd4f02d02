import { withoutLocale } from '../../../i18n/languages.ts';

/**
 * Words that not every page says: those of provenance pages, which are separate documents, those of the studio, and those
 * that only the pages of one folder of the studio say. Each part is a file of its own in the build.
 */
export const STUDIO_FOLDERS = ['listings', 'details', 'photos', 'publish', 'review'] as const;
export type StudioFolder = (typeof STUDIO_FOLDERS)[number];
export const WORD_PARTS = ['provenance', 'studio', ...STUDIO_FOLDERS] as const;
export type WordPart = (typeof WORD_PARTS)[number];

/** What only the pages of one folder say. Two folders may say the same. */
export const WORDS_OF_FOLDER: Readonly<Record<StudioFolder, RegExp>> = {
  listings: /^studio\.(?:offers|invite)\./,
  details: /^(?:studio\.(?:field|details|draft|unit)|description)\./,
  photos:
    /^(?:furniture|job|studio\.(?:altered|upload|brief|picture|photo\.(?!name|choose|delete|inUse)|staging\.(?!open)))/,
  publish: /^(?:disclosure|studio\.(?:disclosure|agents|publish|need|sale|offers))\./,
  review: /^studio\.(?:key|reason|view|review\.(?!start|approveSeveral))/,
};

/** The parts that a folder of pages says. */
export function partsOfFolder(folder: string): WordPart[] {
  return ['studio', ...STUDIO_FOLDERS.filter((one) => one === folder)];
}

/** The parts that the page at an address says. */
export function partsOfPath(pathname: string): WordPart[] {
  const path = withoutLocale(pathname);
  if (hasOwnPolicy(path)) return ['provenance'];
  const match = /^\/studio(?:\/([^/]+))?(?:\/([^/]+))?\/?$/.exec(path);
  if (match === null) return [];
  const [, first, second] = match;
  if (first === undefined) return partsOfFolder('listings');
  if (first === 'new') return partsOfFolder('details');
  return partsOfFolder(first === 'tours' ? first : (second ?? 'photos'));
}

/** Whether a page inside the router has a policy of its own: what may run is decided by its document. */
export const hasOwnPolicy = (path: string): boolean => path.startsWith('/provenance/');
