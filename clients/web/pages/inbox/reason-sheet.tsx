import type { FormEvent } from 'react';
import { Button } from '../../primitives/button.tsx';
import { Field } from '../../primitives/parts.tsx';
import { Sheet } from '../../primitives/sheet.tsx';
import { useText } from '../../site/use-site.ts';

interface ReasonSheetProps {
  readonly title: string;
  readonly isRequired: boolean;
  readonly onClose: () => void;
  readonly onSend: (reason: string | null) => Promise<void>;
}

/** Ends a tour, with a reason for the other side. */
export default function ReasonSheet({ title, isRequired, onClose, onSend }: ReasonSheetProps) {
  const { t } = useText();
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get('reason') ?? '').trim();
    void onSend(reason === '' ? null : reason).then(onClose);
  };
  return (
    <Sheet title={title} onClose={onClose}>
      <form className="stack" onSubmit={send}>
        <Field label={t('tour.reasonForOther')}>
          <textarea className="input" name="reason" maxLength={1000} required={isRequired} />
        </Field>
        <Button kind="danger" type="submit">
          {title}
        </Button>
      </form>
    </Sheet>
  );
}
