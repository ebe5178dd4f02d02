import type { FormEvent } from 'react';
import { Field } from '../../primitives/parts.tsx';
import { useSite, useText } from '../../site/use-site.ts';

interface NumberFieldProps {
  readonly name: string;
  readonly label: string;
  /** `money`: the site's currency; null: a year, which is not grouped. */
  readonly unit: string | null;
  readonly value: number | undefined;
}

const MOST_DIGITS = 12;

/** A whole number with its unit, thousands apart while one types. */
export function NumberField({ name, label, unit, value }: NumberFieldProps) {
  const { site } = useSite().settings;
  const { number, money, currencySign } = useText();
  const sign = unit === 'money' ? currencySign(site.currency) : unit;
  const isBefore = unit === 'money' && money(0, site.currency).startsWith(sign ?? '');
  const shown = value === undefined ? '' : unit === null ? String(value) : number(value);
  const onInput = ({ currentTarget }: FormEvent<HTMLInputElement>): void => {
    if (unit !== null) group(currentTarget, number);
  };
  return (
    <Field label={label}>
      <span className={isBefore ? 'filters-number filters-number-before' : 'filters-number'}>
        <input
          className="input"
          inputMode="numeric"
          autoComplete="off"
          name={name}
          defaultValue={shown}
          onInput={onInput}
        />
        {sign === null ? null : <span className="filters-unit">{sign}</span>}
      </span>
    </Field>
  );
}

/** Groups the digits of a field and leaves the caret after the digit it was after. */
function group(input: HTMLInputElement, number: (value: number) => string): void {
  const { value, selectionStart } = input;
  const digits = value.replace(/\D/g, '').slice(0, MOST_DIGITS);
  const grouped = digits === '' ? '' : number(Number(digits));
  let after = value.slice(selectionStart ?? value.length).replace(/\D/g, '').length;
  let caret = grouped.length;
  for (; after > 0 && caret > 0; caret -= 1) if (/\d/.test(grouped[caret - 1] ?? '')) after -= 1;
  input.value = grouped;
  input.setSelectionRange(caret, caret);
}
