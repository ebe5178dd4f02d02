import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { streetLine } from '../../../../i18n/address-line.ts';
import { problemText } from '../../api/failures.ts';
import { TOURS } from '../../api/queries.ts';
import { Button } from '../../primitives/button.tsx';
import { Pill } from '../../primitives/choices.tsx';
import { Field } from '../../primitives/parts.tsx';
import { Sheet } from '../../primitives/sheet.tsx';
import { SlotPicker } from '../../primitives/tours/slot-picker.tsx';
import type { Slot } from '../../primitives/tours/tour-times.ts';
import { textOf } from '../../primitives/work-form.tsx';
import { me, usePerson } from '../../session/person.ts';
import { useSite, useText } from '../../site/use-site.ts';
import type { Detail } from './listing-data.ts';

/** The form that asks for a visit: up to three times, in person or by video, a note, and a name where there is none. */
export default function TourSheet({
  home,
  onClose,
}: {
  readonly home: Detail;
  readonly onClose: (isSent: boolean) => void;
}) {
  const site = useSite();
  const { api, queries, notices } = site;
  // What is typed stays while the answer is under way.
  const [isNameless] = useState(usePerson()?.name === '');
  const text = useText();
  const { t } = text;
  const [slots, setSlots] = useState<readonly Slot[]>([]);
  const { error, isPending, mutate } = useMutation({
    mutationFn: async (form: FormData) => {
      const note = textOf(form, 'note');
      if (isNameless)
        queries.setQueryData(
          me(site).queryKey,
          await api.users.updateProfile({ name: textOf(form, 'name') }),
        );
      await api.tours.request({
        propertyId: home.propertyId,
        kind: form.get('kind') === 'VIRTUAL' ? 'VIRTUAL' : 'IN_PERSON',
        slots: slots.map((slot) => ({ ...slot })),
        note: note === '' ? null : note,
      });
      await queries.invalidateQueries({ queryKey: TOURS });
      notices.say('tour.requested');
      onClose(true);
    },
  });
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    mutate(new FormData(event.currentTarget));
  };
  return (
    <Sheet title={t('tour.request')} onClose={() => onClose(false)}>
      <form className="stack" onSubmit={send}>
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
        {isNameless ? (
          <Field label={t('tour.yourName')}>
            <input className="input" name="name" autoComplete="name" required maxLength={100} />
          </Field>
        ) : null}
        <Field label={t('tour.note')} problem={problemText(text, error)}>
          <textarea className="input" name="note" maxLength={1000} />
        </Field>
        <Button kind="primary" type="submit" isDisabled={slots.length === 0 || isPending}>
          {t('tour.send')}
        </Button>
      </form>
    </Sheet>
  );
}
