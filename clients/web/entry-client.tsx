import { QueryClient } from '@tanstack/react-query';
import { RouterClient } from '@tanstack/react-router/ssr/client';
import { hydrateRoot } from 'react-dom/client';
import type { Locale } from '../../i18n/translator.ts';
import { createBrowserApi } from './app/api.ts';
import { createBrowserSender } from './app/browser-sender.ts';
import { createLanguage, localeOfPath } from './app/language.ts';
import { readPublicSettings } from './app/public-settings.ts';
import { createSiteRouter } from './app/router.tsx';
import type { Catalog } from './app/text.ts';
import './styles/site.css';

/** Starts the pages in the browser, from the document that the server has made. */

const CATALOGS: Record<Locale, () => Promise<{ default: Catalog }>> = {
  en: () => import('../../i18n/user/en.json'),
  es: () => import('../../i18n/user/es.json'),
};
const load = async (locale: Locale): Promise<Catalog> => (await CATALOGS[locale]()).default;

const locale = localeOfPath(location.pathname);
const router = createSiteRouter({
  api: createBrowserApi(createBrowserSender()),
  queries: new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } }),
  language: createLanguage({ locale, catalog: await load(locale) }, load),
  settings: readPublicSettings(document),
});
hydrateRoot(document, <RouterClient router={router} />);
