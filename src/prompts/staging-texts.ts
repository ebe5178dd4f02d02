/**
 * The texts of the staging prompt (docs/contract.md#prompt). Every change here changes what is bought: it needs a
 * new PROMPT_VERSION and new checksums in the test.
 */
import type { CanonicalRoomType, CanonicalStyle } from '../../machines/vocabulary.ts';

/** The name of a room, what may be placed in it, and what must not appear or change there. */
export interface RoomText {
  name: string;
  /** `accessories`: the room's fittings are its furniture, so only small loose objects may be added. */
  additions: 'furniture' | 'accessories';
  mayAdd: string;
  mustNot: string;
}

export const ROOM_TEXTS: Readonly<Record<CanonicalRoomType, RoomText>> = {
  BEDROOM: {
    name: 'bedroom',
    additions: 'furniture',
    mayAdd:
      'a bed sized to its wall (a double bed unless the room is clearly larger), two nightstands, table lamps, a rug, framed art, and curtains only on a rail that already exists',
    mustNot:
      'no wardrobe or closet that looks built in; no headboard, curtain or art that covers a window or an outlet',
  },
  LIVING_ROOM: {
    name: 'living room',
    additions: 'furniture',
    mayAdd: 'a sofa, chairs, a coffee table, a rug, a floor lamp, framed art and potted plants',
    mustNot:
      'no fireplace, no TV wall, no recessed or track lighting, no mouldings; no sofa or chair in front of a door',
  },
  DINING_ROOM: {
    name: 'dining room',
    additions: 'furniture',
    mayAdd:
      'a dining table with chairs that leave about 90 cm to every wall, a rug under them, a freestanding sideboard and simple tableware',
    mustNot:
      'no chandelier, pendant or other hanging light, and none of the existing ones changed; no chair that intersects the table',
  },
  KITCHEN: {
    name: 'kitchen',
    additions: 'accessories',
    mayAdd:
      'stools only at a breakfast bar that already exists, a bowl, a cutting board, a small potted plant, a folded towel, and one small table only where the floor is free',
    mustNot:
      'no cabinets, worktops, island, appliances, sink, tap, backsplash or cooker hood added, replaced, moved or restyled; nothing on the hob; no sofas, armchairs, beds, desks, sideboards, shelving or rugs',
  },
  BATHROOM: {
    name: 'bathroom',
    additions: 'accessories',
    mayAdd: 'folded or hung towels, a bath mat, one small stool, a soap dispenser and a small potted plant',
    mustNot:
      'no vanity, basin, mirror, tap, shower, shower glass, tub, toilet, tiles or lights added, replaced, moved or restyled; mirrors reflect only what is really in front of them; no sofas, armchairs, beds, tables, cabinets or shelving',
  },
  OFFICE: {
    name: 'home office',
    additions: 'furniture',
    mayAdd: 'a desk, an office chair, a freestanding shelf, a lamp, a rug and a closed laptop',
    mustNot: 'no built-in shelves, no readable screen, no brand, no text on book spines, no loose cables',
  },
  TV_ROOM: {
    name: 'TV and media room',
    additions: 'furniture',
    mayAdd:
      'a low freestanding media unit carrying a television that is switched off, a sectional facing it, a rug and a dimmable lamp, so that the room clearly reads as a TV and media room',
    mustNot:
      'no wall-mounted television, wall bracket or visible wiring, no projector or screen, no acoustic panels, no bar; no television in front of a window',
  },
};

/** A style in two wordings: furniture and decoration, or small loose objects for rooms that allow only those. */
export interface StyleText {
  name: string;
  furniture: string;
  accessories: string;
  /** A repeated prohibition, where the style's name suggests changes to the building itself. */
  caution?: string;
}

export const STYLE_TEXTS: Readonly<Record<CanonicalStyle, StyleText>> = {
  MODERN: {
    name: 'modern',
    furniture:
      'low clean-lined pieces in warm grey, cream and black, one abstract print, plain textiles and a plain rug',
    accessories: 'clean-lined pieces in warm grey, cream and black, plain textiles',
  },
  SCANDINAVIAN: {
    name: 'Scandinavian',
    furniture: 'light oak, white and oatmeal textiles, an airy arrangement, a wool rug, one plant',
    accessories: 'light oak, white and oatmeal textiles, an airy arrangement, one plant',
  },
  INDUSTRIAL: {
    name: 'industrial',
    furniture: 'matte black metal, reclaimed wood and leather, a kilim',
    accessories: 'matte black metal, reclaimed wood and leather details',
  },
  FARMHOUSE: {
    name: 'farmhouse',
    furniture: 'linen slipcovers, worn wood and baskets, a jute rug',
    accessories: 'linen textiles, worn wood, small baskets',
  },
  TRADITIONAL: {
    name: 'traditional',
    furniture: 'tailored upholstery, wood case goods, a symmetrical arrangement, a patterned rug',
    accessories: 'turned wood, classic ceramics, neatly folded patterned textiles, a symmetrical arrangement',
  },
  LUXURY: {
    name: 'luxury',
    furniture: 'velvet, brass and marble on furniture only, one large artwork, layered rugs',
    accessories: 'plush textiles, brass and marble on the loose small pieces only',
    caution:
      'Luxury comes from the added pieces alone: no change to floors, no change to walls, no change to lights. Existing surfaces and finishes keep their material, colour and wear.',
  },
};

/** The same for every room. Last in the prompt, so that no earlier text outweighs it. */
export const PROHIBITIONS: readonly string[] = [
  'Additions only. Everything visible in the photo stays where it is and as it is, existing furniture included.',
  'Keep the camera position, lens, perspective, crop, framing, aspect ratio, width and height.',
  'Do not alter walls, paint, floor, ceiling, trim, windows, window panes, the view outside, doors, radiators, vents, outlets, switches, lights or built-ins.',
  'Do not hide, repair or clean up damage, stains or wear, and do not cover vents or smoke detectors.',
  'Added pieces stand on the existing floor or on existing surfaces, with contact shadows that follow the light of the photo.',
  'Keep door swings and walkways free.',
  'Use correct real-world scale.',
  'Add no people, no animals and no safety devices.',
  'Add no text, letters, numbers, captions, labels, watermarks or logos anywhere in the picture.',
  'The result is photorealistic, with the exposure, white balance, sharpness and grain of the original photo.',
];
