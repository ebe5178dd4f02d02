import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../primitives/button.tsx';
import { LoadFailed } from '../../../primitives/list-parts.tsx';
import { EmptyState, Skeleton } from '../../../primitives/parts.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import { AgentsOnly } from '../agents-only.tsx';
import { WebhookCard } from './webhook-card.tsx';
import { myWebhooks } from './webhook-queries.ts';
import './webhooks.css';

const WebhookSheet = lazy(() => import('./webhook-sheet.tsx'));
const SecretSheet = lazy(() => import('./secret-sheet.tsx'));

/** Where programs of the agent learn of changes, and what was sent to them. */
export function Component() {
  return <AgentsOnly path="/studio/webhooks">{() => <Webhooks />}</AgentsOnly>;
}

function Webhooks() {
  const { api } = useSite();
  const { t } = useText();
  const { data, isError, refetch } = useQuery(myWebhooks(api));
  const [isAdding, setIsAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const isFull = data !== undefined && data.items.length >= data.limit;
  const add = (
    <Button kind="primary" isDisabled={data === undefined || isFull} onPress={() => setIsAdding(true)}>
      {t('studio.webhooks.add')}
    </Button>
  );
  return (
    <div className="page">
      <h1>{t('studio.webhooks.title')}</h1>
      <p className="muted webhooks-lead">{t('studio.webhooks.lead')}</p>
      {data === undefined ? (
        isError ? (
          <LoadFailed onRetry={() => void refetch()} />
        ) : (
          <Skeleton height="20rem" />
        )
      ) : data.items.length === 0 ? (
        <EmptyState title={t('studio.webhooks.none')} action={add}>
          <p className="muted">{t('studio.webhooks.noneText')}</p>
        </EmptyState>
      ) : (
        <>
          <div className="row">
            {add}
            {isFull ? (
              <span className="muted">{t('studio.webhooks.full', { limit: data.limit })}</span>
            ) : null}
          </div>
          <ul className="webhooks">
            {data.items.map((webhook) => (
              <li key={webhook.webhookId}>
                <WebhookCard webhook={webhook} onSecret={setSecret} />
              </li>
            ))}
          </ul>
          <section className="section">
            <h2>{t('studio.webhooks.verify')}</h2>
            <p className="muted webhooks-lead">{t('studio.webhooks.verifyText')}</p>
          </section>
        </>
      )}
      <Suspense fallback={null}>
        {isAdding ? (
          <WebhookSheet
            webhook={null}
            onClose={() => setIsAdding(false)}
            onSecret={(made) => {
              setIsAdding(false);
              setSecret(made);
            }}
          />
        ) : null}
        {secret === null ? null : <SecretSheet secret={secret} onClose={() => setSecret(null)} />}
      </Suspense>
    </div>
  );
}
