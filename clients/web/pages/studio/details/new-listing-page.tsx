import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { countriesFor } from '../../../../../i18n/countries.ts';
import { problemText } from '../../../api/failures.ts';
import { Button } from '../../../primitives/button.tsx';
import { Field, Problem } from '../../../primitives/parts.tsx';
import { markPage } from '../../../site/still-here.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import { AgentsOnly } from '../agents-only.tsx';
import type { SuggestedAddress } from '../studio-queries.ts';
import { AddressField } from './address-field.tsx';
import { CityField, type KnownPlace } from './city-field.tsx';
import { SameHome } from './same-home.tsx';
import '../studio.css';

/** A new listing begins as a draft with what every listing has; the rest is asked for on its own page. */
export function Component() {
  return <AgentsOnly path="/studio/new">{() => <NewListing />}</AgentsOnly>;
}

const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();
const orNull = (text: string): string | null => (text === '' ? null : text);

/** The address as it stands in the form. A suggestion says the state, which the form does not ask for. */
const homeOf = (form: FormData, stateOrProvince: string | null) => ({
  address: textOf(form, 'address'),
  unitNumber: orNull(textOf(form, 'unitNumber')),
  city: textOf(form, 'city'),
  stateOrProvince,
  country: textOf(form, 'country'),
});

function NewListing() {
  const { api, settings } = useSite();
  const words = useText();
  const { t, currencySign } = words;
  const navigate = useNavigate();
  const { address, chosen, state, pin, ...fill } = useFilled();
  const [entered, setEntered] = useState<ReturnType<typeof homeOf> | null>(null);
  const [country, setCountry] = useState(settings.site.country);
  /** Fields that a suggestion fills in begin again with it. */
  const filled = `${chosen?.address}, ${chosen?.city}`;
  const { error, isPending, mutate } = useMutation({
    mutationFn: async (form: FormData) => {
      const isStillHere = markPage();
      const { propertyId } = await api.properties.create({
        ...homeOf(form, state),
        postalCode: orNull(textOf(form, 'postalCode')),
        listPrice: Number(textOf(form, 'listPrice')),
        standardStatus: 'Incomplete',
        // Agents work near the homes that they show; a position, now or later, says the zone.
        propertyTimeZoneName:
          pin.latitude === null ? Intl.DateTimeFormat().resolvedOptions().timeZone : undefined,
        ...pin,
      });
      if (isStillHere()) await navigate({ to: '/studio/$propertyId', params: { propertyId }, replace: true });
    },
  });
  const create = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    mutate(new FormData(event.currentTarget));
  };
  return (
    <div className="page page-narrow studio">
      <h1>{t('studio.new.title')}</h1>
      <form
        className="stack"
        onSubmit={create}
        onBlur={({ currentTarget }) => setEntered(homeOf(new FormData(currentTarget), state))}
      >
        <AddressField
          input={{
            name: 'address',
            value: address,
            onChange: (event) => fill.type(event.currentTarget.value),
          }}
          country={country}
          onChoose={fill.choose}
        />
        <div className="studio-columns">
          <Field label={t('studio.field.unitNumber')}>
            <input className="input" name="unitNumber" maxLength={30} autoComplete="off" />
          </Field>
          <CityField key={`city ${filled}`} value={chosen?.city ?? ''} onPlace={fill.setPlace} />
          <Field label={t('studio.field.postalCode')}>
            <input
              key={`code ${filled}`}
              className="input"
              name="postalCode"
              defaultValue={chosen?.postalCode ?? ''}
              maxLength={20}
              autoComplete="off"
            />
          </Field>
          <Field label={t('studio.field.country')}>
            <select
              className="input"
              name="country"
              value={country}
              onChange={({ currentTarget }) => setCountry(currentTarget.value)}
            >
              {countriesFor(settings.site.country).map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </Field>
        </div>
        <SameHome home={entered ?? NO_HOME} />
        <Field label={t('studio.new.listPrice', { currency: currencySign(settings.site.currency) })}>
          <input
            className="input"
            name="listPrice"
            type="number"
            min="0.01"
            step="0.01"
            required
            inputMode="decimal"
          />
        </Field>
        <Problem text={problemText(words, error)} />
        <Button kind="primary" type="submit" isDisabled={isPending}>
          {t('studio.new.create')}
        </Button>
        <p className="muted">{t('studio.new.text')}</p>
      </form>
    </div>
  );
}

const NO_HOME = { address: '', city: '', country: '' };

/** What suggestions have filled in: the whole address, or the city alone. */
function useFilled() {
  const [address, type] = useState('');
  const [chosen, setChosen] = useState<SuggestedAddress | null>(null);
  /** Null for a city that is not known; undefined while the chosen address says it. */
  const [place, setPlace] = useState<KnownPlace | null>();
  const isChosen = chosen !== null && place === undefined;
  // Another house has another pin.
  const suggested = isChosen && address === chosen.address ? chosen : null;
  const { latitude = null, longitude = null } = place ?? suggested ?? {};
  return {
    address,
    type,
    chosen,
    choose(next: SuggestedAddress): void {
      type(next.address);
      setChosen(next);
      setPlace(undefined);
    },
    setPlace,
    state: (isChosen ? chosen.stateOrProvince : place?.state) ?? null,
    pin: { latitude, longitude },
  };
}
