import { parseArgs } from 'node:util';
import {
  CANONICAL_ROOM_TYPES,
  CANONICAL_STYLES,
  type CanonicalRoomType,
  type CanonicalStyle,
} from '../../../machines/vocabulary.ts';

/** The options of the demo. */
export interface DemoOptions {
  help: boolean;
  /** Photos and folders; when empty, the demo draws the rooms itself. */
  paths: string[];
  /** One per photo; repeated from the beginning when there are more photos. */
  styles: readonly CanonicalStyle[];
  /** Likewise; when empty, file names decide. */
  rooms: readonly CanonicalRoomType[];
  crash: boolean;
  out: string;
  /** Undefined: a temporary folder, removed afterwards. */
  data: string | undefined;
}

/** The options cannot be used; the message is written for the terminal. */
export class UsageError extends Error {
  readonly code: 'ARGUMENTS' | 'PHOTOS';

  constructor(code: UsageError['code'], message: string) {
    super(message);
    this.name = 'UsageError';
    this.code = code;
  }
}

const DEFAULT_OUT = 'demo-output';
export const DEFAULT_DATA = '.data/demo';

export const HELP = `npm run demo -- [photos or folders] [options]

Starts the whole platform on this machine beside anything that runs, signs an agent in by mailed code, uploads the
photos to a new listing, has every room staged by the simulated provider, and approves one result, rejects one and
cancels one on the way. Ends with a table and what was checked, and writes the pictures before and after with a
contact sheet (contact-sheet.png).

  photos           JPEG, PNG, WebP, AVIF or HEIC files, or folders of them; without any, the demo draws seven rooms
  --style <list>   ${CANONICAL_STYLES.join(', ')}
                   (default: all six in turn)
  --room <list>    ${CANONICAL_ROOM_TYPES.join(', ')}
                   (default: from the file name, "bedroom-01.jpg", otherwise LIVING_ROOM)
  --crash          kill -9 the worker while predictions run, start it again, and reach the same end
  --out <folder>   where the pictures go (default ${DEFAULT_OUT})
  --data <folder>  keep the platform's data there (default: ${DEFAULT_DATA}, removed at the end)
  --help           this text

Exit code 0 when every job that was not canceled succeeded, the canceled one was canceled, no picture was bought
twice, and the public sees the approved picture only. Ctrl-C stops everything.
`;

/** @throws UsageError */
export function readDemoArguments(args: string[]): DemoOptions {
  const { values, positionals } = parse(args);
  return {
    help: values.help,
    paths: positionals,
    styles: values.style === undefined ? CANONICAL_STYLES : choices('style', values.style, CANONICAL_STYLES),
    rooms: values.room === undefined ? [] : choices('room', values.room, CANONICAL_ROOM_TYPES),
    crash: values.crash,
    out: values.out,
    data: values.data,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        style: { type: 'string', multiple: true },
        room: { type: 'string', multiple: true },
        crash: { type: 'boolean', default: false },
        out: { type: 'string', default: DEFAULT_OUT },
        data: { type: 'string' },
      },
    });
  } catch (error) {
    // Node continues with an explanation of positional arguments, which does not apply here.
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    throw new UsageError('ARGUMENTS', `${sentence.replace(/\.$/, '')}.`);
  }
}

function choices<T extends string>(what: string, given: string[], known: readonly T[]): T[] {
  const names = given.flatMap((list) => list.split(',')).map((name) => name.trim());
  return names.map((name) => {
    const found = known.find((candidate) => candidate === name.toUpperCase().replaceAll(/[\s-]/g, '_'));
    if (found === undefined)
      throw new UsageError('ARGUMENTS', `"${name}" is not a ${what}. Choose from ${known.join(', ')}.`);
    return found;
  });
}
