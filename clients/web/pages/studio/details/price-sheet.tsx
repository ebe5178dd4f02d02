import { type FormEvent, useState } from 'react';
import { Button } from '../../../primitives/button.tsx';
import { Field } from '../../../primitives/parts.tsx';
import { Sheet } from '../../../primitives/sheet.tsx';
import { useText } from '../../../site/use-site.ts';
import type { OwnListing } from '../studio-queries.ts';

interface PriceSheetProps {
  readonly listing: Pick<OwnListing, 'listPrice' | 'currency'>;
  readonly onClose: () => void;
  readonly onPrice: (price: number) => void;
}

/** A larger share is asked about: a digit may be missing. */
const LARGE_CHANGE = 0.25;
const LEAST_PRICE = 0.01;

/** A new price, and what buyers will see. */
export default function PriceSheet({ listing: { listPrice, currency }, onClose, onPrice }: PriceSheetProps) {
  const { t, money, number } = useText();
  const [price, setPrice] = useState<number | null>(null);
  const [isAsked, setAsked] = useState(false);
  const share = price === null ? 0 : price / listPrice - 1;
  const change = number(share, { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' });
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (price === null) return;
    if (Math.abs(share) > LARGE_CHANGE && !isAsked) setAsked(true);
    else onPrice(price);
  };
  return (
    <Sheet title={t('studio.price.title')} onClose={onClose}>
      <form className="stack" onSubmit={send}>
        <Field label={t('studio.field.listPrice')}>
          <input
            className="input"
            type="number"
            min={LEAST_PRICE}
            step={LEAST_PRICE}
            required
            inputMode="decimal"
            onChange={({ currentTarget: { value } }) => {
              setPrice(Number(value) > 0 ? Number(value) : null);
              setAsked(false);
            }}
          />
        </Field>
        <p role="status">
          {price === null
            ? null
            : t('studio.price.shown', {
                from: money(listPrice, currency),
                to: money(price, currency),
                change,
              })}
        </p>
        <p className="muted">{t('studio.price.within')}</p>
        {isAsked ? <p role="alert">{t('studio.price.large', { change })}</p> : null}
        <Button kind="primary" type="submit" isDisabled={price === null || price === listPrice}>
          {t(isAsked ? 'studio.price.confirm' : 'studio.price.change')}
        </Button>
      </form>
    </Sheet>
  );
}
