import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Outputs } from '../../../../typescript/procedures.ts';
import type { AddressQuery } from '../../../addresses/address-query.ts';
import { problemText } from '../../../api/failures.ts';
import { Button } from '../../../primitives/button.tsx';
import { Problem } from '../../../primitives/parts.tsx';
import { useSite, useText } from '../../../site/use-site.ts';

const route = getRouteApi('/unsubscribe');
/** Without scripts the form goes to the route that mail programs call (docs/contract.md#mail). */
const SWITCHES = '/api/alert-switches';

/**
 * Ends the alerts by mail that the address of a mail is about, on a press: programs open the links of mails by themselves.
 */
export function Component() {
  const { t } = useText();
  const query: AddressQuery = route.useSearch();
  const token = typeof query.token === 'string' ? query.token : '';
  return (
    <div className="page page-narrow">
      <h1>{t('unsubscribe.title')}</h1>
      {token === '' || query.done === 'no' ? (
        <p>{t('unsubscribe.noToken')}</p>
      ) : (
        <Stop token={token} done={String(query.done)} />
      )}
      <p>
        <Link to="/searches">{t('unsubscribe.manage')}</Link>
      </p>
    </div>
  );
}

/** What has ended, after a form without scripts. */
const SENT: Readonly<Partial<Record<string, string>>> = { 1: 'THESE', all: 'ALL' };

interface StopProps {
  readonly token: string;
  /** What the address says of a form that was sent without scripts. */
  readonly done: string;
}

function Stop({ token, done }: StopProps) {
  const { api } = useSite();
  const text = useText();
  const { t } = text;
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: (all: boolean) => api.alerts.unsubscribe({ token, all }),
  });
  const about = data === undefined ? (SENT[done] ?? null) : endedBy(data);
  const form = { token, isPending, onSubmit: mutate };
  return (
    <div className="stack">
      <div className="stack" role="status">
        {about === null ? null : <p>{t(`unsubscribe.done.${about}`, { name: data?.name ?? '' })}</p>}
      </div>
      {about === null ? (
        <>
          <p>{t('unsubscribe.text')}</p>
          <StopForm {...form} all={false} />
        </>
      ) : about === 'ALL' ? null : (
        <StopForm {...form} all />
      )}
      <Problem text={problemText(text, error)} />
    </div>
  );
}

/** A search that has been removed has no name. */
const endedBy = ({ about, name }: Outputs['alerts']['unsubscribe']): string =>
  about === 'SEARCH' && name === null ? 'THESE' : about;

interface StopFormProps {
  readonly token: string;
  readonly all: boolean;
  readonly isPending: boolean;
  readonly onSubmit: (all: boolean) => void;
}

function StopForm({ token, all, isPending, onSubmit }: StopFormProps) {
  const { t, locale } = useText();
  return (
    <form
      method="post"
      action={`${SWITCHES}/${encodeURIComponent(token)}`}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(all);
      }}
    >
      <input type="hidden" name="page" value={locale} />
      {all ? <input type="hidden" name="all" value="1" /> : null}
      <Button kind={all ? 'secondary' : 'primary'} type="submit" isDisabled={isPending}>
        {t(all ? 'unsubscribe.all' : 'unsubscribe.stop')}
      </Button>
    </form>
  );
}
