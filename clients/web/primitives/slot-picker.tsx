import { useMemo, useState } from 'react';
import { MAX_TOUR_SLOTS } from '../../../machines/limits.ts';
import { useText } from '../site/use-site.ts';
import { Pill } from './choices.tsx';
import { Field } from './parts.tsx';
import { type ShowingHours, type Slot, visitsOf } from './tour-times.ts';

interface SlotPickerProps {
  readonly hours: ShowingHours;
  readonly chosen: readonly Slot[];
  readonly onChange: (slots: readonly Slot[]) => void;
}

/** Up to three times of visits, by day, in the zone of the home. */
export function SlotPicker({ hours, chosen, onChange }: SlotPickerProps) {
  const { t, day: dayText, time } = useText();
  const zone = hours.propertyTimeZoneName;
  const days = useMemo(() => visitsOf(hours, Date.now()), [hours]);
  const [day, setDay] = useState(days[0]?.day ?? '');
  const slots = days.find((one) => one.day === day)?.slots ?? [];
  const toggle = (slot: Slot): void => {
    const others = chosen.filter(({ startsAt }) => startsAt !== slot.startsAt);
    onChange(others.length < chosen.length ? others : [...others, slot].slice(-MAX_TOUR_SLOTS));
  };
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
            checked={chosen.some(({ startsAt }) => startsAt === slot.startsAt)}
            onChange={() => toggle(slot)}
          >
            {time(slot.startsAt, zone)}
          </Pill>
        ))}
      </fieldset>
    </div>
  );
}
