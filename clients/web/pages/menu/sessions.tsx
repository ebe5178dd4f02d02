import { useQuery } from '@tanstack/react-query';
import { sessions } from '../../api/queries.ts';
import { Button } from '../../primitives/button.tsx';
import { ListRow, Section, Skeleton } from '../../primitives/parts.tsx';
import { useSite, useText } from '../../site/use-site.ts';

/** Where the person is signed in; each other session can be ended, or all of them at once. */
export function Sessions() {
  const { api, queries, notices } = useSite();
  const { t, dateTime } = useText();
  const { data } = useQuery({ ...sessions(api), staleTime: 0 });
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const end = async (call: () => Promise<unknown>): Promise<void> => {
    try {
      await call();
    } catch {
      notices.say('errors.internal');
    }
    await queries.invalidateQueries({ queryKey: sessions(api).queryKey });
  };
  return (
    <Section title={t('menu.sessions')}>
      {data === undefined ? (
        <Skeleton height="6rem" />
      ) : (
        <ul>
          {data.sessions.map(({ sessionId, client, system, lastUsedAt, current }) => (
            <li key={sessionId}>
              <ListRow
                title={[client, system].filter((part) => part !== null).join(', ') || t('menu.unknownDevice')}
                detail={
                  current ? t('menu.thisDevice') : t('menu.lastUsed', { when: dateTime(lastUsedAt, zone) })
                }
              >
                {current ? null : (
                  <Button onPress={() => void end(() => api.users.revokeSession({ sessionId }))}>
                    {t('menu.endSession')}
                  </Button>
                )}
              </ListRow>
            </li>
          ))}
        </ul>
      )}
      {data !== undefined && data.sessions.length > 1 ? (
        <div className="stack">
          <p className="muted">{t('menu.endOtherSessionsText')}</p>
          <div>
            <Button kind="danger" onPress={() => void end(() => api.users.revokeOtherSessions())}>
              {t('menu.endOtherSessions')}
            </Button>
          </div>
        </div>
      ) : null}
    </Section>
  );
}
