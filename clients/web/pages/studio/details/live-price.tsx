import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../primitives/button.tsx';
import { useText } from '../../../site/use-site.ts';
import type { OwnListing } from '../studio-queries.ts';
import type { Save } from './use-save.ts';

const PriceSheet = lazy(() => import('./price-sheet.tsx'));

/** The price of a listing that was published: buyers see a change at once, so it is made on purpose. */
export function LivePrice({ listing, save }: { readonly listing: OwnListing; readonly save: Save }) {
  const { t, money } = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="field">
      <span className="field-label">{t('studio.field.listPrice')}</span>
      <div className="row">
        <strong>{money(listing.listPrice, listing.currency)}</strong>
        <Button onPress={() => setOpen(true)}>{t('studio.price.change')}</Button>
      </div>
      <Suspense>
        {isOpen ? (
          <PriceSheet
            listing={listing}
            onClose={() => setOpen(false)}
            onPrice={(listPrice) => void save({ listPrice }).then((isStored) => setOpen(!isStored))}
          />
        ) : null}
      </Suspense>
    </div>
  );
}
