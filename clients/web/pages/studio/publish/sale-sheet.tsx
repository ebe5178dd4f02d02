import type { FormEvent } from 'react';
import { Button } from '../../../primitives/button.tsx';
import { Field } from '../../../primitives/parts.tsx';
import { Sheet } from '../../../primitives/sheet.tsx';
import { useText } from '../../../site/use-site.ts';

interface Sale {
  /** Null: not disclosed. */
  readonly closePrice: number | null;
  /** A calendar day. */
  readonly closeDate: string;
}

interface SaleSheetProps {
  readonly currency: string;
  /** Of the home: there a sale is not later than today. */
  readonly timeZone: string;
  readonly onClose: () => void;
  readonly onSale: (sale: Sale) => void;
}

/** Asks for the price and the day of a sale. */
export default function SaleSheet({ currency, timeZone, onClose, onSale }: SaleSheetProps) {
  const { t } = useText();
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const price = String(form.get('closePrice') ?? '');
    onSale({
      closePrice: price === '' ? null : Number(price),
      closeDate: String(form.get('closeDate') ?? ''),
    });
  };
  return (
    <Sheet title={t('listing.status.Closed')} onClose={onClose}>
      <form className="stack" onSubmit={send}>
        <Field label={t('studio.sale.price', { currency })}>
          <input className="input" name="closePrice" type="number" min={0} step="0.01" inputMode="decimal" />
        </Field>
        <Field label={t('studio.sale.date')}>
          <input
            className="input"
            name="closeDate"
            type="date"
            required
            // Swedish dates are ISO dates.
            max={new Date().toLocaleDateString('sv', { timeZone })}
          />
        </Field>
        <Button kind="primary" type="submit">
          {t('common.save')}
        </Button>
      </form>
    </Sheet>
  );
}
