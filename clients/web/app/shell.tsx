import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useText } from './use-site.ts';

const TABS: readonly { readonly to: LinkProps['to']; readonly key: string }[] = [
  { to: '/search', key: 'tabs.search' },
  { to: '/', key: 'tabs.discovery' },
  { to: '/favorites', key: 'tabs.favorites' },
  { to: '/inbox', key: 'tabs.inbox' },
  { to: '/menu', key: 'tabs.menu' },
];

/** The five tabs around every page: at the bottom of a phone, at the top of a desk. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { t } = useText();
  return (
    <>
      <a className="shell-skip" href="#main">
        {t('shell.skipToContent')}
      </a>
      <nav className="shell-tabs" aria-label={t('shell.tabs')}>
        {TABS.map(({ to, key }) => (
          <Link
            key={key}
            to={to}
            activeOptions={{ exact: to === '/' }}
            activeProps={{ 'aria-current': 'page' }}
          >
            {t(key)}
          </Link>
        ))}
      </nav>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}
