import { type FormEvent, useState } from 'react';
import { streetLine } from '../../../../i18n/address-line.ts';
import { problemKey } from '../../api/failures.ts';
import { PERSONAL } from '../../api/queries.ts';
import { Button } from '../../primitives/button.tsx';
import { Pill } from '../../primitives/choices.tsx';
import { Field } from '../../primitives/parts.tsx';
import { Sheet } from '../../primitives/sheet.tsx';
import { SlotPicker } from '../../primitives/slot-picker.tsx';
import type { Slot } from '../../primitives/tour-times.ts';
import { useSite, useText } from '../../site/use-site.ts';
import type { Detail } from './listing-data.ts';

/** The form that asks for a visit: up to three times, in person or by video, and a note. */
export default function TourSheet({
  home,
  onClose,
}: {
  readonly home: Detail;
  readonly onClose: () => void;
}) {
  const { api, queries, notices } = useSite();
  const { t } = useText();
  const [slots, setSlots] = useState<readonly Slot[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const send = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const note = String(form.get('note') ?? '').trim();
    setSending(true);
    try {
      await api.tours.request({
        propertyId: home.propertyId,
        kind: form.get('kind') === 'VIRTUAL' ? 'VIRTUAL' : 'IN_PERSON',
        slots: slots.map((slot) => ({ ...slot })),
        note: note === '' ? null : note,
      });
      await queries.invalidateQueries({ queryKey: [PERSONAL, 'tours'] });
      notices.say('tour.requested');
      onClose();
    } catch (error) {
      setProblem(problemKey(error));
      setSending(false);
    }
  };
  return (
    <Sheet title={t('tour.request')} onClose={onClose}>
      <form className="stack" onSubmit={(event) => void send(event)}>
        <p className="muted">{streetLine(home)}</p>
        <SlotPicker hours={home.showing} chosen={slots} onChange={setSlots} />
        <fieldset className="choices">
          <legend className="field-label">{t('tour.how')}</legend>
          <Pill type="radio" name="kind" value="IN_PERSON" defaultChecked>
            {t('tour.kind.IN_PERSON')}
          </Pill>
          <Pill type="radio" name="kind" value="VIRTUAL">
            {t('tour.kind.VIRTUAL')}
          </Pill>
        </fieldset>
        <Field label={t('tour.note')} problem={problem === null ? null : t(problem)}>
          <textarea className="input" name="note" maxLength={1000} />
        </Field>
        <Button kind="primary" type="submit" isDisabled={slots.length === 0 || isSending}>
          {t('tour.send')}
        </Button>
      </form>
    </Sheet>
  );
}
