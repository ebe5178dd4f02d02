import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { MAX_ASSIGNMENTS } from '../../../../../machines/limits.ts';
import { Button } from '../../../primitives/button.tsx';
import { CheckboxRow, Choices } from '../../../primitives/choices.tsx';
import { kept } from '../../../site/keeper.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import { myListing, openJobs, type Photo, quota, type Style, stagingCatalog } from '../studio-queries.ts';
import { useAct } from '../use-act.ts';
import { PhotoSubjectField } from './photo-subject-field.tsx';
import {
  type Brief,
  type RoomPhoto,
  type Submission,
  sendOrder,
  submitStaging,
  usualBrief,
} from './submit-staging.ts';
import { unsentOrder } from './unsent-order.ts';

const OrderCost = lazy(() => import('./order-cost.tsx'));
const FurnitureBrief = lazy(() => import('./furniture-brief.tsx'));

interface StagingPanelProps {
  readonly personId: string;
  readonly propertyId: string;
  readonly photos: readonly Photo[];
  /** Called with the photos that were ordered. */
  readonly onOrdered: (imageIds: readonly string[]) => void;
}

const hasRoom = (photo: Photo): photo is RoomPhoto => photo.roomType !== null;
const isRefused = ({ stagingRefusal }: Photo): boolean => stagingRefusal !== null;
/** Photos of a patio or a floor plan are not staged; what others show may still be unknown. */
const showsNoRoom = ({ roomType, imageOf }: Photo): boolean => roomType === null && imageOf !== null;

/** Room, style and furniture for the chosen photos, what it may cost, and the order. */
export default function StagingPanel({ personId, propertyId, photos: chosen, onOrdered }: StagingPanelProps) {
  const photos = chosen.filter((photo) => !isRefused(photo) && !showsNoRoom(photo));
  const refused = chosen.filter(isRefused).length;
  const without = chosen.length - refused - photos.length;
  const { api, notices } = useSite();
  const { t } = useText();
  const queries = useQueryClient();
  const { isBusy, act } = useAct();
  const { data: catalog } = useQuery(stagingCatalog(api));
  const [style, setStyle] = useState<Style | null>(null);
  const [isOneRoom, setOneRoom] = useState(false);
  const [chosenBrief, setBrief] = useState<Brief | null>(null);
  const taken = (results: readonly Submission[]): void => {
    const isNew = results.some(({ disposition }) => disposition === 'ENQUEUED');
    notices.say(isNew ? 'job.disposition.ENQUEUED' : 'job.disposition.style_exists');
    onOrdered(results.map(({ originalImageId }) => originalImageId));
    refresh();
  };
  const refresh = (): void => {
    for (const { queryKey } of [openJobs(api, propertyId), myListing(api, propertyId), quota(api)])
      void queries.invalidateQueries({ queryKey });
  };
  const sending = () => ({ storage: kept, onSubmitted: taken });
  const goOn = useEffectEvent(() => {
    const left = unsentOrder(kept, { personId, propertyId }, Date.now());
    if (left !== null) void act(() => sendOrder(api, left, sending()));
  });
  useEffect(goOn, []);
  if (catalog === undefined) return null;
  const ready = photos.filter(hasRoom);
  const rooms = new Set(ready.map(({ roomType }) => roomType));
  const [room] = rooms;
  const oneRoom = ready.length === photos.length && rooms.size === 1 ? (room ?? null) : null;
  const canBeGroup = photos.length > 1 && photos.length <= MAX_ASSIGNMENTS && oneRoom !== null;
  const isGroup = isOneRoom && canBeGroup && style !== null;
  const brief = isGroup ? (chosenBrief ?? usualBrief(catalog, oneRoom, style)) : null;
  const problem =
    photos.length === 0
      ? 'studio.staging.noneChosen'
      : ready.length < photos.length
        ? 'studio.staging.roomsMissing'
        : style === null
          ? 'studio.staging.styleMissing'
          : null;
  const order = async (): Promise<void> => {
    if (style === null) return;
    const orderedAt = Date.now();
    const given = { personId, propertyId, orderedAt, photos: ready, style, brief };
    await act(() => submitStaging(api, given, sending()));
    refresh();
  };
  return (
    <section className="panel studio-staging" aria-label={t('studio.staging.title')}>
      <h3>{t('studio.staging.chosen', { count: chosen.length })}</h3>
      {refused === 0 ? null : <p className="studio-off">{t('studio.staging.refused', { count: refused })}</p>}
      {without === 0 ? null : <p className="muted">{t('studio.staging.noRoom', { count: without })}</p>}
      <PhotoSubjectField propertyId={propertyId} photos={chosen} rooms={catalog.roomTypes} act={act} />
      <Choices
        legend={t('studio.staging.style')}
        name="style"
        value={style}
        options={catalog.styles.map((value) => ({ value, label: t(`style.${value}`) }))}
        onChange={(value) => {
          setStyle(value);
          setBrief(null);
        }}
      />
      {canBeGroup ? (
        <CheckboxRow
          label={t('studio.staging.oneRoom')}
          detail={t('studio.staging.oneRoomText')}
          isChosen={isOneRoom}
          onChange={setOneRoom}
        />
      ) : null}
      {isGroup && brief !== null ? (
        <Suspense>
          <FurnitureBrief catalog={catalog} room={oneRoom} brief={brief} onChange={setBrief} />
        </Suspense>
      ) : null}
      <Suspense>{photos.length === 0 ? null : <OrderCost count={photos.length} />}</Suspense>
      {catalog.enabled ? null : <p className="studio-off">{t('studio.staging.off')}</p>}
      <Button
        kind="primary"
        isDisabled={isBusy || problem !== null || !catalog.enabled}
        onPress={() => void order()}
      >
        {t('studio.staging.submit', { count: photos.length })}
      </Button>
      {problem === null ? null : <p className="muted">{t(problem)}</p>}
    </section>
  );
}
