import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRouteWithContext,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import en from '../../../i18n/user/en.json' with { type: 'json' };
import es from '../../../i18n/user/es.json' with { type: 'json' };
import type { PublicSite } from '../../../src/site/site.ts';
import { favoriteIds } from '../api/queries.ts';
import type { SiteApi } from '../api/site-api.ts';
import { createNotices } from '../site/notices.ts';
import type { Site } from '../site/site.ts';
import { createLanguage } from '../words/language.ts';
import { SAVED, Showcase, VISITOR } from './showcase.tsx';
import '../styles/site.css';

/** The page of all primitives: no server, a visitor who is signed in, one home saved. */
const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
const api = {
  favorites: { add: async () => ({}), remove: async () => ({}), listIds: async () => SAVED },
  users: { getMe: async () => VISITOR },
} as unknown as SiteApi;
queries.setQueryData(favoriteIds(api).queryKey, SAVED);
const SITE: PublicSite = {
  name: 'Showcase',
  legalName: 'Showcase',
  tagline: { en: 'All primitives', es: 'Todas las piezas' },
  supportEmail: 'showcase@example.com',
  phone: null,
  address: '',
  license: null,
  equalHousing: false,
  takedownEmail: 'showcase@example.com',
  messages: { en: {}, es: {} },
  icon: '',
  logo: null,
  languages: ['en', 'es'],
  defaultLanguage: 'en',
  currency: 'USD',
  areaUnits: 'Square Feet',
  country: 'US',
  mapPlace: { latitude: 0, longitude: 0, zoom: 2 },
};
const catalogs = { en, es };
const site: Site = {
  api,
  queries,
  language: createLanguage(
    { locale: 'en', parts: [], catalog: en, units: SITE },
    async (locale) => catalogs[locale],
  ),
  settings: {
    site: SITE,
    origin: location.origin,
    agentsNeedInvitation: false,
    commute: null,
    sample: false,
    feeds: [],
    map: { styleUrl: null, pmtilesUrl: null },
    providers: { google: null, apple: null },
    crashReports: null,
  },
  texts: async () => '',
  notices: createNotices((ms, work) => setTimeout(work, ms)),
  account: null,
  marks: null,
  person: null,
  sender: null,
  written: null,
};
const router = createRouter({
  routeTree: createRootRouteWithContext<Site>()({ component: Showcase }),
  context: site,
  history: createMemoryHistory({ initialEntries: ['/'] }),
  Wrap: ({ children }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider>,
});
createRoot(document.body).render(<RouterProvider router={router as never} />);
