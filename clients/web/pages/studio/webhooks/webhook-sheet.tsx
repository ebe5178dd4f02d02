import { useId, useState } from 'react';
import { CheckboxRow } from '../../../primitives/choices.tsx';
import { Field } from '../../../primitives/parts.tsx';
import { Sheet } from '../../../primitives/sheet.tsx';
import { textOf, WorkForm } from '../../../primitives/work-form.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import { EVENTS, myWebhooks, type OwnWebhook } from './webhook-queries.ts';

interface WebhookSheetProps {
  /** Null for a new one. */
  readonly webhook: OwnWebhook | null;
  readonly onClose: () => void;
  /** Called with the secret of a new one. */
  readonly onSecret: (secret: string) => void;
}

/** The address and events of a webhook. */
export default function WebhookSheet({ webhook, onClose, onSecret }: WebhookSheetProps) {
  const { api, queries } = useSite();
  const { t } = useText();
  const id = useId();
  const [events, setEvents] = useState<ReadonlySet<OwnWebhook['events'][number]>>(
    new Set(webhook?.events ?? EVENTS),
  );
  const save = async (form: FormData): Promise<void> => {
    const input = { url: textOf(form, 'url'), events: EVENTS.filter((event) => events.has(event)) };
    if (webhook === null) onSecret((await api.webhooks.create(input)).secret);
    else {
      await api.webhooks.update({ webhookId: webhook.webhookId, ...input });
      onClose();
    }
    await queries.invalidateQueries({ queryKey: myWebhooks(api).queryKey });
  };
  return (
    <Sheet
      title={t(webhook === null ? 'studio.webhooks.add' : 'studio.webhooks.editTitle')}
      onClose={onClose}
    >
      <WorkForm
        kind="primary"
        submit={t(webhook === null ? 'studio.webhooks.add' : 'studio.webhooks.save')}
        work={save}
      >
        <Field label={t('studio.webhooks.address')}>
          <input
            className="input"
            type="url"
            name="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            required
            maxLength={500}
            defaultValue={webhook?.url ?? ''}
            aria-describedby={id}
          />
          <span id={id} className="muted">
            {t('studio.webhooks.addressHint')}
          </span>
        </Field>
        <fieldset className="stack webhook-events">
          <legend className="field-label">{t('studio.webhooks.events')}</legend>
          {EVENTS.map((event) => (
            <CheckboxRow
              key={event}
              label={t(`studio.webhooks.event.${event}`)}
              detail={event}
              isChosen={events.has(event)}
              // One at least: without any, nothing would ever be sent.
              isDisabled={events.size === 1 && events.has(event)}
              onChange={(isChosen) => {
                const next = new Set(events);
                if (isChosen) next.add(event);
                else next.delete(event);
                setEvents(next);
              }}
            />
          ))}
        </fieldset>
      </WorkForm>
    </Sheet>
  );
}
