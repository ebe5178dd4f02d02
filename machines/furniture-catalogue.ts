import {
  CANONICAL_ROOM_TYPES,
  CANONICAL_STYLES,
  type CanonicalRoomType,
  type CanonicalStyle,
} from './vocabulary.ts';

/**
 * The furniture that a brief can name (docs/contract.md#room-groups): pieces by room type, materials, colors. A brief
 * consists of these ids only, so that no text of a person gets into a prompt. A piece stands here with its words in
 * the prompt; materials and colors are their ids in words. Changed words change what is bought: they need a new
 * GROUP_PROMPT_VERSION. Ids are never removed, because stored briefs hold them.
 */
const PIECE_WORDS = {
  bed: 'a bed',
  nightstands: 'two nightstands',
  table_lamps: 'table lamps',
  rug: 'a rug',
  framed_art: 'framed art',
  curtains: 'curtains, only on a rail that already exists',
  sofa: 'a sofa',
  armchairs: 'armchairs',
  coffee_table: 'a coffee table',
  floor_lamp: 'a floor lamp',
  potted_plants: 'potted plants',
  dining_table: 'a dining table',
  dining_chairs: 'dining chairs',
  sideboard: 'a freestanding sideboard',
  tableware: 'simple tableware',
  bar_stools: 'stools, only at a breakfast bar that already exists',
  bowl: 'a bowl',
  cutting_board: 'a cutting board',
  small_plant: 'a small potted plant',
  folded_towel: 'a folded towel',
  small_table: 'one small table, only where the floor is free',
  towels: 'folded or hung towels',
  bath_mat: 'a bath mat',
  stool: 'one small stool',
  soap_dispenser: 'a soap dispenser',
  desk: 'a desk',
  office_chair: 'an office chair',
  shelf: 'a freestanding shelf',
  desk_lamp: 'a desk lamp',
  laptop: 'a closed laptop',
  media_unit: 'a low freestanding media unit carrying a television that is switched off',
  sectional_sofa: 'a sectional sofa that faces the television',
  dimmable_lamp: 'a dimmable lamp',
} as const;

export type Piece = keyof typeof PIECE_WORDS;
export const PIECES = Object.keys(PIECE_WORDS) as [Piece, ...Piece[]];

export const MATERIALS = [
  'light_oak',
  'walnut',
  'reclaimed_wood',
  'painted_wood',
  'black_metal',
  'brass',
  'marble',
  'glass',
  'leather',
  'linen',
  'cotton',
  'velvet',
  'wool',
  'rattan',
  'jute',
  'ceramic',
] as const;
type Material = (typeof MATERIALS)[number];

export const COLOURS = [
  'white',
  'cream',
  'oatmeal',
  'beige',
  'warm_grey',
  'charcoal',
  'black',
  'brown',
  'terracotta',
  'mustard',
  'sage',
  'teal',
  'navy',
  'soft_blue',
] as const;
type Colour = (typeof COLOURS)[number];

/** What all photos of one room share: each list in the order of the wish, without repetitions. */
export interface FurnitureBrief {
  readonly pieces: readonly Piece[];
  readonly materials: readonly Material[];
  readonly colours: readonly Colour[];
}

interface RoomFurniture {
  /** What a brief of this room may name. */
  readonly pieces: readonly Piece[];
  /** What it must name. */
  readonly required: readonly Piece[];
  readonly defaults: readonly Piece[];
}

