import { useSyncExternalStore } from 'react';
import { usePerson } from '../session/person.ts';
import { useSite, useText } from '../site/use-site.ts';
import { Button } from './button.tsx';
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

const isNot = (): boolean => false;

/** Says that the page was loaded again, and for whom. */
export function OtherPersonBanner() {
  const { notices } = useSite();
  const isShown = useSyncExternalStore(notices.subscribe, notices.isOfOther, isNot);
  return <div role="status">{isShown ? <NowSignedIn /> : null}</div>;
}

function NowSignedIn() {
  const { notices } = useSite();
  const { t } = useText();
  const person = usePerson();
  if (person === undefined) return null;
  return (
    <p className="offline-banner">
      {person === null ? t('session.nowSignedOut') : t('session.nowSignedIn', { email: person.email })}{' '}
      <Button kind="quiet" onPress={() => notices.setOfOther(false)}>
        {t('common.close')}
      </Button>
    </p>
  );
}

/** Short messages over the page. */
export function Toasts() {
  const { notices } = useSite();
  const { t } = useText();
  const shown = useSyncExternalStore(notices.subscribe, notices.current, notices.current);
  return (
    <div className="toasts" role="status">
      {shown.map(({ id, key, undo }) => (
        <p key={id} className="toast">
          {t(key)}
          {undo === undefined ? null : (
            <Button
              kind="quiet"
              onPress={() => {
                notices.drop(id);
                undo();
              }}
            >
              {t('common.undo')}
            </Button>
          )}
        </p>
      ))}
    </div>
  );
}
