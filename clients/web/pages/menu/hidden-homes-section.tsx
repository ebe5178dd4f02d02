import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { addressLine } from '../../../../i18n/address-line.ts';
import { cardsOf } from '../../api/queries.ts';
import { Button } from '../../primitives/button.tsx';
import { HideButton } from '../../primitives/mark-buttons.tsx';
import { ListRow, Section } from '../../primitives/parts.tsx';
import { useHomeMarks, useMarksOfPerson } from '../../session/use-home-marks.ts';
import { useSite, useText } from '../../site/use-site.ts';

/** As many as are named at once; showing some of them again brings the next ones. */
const MOST = 24;

/** The homes that are left out of all lists. Nothing while there are none. */
export function HiddenHomesSection() {
  const { api, marks } = useSite();
  const { t } = useText();
  useMarksOfPerson();
  const hidden = useHomeMarks((known) => known.hidden);
  const { data } = useQuery({ ...cardsOf(api, hidden.slice(0, MOST)), enabled: hidden.length > 0 });
  if (hidden.length === 0) return null;
  return (
    <Section title={t('homes.hiddenTitle', { count: hidden.length })}>
      <ul>
        {data?.items.map((card) => (
          <li key={card.propertyId}>
            <ListRow
              title={
                <Link to="/properties/$propertyId" params={{ propertyId: card.propertyId }}>
                  {addressLine(card)}
                </Link>
              }
            >
              <HideButton propertyId={card.propertyId} address={addressLine(card)} />
            </ListRow>
          </li>
        ))}
      </ul>
      <div>
        <Button onPress={() => marks?.restore(hidden)}>{t('homes.showAll')}</Button>
      </div>
    </Section>
  );
}
