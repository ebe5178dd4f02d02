import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { MAX_MESSAGE_REPORT_NOTE } from '../../../../../machines/limits.ts';
import { problemText } from '../../../api/failures.ts';
import { Button } from '../../../primitives/button.tsx';
import { Field } from '../../../primitives/parts.tsx';
import { Sheet } from '../../../primitives/sheet.tsx';
import { useSite, useText } from '../../../site/use-site.ts';

/** Reports a conversation to the operators. */
export default function ReportSheet({
  threadId,
  onClose,
}: {
  readonly threadId: string;
  readonly onClose: () => void;
}) {
  const { api, notices } = useSite();
  const text = useText();
  const { t } = text;
  const { error, isPending, mutate } = useMutation({
    mutationFn: async (note: string) => {
      await api.messages.report({ threadId, note: note === '' ? null : note });
      notices.say('inbox.reported');
      onClose();
    },
  });
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    mutate(String(new FormData(event.currentTarget).get('note') ?? '').trim());
  };
  return (
    <Sheet title={t('inbox.reportTitle')} onClose={onClose}>
      <form className="stack" onSubmit={send}>
        <p className="muted">{t('inbox.reportText')}</p>
        <Field label={t('inbox.reportNote')} problem={problemText(text, error)}>
          <textarea className="input" name="note" maxLength={MAX_MESSAGE_REPORT_NOTE} />
        </Field>
        <Button kind="primary" type="submit" isDisabled={isPending}>
          {t('inbox.reportSend')}
        </Button>
      </form>
    </Sheet>
  );
}
