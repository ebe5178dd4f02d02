import { useRef } from 'react';
import { Button } from '../../../primitives/button.tsx';
import { Field } from '../../../primitives/parts.tsx';
import { Sheet } from '../../../primitives/sheet.tsx';
import { useSite, useText } from '../../../site/use-site.ts';

/** Shows a secret, this once. */
export default function SecretSheet({
  secret,
  onClose,
}: {
  readonly secret: string;
  readonly onClose: () => void;
}) {
  const { notices } = useSite();
  const { t } = useText();
  const field = useRef<HTMLInputElement>(null);
  const copy = async (): Promise<void> => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(secret);
      notices.say('studio.webhooks.copied');
    } catch {
      notices.say('studio.webhooks.notCopied');
    }
  };
  return (
    <Sheet title={t('studio.webhooks.secretTitle')} onClose={onClose}>
      <p>{t('studio.webhooks.secretText')}</p>
      <Field label={t('studio.webhooks.secretTitle')}>
        <input ref={field} className="input webhook-code" readOnly value={secret} />
      </Field>
      <div className="row">
        <Button kind="primary" onPress={() => void copy()}>
          {t('studio.webhooks.copy')}
        </Button>
        <Button onPress={onClose}>{t('studio.webhooks.done')}</Button>
      </div>
    </Sheet>
  );
}
