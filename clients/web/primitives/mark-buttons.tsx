import { useEffect } from 'react';
import { useHomeMarks, useMarksOfPerson } from '../session/use-home-marks.ts';
import { useSite, useText } from '../site/use-site.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface MarkedHome {
  readonly propertyId: string;
  /** Street and unit. */
  readonly address: string;
}

/** Leaves a home out of all lists, or shows it there again. */
export function HideButton({ propertyId, address }: MarkedHome) {
  const { marks, notices } = useSite();
  const { t } = useText();
  const isHidden = useHomeMarks(({ hidden }) => hidden.includes(propertyId));
  const restore = () => marks?.restore([propertyId]);
  const hide = () => {
    focusNextCard();
    marks?.hide(propertyId);
    notices.say('homes.hidden', restore);
  };
  const word = t(isHidden ? 'homes.showAgain' : 'homes.hide');
  return (
    <Button kind="quiet" aria-label={`${word}: ${address}`} onPress={isHidden ? restore : hide}>
      <Icon name={isHidden ? 'shown' : 'hidden'} />
      {word}
    </Button>
  );
}

/** The card that is hidden takes its focus along: the one after it, or before it, has it then. */
function focusNextCard(): void {
  const item = document.activeElement?.closest('.property-card')?.closest('li');
  const neighbor = item?.nextElementSibling ?? item?.previousElementSibling;
  neighbor?.querySelector<HTMLElement>('.property-card-link')?.focus();
}

/** Marks a home for comparing with others. */
export function CompareButton({ propertyId, address }: MarkedHome) {
  const { marks, notices } = useSite();
  const { t } = useText();
  const isCompared = useHomeMarks(({ compared }) => compared.includes(propertyId));
  const toggle = () => {
    if (marks?.compare(propertyId, !isCompared) === false) notices.say('compare.full');
  };
  return (
    <Button
      kind="quiet"
      aria-pressed={isCompared}
      aria-label={`${t('compare.mark')}: ${address}`}
      onPress={toggle}
    >
      <Icon name={isCompared ? 'chosen' : 'choosable'} />
      {t('compare.mark')}
    </Button>
  );
}

/** Of the page of one home, which counts as seen from now on. */
export function MarkButtons(home: MarkedHome) {
  const { marks } = useSite();
  const { propertyId } = home;
  useMarksOfPerson();
  useEffect(() => marks?.see(propertyId), [marks, propertyId]);
  return (
    <>
      <CompareButton {...home} />
      <HideButton {...home} />
    </>
  );
}
