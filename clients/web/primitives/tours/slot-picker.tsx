import { useMemo, useState } from 'react';
import { MAX_TOUR_SLOTS } from '../../../../machines/limits.ts';
import { useText } from '../../site/use-site.ts';
import { Button } from '../button.tsx';
import { Pill } from '../choices.tsx';
import { Icon } from '../icon.tsx';
import { Field } from '../parts.tsx';
import { type ShowingHours, type Slot, visitsOf } from './tour-times.ts';

interface SlotPickerProps {
  readonly hours: ShowingHours;
  readonly chosen: readonly Slot[];
  readonly onChange: (slots: readonly Slot[]) => void;
}

/** Up to three times of visits, by day, in the zone of the home. Those that are chosen stay in sight on every day. */
export function SlotPicker({ hours, chosen, onChange }: SlotPickerProps) {
  const { t, day: dayText, time, timeRange } = useText();
  const zone = hours.propertyTimeZoneName;
  const days = useMemo(() => visitsOf(hours, Date.now()), [hours]);
  const [day, setDay] = useState(days[0]?.day ?? '');
  const slots = days.find((one) => one.day === day)?.slots ?? [];
  const isChosen = (slot: Slot): boolean => chosen.some(({ startsAt }) => startsAt === slot.startsAt);
  const without = (slot: Slot): Slot[] => chosen.filter(({ startsAt }) => startsAt !== slot.startsAt);
  const add = (slot: Slot): void =>
    onChange([...chosen, slot].toSorted((one, other) => one.startsAt.localeCompare(other.startsAt)));
  if (days.length === 0) return <p>{t('tour.noTimes')}</p>;
  return (
    <div className="stack">
      <Field label={t('tour.day')}>
        <select className="input" value={day} onChange={({ currentTarget }) => setDay(currentTarget.value)}>
          {days.map(({ day: value, slots: [first] }) => (
            <option key={value} value={value}>
              {first === undefined ? value : dayText(first.startsAt, zone)}
            </option>
          ))}
        </select>
      </Field>
      <fieldset className="choices">
        <legend className="field-label">{t('tour.times', { count: MAX_TOUR_SLOTS })}</legend>
        {slots.map((slot) => (
          <Pill
            key={slot.startsAt}
            type="checkbox"
            checked={isChosen(slot)}
            disabled={chosen.length >= MAX_TOUR_SLOTS && !isChosen(slot)}
            onChange={() => (isChosen(slot) ? onChange(without(slot)) : add(slot))}
          >
            {time(slot.startsAt, zone)}
          </Pill>
        ))}
      </fieldset>
      <div className="stack" aria-live="polite">
        {chosen.length === 0 ? null : <p className="field-label">{t('tour.chosen')}</p>}
        <ul className="choices">
          {chosen.map((slot) => (
            <li key={slot.startsAt}>
              <Button kind="pill" onPress={() => onChange(without(slot))}>
                {timeRange(slot.startsAt, slot.endsAt, zone)}
                <Icon name="close" />
                <span className="visually-hidden">{t('tour.removeTime')}</span>
              </Button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
