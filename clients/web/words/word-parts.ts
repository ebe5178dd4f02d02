import { withoutLocale } from '../../../i18n/languages.ts';

/**
 * Words that not every page says: those of some pages for everyone, those of the studio, and those that only the pages of
 * one folder of the studio say. Each part is a file of its own in the build.
 */
export const PAGE_PARTS = [
  'provenance',
  'home',
  'search',
  'inbox',
  'account',
  'saved',
  'searches',
  'features',
  'tour',
  'uploads',
] as const;
export type PagePart = (typeof PAGE_PARTS)[number];

/** What only these pages say, of the catalog for everyone. */
export const WORDS_OF_PAGES: Readonly<Record<PagePart, RegExp>> = {
  provenance: /^provenance\./,
  home: /^(?:attribution|openHouse|payment|neighborhood|priceHistory|priceEvent|fact|photos)\.(?!title|description)|^listing\.(?:allFacts|allFeatures|code|directions|linkCopied|notShared|openMaps|print|similar|surroundings)/,
  search: /^(?:search|filter|sort|chip|suggestion|discovery)\.(?!title|lead|place|go|noSuggestion)/,
  // What is said of a tour after its request.
  inbox:
    /^(?:tours|inbox)\.(?!unread)|^tour\.(?:action|agreedTime|chooseTime|contested|heldTime|noteToOther|proposedTimes|reason|saveCalendar|sendProposal|status)|^errors\.(?:mismatchTooLate|threadClosed|tourNotCompleted)/,
  account:
    /^(?:menu\.(?!saved)|signIn\.(?!title|signIn|code)|invitation\.(?!title)|errors\.(?:emailNotVerified|identityKeys|invalidOtp|invalidToken|mailUnavailable|oauth|otpExpired|provider|push|rateLimitUnavailable|tooManyAttempts|userEmail))/,
  saved:
    /^(?:share|shared|favorites)\.(?!title|add|remove|notSaved)|^compare\.(?:days|differs|gone|lead|none|price|status|unknown)/,
  searches: /^(?:searches|unsubscribe)\./,
  features: /^(?:feature|featureGroup|homeType|commute|map)\./,
  tour: /^tour\.|^errors\.(?:nameRequired|noAgentHere|tour)/,
  uploads: /^photo\./,
};

/** The parts of each folder of pages that has some. */
const PARTS_OF_PAGES: Readonly<Record<string, readonly PagePart[]>> = {
  provenance: ['provenance'],
  listing: ['home', 'features', 'tour'],
  search: ['search', 'features'],
  discovery: ['search', 'features'],
  compare: ['home', 'features', 'saved'],
  inbox: ['inbox', 'tour'],
  menu: ['account', 'uploads'],
  'sign-in': ['account'],
  invitation: ['account'],
  favorites: ['saved'],
  'search/saved': ['search', 'features', 'searches'],
  'studio/photos': ['uploads'],
  'studio/preview': ['home', 'features'],
  'studio/publish': ['uploads'],
  // The tours of an agent are worded as in the inbox.
  'studio/tours': ['inbox', 'tour'],
};

export const STUDIO_FOLDERS = [
  'listings',
  'details',
  'photos',
  'publish',
  'review',
  'figures',
  'preview',
  'webhooks',
] as const;
export type StudioFolder = (typeof STUDIO_FOLDERS)[number];
export const WORD_PARTS = [...PAGE_PARTS, 'studio', ...STUDIO_FOLDERS] as const;
export type WordPart = (typeof WORD_PARTS)[number];

/** What only the pages of one folder say. Two folders may say the same. */
export const WORDS_OF_FOLDER: Readonly<Record<StudioFolder, RegExp>> = {
  listings: /^studio\.(?:offers|invite|reports|new|noneText)\b/,
  details: /^(?:studio\.(?:field|details|draft|unit|address|same|price|new)|description)\./,
  photos:
    /^(?:furniture|imageOf|style|job|errors\.(?:output|prediction|provider|runner|storage|variant)|studio\.(?:altered|upload|brief|picture|export|photo\.(?!name|choose|delete|inUse)|staging\.(?!open)))/,
  publish:
    /^(?:disclosure|studio\.(?:disclosure|agents|publish|need|sale|offers|export|openHouse))\.|^errors\.(?:openHouse|tooManyOpen)/,
  review: /^studio\.(?:key|reason|reports|view|review\.(?!start|approveSeveral))|^errors\.mismatchEnded/,
  figures: /^studio\.figures\./,
  preview: /^studio\.preview\./,
  webhooks: /^studio\.webhooks\.(?!title)|^errors\.(?:webhook|tooManyWebhooks)/,
};

/** The parts that the pages of a folder say. @param folder in `pages/`; of the studio with the folder in it: `studio/review` */
export function partsOfFolder(folder: string): WordPart[] {
  const [first, second] = folder.split('/');
  const studio = first === 'studio' ? ['studio', ...STUDIO_FOLDERS.filter((one) => one === second)] : [];
  return [...(studio as WordPart[]), ...(PARTS_OF_PAGES[folder] ?? [])];
}

/** The folder of the pages at an address that begins with this, where it has another name. */
const FOLDERS: Readonly<Record<string, string>> = {
  '': 'discovery',
  properties: 'listing',
  tours: 'inbox',
  shared: 'favorites',
  searches: 'search/saved',
  unsubscribe: 'search/saved',
};

/** The parts that the page at an address says. */
export function partsOfPath(pathname: string): WordPart[] {
  const [, first = '', second, third] = withoutLocale(pathname).split('/');
  if (first !== 'studio') return partsOfFolder(FOLDERS[first] ?? first);
  if (!second) return partsOfFolder('studio/listings');
  if (second === 'new') return partsOfFolder('studio/details');
  return partsOfFolder(
    second === 'tours' || second === 'webhooks' ? `studio/${second}` : `studio/${third || 'photos'}`,
  );
}

/** Whether a page inside the router has a policy of its own: what may run is decided by its document. */
export const hasOwnPolicy = (path: string): boolean => path.startsWith('/provenance/');
