import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../primitives/button.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import { deletePhoto } from '../change-photo.ts';
import { forAll } from '../for-all.ts';
import { photoName } from '../photo-name.ts';
import { myListing, type Photo } from '../studio-queries.ts';
import { useAct } from '../use-act.ts';
import type { Selection } from '../use-selection.ts';
import { orderBeside, type PhotoOrder } from './photo-order.ts';
import type { Arrange } from './use-arrange.ts';

const ConfirmSheet = lazy(() => import('../confirm-sheet.tsx'));
const AlteredSheet = lazy(() => import('./altered-sheet.tsx'));
const ReplaceSheet = lazy(() => import('./replace-sheet.tsx'));

const AT_ONCE = 4;

interface PhotoToolbarProps {
  readonly agentId: string;
  readonly propertyId: string;
  /** All photos of the listing. */
  readonly photos: readonly Photo[];
  /** The ids of those that are shown. */
  readonly shown: readonly string[];
  readonly selection: Selection;
  readonly arrange: Arrange;
}

type OpenSheet = 'altered' | 'replace' | 'delete';

/** What can be done with the chosen photos, by keyboard as well. */
export function PhotoToolbar(props: PhotoToolbarProps) {
  const { photos, shown, selection, arrange } = props;
  const { t } = useText();
  const [sheet, setSheet] = useState<OpenSheet | null>(null);
  const { ids } = selection;
  const listed = photos.map(({ imageId }) => imageId);
  const only = ids.length === 1 ? photos.find(({ imageId }) => imageId === ids[0]) : undefined;
  const areAll = ids.length > 0 && ids.length === shown.length;
  const move = (order: PhotoOrder | null) => ({
    isDisabled: order === null,
    onPress: () => void (order === null ? null : arrange(order, ids)),
  });
  const isCover = only?.isMain === true && only.imageId === listed[0];
  const toFront = [...ids, ...listed.filter((id) => !ids.includes(id))];
  return (
    <div className="studio-toolbar" role="toolbar" aria-label={t('studio.photo.actions')}>
      <Button kind="quiet" onPress={() => selection.choose(areAll ? [] : shown)}>
        {t(areAll ? 'studio.photo.chooseNone' : 'studio.photo.chooseAll')}
      </Button>
      <Button kind="quiet" {...move(orderBeside(listed, ids, -1))}>
        {t('studio.photo.earlier')}
      </Button>
      <Button kind="quiet" {...move(orderBeside(listed, ids, 1))}>
        {t('studio.photo.later')}
      </Button>
      {/* Says where photos that were moved stand now. */}
      <span className="visually-hidden" role="status">
        {photos
          .map((photo, index) => (ids.includes(photo.imageId) ? photoName(t, photo, index) : ''))
          .filter((name) => name !== '')
          .slice(0, SAID)
          .join(', ')}
      </span>
      <Button
        kind="quiet"
        isDisabled={only === undefined || only.alteration !== null || isCover}
        onPress={() => void arrange(toFront, ids)}
      >
        {t('studio.photo.makeCover')}
      </Button>
      <Button kind="quiet" isDisabled={only === undefined} onPress={() => setSheet('altered')}>
        {t('studio.altered.open')}
      </Button>
      <Button kind="quiet" isDisabled={only === undefined} onPress={() => setSheet('replace')}>
        {t('studio.photo.replace')}
      </Button>
      <Button kind="quiet" isDisabled={ids.length === 0} onPress={() => setSheet('delete')}>
        {t('studio.photo.delete')}
      </Button>
      <ToolbarSheet {...props} only={only} sheet={sheet} onClose={() => setSheet(null)} />
    </div>
  );
}

/** More names than these are not said. */
const SAID = 3;

interface ToolbarSheetProps extends PhotoToolbarProps {
  /** The chosen photo, where one is chosen. */
  readonly only: Photo | undefined;
  readonly sheet: OpenSheet | null;
  readonly onClose: () => void;
}

/** What an action asks before it is done. */
function ToolbarSheet({ agentId, propertyId, photos, selection, only, sheet, onClose }: ToolbarSheetProps) {
  const { api, sender } = useSite();
  const { t } = useText();
  const queries = useQueryClient();
  const { act } = useAct();
  const { ids } = selection;
  const remove = async (): Promise<void> => {
    onClose();
    await act(async () => {
      if (sender === null) return;
      await forAll(ids, AT_ONCE, (imageId) => deletePhoto(sender, imageId));
    });
    await queries.invalidateQueries({ queryKey: myListing(api, propertyId).queryKey });
  };
  return (
    <Suspense>
      {sheet === 'altered' && only !== undefined ? (
        <AlteredSheet key={only.imageId} photo={only} photos={photos} onClose={onClose} />
      ) : null}
      {sheet === 'replace' && only !== undefined ? (
        <ReplaceSheet agentId={agentId} photo={only} onClose={onClose} />
      ) : null}
      {sheet === 'delete' ? (
        <ConfirmSheet
          title={t('studio.photo.deleteTitle', { count: ids.length })}
          text={t('studio.photo.deleteText')}
          action={t('studio.photo.delete')}
          onClose={onClose}
          onConfirm={() => void remove()}
        />
      ) : null}
    </Suspense>
  );
}
