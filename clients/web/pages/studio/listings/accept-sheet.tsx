import { useState } from 'react';
import { Button } from '../../../primitives/button.tsx';
import { CheckboxRow } from '../../../primitives/choices.tsx';
import { Sheet } from '../../../primitives/sheet.tsx';
import { useText } from '../../../site/use-site.ts';

interface AcceptSheetProps {
  /** The present owner's. */
  readonly name: string;
  readonly onClose: () => void;
  readonly onAccept: (keepFormerOwner: boolean) => void;
}

/** Asks before a listing becomes the agent's, and whether its former owner still works on it. */
export default function AcceptSheet({ name, onClose, onAccept }: AcceptSheetProps) {
  const { t } = useText();
  const [keeps, setKeeps] = useState(false);
  return (
    <Sheet title={t('studio.offers.acceptTitle')} onClose={onClose}>
      <CheckboxRow label={t('studio.offers.keep', { name })} isChosen={keeps} onChange={setKeeps} />
      <Button kind="primary" onPress={() => onAccept(keeps)}>
        {t('studio.offers.accept')}
      </Button>
    </Sheet>
  );
}
