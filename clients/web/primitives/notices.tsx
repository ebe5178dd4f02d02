import { useSyncExternalStore } from 'react';
import { useSite, useText } from '../site/use-site.ts';
import './notices.css';

/** Says that the server cannot be reached. */
export function OfflineBanner() {
  const { notices } = useSite();
  const { t } = useText();
  const isOffline = useSyncExternalStore(notices.subscribe, notices.isOffline, notices.isOffline);
  return (
    <div role="status">{isOffline ? <p className="offline-banner">{t('offline.banner')}</p> : null}</div>
  );
}

/** Short messages over the page. */
export function Toasts() {
  const { notices } = useSite();
  const { t } = useText();
  const shown = useSyncExternalStore(notices.subscribe, notices.current, notices.current);
  return (
    <div className="toasts" role="status">
      {shown.map(({ id, key }) => (
        <p key={id} className="toast">
          {t(key)}
        </p>
      ))}
    </div>
  );
}
