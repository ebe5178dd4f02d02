import { notifyManager, QueryClient } from '@tanstack/react-query';
import { RouterClient } from '@tanstack/react-router/ssr/client';
import { hydrateRoot } from 'react-dom/client';
import { type Locale, localeOfPath, withoutLocale } from '../../i18n/languages.ts';
import { wordsOfSite } from '../../i18n/site-words.ts';
import { DEFAULT_RETRIES, systemTiming } from '../typescript/timing.ts';
import { createBrowserSender } from './api/browser-sender.ts';
import { failureOf } from './api/failures.ts';
import { takeAnswers } from './api/loaded-answers.ts';
import { createAccount, createBrowserApi } from './api/site-api.ts';
import { takeRoutes } from './app/loaded-routes.ts';
import { createSiteRouter } from './app/router.tsx';
import { createHomeMarks } from './session/home-marks.ts';
import { HOME_MARKS, UNSENT_DECISIONS } from './session/kept-of-person.ts';
import { createPagePerson, reloadForOther, takeReload } from './session/page-person.ts';
import { forgetPending } from './session/pending-action.ts';
import { askAgain, drawnFor, forgetPerson } from './session/person.ts';
import { rememberPresses } from './site/early-press.ts';
import { reportErrors } from './site/error-reports.ts';
import { kept } from './site/keeper.ts';
import { createNotices } from './site/notices.ts';
import { readPublicSettings } from './site/public-settings.ts';
import type { Site } from './site/site.ts';
import { createLanguage } from './words/language.ts';
import type { Catalog } from './words/text.ts';
import { partsOfPath, type WordPart } from './words/word-parts.ts';
import './styles/site.css';

/** Starts the pages in the browser, from the document that the server has made. */

type Words = () => Promise<{ default: Catalog }>;
const FOR_ALL: Record<Locale, Words> = {
  en: () => import('../../i18n/user/en.json'),
  es: () => import('../../i18n/user/es.json'),
};
const PARTS: Record<WordPart, Record<Locale, Words>> = {
  provenance: {
    en: () => import('../../i18n/user/en.json?provenance'),
    es: () => import('../../i18n/user/es.json?provenance'),
  },
  features: {
    en: () => import('../../i18n/user/en.json?features'),
    es: () => import('../../i18n/user/es.json?features'),
  },
  tour: {
    en: () => import('../../i18n/user/en.json?tour'),
    es: () => import('../../i18n/user/es.json?tour'),
  },
  home: {
    en: () => import('../../i18n/user/en.json?home'),
    es: () => import('../../i18n/user/es.json?home'),
  },
  search: {
    en: () => import('../../i18n/user/en.json?search'),
    es: () => import('../../i18n/user/es.json?search'),
  },
  inbox: {
    en: () => import('../../i18n/user/en.json?inbox'),
    es: () => import('../../i18n/user/es.json?inbox'),
  },
  account: {
    en: () => import('../../i18n/user/en.json?account'),
    es: () => import('../../i18n/user/es.json?account'),
  },
  saved: {
    en: () => import('../../i18n/user/en.json?saved'),
    es: () => import('../../i18n/user/es.json?saved'),
  },
  searches: {
    en: () => import('../../i18n/user/en.json?searches'),
    es: () => import('../../i18n/user/es.json?searches'),
  },
  uploads: {
    en: () => import('../../i18n/user/en.json?uploads'),
    es: () => import('../../i18n/user/es.json?uploads'),
  },
  studio: { en: () => import('../../i18n/agent/en.json'), es: () => import('../../i18n/agent/es.json') },
  listings: {
    en: () => import('../../i18n/agent/en.json?listings'),
    es: () => import('../../i18n/agent/es.json?listings'),
  },
  details: {
    en: () => import('../../i18n/agent/en.json?details'),
    es: () => import('../../i18n/agent/es.json?details'),
  },
  photos: {
    en: () => import('../../i18n/agent/en.json?photos'),
    es: () => import('../../i18n/agent/es.json?photos'),
  },
  publish: {
    en: () => import('../../i18n/agent/en.json?publish'),
    es: () => import('../../i18n/agent/es.json?publish'),
  },
  review: {
    en: () => import('../../i18n/agent/en.json?review'),
    es: () => import('../../i18n/agent/es.json?review'),
  },
  figures: {
    en: () => import('../../i18n/agent/en.json?figures'),
    es: () => import('../../i18n/agent/es.json?figures'),
  },
  preview: {
    en: () => import('../../i18n/agent/en.json?preview'),
    es: () => import('../../i18n/agent/es.json?preview'),
  },
  webhooks: {
    en: () => import('../../i18n/agent/en.json?webhooks'),
    es: () => import('../../i18n/agent/es.json?webhooks'),
  },
};

