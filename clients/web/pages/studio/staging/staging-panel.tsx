import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { MAX_ASSIGNMENTS } from '../../../../../machines/limits.ts';
import { Button } from '../../../primitives/button.tsx';
import { CheckboxRow } from '../../../primitives/choices.tsx';
import { Icon } from '../../../primitives/icon.tsx';
import { Field } from '../../../primitives/parts.tsx';
import { kept } from '../../../site/keeper.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import { changePhoto } from '../change-photo.ts';
import { forAll } from '../for-all.ts';
import {
  type Job,
  myListing,
  openJobs,
  type Photo,
  quota,
  type RoomType,
  type Style,
  stagingCatalog,
} from '../studio-queries.ts';
import { useAct } from '../use-act.ts';
import { StyleChoice } from './style-choice.tsx';
import {
  type Brief,
  type RoomPhoto,
  type StagingOrder,
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
  /** The order to which the agent goes back. */
  readonly earlier: EarlierOrder | null;
  /** Called with the photos that were ordered. */
  readonly onOrdered: (imageIds: readonly string[]) => void;
  /** Takes back which photos are chosen. */
  readonly onClear: () => void;
}

/** How a picture was ordered that was rejected. */
export interface EarlierOrder extends Pick<Job, 'groupId'> {
  readonly imageId: string;
  readonly style: Style | null;
  readonly roomType: RoomType | null;
}

const hasRoom = (photo: Photo): photo is RoomPhoto => photo.roomType !== null;
const canBeStaged = ({ stagingRefusal }: Photo): boolean => stagingRefusal === null;

/** Room, style and furniture for the chosen photos, what it may cost, and the order. On a phone it lies over the photos. */
export default function StagingPanel(props: StagingPanelProps) {
  const { personId, propertyId, photos: chosen, earlier, onOrdered, onClear } = props;
  const photos = chosen.filter(canBeStaged);
  const refused = chosen.length - photos.length;
  const { api } = useSite();
  const { t } = useText();
  const panel = useRef<HTMLElement>(null);
  const { data: catalog } = useQuery(stagingCatalog(api));
  const { style, setStyle, isOneRoom, setOneRoom, brief: chosenBrief, setBrief } = useChoices(earlier);
  const ordering = useOrdering({ personId, propertyId, onOrdered });
  useEffect(() => {
    if (earlier !== null) panel.current?.focus({ preventScroll: true });
  }, [earlier]);
  if (catalog === undefined) return null;
  const ready = photos.filter(hasRoom);
  const rooms = new Set(ready.map(({ roomType }) => roomType));
  const [room] = rooms;
  const oneRoom = ready.length === photos.length && rooms.size === 1 ? (room ?? null) : null;
  const canBeGroup = photos.length > 1 && photos.length <= MAX_ASSIGNMENTS && oneRoom !== null;
  const isGroup = isOneRoom && canBeGroup && style !== null;
  const brief = isGroup ? (chosenBrief ?? usualBrief(catalog, oneRoom, style)) : null;
  return (
    <section
      ref={panel}
      tabIndex={-1}
      className={`panel studio-staging${chosen.length === 0 ? ' studio-staging-idle' : ''}`}
      aria-label={t('studio.staging.title')}
    >
      <details className="studio-staging-choices" open>
        <summary>
          <h3>{t('studio.staging.chosen', { count: chosen.length })}</h3>
        </summary>
        <div className="stack">
          {refused === 0 ? null : (
            <p className="studio-off">{t('studio.staging.refused', { count: refused })}</p>
          )}
          <RoomField
            {...{ propertyId, photos }}
            room={oneRoom}
            rooms={catalog.roomTypes}
            act={ordering.act}
          />
          <StyleChoice styles={catalog.styles} value={style} onChange={setStyle} />
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
        </div>
      </details>
      {chosen.length === 0 ? null : (
        <span className="studio-staging-clear">
          <Button kind="icon" aria-label={t('studio.photo.chooseNone')} onPress={onClear}>
            <Icon name="close" />
          </Button>
        </span>
      )}
      <Foot
        count={photos.length}
        isOn={catalog.enabled}
        isBusy={ordering.isBusy}
        problem={problemOf({ chosen: photos.length, ready: ready.length, style })}
        onOrder={() => {
          if (style === null) return;
          void ordering.order({ photos: ready, style, brief, groupId: groupOf(earlier, ready, style) });
        }}
      />
    </section>
  );
}

interface FootProps {
  readonly count: number;
  /** Whether the platform stages now. */
  readonly isOn: boolean;
  readonly isBusy: boolean;
  /** What is missing, as a key of the catalogs. */
  readonly problem: string | null;
  readonly onOrder: () => void;
}

/** What the order may cost, what is missing for it, and its button: always in sight. */
function Foot({ count, isOn, isBusy, problem, onOrder }: FootProps) {
  const { t } = useText();
  return (
    <div className="studio-staging-foot">
      <Suspense>{count === 0 ? null : <OrderCost count={count} />}</Suspense>
      {isOn ? null : <p className="studio-off">{t('studio.staging.off')}</p>}
      {problem === null ? null : <p className="muted">{t(problem)}</p>}
      <Button kind="primary" isDisabled={isBusy || problem !== null || !isOn} onPress={onOrder}>
        {t('studio.staging.submit', { count })}
      </Button>
    </div>
  );
}

