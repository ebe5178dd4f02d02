/** The tasks of a decoder's process, by name. The roles import only the types: this file loads the picture library. */

import { prepareAvatar } from './avatar-picture.ts';
import { compareDrift } from './drift-comparison.ts';
import { preparePhoto, prepareProviderInput } from './photo-intake.ts';
import { renderRendition } from './render.ts';
import { drawSiteIcon } from './site-icon.ts';
import { judgePhoto, makeFingerprint, readProbes } from './staged-fingerprints.ts';
import { inspectStagedOutput } from './staged-output.ts';

export const DECODE_TASKS = {
  photo: preparePhoto,
  'provider-input': prepareProviderInput,
  avatar: prepareAvatar,
  'staged-output': inspectStagedOutput,
  rendition: renderRendition,
  'site-icon': drawSiteIcon,
  drift: compareDrift,
  fingerprint: makeFingerprint,
  'photo-probes': readProbes,
  'photo-judgement': judgePhoto,
};

type Tasks = typeof DECODE_TASKS;
export type TaskName = keyof Tasks;
/** The arguments of a task besides the picture's bytes; plain data. */
export type TaskOrder<N extends TaskName> =
  Parameters<Tasks[N]> extends [Buffer, ...infer Order] ? Order : never;
export type TaskResult<N extends TaskName> = Awaited<ReturnType<Tasks[N]>>;