/** In this build a part has only what no other one has that its pages load. */
async function load(locale: Locale, parts: readonly WordPart[]): Promise<Catalog> {
  const loaded = await Promise.all(
    [FOR_ALL, ...parts.map((part) => PARTS[part])].map((one) => one[locale]()),
  );
  return wordsOfSite(Object.assign({}, ...loaded.map((one) => one.default)), settings.site, locale);
}

const FRESH_MS = 60_000;
/** As long as Back leads to the whole list that a visitor left, and no longer. */
const KEPT_MS = 3_600_000;
/** Longer than a decision can be taken back. */
const RESUME_MS = 6_000;

const settings = readPublicSettings(document);
const locale = localeOfPath(settings.site, location.pathname);
const parts = partsOfPath(location.pathname);
const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: FRESH_MS, gcTime: KEPT_MS },
    // Without a network a form fails at once, instead of being sent at some later time.
    mutations: { networkMode: 'always' },
  },
});
// A button is disabled before a second press can arrive; the usual timer of zero milliseconds would be later.
notifyManager.setScheduler(queueMicrotask);
const notices = createNotices((ms, run) => void setTimeout(run, ms));
takeAnswers(document, queries);
const isReload = takeReload();
const person = createPagePerson({
  drawnFor: drawnFor(queries),
  onChanged: reloadForOther,
  ask: () => askAgain(queries),
});
// The browser has not heard of the person whom the server knows.
if (isReload && drawnFor(queries) === undefined) person.signedIn();
notices.setOfOther(isReload);
const sender = createBrowserSender({
  fetch: (input, init) => fetch(input, init),
  timing: systemTiming,
  retries: DEFAULT_RETRIES,
  newKey: () => crypto.randomUUID(),
  person: person.current,
  onPersonChanged: reloadForOther,
  onUnauthorized: () => forgetPerson({ queries, person }),
  // An answer may come just after the connection has gone.
  onReachable: (isReachable) => notices.setOffline(!isReachable || !navigator.onLine),
});
rememberPresses(document);
addEventListener('offline', () => notices.setOffline(true));
addEventListener('online', () => notices.setOffline(false));

async function readText(name: string): Promise<string> {
  const response = await fetch(`/legal/${name}.txt`);
  if (!response.ok) throw new Error(`The text ${name} was answered with ${response.status}`);
  return response.text();
}

const report =
  settings.crashReports === null
    ? () => {}
    : reportErrors(settings.crashReports, () => router.state.matches.at(-1)?.fullPath ?? 'unknown');

const language = createLanguage(
  { locale, parts, catalog: await load(locale, parts), units: settings.site },
  load,
);
// Back may lead to a page in another language.
addEventListener('popstate', () => void language.switchTo(localeOfPath(settings.site, location.pathname)));

const api = createBrowserApi(sender);
const marks = createHomeMarks({ keeper: kept, person: person.current, merge: api.homes.merge });
addEventListener('storage', ({ key }) => key === HOME_MARKS && marks.refresh());

const site: Site = {
  api,
  marks,
  account: createAccount(sender),
  person,
  sender,
  queries,
  notices,
  language,
  settings,
  written: null,
  texts: readText,
};
const router = createSiteRouter(site);
const leaveSignIn = (): void => {
  if (person.current() === null && withoutLocale(location.pathname) !== '/sign-in') forgetPending();
};
leaveSignIn();
router.subscribe('onResolved', leaveSignIn);
takeRoutes(document);
hydrateRoot(document, <RouterClient router={router} />, {
  // A failed call is reported by the server, or the network is down.
  onCaughtError: (error) => {
    console.error(error);
    if (failureOf(error).httpStatus === null) report(error);
  },
});
// A browser may end a page before its last requests are on their way. In another tab they may wait to be taken back, and
// a session that has ended would refuse them.
setTimeout(() => {
  if (person.current() == null || kept.getItem(UNSENT_DECISIONS) === null) return;
  // If the script cannot be loaded now, a later page sends them.
  void import('./pages/studio/review/use-decisions.ts').then(
    ({ resumeDecisions }) => resumeDecisions(site),
    () => undefined,
  );
}, RESUME_MS);
// Only for the page that is shown without a connection; the site works without it.
if ('serviceWorker' in navigator)
  void navigator.serviceWorker.register('/service-worker.js').catch(() => undefined);
