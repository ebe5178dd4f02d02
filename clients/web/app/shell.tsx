import { Link, type LinkProps, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import type { PublicSite } from '../../../src/site/site.ts';
import { unreadThreads } from '../api/queries.ts';
import { useAnswer } from '../api/use-answer.ts';
import { PlaceSearch } from '../pages/search/place-search.tsx';
import { CompareBar } from '../primitives/compare-bar.tsx';
import { Icon, type IconName } from '../primitives/icon.tsx';
import { OfflineBanner, OtherPersonBanner, Toasts } from '../primitives/notices.tsx';
import { usePerson } from '../session/person.ts';
import { useSite, useText } from '../site/use-site.ts';
import type { Text } from '../words/text.ts';
import './shell.css';

interface Tab {
  readonly to: LinkProps['to'];
  readonly key: string;
  readonly icon: IconName;
}

const TABS: readonly Tab[] = [
  { to: '/search', key: 'tabs.search', icon: 'search' },
  { to: '/', key: 'tabs.discovery', icon: 'home' },
  { to: '/favorites', key: 'tabs.favorites', icon: 'heart' },
  { to: '/inbox', key: 'tabs.inbox', icon: 'inbox' },
  { to: '/menu', key: 'tabs.menu', icon: 'menu' },
];
/** Of agents, on a desktop: a phone has no room for a sixth, there it is the first entry of the menu. */
const STUDIO: Tab = { to: '/studio', key: 'tabs.studio', icon: 'photos' };

const LEGAL: readonly { readonly to: LinkProps['to']; readonly key: string }[] = [
  { to: '/about', key: 'legal.about' },
  { to: '/privacy', key: 'legal.privacy' },
  { to: '/terms', key: 'legal.terms' },
  { to: '/contact', key: 'legal.contact' },
];

/** The five tabs around every page: at the bottom of a phone, at the top of a desktop. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { t, locale, dateTime } = useText();
  const { settings } = useSite();
  const { site } = settings;
  // The studio is for work on one's own listings.
  const isWithoutSearch = useRouterState({
    select: ({ location: { pathname } }) => pathname === '/' || /^\/(?:search|studio)/.test(pathname),
  });
  // From now on taps do more than links and forms do by themselves; tests wait for it.
  useEffect(() => {
    document.documentElement.dataset.ready = '';
  }, []);
  return (
    <>
      <a className="shell-skip" href="#main">
        {t('shell.skipToContent')}
      </a>
      <header className="shell-bar">
        <SiteName />
        {isWithoutSearch ? null : <PlaceSearch id="shell-place" />}
        <Tabs />
      </header>
      {settings.sample && <p className="shell-sample">{t('shell.sample')}</p>}
      <OfflineBanner />
      <OtherPersonBanner />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <CompareBar />
      <footer className="shell-foot">
        {LEGAL.map(({ to, key }) => (
          <Link key={key} to={to}>
            {t(key)}
          </Link>
        ))}
        <p className="shell-operator">{operatorLine(site, t)}</p>
        {settings.feeds.map(({ words, updatedAt }) => (
          <p key={words.en} className="shell-operator">
            {words[locale]}{' '}
            {updatedAt === null ? null : t('legal.updated', { when: dateTime(updatedAt, 'UTC') })}
          </p>
        ))}
      </footer>
      <Toasts />
    </>
  );
}

function Tabs() {
  const { api } = useSite();
  const { t } = useText();
  const person = usePerson();
  const unread = useAnswer({ ...unreadThreads(api), enabled: person != null });
  const count = person == null ? 0 : (unread?.count ?? 0);
  return (
    <nav className="shell-tabs" aria-label={t('shell.tabs')}>
      {(person?.role === 'agent' ? [STUDIO, ...TABS] : TABS).map((tab) => (
        <Link
          key={tab.key}
          to={tab.to}
          className={tab === STUDIO ? 'shell-tab shell-tab-wide' : 'shell-tab'}
          activeOptions={{ exact: tab.to === '/', includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
        >
          <Icon name={tab.icon} />
          {t(tab.key)}
          {tab.to === '/inbox' && count > 0 ? <Unread count={count} /> : null}
        </Link>
      ))}
    </nav>
  );
}

/** More than fit into the badge. */
const MANY_UNREAD = 99;

function Unread({ count }: { readonly count: number }) {
  const { t, number } = useText();
  return (
    <>
      <span className="shell-unread" aria-hidden="true">
        {count > MANY_UNREAD ? `${number(MANY_UNREAD)}+` : number(count)}
      </span>
      <span className="visually-hidden">{t('inbox.unread', { count })}</span>
    </>
  );
}

/** The operator's logo, or the name in the typeface of headings. */
function SiteName() {
  const { logo, name } = useSite().settings.site;
  return (
    <Link to="/" className="shell-name">
      {logo === null ? (
        name
      ) : (
        <>
          <img className="shell-logo shell-logo-light" src={logo.light} alt={name} />
          <img className="shell-logo shell-logo-dark" src={logo.dark} alt={name} />
        </>
      )}
    </Link>
  );
}

/** Who answers for the site: the firm, its license, its address, and that it treats everyone the same. */
const operatorLine = ({ legalName, license, address, equalHousing }: PublicSite, t: Text['t']): string =>
  [
    legalName,
    license === null ? null : t('legal.license', { license }),
    address,
    equalHousing ? t('legal.equalHousing') : null,
  ]
    .filter((part) => part !== null)
    .join(' · ');
