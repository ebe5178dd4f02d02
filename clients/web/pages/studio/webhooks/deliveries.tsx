import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from '../../../primitives/button.tsx';
import { LoadFailed, LoadMore } from '../../../primitives/list-parts.tsx';
import { Skeleton, StatusBadge } from '../../../primitives/parts.tsx';
import type { StatusTone } from '../../../primitives/status-tones.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import { useAct } from '../use-act.ts';
import { type OwnWebhook, type WebhookDelivery, webhookDeliveries } from './webhook-queries.ts';

const TONES: Readonly<Record<string, StatusTone>> = {
  WAITING: 'warning',
  DELIVERED: 'success',
  FAILED: 'danger',
  DROPPED: 'neutral',
};

/** What was sent to a webhook, the newest first. */
export function Deliveries({ webhook }: { readonly webhook: OwnWebhook }) {
  const { api } = useSite();
  const { t } = useText();
  const list = useInfiniteQuery(webhookDeliveries(api, webhook.webhookId));
  const items = list.data?.pages.flatMap((page) => page.items);
  if (items === undefined)
    return list.isError ? <LoadFailed onRetry={() => void list.refetch()} /> : <Skeleton height="8rem" />;
  if (items.length === 0) return <p className="muted">{t('studio.webhooks.noDeliveries')}</p>;
  return (
    <>
      <ul className="deliveries">
        {items.map((delivery) => (
          <li key={delivery.deliveryId}>
            <Delivery webhook={webhook} delivery={delivery} />
          </li>
        ))}
      </ul>
      <LoadMore list={list} />
    </>
  );
}

interface DeliveryProps {
  readonly webhook: OwnWebhook;
  readonly delivery: WebhookDelivery;
}

function Delivery({ webhook: { webhookId, state: webhookState }, delivery }: DeliveryProps) {
  const { api, queries, notices } = useSite();
  const { t, dateTime } = useText();
  const { isBusy, act } = useAct();
  const { deliveryId, event, state, attempts, createdAt, nextAttemptAt } = delivery;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const again = (): Promise<boolean> =>
    act(async () => {
      await api.webhooks.resend({ deliveryId });
      notices.say('studio.webhooks.resent');
      await queries.invalidateQueries({ queryKey: webhookDeliveries(api, webhookId).queryKey });
    });
  return (
    <div className="delivery">
      <StatusBadge tone={TONES[state] ?? 'neutral'}>{t(`studio.webhooks.state.${state}`)}</StatusBadge>
      <div className="delivery-what">
        <strong>{t(`studio.webhooks.event.${event}`)}</strong>
        <span className="muted">
          {dateTime(createdAt, zone)}
          {attempts === 0 ? null : ` · ${t('studio.webhooks.attempts', { count: attempts })}`}
        </span>
        <Result delivery={delivery} />
        {nextAttemptAt === null || attempts === 0 ? null : (
          <span className="muted">
            {t('studio.webhooks.nextTry', { when: dateTime(nextAttemptAt, zone) })}
          </span>
        )}
        <code className="muted webhook-code">{deliveryId}</code>
      </div>
      {webhookState === 'OFF' || (state === 'WAITING' && attempts === 0) ? null : (
        <Button isDisabled={isBusy} onPress={() => void again()}>
          {t(state === 'WAITING' ? 'studio.webhooks.sendNow' : 'studio.webhooks.resend')}
        </Button>
      )}
    </div>
  );
}

/** The last answer; nothing before the first one. */
function Result({ delivery: { status, problem, tookMs } }: { readonly delivery: WebhookDelivery }) {
  const { t, number } = useText();
  if (problem !== null)
    return (
      <span className="delivery-problem">
        {t(`studio.webhooks.problem.${problem}`, { status: status ?? 0 })}
      </span>
    );
  if (status === null || tookMs === null) return null;
  return <span className="muted">{t('studio.webhooks.status', { status, ms: number(tookMs) })}</span>;
}
