/**
 * What the legacy names meant on the day of the migration, as SQL. This copy is frozen on purpose: the current table is
 * `machines/staging-styles.ts`, and a change there must not change the result of this migration.
 * `no-furniture` is absent on purpose: it was only ever a display style (docs/contract.md#rooms-and-styles).
 */

/**
 * SQL for the slug of a legacy name: lower case, with one underscore for every run of blanks, dashes and underscores.
 */
export const slugOf = (expression: string): string =>
  `regexp_replace(lower(btrim(${expression}, E' \\t\\r\\n')), '[[:space:]_-]+', '_', 'g')`;

/** One row per legacy style name (docs/contract.md#rooms-and-styles). */
export const LEGACY_STYLES = `
  create temporary table legacy_styles on commit drop as
  select canonical::canonical_style, modifier, string_to_table(slugs, ' ') as slug
  from (values
    ('MODERN', null, 'modern contemporary standard american urban_modern professional airbnb_modern high_tech'),
    ('MODERN', 'one bright accent', 'modern_pop'),
    ('MODERN', 'essentials only', 'minimalist minimal'),
    ('MODERN', 'walnut, tapered legs, mustard + teal', 'midcentury mid_century_modern retro vintage bauhaus'),
    ('SCANDINAVIAN', null, 'scandinavian nordic hygge scandi warm_minimalist'),
    ('SCANDINAVIAN', 'low natural wood, ceramics', 'japandi wabi_sabi asian_zen organic_modern'),
    ('SCANDINAVIAN', 'white + sand + soft blue, rattan', 'coastal hamptons beach coastal_grandmother'),
    ('SCANDINAVIAN', 'rattan, palms', 'tropical'),
    ('INDUSTRIAL', null, 'industrial urban_industrial industrial_chic loft warehouse'),
    ('FARMHOUSE', null, 'farmhouse modern_farmhouse farmhouse_chic rustic country cabin'),
    ('FARMHOUSE', 'painted wood, florals', 'cottage cottagecore shabby_chic french_country'),
    ('FARMHOUSE', 'terracotta, woven', 'southwestern desert_modern'),
    ('FARMHOUSE', 'layered textiles', 'boho bohemian eclectic moroccan'),
    ('TRADITIONAL', null, 'traditional classic victorian european_classic mediterranean tuscan grandmillennial'),
    ('TRADITIONAL', 'quieter', 'transitional new_traditional neotraditional'),
    ('LUXURY', null, 'luxury luxurious luxe_modern glam premium airbnb_premium art_deco hollywood_regency')
  ) as t (canonical, modifier, slugs)`;

/** One row per legacy room name. */
export const LEGACY_ROOMS = `
  create temporary table legacy_rooms on commit drop as
  select canonical::canonical_room_type, string_to_table(slugs, ' ') as slug
  from (values
    ('BEDROOM', 'bedroom bed'),
    ('LIVING_ROOM', 'living_room living livingroom'),
    ('DINING_ROOM', 'dining_room dining diningroom'),
    ('KITCHEN', 'kitchen'),
    ('BATHROOM', 'bathroom bath'),
    ('OFFICE', 'office home_office'),
    ('TV_ROOM', 'tv_room tv media_room')
  ) as t (canonical, slugs)`;

/** The kind of job of each legacy type; a type that is not here stops the migration. */
export const LEGACY_JOB_TYPES = `
  create temporary table legacy_job_types on commit drop as
  select canonical::ai_job_type, string_to_table(slugs, ' ') as slug
  from (values
    ('ROOM_STAGING', 'stage_room room_staging staging'),
    ('DESCRIPTION', 'description generate_description')
  ) as t (canonical, slugs)`;

/**
 * The meaning of each legacy status. `ACTIVE` is work in flight at the retired provider. v2 cannot poll its prediction,
 * so such a job cannot continue.
 */
export const LEGACY_JOB_STATUSES = `
  create temporary table legacy_job_statuses on commit drop as
  select meaning, string_to_table(slugs, ' ') as slug
  from (values
    ('WAITING', 'pending queued waiting delayed created retrying'),
    ('ACTIVE', 'processing active running started in_progress'),
    ('SUCCESS', 'success succeeded completed complete done'),
    ('FAILED', 'failed error stalled'),
    ('CANCELED', 'canceled cancelled aborted cancel_requested canceling')
  ) as t (meaning, slugs)`;

/** The prompts for each room and style, so that a job that was still waiting can run. */
export const FROZEN_PROMPTS = `
  create temporary table frozen_rooms on commit drop as
  select canonical::canonical_room_type, sentence
  from (values
    ('BEDROOM', 'Bedroom: a bed sized to the wall, two nightstands, lamps, a rug and art.'),
    ('LIVING_ROOM', 'Living room: a sofa, chairs, a coffee table, a rug, a floor lamp, art and plants.'),
    ('DINING_ROOM', 'Dining room: a table with seats clear of the walls, a rug, a sideboard and tableware.'),
    ('KITCHEN', 'Kitchen: loose things only, such as stools at an existing bar, a bowl, a board or a small plant.'),
    ('BATHROOM', 'Bathroom: loose things only, such as towels, a mat, a stool, soap and a plant.'),
    ('OFFICE', 'Office: a desk, a chair, a freestanding shelf, a lamp, a rug and a closed laptop.'),
    ('TV_ROOM', 'TV and media room: a low media unit with a screen that is off, a sectional, a rug and a lamp.')
  ) as t (canonical, sentence);
  create temporary table frozen_styles on commit drop as
  select canonical::canonical_style, sentence
  from (values
    ('MODERN', 'Modern style: low clean-lined pieces, warm grey, cream and black, one abstract print, plain rug'),
    ('SCANDINAVIAN', 'Scandinavian style: light oak, white and oatmeal textiles, airy, wool rug, one plant'),
    ('INDUSTRIAL', 'Industrial style: matte black metal, reclaimed wood, leather, kilim'),
    ('FARMHOUSE', 'Farmhouse style: linen slipcovers, worn wood, baskets, jute'),
    ('TRADITIONAL', 'Traditional style: tailored sofa, wood case goods, symmetry, patterned rug'),
    ('LUXURY', 'Luxury style: velvet, brass and marble on furniture only, large art, layered rugs')
  ) as t (canonical, sentence)`;

export const FROZEN_PROMPT_RULES =
  'Edit this photo, additions only. Keep camera, crop, aspect ratio and size. Do not alter walls, paint, floor, ' +
  'ceiling, trim, windows, outside view, doors, radiators, vents, outlets, switches, lights or built-ins. Do not ' +
  'hide damage, vents or detectors. Furniture stands on the existing floor with contact shadows in the light of ' +
  'the photo, at real-world scale, clear of door swings and walkways. No people, animals, text or logos. Photorealistic.';
