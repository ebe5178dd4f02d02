import type { FuzzTarget } from './target.ts';
import { chunkedBodies } from './targets/chunked-bodies.ts';
import { cookies } from './targets/cookies.ts';
import { descriptionTexts } from './targets/description-texts.ts';
import { feedQueries } from './targets/feed-queries.ts';
import { headerValues } from './targets/header-values.ts';
import { idempotencyKeys } from './targets/idempotency-keys.ts';
import { inputEnvelopes } from './targets/input-envelopes.ts';
import { legacyMessages } from './targets/legacy-messages.ts';
import { pictureRequests } from './targets/picture-requests.ts';
import { pictureSides } from './targets/picture-sides.ts';
import { procedureInputs } from './targets/procedure-inputs.ts';
import { procedureRequests } from './targets/procedure-requests.ts';
import { providerAnswers } from './targets/provider-answers.ts';
import { providerOutputs } from './targets/provider-outputs.ts';
import { queueEntries } from './targets/queue-entries.ts';
import { requestHeads } from './targets/request-heads.ts';
import { searchCursors } from './targets/search-cursors.ts';
import { signIn } from './targets/sign-in.ts';
import { tableFiles } from './targets/table-files.ts';
import { uploadedPictures } from './targets/uploaded-pictures.ts';
import { uploads } from './targets/uploads.ts';
import { webhooks } from './targets/webhooks.ts';
import type { HostWorld } from './worlds/host-world.ts';
import type { PictureWorld } from './worlds/picture-world.ts';
import type { ProviderWorld } from './worlds/provider-world.ts';
import type { QueueWorld } from './worlds/queue-world.ts';

/** All parsers of untrusted input, by what they need to run. One test file runs each list. */
export const PROCEDURE_TARGETS: readonly FuzzTarget<HostWorld>[] = [
  procedureInputs,
  inputEnvelopes,
  procedureRequests,
  idempotencyKeys,
  cookies,
];
export const ROUTE_TARGETS: readonly FuzzTarget<HostWorld>[] = [
  webhooks,
  signIn,
  requestHeads,
  chunkedBodies,
  uploads,
  // Last, because renditions are stored after their answer was sent.
  pictureRequests,
];
export const PICTURE_TARGETS: readonly FuzzTarget<PictureWorld>[] = [uploadedPictures, pictureSides];
export const PARSER_TARGETS: readonly FuzzTarget<unknown>[] = [
  headerValues,
  searchCursors,
  legacyMessages,
  tableFiles,
  descriptionTexts,
  feedQueries,
];
export const PROVIDER_TARGETS: readonly FuzzTarget<ProviderWorld>[] = [providerAnswers, providerOutputs];
export const QUEUE_TARGETS: readonly FuzzTarget<QueueWorld>[] = [queueEntries];
