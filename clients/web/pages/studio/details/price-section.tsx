import { Section } from '../../../primitives/parts.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import { LivePrice } from './live-price.tsx';
import { ChoiceField, NumberField, type SavedFieldProps } from './saved-field.tsx';

const LEAST_PRICE = 0.01;
const MOST_MONEY = 999_999_999_999;

/** What the home costs, and what it costs each year. */
export default function PriceSection(given: SavedFieldProps) {
  const { t } = useText();
  return (
    <Section title={t('studio.details.price')}>
      <div className="studio-columns">
        {given.listing.standardStatus === 'Incomplete' ? (
          <NumberField
            {...given}
            name="listPrice"
            isRequired
            least={LEAST_PRICE}
            most={MOST_MONEY}
            step={LEAST_PRICE}
          />
        ) : (
          <LivePrice {...given} />
        )}
        <Currency {...given} />
        <NumberField {...given} name="associationFee" most={MOST_MONEY} step={0.01} />
        <NumberField {...given} name="taxAnnualAmount" most={MOST_MONEY} step={0.01} />
      </div>
    </Section>
  );
}

/** Only of a listing from before the site's currency was another: all others have the site's. */
function Currency(given: SavedFieldProps) {
  const { currency } = useSite().settings.site;
  const own = given.listing.currency;
  if (own === currency) return null;
  return (
    <ChoiceField
      {...given}
      name="currency"
      isRequired
      options={[own, currency].map((value) => ({ value, label: value }))}
    />
  );
}
