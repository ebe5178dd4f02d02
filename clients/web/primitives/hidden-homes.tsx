import { useMemo } from 'react';
import { useHomeMarks, useMarksOfPerson } from '../session/use-home-marks.ts';
import { useSite, useText } from '../site/use-site.ts';
import { Button } from './button.tsx';

type Home = { readonly propertyId: string };

/** A list without the homes that were hidden at this browser, and the ids of those that were in it. */
export function useShownHomes<Card extends Home>(
  cards: readonly Card[],
): { readonly shown: readonly Card[]; readonly hidden: readonly string[] } {
  useMarksOfPerson();
  const hidden = useHomeMarks((marks) => marks.hidden);
  return useMemo(() => {
    const isHidden = ({ propertyId }: Home) => hidden.includes(propertyId);
    return {
      shown: cards.filter((card) => !isHidden(card)),
      hidden: cards.filter(isHidden).map(({ propertyId }) => propertyId),
    };
  }, [cards, hidden]);
}

/** At the end of a list: how many of it are hidden, and the way to see them again. The total above counts them. */
export function HiddenHomes({ hidden }: { readonly hidden: readonly string[] }) {
  const { marks } = useSite();
  const { t } = useText();
  const count = hidden.length;
  if (count === 0) return null;
  return (
    <p className="row">
      <span className="muted">{t('homes.hiddenByYou', { count })}</span>
      <Button kind="quiet" onPress={() => marks?.restore(hidden)}>
        {t('homes.showHidden', { count })}
      </Button>
    </p>
  );
}
