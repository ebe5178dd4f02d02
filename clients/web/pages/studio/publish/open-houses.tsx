import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { OPEN_HOUSE_LEAST_MS, OPEN_HOUSE_MOST_MS } from '../../../../../machines/limits.ts';
import { Button } from '../../../primitives/button.tsx';
import { LoadFailed } from '../../../primitives/list-parts.tsx';
import { Field, ListRow, Section, StatusBadge } from '../../../primitives/parts.tsx';
import { instantOf, minutesOf } from '../../../primitives/tours/tour-times.ts';
import { textOf, WorkForm } from '../../../primitives/work-form.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import { OPEN_HOUSES, type OwnListing, openHouses } from '../studio-queries.ts';
import { useAct } from '../use-act.ts';

/** The open houses of a listing, and a form for another one. Times are those of the home's clocks. */
export default function OpenHouses({ listing }: { readonly listing: OwnListing }) {
  const { api, queries } = useSite();
  const { t, timeRange } = useText();
  const { isBusy, act } = useAct();
  const { propertyId, propertyTimeZoneName: zone } = listing;
  const { data: houses = [], isError, refetch } = useQuery(openHouses(api, propertyId));
  const [isWrongTime, setWrongTime] = useState(false);
  const refresh = () => queries.invalidateQueries({ queryKey: OPEN_HOUSES });
  const cancel = (openHouseId: string) =>
    act(async () => {
      try {
        await api.openHouses.cancel({ openHouseId });
      } finally {
        await refresh();
      }
    });
  const add = async (form: FormData): Promise<void> => {
    // A time that the clocks skip is none.
    const at = (name: string): number =>
      instantOf(textOf(form, 'day'), minutesOf(textOf(form, name)), zone) ?? Number.NaN;
    const [startsAt, endsAt] = [at('from'), at('to')];
    const length = endsAt - startsAt;
    const isPossible = length >= OPEN_HOUSE_LEAST_MS && length <= OPEN_HOUSE_MOST_MS && endsAt > Date.now();
    setWrongTime(!isPossible);
    if (!isPossible) return;
    await api.openHouses.create({
      propertyId,
      startsAt: new Date(startsAt).toISOString(),
      endsAt: new Date(endsAt).toISOString(),
      remarks: textOf(form, 'remarks') || null,
    });
    await refresh();
  };
  return (
    <Section title={t('studio.openHouse.title')}>
      {isError ? <LoadFailed onRetry={() => void refetch()} /> : null}
      {houses.map(({ openHouseId, startsAt, endsAt, remarks, status }) => {
        const time = timeRange(startsAt, endsAt, zone);
        return (
          <ListRow key={openHouseId} title={time} detail={remarks ?? undefined}>
            {status === 'Active' ? (
              <Button
                kind="quiet"
                isDisabled={isBusy}
                aria-label={t('studio.openHouse.cancelOf', { time })}
                onPress={() => void cancel(openHouseId)}
              >
                {t('studio.openHouse.cancel')}
              </Button>
            ) : (
              <StatusBadge tone="neutral">{t(`studio.openHouse.status.${status}`)}</StatusBadge>
            )}
          </ListRow>
        );
      })}
      <WorkForm submit={t('studio.openHouse.add')} work={add}>
        <div className="row">
          <Field label={t('studio.openHouse.day')}>
            <input className="input" type="date" name="day" required />
          </Field>
          <Field label={t('studio.openHouse.from')}>
            <input className="input" type="time" name="from" defaultValue="13:00" step={300} required />
          </Field>
          <Field
            label={t('studio.openHouse.to')}
            problem={isWrongTime ? t('studio.openHouse.wrongTime') : null}
          >
            <input className="input" type="time" name="to" defaultValue="15:00" step={300} required />
          </Field>
        </div>
        <Field label={t('studio.openHouse.remarks')}>
          <input className="input" name="remarks" maxLength={500} />
        </Field>
      </WorkForm>
    </Section>
  );
}
