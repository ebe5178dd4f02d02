import { type FormEvent, useState } from 'react';
import { Button } from '../../../primitives/button.tsx';
import { Choices } from '../../../primitives/choices.tsx';
import { Field } from '../../../primitives/parts.tsx';
import { Sheet } from '../../../primitives/sheet.tsx';
import { useText } from '../../../site/use-site.ts';

/** What is wrong most often; the words are stored with the review. */
const REASONS = ['geometry', 'surfaces', 'furniture', 'style', 'quality', 'other'] as const;
type Reason = (typeof REASONS)[number];

interface RejectSheetProps {
  readonly onClose: () => void;
  readonly onReject: (reason: string) => void;
}

/** Asks why a picture is rejected. Enter rejects. */
export default function RejectSheet({ onClose, onReject }: RejectSheetProps) {
  const { t } = useText();
  const [reason, setReason] = useState<Reason>('geometry');
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const note = String(new FormData(event.currentTarget).get('note') ?? '').trim();
    const words = t(`studio.reason.${reason}`);
    onReject(note === '' ? words : `${words}: ${note}`);
  };
  return (
    <Sheet title={t('studio.review.reject')} onClose={onClose}>
      <form className="stack" onSubmit={send}>
        <Choices
          legend={t('studio.review.why')}
          name="reason"
          value={reason}
          options={REASONS.map((value) => ({ value, label: t(`studio.reason.${value}`) }))}
          onChange={setReason}
          isFocused
        />
        <Field label={t('studio.review.note')}>
          <input className="input" name="note" maxLength={500} required={reason === 'other'} />
        </Field>
        <Button kind="danger" type="submit">
          {t('studio.review.reject')}
        </Button>
      </form>
    </Sheet>
  );
}
