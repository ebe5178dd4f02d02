import type { Attack } from './attack.ts';
import { lockOut, manyOrders } from './attacks/accounts.ts';
import { gzipBombs, longQueries, repeatsInFlight } from './attacks/bodies.ts';
import { slowConnections, smuggling, unsignedCallbacks } from './attacks/connections.ts';
import { codeFlood, tourFlood } from './attacks/mails.ts';
import { recursiveMeta, typedArrayMeta } from './attacks/metas.ts';
import { longPictures, slowPictures, withheldUploads } from './attacks/pictures.ts';
import { renditionFlood } from './attacks/renditions.ts';
import { dearQuestions, pageFlood } from './attacks/work.ts';

/** All attacks. */
export const ATTACKS = {
  typedArrayMeta,
  recursiveMeta,
  longPictures,
  withheldUploads,
  renditionFlood,
  unsignedCallbacks,
  slowConnections,
  lockOut,
  smuggling,
  longQueries,
  gzipBombs,
  manyOrders,
  repeatsInFlight,
  pageFlood,
  dearQuestions,
  slowPictures,
  codeFlood,
  tourFlood,
} satisfies Record<string, Attack>;
export type AttackName = keyof typeof ATTACKS;
