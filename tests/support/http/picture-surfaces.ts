/**
 * Every procedure that answers pictures of homes to the public. Both kinds of a test's persons may ask, those of a
 * host in its process and those of a whole platform.
 */
export interface Onlooker {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  query(procedure: string, input?: unknown): Promise<{ status: number; data: any }>;
}
export interface Saver extends Onlooker {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  mutate(procedure: string, input?: unknown): Promise<{ status: number; data: any }>;
}
export interface ShownPicture {
  imageId: string;
  isStyled: boolean;
  provenanceUrl: string | null;
  originalImageId?: string | null;
}
export interface ShownHome {
  propertyId: string;
  coverImageId: string;
  images: ShownPicture[];
  hiddenStagedCount: number;
}
/** Asks with a choice of pictures; `shown` is the answer about the one listing. */
export type Surface = (choice?: {
  pictures?: unknown;
}) => Promise<{ status: number; shown: ShownHome | undefined }>;

export interface Views {
  visitor: Onlooker;
  /** Has the listing among their favorites. */
  customer: Onlooker;
  /** The secret of their shared list: `shareList`. */
  sharedList: string;
  /** At 47.6, -122.3. */
  propertyId: string;
  /** Another listing at the same place. */
  neighbor: string;
}

/** Shares the favorites of a person. @returns the secret of the list */
export async function shareList(person: Saver): Promise<string> {
  const { data } = await person.mutate('favorites.share', { name: 'Ours', withNotes: false });
  return data.url.split('/').at(-1);
}

/** The surfaces by their procedures' names. */
export function pictureSurfaces({ visitor, customer, sharedList, propertyId, neighbor }: Views) {
  const among =
    (person: Onlooker, procedure: string, input: (choice: object) => object): Surface =>
    async (choice = {}) => {
      const { status, data } = await person.query(procedure, input(choice));
      const shown = data?.items.find((item: ShownHome) => item.propertyId === propertyId);
      return { status, shown };
    };
  return {
    'search.list': among(visitor, 'search.list', (filters) => ({ filters })),
    'home.getFeatured': among(visitor, 'home.getFeatured', (choice) => choice),
    'home.getNearby': among(visitor, 'home.getNearby', (choice) => ({
      latitude: 47.6,
      longitude: -122.3,
      ...choice,
    })),
    'properties.listSimilar': among(visitor, 'properties.listSimilar', (choice) => ({
      propertyId: neighbor,
      ...choice,
    })),
    'favorites.list': among(customer, 'favorites.list', (choice) => choice),
    'favorites.getShared': among(visitor, 'favorites.getShared', (choice) => ({
      secret: sharedList,
      ...choice,
    })),
    'homes.listCards': among(visitor, 'homes.listCards', (choice) => ({
      propertyIds: [propertyId],
      ...choice,
    })),
    'properties.getDetail': async (choice = {}) => {
      const { status, data } = await visitor.query('properties.getDetail', { propertyId, ...choice });
      return { status, shown: data };
    },
  } satisfies Record<string, Surface>;
}

/** The ids of the pictures that each surface shows, in its order. */
export async function shownPictures(views: Views): Promise<Record<string, string[]>> {
  const surfaces: Record<string, Surface> = pictureSurfaces(views);
  const asked = Object.entries(surfaces).map(async ([name, surface]): Promise<[string, string[]]> => {
    const { shown } = await surface();
    return [name, shown?.images.map(({ imageId }) => imageId) ?? []];
  });
  return Object.fromEntries(await Promise.all(asked));
}
