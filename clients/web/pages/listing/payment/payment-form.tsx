import { useId, useState } from 'react';
import { Button } from '../../../primitives/button.tsx';
import { useText } from '../../../site/use-site.ts';
import type { Text } from '../../../words/text.ts';
import { isPossible, LIMITS, type PaymentTerms } from './payment.ts';
import { readNumber } from './read-number.ts';
import type { usePayment } from './use-payment.ts';
import './payment-form.css';

type Unit = 'money' | 'percent' | 'years' | 'moneyPerYear' | 'moneyPerMonth';

const FIELDS: readonly (readonly [term: keyof PaymentTerms, unit: Unit])[] = [
  ['price', 'money'],
  ['downShare', 'percent'],
  ['rate', 'percent'],
  ['years', 'years'],
  ['taxPerYear', 'moneyPerYear'],
  ['insurancePerYear', 'moneyPerYear'],
  ['feePerMonth', 'moneyPerMonth'],
];

interface PaymentFormProps {
  readonly payment: ReturnType<typeof usePayment>;
  readonly currency: string;
}

/** The terms of a payment as fields. A figure that can be meant counts at once, and is kept by the browser. */
export default function PaymentForm({ payment, currency }: PaymentFormProps) {
  const { t } = useText();
  /** Changes when everything is taken back, so that no field keeps its text. */
  const [round, setRound] = useState(0);
  return (
    <form className="payment-form" key={round} onSubmit={(event) => event.preventDefault()}>
      {FIELDS.map(([term, unit]) => (
        <TermField
          key={term}
          term={term}
          unit={unit}
          currency={currency}
          value={payment.terms[term]}
          onChange={(value) => payment.change(term, value)}
        />
      ))}
      <Button
        kind="quiet"
        isDisabled={!payment.isChanged}
        onPress={() => {
          payment.reset();
          setRound(round + 1);
        }}
      >
        {t('payment.reset')}
      </Button>
    </form>
  );
}

interface TermFieldProps {
  readonly term: keyof PaymentTerms;
  readonly unit: Unit;
  readonly currency: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function TermField({ term, unit, currency, value, onChange }: TermFieldProps) {
  const text = useText();
  const { t, number, currencySign } = text;
  const id = useId();
  const factor = unit === 'percent' ? 100 : 1;
  const written = number(value * factor, { maximumFractionDigits: 3 });
  const [typed, setTyped] = useState<string | null>(null);
  const meant = typed === null ? value : readNumber(typed, number) / factor;
  const isWrong = !isPossible(term, meant);
  const [least, most] = LIMITS[term].map((limit) => number(limit * factor)) as [string, string];
  return (
    <div className="term">
      <label className="field-label" htmlFor={id}>
        {t(`payment.field.${term}`)}
      </label>
      <span className="term-input">
        <input
          id={id}
          className="input"
          inputMode="decimal"
          autoComplete="off"
          value={typed ?? written}
          aria-invalid={isWrong}
          aria-describedby={`${id}-unit ${id}-problem`}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            const next = readNumber(currentTarget.value, number) / factor;
            if (isPossible(term, next)) onChange(next);
          }}
          onBlur={() => {
            if (!isWrong) setTyped(null);
          }}
        />
        <span id={`${id}-unit`} className="muted">
          {unitWords(unit, currencySign(currency), t)}
        </span>
      </span>
      <span id={`${id}-problem`} className="field-problem term-problem" role="alert">
        {isWrong ? t('payment.between', { least, most }) : null}
      </span>
    </div>
  );
}

function unitWords(unit: Unit, sign: string, t: Text['t']): string {
  if (unit === 'money') return sign;
  if (unit === 'percent') return '%';
  return t(`payment.unit.${unit}`, { sign });
}
