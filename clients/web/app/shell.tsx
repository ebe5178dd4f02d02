import { Link, type LinkProps, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import type { PublicSite } from '../../../src/site/site.ts';
import { PlaceSearch } from '../pages/search/place-search.tsx';
import { CompareBar } from '../primitives/compare-bar.tsx';
import { Icon, type IconName } from '../primitives/icon.tsx';
import { OfflineBanner, OtherPersonBanner, Toasts } from '../primitives/notices.tsx';
import { useSite, useText } from '../site/use-site.ts';
import type { Text } from '../words/text.ts';
import './shell.css';

const TABS: readonly { readonly to: LinkProps['to']; readonly key: string; readonly icon: IconName }[] = [
  { to: '/search', key: 'tabs.search', icon: 'search' },
  { to: '/', key: 'tabs.discovery', icon: 'home' },
  { to: '/favorites', key: 'tabs.favorites', icon: 'heart' },
  { to: '/inbox', key: 'tabs.inbox', icon: 'inbox' },
  { to: '/menu', key: 'tabs.menu', icon: 'menu' },
];

const LEGAL: readonly { readonly to: LinkProps['to']; readonly key: string }[] = [
  { to: '/about', key: 'legal.about' },
  { to: '/privacy', key: 'legal.privacy' },
  { to: '/terms', key: 'legal.terms' },
  { to: '/contact', key: 'legal.contact' },
];

/** The five tabs around every page: at the bottom of a phone, at the top of a desktop. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { t } = useText();
  const { settings } = useSite();
  const { site } = settings;
  const hasOwnSearch = useRouterState({
    select: ({ location }) => ['/', '/search'].includes(location.pathname),
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
        {hasOwnSearch ? null : <PlaceSearch id="shell-place" />}
        <nav className="shell-tabs" aria-label={t('shell.tabs')}>
          {TABS.map(({ to, key, icon }) => (
            <Link
              key={key}
              to={to}
              className="shell-tab"
              activeOptions={{ exact: to === '/', includeSearch: false }}
              activeProps={{ 'aria-current': 'page' }}
            >
              <Icon name={icon} />
              {t(key)}
            </Link>
          ))}
        </nav>
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
      </footer>
      <Toasts />
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
