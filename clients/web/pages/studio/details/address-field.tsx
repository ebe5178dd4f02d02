import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useEffect, useId, useState } from 'react';
import { wholeAddress } from '../../../../../i18n/address-line.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import { type SuggestedAddress, suggestedAddresses } from '../studio-queries.ts';
import { FieldProblem } from './saved-field.tsx';
import './address-field.css';

/** As the server takes them. */
const SHORTEST = 3;
/** After the last key: each question may go to the operator's geocoder. */
const PAUSE_MS = 300;
const LONGEST = 300;
const COUNTRY = /^[A-Z]{2}$/;

interface AddressFieldProps {
  readonly input: ComponentProps<'input'>;
  readonly country: string;
  readonly problem?: string | null;
  readonly onChoose: (address: SuggestedAddress) => void;
}

/**
 * Street and number, with addresses that begin like what is typed: those of listings, and those of the operator's geocoder
 * where there is one. They are buttons after the field, so the Tab key leads to them, and Escape or leaving closes them.
 */
export function AddressField({ input, country, problem = null, onChoose }: AddressFieldProps) {
  const { t } = useText();
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const addresses = useSuggested(typed, country);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what its field and its buttons do is seen here for all of them
    <div
      className="address-field"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setTyped(null);
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') setTyped(null);
      }}
    >
      <label className="field">
        <span className="field-label">{t('studio.field.address')}</span>
        <input
          {...input}
          className="input"
          required
          maxLength={LONGEST}
          autoComplete="off"
          aria-describedby={id}
          onChange={(event) => {
            input.onChange?.(event);
            setTyped(event.currentTarget.value.trim());
          }}
        />
        <FieldProblem id={id} text={problem} />
      </label>
      {addresses.length === 0 ? null : (
        <ul className="address-field-list" aria-label={t('studio.address.suggested')}>
          {addresses.map((address) => {
            const label = wholeAddress({ ...address, unitNumber: null });
            return (
              <li key={label}>
                <button
                  type="button"
                  // The field keeps the focus: in some browsers a button that is pressed takes it to nowhere.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={({ currentTarget }) => {
                    // The button goes: the focus returns to the field.
                    currentTarget.closest('.address-field')?.querySelector('input')?.focus();
                    setTyped(null);
                    onChoose(address);
                  }}
                >
                  {label}
                </button>
              </li>
            );
          })}
        </ul>
      )}
      <p className="visually-hidden" role="status">
        {addresses.length === 0 ? null : t('studio.address.count', { count: addresses.length })}
      </p>
    </div>
  );
}

/** After a pause; none while nothing is typed, and none where the server gives none. */
function useSuggested(typed: string | null, country: string): readonly SuggestedAddress[] {
  const { api } = useSite();
  const [asked, setAsked] = useState<string | null>(null);
  useEffect(() => {
    if (typed === null) {
      setAsked(null);
      return;
    }
    const timer = setTimeout(setAsked, PAUSE_MS, typed);
    return () => clearTimeout(timer);
  }, [typed]);
  const text = asked ?? '';
  const { data = [] } = useQuery({
    ...suggestedAddresses(api, { text, country }),
    enabled: text.length >= SHORTEST && COUNTRY.test(country),
  });
  return typed === null ? [] : data;
}
