import { MAX_ASSIGNMENTS } from '../../../../../machines/limits.ts';
import type { Inputs, Outputs } from '../../../../typescript/procedures.ts';
import { failureOf } from '../../../api/failures.ts';
import type { SiteApi } from '../../../api/site-api.ts';
import type { Keeper } from '../../../site/keeper.ts';
import type { Photo, RoomType, Style } from '../studio-queries.ts';
import { keepUnsent, type UnsentOrder } from './unsent-order.ts';

export type Brief = NonNullable<Inputs['ai']['createRoomGroup']['brief']>;
/** The pages are of the same release as the server, which knows no other rooms and styles. */
type NewGroup = Inputs['ai']['createRoomGroup'];
export type StagingCatalog = Outputs['ai']['getStagingCatalog'];
export type Submission = Outputs['ai']['submitRoomStaging']['results'][number];

/** A photo with the room that it shows. */
export type RoomPhoto = Photo & { readonly roomType: RoomType };

export interface StagingOrder {
  readonly personId: string;
  readonly propertyId: string;
  /** Milliseconds since 1970. */
  readonly orderedAt: number;
  readonly photos: readonly RoomPhoto[];
  readonly style: Style;
  /** The furniture that all photos share, as those of one room do; null stages each photo by itself. */
  readonly brief: Brief | null;
  /** The group with which a picture is ordered again. */
  readonly groupId?: string | null;
}

/** What the platform would choose for a room in a style. */
export function usualBrief({ furniture }: StagingCatalog, roomType: RoomType, style: Style): Brief {
  const room = furniture.rooms.find((one) => one.roomType === roomType);
  const look = furniture.styles.find((one) => one.style === style);
  const lists = {
    pieces: room?.defaults ?? [],
    materials: look?.materials ?? [],
    colours: look?.colours ?? [],
  };
  return lists as Brief;
}

type StagingApi = {
  readonly ai: Pick<SiteApi['ai'], 'createRoomGroup' | 'listRoomGroups' | 'submitRoomStaging'>;
};

interface Sending {
  /** Where the part that was not answered is kept. */
  readonly storage: Keeper;
  /** Called with every part that was taken. */
  readonly onSubmitted: (results: readonly Submission[]) => void;
}

/** Orders the staging of photos. */
export async function submitStaging(
  api: StagingApi,
  { personId, propertyId, orderedAt, photos, style, brief, groupId: known = null }: StagingOrder,
  sending: Sending,
): Promise<void> {
  const groupId =
    brief === null ? (known ?? undefined) : await groupOf(api, { propertyId, photos, style, brief });
  const assignments = photos.map(({ imageId: originalImageId, roomType }) => ({
    originalImageId,
    roomType,
    style,
  }));
  await sendOrder(
    api,
    { personId, propertyId, orderedAt, assignments, ...(groupId === undefined ? {} : { groupId }) },
    sending,
  );
}

/**
 * Sends an order, twenty photos at a time. What has not been answered is kept, for a page after this one; a photo that
 * is sent twice is staged once. What the server refuses ends the order.
 */
export async function sendOrder(
  api: StagingApi,
  order: UnsentOrder,
  { storage, onSubmitted }: Sending,
): Promise<void> {
  const { personId, propertyId, orderedAt, assignments, ...group } = order;
  let left = assignments;
  try {
    keepUnsent(storage, order);
    while (left.length > 0) {
      const { results } = await api.ai.submitRoomStaging({
        ...group,
        assignments: left.slice(0, MAX_ASSIGNMENTS),
      });
      left = left.slice(MAX_ASSIGNMENTS);
      keepUnsent(storage, { ...order, assignments: left });
      onSubmitted(results);
    }
  } catch (error) {
    if (failureOf(error).httpStatus !== null) keepUnsent(storage, { ...order, assignments: [] });
    throw error;
  }
}

const sameIds = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id) => other.includes(id));

const BRIEF_LISTS = ['pieces', 'materials', 'colours'] as const;

/** The group with these photos, style and furniture: the one that is there, or a new one. */
async function groupOf(
  api: StagingApi,
  {
    propertyId,
    photos,
    style,
    brief,
  }: Omit<StagingOrder, 'personId' | 'orderedAt'> & { readonly brief: Brief },
): Promise<string> {
  const originalImageIds = photos.map(({ imageId }) => imageId);
  const [first] = photos;
  if (first === undefined) throw new Error('A group needs photos');
  const { roomType } = first;
  const { items } = await api.ai.listRoomGroups({ propertyId });
  const known = items.find(
    (group) =>
      group.roomType === roomType &&
      group.style === style &&
      sameIds(group.originalImageIds, originalImageIds) &&
      BRIEF_LISTS.every((list) => sameIds(group.brief[list], brief[list])),
  );
  if (known !== undefined) return known.groupId;
  const made = await api.ai.createRoomGroup({
    propertyId,
    roomType,
    style,
    originalImageIds,
    brief,
  } as NewGroup);
  return made.groupId;
}
