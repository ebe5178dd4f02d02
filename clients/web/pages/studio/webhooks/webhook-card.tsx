import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../primitives/button.tsx';
import { StatusBadge } from '../../../primitives/parts.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import { useAct } from '../use-act.ts';
import { Deliveries } from './deliveries.tsx';
import { myWebhooks, type OwnWebhook, webhookDeliveries } from './webhook-queries.ts';

const ConfirmSheet = lazy(() => import('../confirm-sheet.tsx'));
const WebhookSheet = lazy(() => import('./webhook-sheet.tsx'));

const OFF_REASONS: Readonly<Record<string, string>> = {
  OWNER: 'studio.webhooks.offOwner',
  FAILING: 'studio.webhooks.offFailing',
  GONE: 'studio.webhooks.offGone',
  TOO_MUCH_WAITS: 'studio.webhooks.offTooMuch',
  SECRET_LOST: 'studio.webhooks.offSecret',
  SUSPENDED: 'studio.webhooks.offSuspended',
};

interface WebhookCardProps {
  readonly webhook: OwnWebhook;
  readonly onSecret: (secret: string) => void;
}

/** A webhook: where it leads, whether it works, what can be done with it, and its last deliveries. */
export function WebhookCard({ webhook, onSecret }: WebhookCardProps) {
  const { t } = useText();
  const [sheet, setSheet] = useState<'edit' | 'rotate' | 'remove' | null>(null);
  return (
    <article className="panel webhook">
      <Head webhook={webhook} />
      <Controls webhook={webhook} onSheet={setSheet} />
      <section className="section">
        <h3>{t('studio.webhooks.deliveries')}</h3>
        <Deliveries webhook={webhook} />
      </section>
      <Suspense fallback={null}>
        {sheet === null ? null : (
          <OpenSheet webhook={webhook} sheet={sheet} onSecret={onSecret} onClose={() => setSheet(null)} />
        )}
      </Suspense>
    </article>
  );
}

function Head({ webhook }: { readonly webhook: OwnWebhook }) {
  const { t, dateTime } = useText();
  const { url, events, state, offReason, offAt, deliveredAt, formerSecretUntil, waiting } = webhook;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <div className="webhook-head">
      <div className="row">
        <h2 className="webhook-url">{url}</h2>
        <StatusBadge tone={state === 'ACTIVE' ? 'success' : 'danger'}>
          {t(state === 'ACTIVE' ? 'studio.webhooks.on' : 'studio.webhooks.off')}
        </StatusBadge>
      </div>
      {offReason === null || offAt === null ? null : (
        <p className="webhook-off">
          {t(OFF_REASONS[offReason] ?? 'studio.webhooks.off', { when: dateTime(offAt, zone) })}
        </p>
      )}
      <p className="muted">{events.map((event) => t(`studio.webhooks.event.${event}`)).join(' · ')}</p>
      <p className="muted">
        {deliveredAt === null
          ? t('studio.webhooks.neverTaken')
          : t('studio.webhooks.lastTaken', { when: dateTime(deliveredAt, zone) })}
        {waiting === 0 ? null : ` · ${t('studio.webhooks.waiting', { count: waiting })}`}
      </p>
      {formerSecretUntil === null ? null : (
        <p className="muted">
          {t('studio.webhooks.formerUntil', { when: dateTime(formerSecretUntil, zone) })}
        </p>
      )}
    </div>
  );
}

interface ControlsProps {
  readonly webhook: OwnWebhook;
  readonly onSheet: (sheet: 'edit' | 'rotate' | 'remove') => void;
}

function Controls({ webhook: { webhookId, state }, onSheet }: ControlsProps) {
  const { api, queries, notices } = useSite();
  const { t } = useText();
  const { isBusy, act } = useAct();
  const isOn = state === 'ACTIVE';
  const turn = (): Promise<boolean> =>
    act(async () => {
      await api.webhooks.update({ webhookId, isOn: !isOn });
      await queries.invalidateQueries({ queryKey: myWebhooks(api).queryKey });
      await queries.invalidateQueries({ queryKey: webhookDeliveries(api, webhookId).queryKey });
    });
  const test = (): Promise<boolean> =>
    act(async () => {
      await api.webhooks.sendTest({ webhookId });
      notices.say('studio.webhooks.testSent');
      await queries.invalidateQueries({ queryKey: webhookDeliveries(api, webhookId).queryKey });
    });
  return (
    <div className="row">
      <Button isDisabled={isBusy || !isOn} onPress={() => void test()}>
        {t('studio.webhooks.test')}
      </Button>
      <Button isDisabled={isBusy} onPress={() => void turn()}>
        {t(isOn ? 'studio.webhooks.turnOff' : 'studio.webhooks.turnOn')}
      </Button>
      <Button kind="quiet" onPress={() => onSheet('edit')}>
        {t('studio.webhooks.edit')}
      </Button>
      <Button kind="quiet" onPress={() => onSheet('rotate')}>
        {t('studio.webhooks.rotate')}
      </Button>
      <Button kind="quiet" onPress={() => onSheet('remove')}>
        {t('studio.webhooks.remove')}
      </Button>
    </div>
  );
}

interface OpenSheetProps extends WebhookCardProps {
  readonly sheet: 'edit' | 'rotate' | 'remove';
  readonly onClose: () => void;
}

function OpenSheet({ webhook, sheet, onSecret, onClose }: OpenSheetProps) {
  const { api, queries } = useSite();
  const { t } = useText();
  const { act } = useAct();
  const { webhookId, url } = webhook;
  const refresh = () => queries.invalidateQueries({ queryKey: myWebhooks(api).queryKey });
  if (sheet === 'edit') return <WebhookSheet webhook={webhook} onClose={onClose} onSecret={onSecret} />;
  const remove = async () => void (await api.webhooks.remove({ webhookId }));
  const rotate = async () => onSecret((await api.webhooks.rotateSecret({ webhookId })).secret);
  const confirm = (): void => {
    onClose();
    void act(async () => {
      await (sheet === 'remove' ? remove() : rotate());
      await refresh();
    });
  };
  return sheet === 'remove' ? (
    <ConfirmSheet
      title={t('studio.webhooks.removeTitle')}
      text={t('studio.webhooks.removeText', { host: new URL(url).host })}
      action={t('studio.webhooks.remove')}
      onClose={onClose}
      onConfirm={confirm}
    />
  ) : (
    <ConfirmSheet
      title={t('studio.webhooks.rotateTitle')}
      text={t('studio.webhooks.rotateText')}
      action={t('studio.webhooks.rotateDo')}
      onClose={onClose}
      onConfirm={confirm}
    />
  );
}
