import { useMutation, useQuery } from '@tanstack/react-query';
import { problemText } from '../../../api/failures.ts';
import { PERSONAL } from '../../../api/queries.ts';
import { ButtonLink } from '../../../primitives/button.tsx';
import { LoadFailed } from '../../../primitives/list-parts.tsx';
import { EmptyState, Problem, Section, Skeleton } from '../../../primitives/parts.tsx';
import { SignInPrompt } from '../../../primitives/sign-in-prompt.tsx';
import { usePerson } from '../../../session/person.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import { CadenceSelect } from './cadence.tsx';
import { SavedRow } from './saved-row.tsx';
import { mailsOf, mailsTo, savedSearches } from './saved-searches.ts';
import './saved.css';

/** The searches that the person has saved, and how often alerts come. */
export function Component() {
  const { t } = useText();
  const person = usePerson();
  return (
    <div className="page page-narrow">
      <h1>{t('searches.title')}</h1>
      {person === undefined ? (
        <Skeleton height="20rem" />
      ) : person === null ? (
        <SignInPrompt title={t('searches.promptTitle')} text={t('searches.promptText')} path="/searches" />
      ) : (
        <>
          <Searches />
          <HomeAlerts />
        </>
      )}
    </div>
  );
}

function Searches() {
  const { api } = useSite();
  const { t } = useText();
  // The counts are news: they are asked for again whenever the page is shown.
  const { data, isPending, refetch } = useQuery({ ...savedSearches(api), staleTime: 0 });
  if (data === undefined)
    return isPending ? <Skeleton height="20rem" /> : <LoadFailed onRetry={() => void refetch()} />;
  if (data.items.length === 0)
    return (
      <EmptyState
        title={t('searches.noneTitle')}
        action={
          <ButtonLink kind="primary" to="/search">
            {t('search.title')}
          </ButtonLink>
        }
      >
        <p className="muted">{t('searches.noneText')}</p>
      </EmptyState>
    );
  return (
    <ul className="saved-searches">
      {data.items.map((search) => (
        <SavedRow key={search.id} search={search} />
      ))}
    </ul>
  );
}

/** How often alerts about saved homes come. */
function HomeAlerts() {
  const { api, queries } = useSite();
  const text = useText();
  const { t } = text;
  const query = {
    queryKey: [PERSONAL, 'alerts.getSettings'],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => api.alerts.getSettings(undefined, { signal }),
  };
  const { data, refetch, isError } = useQuery(query);
  const { error, isPending, mutate, variables } = useMutation({
    mutationFn: async (change: ReturnType<typeof mailsTo>) => {
      queries.setQueryData(query.queryKey, await api.alerts.updateSettings(change));
    },
  });
  return (
    <Section title={t('searches.homeAlerts')}>
      <p className="muted">{t('searches.homeAlertsText')}</p>
      {isError && data === undefined ? <LoadFailed onRetry={() => void refetch()} /> : null}
      {data === undefined ? null : (
        <div className="saved-search-mails">
          <CadenceSelect
            of={t('tabs.favorites')}
            value={mailsOf(isPending ? { ...data, ...variables } : data)}
            onChange={(cadence) => mutate(mailsTo(data, cadence))}
          />
        </div>
      )}
      <Problem text={problemText(text, error)} />
    </Section>
  );
}