/** What is missing before photos can be ordered, as a key of the catalogs; null for nothing. */
function problemOf({
  chosen,
  ready,
  style,
}: {
  readonly chosen: number;
  readonly ready: number;
  readonly style: Style | null;
}): string | null {
  if (chosen === 0) return 'studio.staging.noneChosen';
  if (ready < chosen) return 'studio.staging.roomsMissing';
  return style === null ? 'studio.staging.styleMissing' : null;
}

/** The group whose furniture a picture had, while it is ordered again as it was. */
function groupOf(earlier: EarlierOrder | null, photos: readonly RoomPhoto[], style: Style): string | null {
  const [photo, ...others] = photos;
  const isSame =
    others.length === 0 &&
    photo?.imageId === earlier?.imageId &&
    photo?.roomType === earlier?.roomType &&
    style === earlier?.style;
  return isSame ? (earlier?.groupId ?? null) : null;
}

/** Style and furniture. They begin as in the order to which the agent goes back. */
function useChoices(earlier: EarlierOrder | null) {
  const [style, choose] = useState(earlier?.style ?? null);
  const [isOneRoom, setOneRoom] = useState(false);
  const [brief, setBrief] = useState<Brief | null>(null);
  const [seen, setSeen] = useState(earlier);
  const setStyle = (next: Style | null): void => {
    choose(next);
    setBrief(null);
  };
  if (seen !== earlier) {
    setSeen(earlier);
    setStyle(earlier?.style ?? null);
  }
  return { style, setStyle, isOneRoom, setOneRoom, brief, setBrief };
}

/** Orders, one after the other, and continues what a page before has left. */
function useOrdering({
  personId,
  propertyId,
  onOrdered,
}: Omit<StagingPanelProps, 'photos' | 'earlier' | 'onClear'>) {
  const { api, notices } = useSite();
  const queries = useQueryClient();
  const { isBusy, act } = useAct();
  const refresh = (): void => {
    for (const { queryKey } of [openJobs(api, propertyId), myListing(api, propertyId), quota(api)])
      void queries.invalidateQueries({ queryKey });
  };
  const taken = (results: readonly Submission[]): void => {
    const isNew = results.some(({ disposition }) => disposition === 'ENQUEUED');
    notices.say(isNew ? 'job.disposition.ENQUEUED' : 'job.disposition.style_exists');
    onOrdered(results.map(({ originalImageId }) => originalImageId));
    refresh();
  };
  const sending = { storage: kept, onSubmitted: taken };
  const goOn = useEffectEvent(() => {
    const left = unsentOrder(kept, { personId, propertyId }, Date.now());
    if (left !== null) void act(() => sendOrder(api, left, sending));
  });
  useEffect(goOn, []);
  const order = async (
    given: Pick<StagingOrder, 'photos' | 'style' | 'brief' | 'groupId'>,
  ): Promise<void> => {
    const orderedAt = Date.now();
    await act(() => submitStaging(api, { personId, propertyId, orderedAt, ...given }, sending));
    refresh();
  };
  return { isBusy, act, order };
}

const AT_ONCE = 4;

/** The room of the chosen photos; a change is stored at once. Nothing is ordered in between. */
function RoomField({
  propertyId,
  photos,
  room,
  rooms,
  act,
}: {
  readonly propertyId: string;
  readonly photos: readonly Photo[];
  readonly room: RoomType | null;
  readonly rooms: readonly RoomType[];
  readonly act: ReturnType<typeof useAct>['act'];
}) {
  const { api, sender } = useSite();
  const { t } = useText();
  const queries = useQueryClient();
  const [next, setNext] = useState<RoomType | null>(null);
  const missing = photos.filter(({ roomType }) => roomType === null).length;
  const change = async (roomType: RoomType): Promise<void> => {
    if (sender === null) return;
    setNext(roomType);
    await act(async () => {
      try {
        await forAll(photos, AT_ONCE, ({ imageId }) => changePhoto(sender, imageId, { roomType }));
      } finally {
        await queries.invalidateQueries({ queryKey: myListing(api, propertyId).queryKey });
      }
    });
    setNext((latest) => (latest === roomType ? null : latest));
  };
  return (
    <Field label={t('studio.staging.room')}>
      <select
        className="input"
        value={next ?? room ?? ''}
        disabled={photos.length === 0}
        onChange={({ currentTarget }) => void change(currentTarget.value as RoomType)}
      >
        {room === null && next === null ? (
          <option value="" disabled>
            {t(missing > 0 ? 'studio.staging.roomsUnknown' : 'studio.staging.roomsDiffer', {
              count: missing,
            })}
          </option>
        ) : null}
        {rooms.map((value) => (
          <option key={value} value={value}>
            {t(`room.${value}`)}
          </option>
        ))}
      </select>
    </Field>
  );
}