const ROOM_FURNITURE: Readonly<Record<CanonicalRoomType, RoomFurniture>> = {
  BEDROOM: {
    pieces: ['bed', 'nightstands', 'table_lamps', 'rug', 'framed_art', 'curtains'],
    required: [],
    defaults: ['bed', 'nightstands', 'table_lamps', 'rug', 'framed_art'],
  },
  LIVING_ROOM: {
    pieces: ['sofa', 'armchairs', 'coffee_table', 'rug', 'floor_lamp', 'framed_art', 'potted_plants'],
    required: [],
    defaults: ['sofa', 'coffee_table', 'rug', 'floor_lamp', 'framed_art'],
  },
  DINING_ROOM: {
    pieces: ['dining_table', 'dining_chairs', 'rug', 'sideboard', 'tableware'],
    required: [],
    defaults: ['dining_table', 'dining_chairs', 'rug', 'tableware'],
  },
  KITCHEN: {
    pieces: ['bar_stools', 'bowl', 'cutting_board', 'small_plant', 'folded_towel', 'small_table'],
    required: [],
    defaults: ['bowl', 'cutting_board', 'small_plant'],
  },
  BATHROOM: {
    pieces: ['towels', 'bath_mat', 'stool', 'soap_dispenser', 'small_plant'],
    required: [],
    defaults: ['towels', 'bath_mat', 'soap_dispenser'],
  },
  OFFICE: {
    pieces: ['desk', 'office_chair', 'shelf', 'desk_lamp', 'rug', 'laptop'],
    required: [],
    defaults: ['desk', 'office_chair', 'shelf', 'desk_lamp', 'rug'],
  },
  // Without its television it would read as a living room.
  TV_ROOM: {
    pieces: ['media_unit', 'sectional_sofa', 'rug', 'dimmable_lamp'],
    required: ['media_unit'],
    defaults: ['media_unit', 'sectional_sofa', 'rug', 'dimmable_lamp'],
  },
};

/** The materials and colors of a style's default brief. */
const STYLE_FURNITURE: Readonly<Record<CanonicalStyle, Omit<FurnitureBrief, 'pieces'>>> = {
  MODERN: { materials: ['cotton', 'black_metal', 'glass'], colours: ['warm_grey', 'cream', 'black'] },
  SCANDINAVIAN: { materials: ['light_oak', 'wool', 'linen'], colours: ['white', 'oatmeal', 'sage'] },
  INDUSTRIAL: {
    materials: ['black_metal', 'reclaimed_wood', 'leather'],
    colours: ['black', 'brown', 'charcoal'],
  },
  FARMHOUSE: { materials: ['linen', 'painted_wood', 'jute'], colours: ['cream', 'beige', 'soft_blue'] },
  TRADITIONAL: { materials: ['walnut', 'wool', 'cotton'], colours: ['cream', 'navy', 'brown'] },
  LUXURY: { materials: ['velvet', 'brass', 'marble'], colours: ['cream', 'charcoal', 'teal'] },
};

/** The brief of a group that names none: the same one for a room type and style each time. */
export function defaultBrief(roomType: CanonicalRoomType, style: CanonicalStyle): FurnitureBrief {
  return { pieces: ROOM_FURNITURE[roomType].defaults, ...STYLE_FURNITURE[style] };
}

/** A fault of a brief for a room: which list, at which index (null for the whole list), and what to do. */
export interface BriefFault {
  readonly list: keyof FurnitureBrief;
  readonly index: number | null;
  readonly say: string;
}

/** The pieces that the room type does not have, and those that it must have and the brief does not name. */
export function briefFaults(roomType: CanonicalRoomType, { pieces }: FurnitureBrief): BriefFault[] {
  const room = ROOM_FURNITURE[roomType];
  const foreign = pieces.flatMap((piece, index): BriefFault[] =>
    room.pieces.includes(piece)
      ? []
      : [{ list: 'pieces', index, say: `Choose pieces of a ${roomType}: ${room.pieces.join(', ')}.` }],
  );
  const missing = room.required.filter((piece) => !pieces.includes(piece));
  if (missing.length === 0) return foreign;
  return [...foreign, { list: 'pieces', index: null, say: `A ${roomType} needs ${missing.join(', ')}.` }];
}

/** The brief in the words of the prompt. */
export function briefWords({
  pieces,
  materials,
  colours,
}: FurnitureBrief): Record<keyof FurnitureBrief, string> {
  const words = (ids: readonly string[]) => ids.map((id) => id.replaceAll('_', ' ')).join(', ');
  return {
    pieces: pieces.map((piece) => PIECE_WORDS[piece]).join('; '),
    materials: words(materials),
    colours: words(colours),
  };
}

/** The whole catalogue as clients get it, with the defaults of rooms and styles. */
export const FURNITURE_CATALOGUE = {
  rooms: CANONICAL_ROOM_TYPES.map((roomType) => ({ roomType, ...ROOM_FURNITURE[roomType] })),
  styles: CANONICAL_STYLES.map((style) => ({ style, ...STYLE_FURNITURE[style] })),
  materials: MATERIALS,
  colours: COLOURS,
};
