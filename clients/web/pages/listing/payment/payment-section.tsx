import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../primitives/button.tsx';
import { Section } from '../../../primitives/parts.tsx';
import { useText } from '../../../site/use-site.ts';
import type { Detail } from '../listing-data.ts';
import { PAYMENT_ID, usePayment } from './use-payment.ts';
import './payment.css';

const PaymentForm = lazy(() => import('./payment-form.tsx'));

const PARTS = [
  ['loan', 'payment.loan'],
  ['tax', 'payment.tax'],
  ['insurance', 'payment.insurance'],
  ['fee', 'payment.fee'],
] as const;

/** What a home would cost a month, with what that is computed from. The form that changes it is loaded when it is opened. */
export default function PaymentSection({ home }: { readonly home: Detail }) {
  const { t, money, percent, number } = useText();
  const payment = usePayment(home);
  const [isOpen, setOpen] = useState(false);
  const { terms, parts } = payment;
  const paid = (amount: number): string => money(Math.round(amount), home.currency);
  const rows = PARTS.filter(([part]) => parts[part] > 0);
  return (
    <Section title={t('payment.title')} id={PAYMENT_ID}>
      <div className="payment">
        <p className="payment-total" aria-live="polite">
          {t('payment.total', { amount: paid(parts.total) })}
        </p>
        <dl className="payment-parts">
          {rows.map(([part, label]) => (
            <div key={part}>
              <dt>{t(label)}</dt>
              <dd>{paid(parts[part])}</dd>
            </div>
          ))}
        </dl>
        <p className="muted">
          {t('payment.assumed', {
            price: paid(terms.price),
            down: percent(terms.downShare),
            rate: number(terms.rate, { style: 'percent', maximumFractionDigits: 3 }),
            years: number(terms.years),
          })}{' '}
          {t('payment.note')}
        </p>
        {isOpen ? (
          <Suspense>
            <PaymentForm payment={payment} currency={home.currency} />
          </Suspense>
        ) : (
          <span className="scripted">
            <Button onPress={() => setOpen(true)}>{t('payment.change')}</Button>
          </span>
        )}
      </div>
    </Section>
  );
}
