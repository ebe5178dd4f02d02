import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../primitives/button.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import { changePhoto, deletePhoto } from '../change-photo.ts';
import { forAll } from '../for-all.ts';
import { photoName } from '../photo-name.ts';
import { myListing, type Photo } from '../studio-queries.ts';
import { useAct } from '../use-act.ts';
import type { Selection } from '../use-selection.ts';

const ConfirmSheet = lazy(() => import('../confirm-sheet.tsx'));
const AlteredSheet = lazy(() => import('./altered-sheet.tsx'));

const AT_ONCE = 4;

interface PhotoToolbarProps {
  readonly propertyId: string;
  readonly photos: readonly Photo[];
  readonly selection: Selection;
  readonly onMove: (imageId: string, position: number) => void;
}

/** What can be done with the chosen photos, by keyboard as well. */
export function PhotoToolbar({ propertyId, photos, selection, onMove }: PhotoToolbarProps) {
  const { api, sender } = useSite();
  const { t } = useText();
  const queries = useQueryClient();
  const { isBusy, act } = useAct();
  const [isDeleting, setDeleting] = useState(false);
  const [isDeclaring, setDeclaring] = useState(false);
  const { ids } = selection;
  const [only] = ids.length === 1 ? ids : [];
  const position = photos.findIndex(({ imageId }) => imageId === only);
  const moved = photos[position];
  const all = photos.map(({ imageId }) => imageId);
  const refresh = () => queries.invalidateQueries({ queryKey: myListing(api, propertyId).queryKey });
  const makeCover = () =>
    act(async () => {
      if (sender === null || only === undefined) return;
      await changePhoto(sender, only, { isMain: true });
      await refresh();
    });
  const remove = async (): Promise<void> => {
    setDeleting(false);
    await act(async () => {
      if (sender === null) return;
      await forAll(ids, AT_ONCE, (imageId) => deletePhoto(sender, imageId));
    });
    await refresh();
  };
  return (
    <div className="studio-toolbar" role="toolbar" aria-label={t('studio.photo.actions')}>
      <Button kind="quiet" onPress={() => selection.choose(ids.length === all.length ? [] : all)}>
        {t(ids.length === all.length ? 'studio.photo.chooseNone' : 'studio.photo.chooseAll')}
      </Button>
      <Button
        kind="quiet"
        isDisabled={position < 1}
        onPress={() => only !== undefined && onMove(only, position - 1)}
      >
        {t('studio.photo.earlier')}
      </Button>
      <Button
        kind="quiet"
        isDisabled={position < 0 || position === photos.length - 1}
        onPress={() => only !== undefined && onMove(only, position + 1)}
      >
        {t('studio.photo.later')}
      </Button>
      {/* Says where a photo that was moved stands now. */}
      <span className="visually-hidden" role="status">
        {moved === undefined ? null : photoName(t, moved, position)}
      </span>
      <Button
        kind="quiet"
        isDisabled={isBusy || moved === undefined || moved.isMain || moved.alteration !== null}
        onPress={() => void makeCover()}
      >
        {t('studio.photo.makeCover')}
      </Button>
      <Button kind="quiet" isDisabled={isBusy || moved === undefined} onPress={() => setDeclaring(true)}>
        {t('studio.altered.open')}
      </Button>
      <Button kind="quiet" isDisabled={isBusy || ids.length === 0} onPress={() => setDeleting(true)}>
        {t('studio.photo.delete')}
      </Button>
      <Suspense>
        {isDeclaring && moved !== undefined ? (
          <AlteredSheet
            key={moved.imageId}
            photo={moved}
            photos={photos}
            onClose={() => setDeclaring(false)}
          />
        ) : null}
        {isDeleting ? (
          <ConfirmSheet
            title={t('studio.photo.deleteTitle', { count: ids.length })}
            text={t('studio.photo.deleteText')}
            action={t('studio.photo.delete')}
            onClose={() => setDeleting(false)}
            onConfirm={() => void remove()}
          />
        ) : null}
      </Suspense>
    </div>
  );
}
