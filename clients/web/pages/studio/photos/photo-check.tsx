import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../../../primitives/button.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import { changePhoto } from '../change-photo.ts';
import { myListing, type Photo } from '../studio-queries.ts';
import { useAct } from '../use-act.ts';

const WORDS: Readonly<Record<string, string>> = {
  WAITING: 'studio.photo.waits',
  QUESTION: 'studio.photo.question',
  STAGED_PICTURE: 'studio.photo.refused',
};

/** Why a photo is not shown to the public, if it is not; and the agent's answer to the question about it. */
export function PhotoCheck({ photo: { imageId, propertyId, photoState }, name }: PhotoCheckProps) {
  const { t } = useText();
  const { api, sender } = useSite();
  const queries = useQueryClient();
  const { act, isBusy } = useAct();
  const words = WORDS[photoState ?? ''];
  if (words === undefined) return null;
  const confirm = async (): Promise<void> => {
    if (sender === null) return;
    await act(() => changePhoto(sender, imageId, { isTruePhoto: true }));
    await queries.invalidateQueries({ queryKey: myListing(api, propertyId).queryKey });
  };
  return (
    <div>
      <p className="muted">{t(words)}</p>
      {photoState === 'QUESTION' ? (
        <Button isDisabled={isBusy} onPress={confirm} aria-label={`${t('studio.photo.isTrue')}: ${name}`}>
          {t('studio.photo.isTrue')}
        </Button>
      ) : null}
    </div>
  );
}

interface PhotoCheckProps {
  readonly photo: Photo;
  readonly name: string;
}
