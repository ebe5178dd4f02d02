import { useId, useState } from 'react';
import { Button } from '../../../primitives/button.tsx';
import { useText } from '../../../site/use-site.ts';
import { isPossible, LIMITS, type PaymentTerms } from './payment.ts';
import { readNumber } from './read-number.ts';
import type { usePayment } from './use-payment.ts';
import './payment-form.css';

interface TermKind {
  readonly term: keyof PaymentTerms;
  readonly label: string;
  /** How often its value is written for 1. */
  readonly factor: 1 | 100;
  /** The key of its unit, in which the currency can be named; null for the currency alone. */
  readonly unit: string | null;
}

const FIELDS: readonly TermKind[] = [
  { term: 'price', label: 'payment.field.price', factor: 1, unit: null },
  { term: 'downShare', label: 'payment.field.downShare', factor: 100, unit: 'payment.unit.percent' },
  { term: 'rate', label: 'payment.field.rate', factor: 100, unit: 'payment.unit.percent' },
  { term: 'years', label: 'payment.field.years', factor: 1, unit: 'payment.unit.years' },
  { term: 'taxPerYear', label: 'payment.field.taxPerYear', factor: 1, unit: 'payment.unit.aYear' },
  {
    term: 'insurancePerYear',
    label: 'payment.field.insurancePerYear',
    factor: 1,
    unit: 'payment.unit.aYear',
  },
  { term: 'feePerMonth', label: 'payment.field.feePerMonth', factor: 1, unit: 'payment.unit.aMonth' },
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
      {FIELDS.map((kind) => (
        <TermField
          key={kind.term}
          kind={kind}
          currency={currency}
          value={payment.terms[kind.term]}
          onChange={(value) => payment.change(kind.term, value)}
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
  readonly kind: TermKind;
  readonly currency: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function TermField({ kind, currency, value, onChange }: TermFieldProps) {
  const { t, number, currencySign } = useText();
  const { term, label, factor, unit } = kind;
  const sign = currencySign(currency);
  const id = useId();
  const written = number(value * factor, { maximumFractionDigits: 3 });
  const [typed, setTyped] = useState<string | null>(null);
  const meant = typed === null ? value : readNumber(typed, number) / factor;
  const isWrong = !isPossible(term, meant);
  const [least, most] = LIMITS[term].map((limit) => number(limit * factor)) as [string, string];
  return (
    <div className="term">
      <label className="field-label" htmlFor={id}>
        {t(label)}
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
          {unit === null ? sign : t(unit, { sign })}
        </span>
      </span>
      <span id={`${id}-problem`} className="field-problem term-problem" role="alert">
        {isWrong ? t('payment.between', { least, most }) : null}
      </span>
    </div>
  );
}
