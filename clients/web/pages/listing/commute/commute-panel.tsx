import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { commuteTimes } from '../../../api/queries.ts';
import { Button } from '../../../primitives/button.tsx';
import { Choices } from '../../../primitives/choices.tsx';
import { type CommutePlace, commutePlace, keepCommutePlace } from '../../../session/commute-place.ts';
import { kept } from '../../../site/keeper.ts';
import type { Site } from '../../../site/site.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import { writeState } from '../../search/search-state.ts';
import { CommutePlaceField } from './commute-place-field.tsx';
import './commute.css';

interface CommutePanelProps {
  readonly propertyId: string;
  readonly commute: NonNullable<Site['settings']['commute']>;
}

/** The place, the way of travel, and how long it takes. */
export default function CommutePanel({ propertyId, commute }: CommutePanelProps) {
  const { person } = useSite();
  const { t } = useText();
  const [place, setPlace] = useState(() => commutePlace(kept, person?.current() ?? null));
  const [first = 'CAR'] = commute.modes;
  const mode = commute.modes.find((one) => one === place?.mode) ?? first;
  const change = (next: CommutePlace): void => {
    keepCommutePlace(kept, person?.current() ?? null, next);
    setPlace(next);
  };
  return (
    <div className="commute">
      <CommutePlaceField label={place?.label ?? ''} onPlace={(chosen) => change({ ...chosen, mode })} />
      {place === null ? null : (
        <>
          {commute.modes.length === 1 ? null : (
            <Choices
              legend={t('commute.modes')}
              name="commute-mode"
              value={mode}
              options={commute.modes.map((value) => ({ value, label: t(`commute.mode.${value}`) }))}
              onChange={(next) => change({ ...place, mode: next })}
            />
          )}
          <Minutes propertyId={propertyId} place={{ ...place, mode }} />
          {commute.hasAreas ? <HomesWithin place={{ ...place, mode }} /> : null}
        </>
      )}
      <p className="muted">{t('commute.kept')}</p>
    </div>
  );
}

function Minutes({ propertyId, place }: { readonly propertyId: string; readonly place: CommutePlace }) {
  const { api } = useSite();
  const { t } = useText();
  const { label, latitude, longitude, mode } = place;
  const { data, isFetching } = useQuery(
    commuteTimes(api, { propertyIds: [propertyId], to: { latitude, longitude }, mode }),
  );
  const minutes = data?.minutes[0] ?? null;
  return (
    <p role="status" className="commute-minutes">
      {isFetching
        ? t('common.loading')
        : minutes === null
          ? t('commute.none')
          : t(`commute.time.${mode}`, { count: minutes, place: label })}
    </p>
  );
}

const OFFERED_MINUTES = ['15', '30', '45', '60'] as const;

/** Takes the area from where one is there in time as the area of a search. */
function HomesWithin({ place: { latitude, longitude, mode } }: { readonly place: CommutePlace }) {
  const { api, notices } = useSite();
  const { t } = useText();
  const navigate = useNavigate();
  const [minutes, setMinutes] = useState<(typeof OFFERED_MINUTES)[number]>('30');
  const [isBusy, setBusy] = useState(false);
  const search = async (): Promise<void> => {
    setBusy(true);
    const to = { latitude, longitude };
    const { polygon } = await api.commute
      .area({ to, mode, minutes: Number(minutes) })
      .catch(() => ({ polygon: null }));
    setBusy(false);
    if (polygon === null) notices.say('commute.none');
    else await navigate({ to: '/search', search: writeState({ area: polygon }) });
  };
  return (
    <div className="row commute-within">
      <Choices
        legend={t('commute.within')}
        name="commute-minutes"
        value={minutes}
        options={OFFERED_MINUTES.map((value) => ({
          value,
          label: t('commute.minutes', { count: Number(value) }),
        }))}
        onChange={setMinutes}
      />
      <Button isDisabled={isBusy} onPress={() => void search()}>
        {t('commute.search')}
      </Button>
    </div>
  );
}
