import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { MAX_ASSIGNMENTS } from '../../../../../machines/limits.ts';
import { Button } from '../../../primitives/button.tsx';
import { CheckboxRow } from '../../../primitives/choices.tsx';
import { Icon } from '../../../primitives/icon.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import { type Job, type Photo, type RoomType, type Style, stagingCatalog } from '../studio-queries.ts';
import type { useAct } from '../use-act.ts';
import { canBeStaged } from './can-be-staged.ts';
import { PhotoSubjectField } from './photo-subject-field.tsx';
import { StyleChoice } from './style-choice.tsx';
import { type Brief, type RoomPhoto, type StagingCatalog, usualBrief } from './submit-staging.ts';
import { useOrdering } from './use-ordering.ts';

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

/** Room, style and furniture for the chosen photos, what it may cost, and the order. On a phone it lies over the photos. */
export default function StagingPanel(props: StagingPanelProps) {
  const { photos: chosen, earlier, onClear } = props;
  const { api } = useSite();
  const { t } = useText();
  const panel = useRef<HTMLElement>(null);
  const { data: catalog } = useQuery(stagingCatalog(api));
  const choices = useChoices(earlier);
  const ordering = useOrdering(props);
  const isShown = catalog !== undefined;
  useEffect(() => {
    if (earlier !== null && isShown) panel.current?.focus({ preventScroll: true });
  }, [earlier, isShown]);
  if (catalog === undefined) return null;
  const photos = chosen.filter(canBeStaged);
  const ready = photos.filter(hasRoom);
  const { style, isOneRoom } = choices;
  const room = commonRoom(photos);
  const isGroup = isOneRoom && room !== null && canBeGroup(photos) && style !== null;
  const brief = isGroup ? (choices.brief ?? usualBrief(catalog, room, style)) : null;
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
        <StagingChoices
          photos={photos}
          catalog={catalog}
          room={room}
          choices={choices}
          brief={brief}
          propertyId={props.propertyId}
          chosen={chosen}
          act={ordering.act}
        />
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

interface StagingChoicesProps {
  readonly propertyId: string;
  /** Those that can be staged. */
  readonly photos: readonly Photo[];
  readonly chosen: readonly Photo[];
  readonly catalog: StagingCatalog;
  /** The room of all photos; null where they differ. */
  readonly room: RoomType | null;
  readonly choices: ReturnType<typeof useChoices>;
  /** The furniture that all photos share; null where each is staged by itself. */
  readonly brief: Brief | null;
  readonly act: ReturnType<typeof useAct>['act'];
}

function StagingChoices(props: StagingChoicesProps) {
  const { propertyId, photos, chosen, catalog, room, choices, brief, act } = props;
  const { t } = useText();
  const refused = chosen.filter(({ stagingRefusal }) => stagingRefusal !== null).length;
  const without = chosen.length - refused - photos.length;
  return (
    <div className="stack">
      {refused === 0 ? null : <p className="studio-off">{t('studio.staging.refused', { count: refused })}</p>}
      {without === 0 ? null : <p className="muted">{t('studio.staging.noRoom', { count: without })}</p>}
      <PhotoSubjectField propertyId={propertyId} photos={chosen} rooms={catalog.roomTypes} act={act} />
      <StyleChoice styles={catalog.styles} value={choices.style} onChange={choices.setStyle} />
      {room !== null && canBeGroup(photos) ? (
        <CheckboxRow
          label={t('studio.staging.oneRoom')}
          detail={t('studio.staging.oneRoomText')}
          isChosen={choices.isOneRoom}
          onChange={choices.setOneRoom}
        />
      ) : null}
      {room !== null && brief !== null ? (
        <Suspense>
          <FurnitureBrief catalog={catalog} room={room} brief={brief} onChange={choices.setBrief} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** The room that all photos show; null where it is not the same, or not known. */
function commonRoom(photos: readonly Photo[]): RoomType | null {
  const [first, ...others] = photos;
  return first !== undefined && others.every(({ roomType }) => roomType === first.roomType)
    ? first.roomType
    : null;
}

const canBeGroup = ({ length }: readonly Photo[]): boolean => length > 1 && length <= MAX_ASSIGNMENTS;

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
