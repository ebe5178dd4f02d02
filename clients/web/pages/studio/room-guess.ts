import type { OtherSubject, StoredSubject } from '../../../../machines/disclosure/photo-subject.ts';
import type { CanonicalRoomType } from '../../../../machines/vocabulary.ts';

/** `front bedroom` is a bedroom: the word says where it is. */
const PART = '(?! (?:bath|bed|deck|door|entry|garden|hall|living|office|patio|porch|room|yard))';

/**
 * Words of file names, English and Spanish, that name a room. Of two that begin at the same word, the earlier rule
 * decides: `master bathroom` is a bathroom.
 */
const ROOMS: Readonly<Record<CanonicalRoomType, RegExp>> = {
  TV_ROOM: /\b(?:(?:sala|cuarto) de )?(?:tv|television|media|home ?theat(?:er|re)|cine)\b/,
  DINING_ROOM: /\b(?:dining|diningroom|comedor)\b/,
  BATHROOM: /\b(?:(?:master |primary |guest |hall )?(?:bath|bathroom)|shower|powder|bano|wc)\b/,
  BEDROOM: /\b(?:bed|bedroom|master|primary|guest ?room|recamara|dormitorio|habitacion)\b/,
  KITCHEN: /\b(?:kitchen|cocina)\b/,
  OFFICE: /\b(?:office|study|den|oficina|despacho)\b/,
  LIVING_ROOM: /\b(?:living|livingroom|lounge|family ?room|great ?room|sala|salon|estancia)\b/,
};

/** The same for what cannot be staged. `yard` is a yard, wherever it is. */
const OTHERS: Readonly<Record<OtherSubject, RegExp>> = {
  'Floor Plan': /\b(?:floor ?plans?|blueprints?|planos?)\b/,
  Map: /\b(?:plat|survey|site ?plan|maps?|mapas?|croquis)\b/,
  'Aerial View': /\b(?:(?:vista )?aerea|aerial|drone?)\b/,
  'Front of Structure': new RegExp(
    `\\b(?:front|(?:vista )?frontal|facade|fachada|frente|street ?view|curb)\\b${PART}|\\bexterior(?:es)?\\b(?!.*\\b(?:back|rear|side|trasera?|lateral)\\b)`,
  ),
  'Back of Structure': new RegExp(`\\b(?:back|rear|(?:parte|vista) trasera)\\b${PART}`),
  'Side of Structure': /\b(?:side (?:exterior|of|view)|costado|(?:vista )?lateral)\b/,
  Entry: /\b(?:(?:front )?(?:door|entry|entryway|entrance)|foyer|entrada|recibidor|puerta)\b/,
  Lobby: /\blobby\b/,
  Hallway: /\b(?:hall|hallway|corridor|pasillo)\b(?! bath)/,
  Stairs: /\b(?:stairs?|staircase|stairway|escaleras?)\b/,
  'Breakfast Area': /\b(?:breakfast|nook|desayunador|antecomedor)\b/,
  Pantry: /\b(?:pantry|despensa|alacena)\b/,
  Fireplace: /\b(?:fireplace|chimenea)\b/,
  'Sun Room': /\b(?:sun ?room|conservatory|solarium|solario)\b/,
  Library: /\b(?:library|biblioteca)\b/,
  'Walk-In Closet(s)':
    /\b(?:(?:master |primary |bedroom )?(?:walk ?in )?closets?|walk ?in|wardrobe|vestidor)\b/,
  Sauna: /\bsauna\b/,
  Loft: /\b(?:loft|altillo|tapanco)\b/,
  'Game Room':
    /\b(?:(?:game|play|bonus|rec|recreation) ?room|billiards?|pool table|(?:sala|cuarto) de juegos)\b/,
  'Exercise Room': /\b(?:(?:home )?gym|exercise|fitness|gimnasio)\b/,
  Laundry: /\b(?:laundry|washer|lavanderia|(?:cuarto de )?lavado)\b/,
  'Mud Room': /\bmud ?room\b/,
  'Utility Room': /\b(?:utility|mechanical|furnace|cuarto de (?:maquinas|servicio))\b/,
  Storage: /\b(?:storage|bodega|trastero)\b/,
  Workshop: /\b(?:workshop|taller)\b/,
  'Wine Cellar': /\b(?:wine|cava)\b/,
  Basement: /\b(?:basement|cellar|sotano)\b/,
  Attic: /\b(?:attic|atico|desvan|buhardilla)\b/,
  Garage: /\b(?:garage|garaje|cochera)\b/,
  Parking: /\b(?:parking|driveway|carport|estacionamiento)\b/,
  Balcony: /\b(?:balcony|balcon)\b/,
  Deck: /\bdeck\b/,
  Courtyard: /\b(?:courtyard|atrium|patio (?:central|interior))\b/,
  Yard: /\b(?:yard|backyard|frontyard|lawn|gardens?|jardin(?:es)?|patio trasero)\b(?! (?:shed|house))/,
  Patio: /\b(?:patio|terrace|porch|veranda|pergola|terraza|porche)\b/,
  'Out Buildings': /\b(?:shed|barn|guest ?house|casita|granero|cobertizo)\b/,
  Pool: /\b(?:pool|swimming|alberca|piscina)\b/,
  Spa: /\b(?:spa|hot ?tub|jacuzzi)\b/,
  View: /\b(?:(?:bay|city|lake|mountain|ocean|park|river|sea|water) )?(?:views?|vistas?|skyline)\b(?! (?:of|de|del) )/,
  Waterfront: /\b(?:waterfront|beach|dock|pier|lake|ocean|river|playa|muelle|lago)\b/,
  Community: /\b(?:community|clubhouse|amenit(?:y|ies)|playground|tennis|amenidades|areas? comun(?:es)?)\b/,
};

/** In the order in which agents choose them. */
export const OTHER_SUBJECTS = Object.keys(OTHERS) as OtherSubject[];

/** What follows names where the room is seen from. */
const SEEN_FROM = /\b(?:from|off|toward|towards|desde|hacia)\b.*/;

const found = <K extends string>(rules: Readonly<Record<K, RegExp>>, words: string) =>
  (Object.entries(rules) as [K, RegExp][]).flatMap(([subject, rule]) => {
    const place = words.search(rule);
    return place < 0 ? [] : [{ subject, place }];
  });
const first = <K>(all: readonly { readonly subject: K; readonly place: number }[]) =>
  all.toSorted((one, other) => one.place - other.place)[0];

/**
 * What the name of a photo's file says that it shows: a room, such as `12_Living-Room.jpg`, or another subject, such as
 * `front exterior.jpg`, or neither. Of several, the first one is the subject: `Living room seen from the kitchen.jpg` shows a
 * living room.
 */
export function guessSubject(fileName: string): StoredSubject {
  const words = fileName
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3 $2$4')
    .toLowerCase()
    .replace(/\.\w+$/, '')
    // A number may follow a word without a gap: `bedroom2`.
    .replace(/[^a-z]+/g, ' ')
    .replace(SEEN_FROM, '');
  const room = first(found(ROOMS, words));
  const other = first(found(OTHERS, words));
  if (other !== undefined && (room === undefined || other.place <= room.place))
    return { roomType: null, imageOf: other.subject };
  return { roomType: room?.subject ?? null, imageOf: null };
}
