import { briefWords, type FurnitureBrief } from '../../machines/furniture-catalogue.ts';
import type { CanonicalRoomType, CanonicalStyle } from '../../machines/vocabulary.ts';
import { PROHIBITIONS, ROOM_TEXTS, type RoomText, STYLE_TEXTS, type StyleText } from './staging-texts.ts';

/** Stored with every job and result; identifies the exact texts below (docs/contract.md#prompt). */
export const PROMPT_VERSION = 'room-staging-v2.0';
/** The version of prompts with a furniture brief, which the photos of a group share. */
export const GROUP_PROMPT_VERSION = 'room-staging-v2.1';

/** Maximum length of a modifier in the template, in characters (docs/contract.md#prompt). */
export const MAX_MODIFIER_LENGTH = 600;

export interface PromptRequest {
  roomType: CanonicalRoomType;
  style: CanonicalStyle;
  /** The alias table's nuance of the style, such as "one bright accent"; null for the plain style. */
  modifier: string | null;
  /** Of the photo's group; a photo without a group has none. */
  brief?: FurnitureBrief | null;
}

/**
 * The immutable prompt of a staging job (docs/contract.md#prompt). The same request always gives the same text
 * under one version name.
 * @throws RangeError for a modifier longer than 600 characters.
 */
export function renderPrompt(request: PromptRequest) {
  const { brief = null } = request;
  const room = ROOM_TEXTS[request.roomType];
  const modifier = cleanModifier(request.modifier);
  const paragraphs = [
    opening(room),
    additions(room),
    styling(room, STYLE_TEXTS[request.style], modifier),
    ...(brief === null ? [] : [furniture(room, brief)]),
    rules(),
  ];
  return {
    prompt: paragraphs.join('\n\n'),
    promptVersion: brief === null ? PROMPT_VERSION : GROUP_PROMPT_VERSION,
  };
}

function opening(room: RoomText): string {
  const scope =
    room.additions === 'furniture'
      ? 'adding freestanding furniture and decoration'
      : 'adding a few loose accessories and nothing else';
  return `Edit this photo of a real ${room.name} by ${scope}. It is an edit of this very photo, not a new picture.`;
}

function additions(room: RoomText): string {
  return [
    `You may add, as far as the free space allows: ${room.mayAdd}.`,
    `In this ${room.name}: ${room.mustNot}.`,
  ].join('\n');
}

function styling(room: RoomText, style: StyleText, modifier: string | null): string {
  const scope =
    room.additions === 'furniture' ? 'added furniture and decoration only' : 'added loose accessories only';
  const lines = [`Style of the ${scope}: ${style.name}; ${style[room.additions]}.`];
  if (modifier !== null) {
    lines.push(`Nuance of the style, for the colours, materials and shapes of the ${scope}: ${modifier}.`);
  }
  lines.push('The style chooses among the pieces listed above; it brings in no other kind of piece.');
  if (style.caution) lines.push(style.caution);
  return lines.join('\n');
}

/**
 * Whether a second picture is sent is decided after the prompt is made, and once more before each purchase. So the text
 * says what to do with one if there is one.
 */
function furniture(room: RoomText, brief: FurnitureBrief): string {
  const { pieces, materials, colours } = briefWords(brief);
  return [
    `Several photos show this ${room.name}, and all of them get the same pieces. Furniture brief:`,
    `- Pieces: ${pieces}.`,
    `- Materials: ${materials}.`,
    `- Colours: ${colours}.`,
    'Of everything listed above, add only pieces of this brief, as far as they are in view and the free space allows, and in these materials and colours. Where brief and style differ, follow the brief.',
    `If a second picture is given, it shows the same ${room.name} with these pieces in it, perhaps from another side. Add the same pieces as there, with the same shapes, materials and colours, each in its place in the room. Take nothing else from it: everything else is as in the first picture, the photo to edit.`,
  ].join('\n');
}

function rules(): string {
  return ['Rules that outweigh everything above:', ...PROHIBITIONS.map((rule) => `- ${rule}`)].join('\n');
}

/** One line without a final full stop: a modifier with a line break could look like a separate rule. */
function cleanModifier(modifier: string | null): string | null {
  const line = (modifier ?? '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replace(/\.+$/, '');
  if (line.length > MAX_MODIFIER_LENGTH)
    throw new RangeError(`modifier over ${MAX_MODIFIER_LENGTH} characters`);
  return line === '' ? null : line;
}
