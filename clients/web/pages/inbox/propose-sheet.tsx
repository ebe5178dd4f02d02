import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { propertyDetail } from '../../api/queries.ts';
import { Button } from '../../primitives/button.tsx';
import { Field, Skeleton } from '../../primitives/parts.tsx';
import { Sheet } from '../../primitives/sheet.tsx';
import { SlotPicker } from '../../primitives/tours/slot-picker.tsx';
import type { Slot } from '../../primitives/tours/tour-times.ts';
import { useSite, useText } from '../../site/use-site.ts';
import type { Tour } from './tour-list.ts';

interface ProposeSheetProps {
  readonly tour: Tour;
  readonly onClose: () => void;
  readonly onSend: (slots: readonly Slot[], note: string | null) => Promise<void>;
}

/** Proposes other times, in addition to the current one. */
export default function ProposeSheet({ tour, onClose, onSend }: ProposeSheetProps) {
  const { api } = useSite();
  const { t, dateTime } = useText();
  const { data: home } = useQuery(propertyDetail(api, { propertyId: tour.propertyId }));
  const [slots, setSlots] = useState<readonly Slot[]>([]);
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const note = String(new FormData(event.currentTarget).get('note') ?? '').trim();
    void onSend(slots, note === '' ? null : note).then(onClose);
  };
  return (
    <Sheet title={t('tour.action.proposeReschedule')} onClose={onClose}>
      <form className="stack" onSubmit={send}>
        {tour.heldSlot === null ? null : (
          <p>
            <strong>{t('tour.agreedTime')}</strong> {dateTime(tour.heldSlot.startsAt, tour.timeZone)}
          </p>
        )}
        {home === undefined ? (
          <Skeleton height="10rem" />
        ) : (
          <SlotPicker hours={home.showing} chosen={slots} onChange={setSlots} />
        )}
        <Field label={t('tour.noteToOther')}>
          <textarea className="input" name="note" maxLength={1000} />
        </Field>
        <Button kind="primary" type="submit" isDisabled={slots.length === 0}>
          {t('tour.sendProposal')}
        </Button>
      </form>
    </Sheet>
  );
}
