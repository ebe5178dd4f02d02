import type { PictureChoice } from '../../pictures/picture-choice.ts';
import { useShownHomes } from '../../primitives/hidden-homes.tsx';
import { Section } from '../../primitives/parts.tsx';
import { type Card, PropertyCard } from '../../primitives/property-card.tsx';
import { useText } from '../../site/use-site.ts';

interface SimilarHomesProps {
  readonly cards: readonly Card[];
  readonly pictures: PictureChoice | undefined;
}

/** Homes like this one, without those that were hidden. */
export default function SimilarHomes({ cards, pictures }: SimilarHomesProps) {
  const { t } = useText();
  const { shown } = useShownHomes(cards);
  if (shown.length === 0) return null;
  return (
    <Section title={t('listing.similar')}>
      <ul className="listing-similar">
        {shown.map((card) => (
          <li key={card.propertyId}>
            <PropertyCard card={card} pictures={pictures} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
