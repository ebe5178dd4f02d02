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
import { CityField, type KnownPlace } from './city-field.tsx';
import '../studio.css';

/** A new listing begins as a draft with what every listing has; the rest is asked for on its own page. */
export function Component() {
  return <AgentsOnly path="/studio/new">{() => <NewListing />}</AgentsOnly>;
}

function NewListing() {
  const { api, settings } = useSite();
  const words = useText();
  const { t, currencySign } = words;
  const navigate = useNavigate();
  const [place, setPlace] = useState<KnownPlace | null>(null);
  const { error, isPending, mutate } = useMutation({
    mutationFn: async (form: FormData) => {
      const text = (name: string): string => String(form.get(name) ?? '').trim();
      const isStillHere = markPage();
      const { propertyId } = await api.properties.create({
        address: text('address'),
        city: text('city'),
        stateOrProvince: place?.state ?? null,
        listPrice: Number(text('listPrice')),
        country: text('country'),
        standardStatus: 'Incomplete',
        // Agents work near the homes that they show; the details can name another zone.
        propertyTimeZoneName: Intl.DateTimeFormat().resolvedOptions().timeZone,
        ...(place === null ? {} : { latitude: place.latitude, longitude: place.longitude }),
      });
      if (isStillHere()) await navigate({ to: '/studio/$propertyId', params: { propertyId }, replace: true });
    },
  });
  const create = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    mutate(new FormData(event.currentTarget));
  };
  return (
    <div className="page page-narrow">
      <h1>{t('studio.new.title')}</h1>
      <form className="stack" onSubmit={create}>
        <Field label={t('studio.field.address')}>
          <input className="input" name="address" required maxLength={300} autoComplete="off" />
        </Field>
        <CityField onPlace={setPlace} />
        <Field label={t('studio.field.country')}>
          <select className="input" name="country">
            {countriesFor(settings.site.country).map((country) => (
              <option key={country}>{country}</option>
            ))}
          </select>
        </Field>
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
