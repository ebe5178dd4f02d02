import { useRef } from 'react';
import { PHOTO_TYPES } from '../../../../../machines/vocabulary.ts';
import { Button } from '../../../primitives/button.tsx';
import { Sheet } from '../../../primitives/sheet.tsx';
import { useText } from '../../../site/use-site.ts';
import type { Photo } from '../studio-queries.ts';
import { useUploads } from './use-uploads.ts';

interface ReplaceSheetProps {
  readonly agentId: string;
  readonly photo: Photo;
  readonly onClose: () => void;
}

/** Takes the photo that is to stand in another one's place. */
export default function ReplaceSheet({ agentId, photo, onClose }: ReplaceSheetProps) {
  const { t } = useText();
  const { replace } = useUploads(agentId, photo.propertyId);
  const file = useRef<HTMLInputElement>(null);
  return (
    <Sheet title={t('studio.photo.replaceTitle')} onClose={onClose}>
      <p>{t('studio.photo.replaceText')}</p>
      <Button kind="primary" onPress={() => file.current?.click()}>
        {t('studio.photo.replaceChoose')}
      </Button>
      <input
        ref={file}
        className="visually-hidden"
        type="file"
        tabIndex={-1}
        accept={PHOTO_TYPES.join()}
        aria-label={t('studio.photo.replaceChoose')}
        onChange={({ currentTarget: { files } }) => {
          const [chosen] = files ?? [];
          if (chosen !== undefined) replace(chosen, photo);
          onClose();
        }}
      />
    </Sheet>
  );
}
